// An elimination order of a symmetric pattern in parts that do not touch each other, with what separates them at the
// end, so that the parts can be eliminated at the same time. That is of use for graphs which are much longer than they
// are wide: the separators are levels of a breadth-first search from one end [George & Liu 1981].
#pragma once

#include <optional>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PartedOrder {
  std::vector<Index> order;   ///< entry k is the node that is eliminated as number k
  std::vector<Index> starts;  ///< positions at which the parts begin, then that of the separators, and one past the end
  std::vector<int> part;      ///< of each node; that of the separators is the number of parts
};

/// Four parts of about the same size, each with a fill-reducing order (approximate minimum degree with constraints,
/// [Amestoy 1996]). Nothing if they would be small, or their separators not small beside them.
std::optional<PartedOrder> parted_order(const SparseMatrix& pattern);
/// The same for given parts.
std::optional<PartedOrder> parted_order(const SparseMatrix& pattern, std::vector<int> part);

}  // namespace stillpoint
