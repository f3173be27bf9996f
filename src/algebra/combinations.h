// Combinations of rows of S that vanish, kept as short as they can be found.
//
//   Σ values[k] S(rows[k], :) ≈ 0
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Combination {
  struct Term {
    Index row = 0;
    double value = 0;
  };
  std::vector<Term> terms;  ///< by row, ascending
};

void sort_by_row(Combination& combination);

/// Replaces combinations by sums of two of them wherever that has fewer terms, until nothing improves. The space they
/// span stays the same. Terms below `negligible` times the largest are left out of a sum.
void shorten(std::vector<Combination>& combinations, Index rows, double negligible);

/// One column for each combination, row i multiplied by 2^exponents[i], the largest entry of each column 1.
SparseMatrix matrix_of(const std::vector<Combination>& combinations, const std::vector<int>& exponents);

}  // namespace stillpoint
