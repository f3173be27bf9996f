// The penalty system as a bordered nonlinear eigenvalue problem, in which the constraint forces λ = Ξ g(s) J x remain
// unknowns, theory (11.12).
//
//   T(s) = [s² M + s C + K, Jᵀ; J, −Ξ⁻¹ / g(s)],    g(s) = s² + 2ξω s + ω²
//
// The elimination of λ gives s² M_p + s C_p + K_p. The bordered matrix has no product JᵀΞJ, so a stiff penalty loses no
// digits to rounding and causes no fill. All numbers are scaled like those of the bordered problem; vectors are (x, λ).
#pragma once

#include "modes/problem/bordered_problem.h"
#include "modes/problem/quadratic_pencil.h"
#include "stillpoint/forms.h"

namespace stillpoint {

class PenaltyProblem {
 public:
  /// The matrices of `law` are not needed. The matrix T(s) does not exist at a root of g.
  PenaltyProblem(const LinearSystem& system, const PenaltyForm& law);

  Index size() const { return pencil_.size(); }
  Index coordinates() const { return static_cast<Index>(problem_.J().cols()); }
  bool is_symmetric() const { return pencil_.is_symmetric(); }
  double frequency_scale() const { return problem_.frequency_scale(); }
  /// The problem with rigid constraints.
  const BorderedProblem& rigid() const { return problem_; }
  ComplexLu complex_lu() const { return pencil_.complex_lu(); }

  /// Makes `T` the matrix T(s); it is empty, or has been made by this function before.
  void put_matrix(std::complex<double> s, ComplexSparseMatrix& T) const;
  Eigen::VectorXcd product(std::complex<double> s, const Eigen::VectorXcd& z) const;  ///< T(s) z
  /// Return T'(s) z and T'(s)ᴴ z.
  Eigen::VectorXcd derivative(std::complex<double> s, const Eigen::VectorXcd& z) const;
  Eigen::VectorXcd left_derivative(std::complex<double> s, const Eigen::VectorXcd& z) const;

  /// Returns coefficients whose quadratic has the value and the derivative of yᴴ T(s) z at s, unscaled; at other s it
  /// approximates them.
  ModalCoefficients modal_coefficients(std::complex<double> s, const Eigen::VectorXcd& z,
                                       const Eigen::VectorXcd& left) const;
  /// Returns the larger of the residuals of both rows of T(s) z, each relative to the terms of its sum.
  double residual(std::complex<double> s, const Eigen::VectorXcd& z) const { return residual(s, z, product(s, z)); }
  /// Does the same where T(s) z is known.
  double residual(std::complex<double> s, const Eigen::VectorXcd& z, const Eigen::VectorXcd& product) const;
  /// Returns ‖J x‖ / (‖J‖ ‖x‖).
  double violation(const Eigen::VectorXcd& z) const { return problem_.violation(unscaled(z).coordinates); }
  /// Returns the relative change of s per small relative change of M, C, K, J and Ξ⁻¹.
  double condition(std::complex<double> s, const Eigen::VectorXcd& z, const Eigen::VectorXcd& left) const;

  Eigen::VectorXcd scaled(const Eigen::VectorXcd& x) const;  ///< with λ = 0
  BorderedVector unscaled(const Eigen::VectorXcd& z) const { return problem_.unscaled(z); }

 private:
  Eigen::VectorXcd constraint_derivative(std::complex<double> s, const Eigen::VectorXcd& z) const;
  const PenaltyForm& law_;
  BorderedProblem problem_;
  QuadraticPencil pencil_;
  Eigen::VectorXd compliance_;  ///< Ξ⁻¹, scaled
};

}  // namespace stillpoint
