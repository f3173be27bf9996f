// Symmetric patterns with a border, and numbers put into them: without lists of entries, which for large systems take
// longer to make than a factorisation.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The pattern of [A + Aᵀ + I, Bᵀ; B, I], with zeros in it: A is all of `blocks` together, of one size; B has the rows
/// of one of `borders` below those of the other. Rows ascend in each column of all of them.
SparseMatrix bordered_pattern(const std::vector<const SparseMatrix*>& blocks,
                              const std::vector<const SparseMatrix*>& borders);

/// Where the first entry of a part stands.
struct Corner {
  Index row = 0, column = 0;
};

/// Adds factor A, or its transpose, to a matrix that has a place for each entry.
void add_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at = {});
void add_transposed_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at = {});

}  // namespace stillpoint
