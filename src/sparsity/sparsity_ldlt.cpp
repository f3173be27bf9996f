#include "sparsity/sparsity_ldlt.h"

#include "algebra/ordering/elimination_tree.h"
#include "base/at.h"
#include "sparsity/median_time.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

FactorCount count_ldlt(const SparseMatrix& pattern) {
  const NodeGraph graph = pair_pivots(pattern);
  const EliminationTree tree = find_elimination_tree(graph);
  FactorCount factor{.entries = 0, .flops = 0};
  for (std::size_t k = 0; k < tree.node.size(); ++k) {
    std::int64_t length = tree.count[k];
    for (Index column = 0; column < graph.weight(tree.node[k]); ++column, --length) {
      factor.entries += length;
      factor.flops += static_cast<double>(length) * static_cast<double>(length);
    }
  }
  return factor;
}

LdltFactor factor_ldlt(const SparseMatrix& A, bool timed) {
  const SparseMatrix without_zeros = A.pruned(0, 0);
  SymmetricFactor factor(without_zeros);
  LdltFactor result;
  const auto run = [&] {
    factor.factor(without_zeros);
    return true;
  };
  if (timed) result.seconds = median_time(run);
  else run();
  result.regular = factor.signs().zero == 0;
  return result;
}

}  // namespace stillpoint
