// Two-sided Rayleigh quotient of a quadratic eigenvalue problem, and a bound on its rounding error.
//
//   yᴴ (s² M + s C + K) x = 0:   m s² + c s + k = 0
//
// The coefficients belong to approximate right and left eigenvectors x and y, theory (6.4). The root next to an
// approximate eigenvalue is wrong only by the product of the errors of x and y.
#pragma once

#include <complex>

namespace stillpoint {

/// The modal coefficients yᴴMx, yᴴCx and yᴴKx, and the sums of the magnitudes of their terms. In a bordered problem k
/// includes the constraint terms yᴴJᵀλ + μᴴJx.
struct ModalCoefficients {
  std::complex<double> m, c, k;
  double m_magnitude = 0, c_magnitude = 0, k_magnitude = 0;

  std::complex<double> value(std::complex<double> s) const { return (s * m + c) * s + k; }
  std::complex<double> derivative(std::complex<double> s) const { return 2.0 * s * m + c; }
  double magnitude(std::complex<double> s) const {
    return (std::abs(s) * m_magnitude + c_magnitude) * std::abs(s) + k_magnitude;
  }
};

/// Returns a bound on |δ| for the root of m δ² + derivative·δ ± uncertainty next to zero; `curvature` is |m|.
double root_displacement(double uncertainty, double derivative, double curvature);

struct RayleighValue {
  std::complex<double> s;
  double change = 0;    ///< |s − initial s|
  double rounding = 0;  ///< bound on the effect of rounding in the matrices and in the sums
};

/// Finds the root next to s by Newton's method. At a double root s keeps its value, and its rounding is of the order
/// √ε.
RayleighValue rayleigh_value(const ModalCoefficients& at, std::complex<double> s);

}  // namespace stillpoint
