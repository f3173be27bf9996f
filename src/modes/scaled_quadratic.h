// A quadratic problem in numbers near one, and how well a pair solves it.
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

/// The smallest relative change of M̂, Ĉ, K̂ that makes (s, x) an eigenpair (Tisseur 2000; T21).
double backward_error(const ScaledQuadratic& P, std::complex<double> s, const Eigen::VectorXcd& x);

/// κ of (T22): the largest relative change of s by a small relative change of M̂, Ĉ, K̂; infinite for s = 0 and defective
/// s.
double condition(const ScaledQuadratic& P, std::complex<double> s, const Eigen::VectorXcd& x,
                 const Eigen::VectorXcd& y);

}  // namespace stillpoint
