// A quadratic problem in numbers near one.
//
//   x = D x̂, s = γ ŝ:   M̂ = γ² D M D,  Ĉ = γ D C D,  K̂ = D K D              (γ: Fan, Lin and Van Dooren 2004)
//
// D and γ are powers of two, so scaling rounds nothing.
#pragma once

#include <complex>

#include "modes/quadratic.h"

namespace stillpoint {

struct ScaledQuadratic {
  Eigen::VectorXd d;
  double gamma = 1;
  Eigen::MatrixXd M, C, K;
  double M_norm = 0, C_norm = 0, K_norm = 0;  ///< Frobenius

  /// ‖s²M + sC + K‖ at most, for s as in the problem before scaling.
  double norm(std::complex<double> s) const;
};

ScaledQuadratic scaled(const Quadratic& P);

}  // namespace stillpoint
