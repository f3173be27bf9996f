// The zero of a function from its values and derivatives on both sides, some way off: at the zero itself the function
// may not be computable, as where an equilibrium loses its last stiffness and with it the digits of its coordinates.
#pragma once

#include <functional>

namespace stillpoint {

struct ValueAndRate {
  double value = 0, rate = 0;
};

struct HermiteRoot {
  double place = 0;
  double error = 0;  ///< estimate: by how much half the distance changes it
  bool found = false;
};

/// `near` is close to the zero beside `distance`, at most which the values are off.
HermiteRoot hermite_root(const std::function<ValueAndRate(double)>& at, double near, double distance);

}  // namespace stillpoint
