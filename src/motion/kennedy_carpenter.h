// The singly diagonally implicit Runge–Kutta method ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter [Kennedy & Carpenter
// 2019]: of order 5 with an embedded one of order 4, seven stages of which the first is explicit, stage order 2,
// L-stable and stiffly accurate: y⁺ is the last stage.
//
//   y_i = y + h Σ_{j≤i} a_ij k_j,  k_i = f(t + c_i h, y_i),  a_ii = γ,   error: h Σ (a_7i − b̂_i) k_i
#pragma once

#include <array>

namespace stillpoint {

struct KennedyCarpenter {
  static constexpr int stages = 7, order = 5;
  static constexpr double gamma = 23.0 / 125;
  static const std::array<double, stages> c;
  static const std::array<std::array<double, stages>, stages> a;  ///< the last row is b
  static const std::array<double, stages> embedded;               ///< b̂
};

}  // namespace stillpoint
