// An eigenvalue made exact by its vectors, and how exact.
//
//   yᴴ (s² M + s C + K) x = 0:   m s² + c s + k = 0
//
// (T20a). The root next to an approximate s is wrong by the product of the errors of x and y only.
#pragma once

#include <complex>
#include <limits>

namespace stillpoint {

/// Of the sums that made an entry, and of the entries of R in it: a few ε each.
inline constexpr double rounding_of_sums = 8 * std::numeric_limits<double>::epsilon();

/// yᴴMx, yᴴCx, yᴴKx and the sums of the absolute values of what they are summed from. The constraint terms
/// yᴴJᵀλ + μᴴJx of a bordered problem belong to k.
struct Sandwich {
  std::complex<double> m, c, k;
  double m_size = 0, c_size = 0, k_size = 0;

  std::complex<double> value(std::complex<double> s) const { return (s * m + c) * s + k; }
  std::complex<double> slope(std::complex<double> s) const { return 2.0 * s * m + c; }
  double size(std::complex<double> s) const { return (std::abs(s) * m_size + c_size) * std::abs(s) + k_size; }
};

/// How far the next root of m δ² + slope δ ± uncertainty is at most.
double root_moves_by(double uncertainty, double slope, double curvature);

struct RayleighValue {
  std::complex<double> s;
  double change = 0;    ///< from the s before
  double rounding = 0;  ///< what rounding of the matrices and sums may change
};

/// By Newton's method from s. A zero of second order keeps its s; its rounding is then of the order √ε.
RayleighValue rayleigh_value(const Sandwich& at, std::complex<double> s);

}  // namespace stillpoint
