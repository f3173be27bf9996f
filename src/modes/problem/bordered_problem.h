// The second-order eigenvalue problem with its constraints, against which the eigenvalues of every form are measured.
//
//   (s² M + s C + K) x + Jᵀ λ = 0,   J x = 0         left: yᴴ (s² M + s C + K) + μᴴ J = 0,  J y = 0
//
// All quantities are scaled: x = S x̂, λ = W λ̂, s = γ ŝ, with powers of two chosen so that all blocks are near one.
// The names `scaled…` refer to these numbers without units. The matrices are views of those of the system, which must
// outlive the problem.
#pragma once

#include <complex>
#include <memory>
#include <optional>

#include "algebra/scaling/scaled_matrix.h"
#include "modes/problem/rayleigh_quotient.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

/// A vector of the bordered problem: (x, λ) on the right, (y, μ) on the left.
struct BorderedVector {
  Eigen::VectorXcd coordinates, multipliers;
};

class BorderedProblem {
 public:
  /// How products with K are formed. `by_strains` uses the factored stiffness K = K₀ + BᵀDB where the system has one.
  /// It needs vectors that were computed with that factorisation too, since rounding puts false strains into any
  /// others.
  enum class Stiffness { summed, by_strains };
  /// Uses the independent rows of J.
  explicit BorderedProblem(const LinearSystem& system, Stiffness stiffness = Stiffness::summed);
  /// Uses the given constraint rows, which must outlive the problem too, in place of the independent rows of J.
  BorderedProblem(const LinearSystem& system, const SparseMatrix& J);
  BorderedProblem(const LinearSystem&& system, Stiffness stiffness = Stiffness::summed) = delete;
  BorderedProblem(const LinearSystem&& system, const SparseMatrix& J) = delete;
  BorderedProblem(const LinearSystem& system, const SparseMatrix&& J) = delete;

  const Eigen::VectorXd& coordinate_scale() const { return S_; }
  const Eigen::VectorXd& multiplier_scale() const { return W_; }
  double frequency_scale() const { return gamma_; }
  /// Scaled matrices.
  ScaledMatrix M() const { return {system_->M, gamma_ * gamma_, S_, S_}; }
  ScaledMatrix C() const { return {system_->C, gamma_, S_, S_}; }
  ScaledMatrix K() const { return {system_->K, 1, S_, S_}; }
  ScaledMatrix J() const { return {*J_, 1, W_, S_}; }
  /// The factored stiffness K = K₀ + BᵀDB, scaled; empty unless `by_strains` was asked for and the system has one.
  const Strains& strains() const { return strains_; }

  /// Tells whether M, C and K are symmetric to rounding.
  bool is_symmetric() const;
  /// Tells whether they are, and C is zero, so that the matrices at real s² are real and symmetric.
  bool is_undamped() const { return C_norm_ == 0 && is_symmetric(); }

  /// Adds the multipliers λ that minimise (s²M + sC + K) x + Jᵀλ; for a left vector the μ that minimise yᴴ(…) + μᴴJ.
  BorderedVector with_multipliers(std::complex<double> s, const Eigen::VectorXcd& x) const;
  BorderedVector with_left_multipliers(std::complex<double> s, const Eigen::VectorXcd& y) const;
  /// Does the same when the right vector is known: in a symmetric problem the left vector may be its conjugate, and
  /// then μ follows from λ without a solution.
  BorderedVector with_left_multipliers(std::complex<double> s, const Eigen::VectorXcd& y,
                                       const BorderedVector& right) const;

  /// Returns ‖s²M‖ + ‖sC‖ + ‖K‖ (Frobenius norms, scaled).
  double norm(std::complex<double> s) const;
  /// Returns ‖J‖ (Frobenius norm, scaled).
  double norm_of_J() const { return J_norm_; }
  /// Returns the constraint violation ‖J x‖ / (‖J‖ ‖x‖), scaled.
  double violation(const Eigen::VectorXcd& x) const;
  /// Returns the residual (s²M + sC + K) x + forces, scaled.
  Eigen::VectorXcd scaled_residual(std::complex<double> s, const Eigen::VectorXcd& x,
                                   const Eigen::VectorXcd& forces) const;
  /// Returns the larger of the residuals of both equations, each relative to the terms of its sum; `forces` is Jᵀλ.
  double residual(std::complex<double> s, const Eigen::VectorXcd& x, const Eigen::VectorXcd& forces) const;
  /// Returns Jᵀλ.
  Eigen::VectorXcd forces(const Eigen::VectorXcd& lambda) const;
  /// Returns the derivative of the pencil times x, P'(s) x = (2sM + C) x.
  Eigen::VectorXcd derivative(std::complex<double> s, const Eigen::VectorXcd& x) const;
  ModalCoefficients modal_coefficients(const BorderedVector& x, const BorderedVector& y) const;
  /// Returns the same of scaled vectors (x, λ) and (y, μ).
  ModalCoefficients scaled_modal_coefficients(const Eigen::VectorXcd& z, const Eigen::VectorXcd& left) const;
  /// Returns the part of their magnitude of k that is due to the constraint terms.
  double magnitude_of_constraints(const BorderedVector& x, const BorderedVector& y) const;
  /// Returns (2sM + C) x or (2sM + C)ᴴ y, scaled, with zeros in the place of the multipliers.
  Eigen::VectorXcd scaled_derivative(std::complex<double> s, const Eigen::VectorXcd& x) const;
  Eigen::VectorXcd scaled_left_derivative(std::complex<double> s, const Eigen::VectorXcd& y) const;
  BorderedVector unscaled(const Eigen::VectorXcd& both) const;
  /// Returns the condition number of s: the relative change of s per small relative change of the matrices, theory
  /// (6.6).
  double condition(std::complex<double> s, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y) const;

 private:
  BorderedProblem(const LinearSystem& system, std::shared_ptr<const SparseMatrix> J);
  BorderedVector completed(const Eigen::VectorXcd& x, const Eigen::VectorXcd& forces) const;
  void scale(SparseMatrix& A, const Eigen::VectorXd& rows, double factor) const;
  Eigen::VectorXcd times_K(const Eigen::VectorXcd& q) const;
  using Entries = Eigen::Ref<const Eigen::VectorXcd>;
  ModalCoefficients of_matrices(const Entries& q, const Entries& p) const;
  std::complex<double> of_constraints(const Entries& p, const Entries& lambda, double& magnitude) const;
  void add_stiffness(const Entries& p, const Entries& q, ModalCoefficients& at) const;

  const LinearSystem* system_;
  std::shared_ptr<const SparseMatrix> J_;  ///< that of the system, or its independent rows
  SparseMatrix cancellation_;              ///< in K, see `LinearSystem`
  Strains strains_;
  mutable std::unique_ptr<LeastNorm> least_norm_;  ///< least-norm solver of J, made when first needed
  mutable std::optional<bool> is_symmetric_;       ///< found when first needed
  Eigen::VectorXd S_, W_, from_S_, from_W_;        ///< scales and their inverses, which are exact
  double gamma_ = 1, M_norm_ = 0, C_norm_ = 0, K_norm_ = 0, J_norm_ = 0;
};

}  // namespace stillpoint
