// Symmetric patterns with a border, and the assembly of values into them. No list of triplets is made: for large
// systems sorting it takes longer than a factorisation.
#pragma once

#include <vector>

#include "algebra/scaling/scaled_matrix.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the pattern of [A + Aᵀ + I, Bᵀ; B, 0] with zero values and a full diagonal. A is the sum of all `blocks`,
/// which have one size; B consists of the `borders`, one below the other. Row indices ascend in each column of every
/// argument.
SparseMatrix bordered_pattern(const std::vector<const SparseMatrix*>& blocks,
                              const std::vector<const SparseMatrix*>& borders);

/// The row and the column of the first entry of a part.
struct Corner {
  Index row = 0, column = 0;
};

/// Adds factor · A, or factor · Aᵀ, to a matrix whose pattern contains its entries.
void add_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at = {});
void add_transposed_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at = {});
void add_part(SparseMatrix& to, const ScaledMatrix& A, double factor, Corner at = {});
void add_transposed_part(SparseMatrix& to, const ScaledMatrix& A, double factor, Corner at = {});

}  // namespace stillpoint
