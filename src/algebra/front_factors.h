// The numbers of a multifrontal factorisation, front by front:  S A S = Σ L D Lᵀ  over the fronts; now and then the
// unknowns of a front are changed between two of the terms.
#pragma once

#include <limits>
#include <vector>

#include "algebra/block_store.h"
#include "algebra/front_rotation.h"
#include "algebra/front_tree.h"

namespace stillpoint {

/// What a front has eliminated.
struct FrontFactor {
  Index count = 0, size = 0;         ///< columns and rows of its part of L
  const Index* position = nullptr;   ///< of each row, in the order planned; the first `count` are those eliminated here
  const double* diagonal = nullptr;  ///< of D; 0 where it counts as zero
  const double* below = nullptr;  ///< entry of D below the diagonal in the first column of a block of size 2, else 0.
                                  ///< Such a block has one eigenvalue of each sign
  const double* L = nullptr;      ///< column by column: what is below the diagonal, which is 1
};

struct FrontFactors {
  std::vector<FrontFactor> fronts;
  std::vector<FrontRotation> rotations;  ///< in the order in which they took place; mostly none
  std::vector<double> other_errors;      ///< besides those of L D Lᵀ, row sums by position; empty if there are none
  std::int64_t entries = 0;              ///< of L, ones on the diagonal and vectors of rotations included
  std::int64_t delays = 0;               ///< unknowns handed on to the next front, each time

  BlockStore<double> numbers;
  BlockStore<Index> positions;
};

/// Factors the matrix whose stored numbers are `values`, in the pattern that was planned, scaled by `scale` from both
/// sides; `largest` is the largest magnitude after scaling. What `factors` held is overwritten and its memory used
/// again. Throws std::range_error if numbers overflow.
void factor_fronts(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest,
                   FrontFactors& factors);

}  // namespace stillpoint
