// Where a mode on a branch of a singular configuration is away from that configuration.
//
// Along the motions δq of a branch the rank of J rises again. To first order the singular values that vanish at the
// configuration become those of
//
//   P(δq) = [Rᵀ ∂(Jᵀν_i)/∂q δq]ᵀ,   one row for each left null vector ν_i of J,   J R = 0                   (13.10)
//
// A branch may leave some of them zero, as that of one loop does where other loops stay flat; those that it makes
// positive must stay so while a mode is followed.
#pragma once

#include <optional>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Phases φ of Re(x e^{iφ}), of a motion with e^{st}.
struct ClearArc {
  double first = 0, length = 0;  ///< rad
  double clearance = 0;          ///< the least singular value on the arc, relative to the largest in the period
};

class BranchRank {
 public:
  BranchRank(const LinearSystem& system, const MotionBranch& branch);

  /// The longest arc away from singular configurations, a period or less. Nothing if the mode moves among them.
  std::optional<ClearArc> clear_arc(const Eigen::VectorXcd& shape) const;
  /// The same for a shape without phase: whether it leaves the singular configurations.
  bool leaves(const Eigen::VectorXd& shape) const;

 private:
  double least_value(const Eigen::VectorXd& motion) const;
  Eigen::VectorXd values(const Eigen::VectorXd& motion) const;

  std::vector<Eigen::MatrixXd> forms_;  ///< Rᵀ ∂(Jᵀν_i)/∂q
  Eigen::Index rank_ = 0;               ///< of P along the branch
  double typical_ = 0;                  ///< the least value along the branch, for a motion of unit length
};

}  // namespace stillpoint
