// How far factors may fill up for an order of the columns, whatever rows partial pivoting takes: L and U have no more
// entries than the Householder vectors and R of A = Q R with the same order [George & Ng 1985].
#pragma once

#include <cstdint>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The number of entries of R, or if it exceeds `most` some number above that, found in a time proportional to it. The
/// pattern must be symmetric.
std::int64_t fill_bound(const SparseMatrix& pattern, const std::vector<Index>& columns, std::int64_t most);

}  // namespace stillpoint
