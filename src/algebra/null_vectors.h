// The left null vectors of S from its factor: one for each dead position.
//
//   R₁₁ c = R₁₂ e_d,   S(d, :) − Σ c_k S(k, :) ≈ 0
#pragma once

#include "algebra/combinations.h"
#include "algebra/sparse_qr.h"

namespace stillpoint {

/// `qr` is that of S with its columns split; `noise` is what counts as zero in a sum of rows of S (not relative).
/// In each combination every row comes no later in the order than the dead one, which makes them independent.
std::vector<Combination> null_combinations(const SparseMatrix& S, const SparseMatrix& S_transposed, const SparseQr& qr,
                                           double noise);

}  // namespace stillpoint
