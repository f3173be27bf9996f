// Sparse left null vectors: vanishing linear combinations of the rows of S, shortened greedily.
//
//   Σ_k values[k] S(rows[k], :) ≈ 0
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Combination {
  struct Term {
    Index row = 0;
    double value = 0;
  };
  std::vector<Term> terms;  ///< in ascending order of rows
};

void sort_by_row(Combination& combination);

/// Replaces combinations by sums of two of them as long as this reduces the number of terms. Their span does not
/// change. Terms below `negligible` times the largest are dropped from a sum.
void shorten(std::vector<Combination>& combinations, Index rows, double negligible);

/// Returns a matrix with one column for each combination, in which row i is multiplied by 2^exponents[i]; the largest
/// entry of each column is 1.
SparseMatrix matrix_of(const std::vector<Combination>& combinations, const std::vector<int>& exponents);

}  // namespace stillpoint
