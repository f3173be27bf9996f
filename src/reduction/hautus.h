// The test of Popov, Belevitch and Hautus [Hautus 1969] for the eigenvalues of a state space, those that coincide
// together, with a bound on what rounding does to it. A change E of A moves what a left subspace gets from a column b
// by Qᵀ E g, g = Σ V_j (s − A_j)⁻¹ W_jᵀ b over the other groups j.
#pragma once

#include "plants/staircase.h"
#include "reduction/mode_groups.h"

namespace stillpoint {

/// The columns of B, with the input and the order of differentiation that each belongs to.
struct ChannelColumns {
  Eigen::MatrixXd B;
  std::vector<Plant::Channel> channels;
  Index count = 0;  ///< of inputs
};

struct HautusResult {
  Staircase stairs;
  Eigen::VectorXd participation;  ///< ‖Qᵀ b‖ / ‖b‖ for each input
  Eigen::MatrixXcd hidden_rows;   ///< the combinations of Wᵀ that no input moves
  Eigen::MatrixXcd Q, moved;      ///< the left basis, and Qᵀ B(s), not relative
};

class HautusTester {
 public:
  /// `size` is the norm of A. The arguments must outlive the tester. For observability all are transposed.
  HautusTester(const std::vector<ModeGroup>& groups, const ChannelColumns& columns, double size);

  /// Examines a group, or `part` of it, what is left of it after something was taken off.
  HautusResult examine(std::size_t group) const { return examine(group, groups_[group]); }
  HautusResult examine(std::size_t group, const ModeGroup& part) const;

 private:
  Eigen::VectorXd noise_of(std::size_t group) const;

  const std::vector<ModeGroup>& groups_;
  const ChannelColumns& columns_;
  Eigen::MatrixXd V_, coefficients_;  ///< of all groups side by side: V, and Wᵀ B
  double size_ = 0;
};

}  // namespace stillpoint
