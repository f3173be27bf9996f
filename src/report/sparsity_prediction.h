// How large the minimal form will be, before it is made: R of a partition can have n k entries, M_r k².
//
//   R = [ I; −J_D⁻¹ J_I ],   M_r = Rᵀ M R
//
// By patterns: an independent coordinate moves the dependent ones that the constraints reach from it. J_D is put into
// block triangular form; within a block everything depends on everything, as in a loop. Numbers that cancel are
// counted, and so are those that fade below rounding along a chain, which minimal_form() leaves out: a bound from
// above.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Entries. Exact for patterns up to 512 independent coordinates; beyond that extrapolated from 512 of them, drawn
/// evenly.
struct MinimalSize {
  double R = 0;
  double M_r = 0;
  double pencil = 0;  ///< s²M_r + sC_r + K_r
};

/// J: independent rows, r × n; `independent`: n − r coordinates, ascending; `pencil`: the pattern of s²M + sC + K.
MinimalSize predict_minimal_size(const SparseMatrix& J, const std::vector<Index>& independent, const SparseMatrix& M,
                                 const SparseMatrix& pencil);

}  // namespace stillpoint
