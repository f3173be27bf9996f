// A number that vanishes where s is an eigenvalue, with its derivatives: the last unknown of
//
//   [B(s), b; cᴴ, 0] (ξ, g) = (0, 1),     B(s) = [s²M + sC + K, Jᵀ; J, 0]                                      (15.5)
//
// g is as smooth as B, also where eigenvalues meet: a double eigenvalue is where g = ∂g/∂s = 0. Newton's method on it
// keeps its digits where that on eigenvalues loses half of them.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "stillpoint/linear_system.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

struct BorderedScalar {
  std::complex<double> g, g_s, g_p, g_ss, g_sp;
  double rounding = 0;  ///< what rounding of the matrices leaves in g
};

/// The matrices of one value of the parameter, with their rates, in dimensionless form. The borders follow the null
/// vectors from one evaluation to the next.
class BorderedFunction {
 public:
  /// From now on the borders stay, so that all evaluations are of one function.
  void hold_borders() { holds_ = true; }
  /// Evaluates at s. The system is a dense one of all coordinates and independent constraints: at most 3000.
  BorderedScalar at(const LinearSystem& system, const SystemRates& rates, std::complex<double> s);
  /// The right null vector of the last evaluation, coordinates only, the largest entry 1.
  Eigen::VectorXcd shape() const;

 private:
  Eigen::VectorXcd b_, c_;
  Eigen::VectorXcd coordinates_;
  Eigen::VectorXd S_, W_;  // scales of coordinates and multipliers, those of the first evaluation
  double gamma_ = 1;
  bool holds_ = false;
};

}  // namespace stillpoint
