// Derivatives at 0 by differences: nodes, and weights of two orders [Fornberg 1988].
#pragma once

#include <vector>

namespace stillpoint {

struct DifferenceRule {
  std::vector<double> nodes;          ///< in steps
  std::vector<double> weights;        ///< of order eight or as stated, per step
  std::vector<double> lower_weights;  ///< of the next lower order
};

/// Nodes −4 … 4 without 0.
const DifferenceRule& central_rule();
/// Nodes −1 and 1, of order two; the lower order is the forward difference, which needs the value at 0 as well.
const DifferenceRule& shortest_rule();
/// Nodes 0 … 8 or 0 … −8, where the other side is not allowed.
const DifferenceRule& one_sided_rule(bool is_forward);

}  // namespace stillpoint
