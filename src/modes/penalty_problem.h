// The penalty system without squares of J: its forces λ = Ξ g(s) J x stay unknowns beside x (T37).
//
//   T(s) = [s² M + s C + K, Jᵀ; J, −Ξ⁻¹ / g(s)],    g(s) = s² + 2ξω s + ω²
//
// Eliminating λ gives s² M_p + s C_p + K_p. However stiff the penalty is, nothing is lost to rounding here, and nothing
// fills. All numbers are scaled, as those of the bordered problem; vectors are (x, λ).
#pragma once

#include "modes/bordered_problem.h"
#include "modes/quadratic_pencil.h"
#include "stillpoint/forms.h"

namespace stillpoint {

class PenaltyProblem {
 public:
  /// Of `law` the matrices are not needed. At a root of g there is no such matrix.
  PenaltyProblem(const LinearSystem& system, const PenaltyForm& law);

  Index size() const { return pencil_.size(); }
  Index coordinates() const { return static_cast<Index>(problem_.J().cols()); }
  bool is_symmetric() const { return pencil_.is_symmetric(); }
  double frequency_scale() const { return problem_.frequency_scale(); }
  const SparseMatrix& pattern() const { return pencil_.pattern(); }

  /// T(s).
  ComplexSparseMatrix matrix(std::complex<double> s) const;
  /// T'(s) z and T'(s)ᴴ z.
  Eigen::VectorXcd slope(std::complex<double> s, const Eigen::VectorXcd& z) const;
  Eigen::VectorXcd left_slope(std::complex<double> s, const Eigen::VectorXcd& z) const;

  /// yᴴ T(s) z and its slope, in numbers and s as before scaling; at other s only nearly.
  Sandwich sandwich(std::complex<double> s, const Eigen::VectorXcd& z, const Eigen::VectorXcd& left) const;
  /// Of both rows of T(s) z, relative to what they are summed from, the larger.
  double residual(std::complex<double> s, const Eigen::VectorXcd& z) const;
  /// ‖J x‖ / (‖J‖ ‖x‖).
  double violation(const Eigen::VectorXcd& z) const { return problem_.violation(unscaled(z).coordinates); }
  /// How much a small relative change of M, C, K, J and Ξ⁻¹ changes s, relative to |s|.
  double condition(std::complex<double> s, const Eigen::VectorXcd& z, const Eigen::VectorXcd& left) const;

  Eigen::VectorXcd scaled(const Eigen::VectorXcd& x) const;  ///< with λ = 0
  BorderedVector unscaled(const Eigen::VectorXcd& z) const { return problem_.unscaled(z); }

 private:
  Eigen::VectorXcd bottom_slope(std::complex<double> s, const Eigen::VectorXcd& z) const;
  const PenaltyForm& law_;
  BorderedProblem problem_;
  QuadraticPencil pencil_;
  Eigen::VectorXd give_;  ///< Ξ⁻¹
};

}  // namespace stillpoint
