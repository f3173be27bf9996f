// A symmetric problem in which few dampers act, from its modes without damping.
//
//   K Φ = M Φ Λ,  C = B Bᵀ,  L = Φᵀ B  (n × r):    (s² + Λ + s L Lᵀ) x = 0                                     (T50)
//
// Modes that dampers hardly couple keep their vectors nearly; those that they couple form groups. On one group, the
// others eliminated, the problem is small, and what the others do needs matrices of order r only. Constraints are
// dampers that nothing moves.
#pragma once

#include <optional>
#include <vector>

#include "modes/scaled_quadratic.h"

namespace stillpoint {

/// (s² + Λ) x + s L z = 0,   compliance z = Lᵀ x.
struct ModalProblem {
  Eigen::VectorXd lambda;
  Eigen::MatrixXd L;           ///< of each mode a row
  Eigen::VectorXd compliance;  ///< of each column of L: 1 for a damper, 0 for a constraint
  Eigen::MatrixXd products;    ///< of each row of L with itself, the lower triangle, in columns

  ModalProblem(Eigen::VectorXd lambda_, Eigen::MatrixXd L_, Eigen::VectorXd compliance_);
  Eigen::Index order() const { return lambda.size(); }
  Eigen::Index columns() const { return L.cols(); }
};

/// An eigenvalue of the upper half plane, or a real one.
struct ModalRoot {
  std::complex<double> s;
  std::vector<Eigen::Index> group;
  Eigen::VectorXcd x;  ///< on its group
  bool is_settled = false;
};

/// In numbers without units (ScaledQuadratic).
class FewDampers {
 public:
  /// Nothing where that is not faster than QZ (too many dampers, or modes that they couple), where C or M is not
  /// definite, or where values do not come out distinct.
  static std::optional<FewDampers> solve(const ScaledQuadratic& P);

  const std::vector<ModalRoot>& roots() const { return roots_; }
  const Eigen::MatrixXcd& vectors() const { return vectors_; }

  /// Some roots under constraints. Those that were not found are not settled.
  struct Constrained {
    std::vector<ModalRoot> roots;
    Eigen::MatrixXcd vectors;
    ModalProblem problem;

    /// Forces ρ that vectors leave over, one column for each: ρᵀ x' of the motion x' beside the vector that they cause.
    /// This divided by the slope is what Rayleigh's quotient is wrong by.
    Eigen::VectorXcd work(const Eigen::MatrixXcd& forces) const;
    const Eigen::MatrixXd& modes;
  };
  /// Each of these roots of M, C, K with J x = 0, C in place of the one before. It must not outlive this.
  std::optional<Constrained> constrained(const Eigen::MatrixXd& C, const Eigen::MatrixXd& J,
                                         const std::vector<std::size_t>& which) const;

 private:
  Eigen::MatrixXd modes_;  ///< Φ
  Eigen::VectorXd lambda_;
  std::vector<ModalRoot> roots_;
  Eigen::MatrixXcd vectors_;
};

}  // namespace stillpoint
