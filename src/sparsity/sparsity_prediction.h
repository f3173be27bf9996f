// Prediction of the size of the minimal form by coordinate partitioning, in which R can have n k entries and M_r k².
//
//   R = [ I; −J_D⁻¹ J_I ],   M_r = Rᵀ M R      R: n × k,  J_D: r × r,  M_r: k × k,  k = n − r
//
// The prediction uses patterns only: an independent coordinate moves the dependent ones that it reaches through the
// constraints. J_D is permuted to block triangular form; all coordinates within a block depend on each other, as in a
// kinematic loop. Entries that cancel numerically are counted, and so are those that decay below rounding along a
// chain, which minimal_form() drops. The result is an upper bound.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Numbers of entries. They are exact for the patterns up to 512 independent coordinates, and extrapolated from 512
/// evenly spaced ones beyond that.
struct MinimalSize {
  double R = 0;
  double M_r = 0;
  double pencil = 0;  ///< s²M_r + sC_r + K_r
};

/// J holds the independent rows, r × n; `independent` lists n − r coordinates in ascending order; `pencil` has the
/// pattern of s²M + sC + K.
MinimalSize predict_minimal_size(const SparseMatrix& J, const std::vector<Index>& independent, const SparseMatrix& M,
                                 const SparseMatrix& pencil);

}  // namespace stillpoint
