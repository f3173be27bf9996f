#include "report/sparsity_counts.h"

namespace stillpoint {

FactorCount count_factor(const PatternGraph& graph, const std::vector<Index>& order) {
  FactorCount factor;
  factor.flops = 0;
  for (const std::int64_t length : find_elimination_tree(graph, order).count) {
    factor.entries += length;
    factor.flops += static_cast<double>(length) * static_cast<double>(length);
  }
  return factor;
}

}  // namespace stillpoint
