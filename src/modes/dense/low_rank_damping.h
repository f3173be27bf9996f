// Low-rank damping of a symmetric problem: its eigenvalues from the undamped modes by a small nonlinear eigenproblem.
//
//   K Φ = M Φ Λ,  C = B Bᵀ,  L = Φᵀ B  (n × r):    (s² + Λ + s L Lᵀ) x = 0                                     (6.3)
//
// Weakly coupled modes nearly keep their vectors; modes that the damping couples form groups. On one group, with all
// others eliminated, the problem is small, and the elimination needs matrices of order r only (a determinant or secular
// equation). Constraints are treated as dampers without compliance.
#pragma once

#include <optional>
#include <vector>

#include "modes/dense/scaled_quadratic.h"

namespace stillpoint {

/// (s² + Λ) x + s L z = 0,   compliance z = Lᵀ x.
struct ModalProblem {
  Eigen::VectorXd lambda;
  Eigen::MatrixXd L;           ///< one row for each mode
  Eigen::VectorXd compliance;  ///< for each column of L: 1 for a damper, 0 for a constraint
  Eigen::MatrixXd products;    ///< products of each row of L with itself: the lower triangle, in columns

  ModalProblem(Eigen::VectorXd lambda_, Eigen::MatrixXd L_, Eigen::VectorXd compliance_);
  Eigen::Index order() const { return lambda.size(); }
  Eigen::Index columns() const { return L.cols(); }
};

/// An eigenvalue in the upper half plane, or a real one.
struct ModalRoot {
  std::complex<double> s;
  std::vector<Eigen::Index> group;
  Eigen::VectorXcd x;  ///< on its group
  bool is_converged = false;
};

/// Solves the scaled problem (ScaledQuadratic).
class LowRankDamping {
 public:
  /// Returns nothing if the method is not faster than QZ (too many dampers or too large groups), if C or M is not
  /// definite, or if the values do not come out distinct.
  static std::optional<LowRankDamping> solve(const ScaledQuadratic& P);

  const std::vector<ModalRoot>& roots() const { return roots_; }
  const Eigen::MatrixXcd& vectors() const { return vectors_; }

  /// Some roots under constraints. Those that were not found have not converged.
  struct Constrained {
    std::vector<ModalRoot> roots;
    Eigen::MatrixXcd vectors;
    ModalProblem problem;

    /// For a residual force ρ of each vector, returns ρᵀ x' with the motion x' that ρ causes beside the vector. Divided
    /// by the derivative of the pencil this is the error of the Rayleigh quotient.
    Eigen::VectorXcd work(const Eigen::MatrixXcd& forces) const;
    const Eigen::MatrixXd& modes;
  };
  /// Continues each of these roots to M, C and K with J x = 0, C in place of the former one. The result must not
  /// outlive this object.
  std::optional<Constrained> constrained(const Eigen::MatrixXd& C, const Eigen::MatrixXd& J,
                                         const std::vector<std::size_t>& which) const;

 private:
  Eigen::MatrixXd modes_;  ///< Φ
  Eigen::VectorXd lambda_;
  std::vector<ModalRoot> roots_;
  Eigen::MatrixXcd vectors_;
};

}  // namespace stillpoint
