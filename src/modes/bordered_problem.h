// What every form is measured against: the second-order problem with its constraints (T19).
//
//   (s² M + s C + K) x + Jᵀ λ = 0,   J x = 0         left: yᴴ (s² M + s C + K) + μᴴ J = 0,  J y = 0
//
// In numbers without units: x = S x̂, λ = W λ̂, s = γ ŝ, powers of two such that all blocks are near one.
#pragma once

#include <complex>
#include <memory>
#include <optional>

#include "modes/rayleigh.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

/// x, λ or y, μ.
struct BorderedVector {
  Eigen::VectorXcd coordinates, multipliers;
};

class BorderedProblem {
 public:
  /// By strains, where the system has any: for vectors that were found so, as only these have no strains of rounding.
  enum class Stiffness { summed, by_strains };
  /// With the independent rows of J.
  explicit BorderedProblem(const LinearSystem& system, Stiffness stiffness = Stiffness::summed);
  /// With these rows in place of the independent ones.
  BorderedProblem(const LinearSystem& system, SparseMatrix J);

  const Eigen::VectorXd& coordinate_scale() const { return S_; }
  const Eigen::VectorXd& multiplier_scale() const { return W_; }
  double frequency_scale() const { return gamma_; }
  /// Scaled.
  const SparseMatrix& M() const { return M_; }
  const SparseMatrix& C() const { return C_; }
  const SparseMatrix& K() const { return K_; }
  const SparseMatrix& J() const { return J_; }
  /// K again, with more digits, if it is known so.
  const Strains& strains() const { return strains_; }

  /// M, C and K, but for rounding.
  bool is_symmetric() const;

  /// With the multipliers that leave the least of (s²M + sC + K) x + Jᵀλ; of a left vector those of yᴴ(…) + μᴴJ.
  BorderedVector with_multipliers(std::complex<double> s, const Eigen::VectorXcd& x) const;
  BorderedVector with_left_multipliers(std::complex<double> s, const Eigen::VectorXcd& y) const;
  /// The same, with what is known of a right vector: of a symmetric problem the left one may be its conjugate.
  BorderedVector with_left_multipliers(std::complex<double> s, const Eigen::VectorXcd& y,
                                       const BorderedVector& right) const;

  /// ‖s²M‖ + ‖sC‖ + ‖K‖, scaled.
  double norm(std::complex<double> s) const;
  /// ‖J x‖ / (‖J‖ ‖x‖), scaled.
  double violation(const Eigen::VectorXcd& x) const;
  /// (s²M + sC + K) x + forces, scaled.
  Eigen::VectorXcd scaled_left_over(std::complex<double> s, const Eigen::VectorXcd& x,
                                    const Eigen::VectorXcd& forces) const;
  /// Of both equations, relative to what they are summed from, the larger; `forces`: Jᵀλ.
  double residual(std::complex<double> s, const Eigen::VectorXcd& x, const Eigen::VectorXcd& forces) const;
  /// Jᵀλ.
  Eigen::VectorXcd forces(const Eigen::VectorXcd& lambda) const;
  /// (2sM + C) x.
  Eigen::VectorXcd slope(std::complex<double> s, const Eigen::VectorXcd& x) const;
  Sandwich sandwich(const BorderedVector& x, const BorderedVector& y) const;
  /// (2sM + C) x or (2sM + C)ᴴ y and zeros below, scaled.
  Eigen::VectorXcd scaled_slope(std::complex<double> s, const Eigen::VectorXcd& x) const;
  Eigen::VectorXcd scaled_left_slope(std::complex<double> s, const Eigen::VectorXcd& y) const;
  BorderedVector unscaled(const Eigen::VectorXcd& both) const;
  /// How much a small relative change of the matrices changes s, relative to |s|.
  double condition(std::complex<double> s, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y) const;

 private:
  BorderedVector completed(const Eigen::VectorXcd& x, const Eigen::VectorXcd& forces) const;
  void scale(SparseMatrix& A, const Eigen::VectorXd& rows, double factor) const;
  Eigen::VectorXcd times_K(const Eigen::VectorXcd& q) const;
  void add_stiffness(const Eigen::VectorXcd& p, const Eigen::VectorXcd& q, Sandwich& at) const;

  SparseMatrix M_, C_, K_, K_sizes_, J_;
  Strains strains_;
  mutable std::unique_ptr<LeastNorm> least_norm_;  ///< of J, once it is needed
  mutable std::optional<bool> is_symmetric_;       ///< likewise
  Eigen::VectorXd S_, W_, from_S_, from_W_;        ///< and their inverses, as exact
  double gamma_ = 1, M_norm_ = 0, C_norm_ = 0, K_norm_ = 0, J_norm_ = 0;
};

}  // namespace stillpoint
