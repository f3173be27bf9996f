// Left null vectors of S from its sparse QR factorisation Sᵀ = Q R, one for each dead position d.
//
//   R₁₁ c = R₁₂ e_d,   S(d, :) − Σ_k c_k S(k, :) ≈ 0      R₁₁: rank × rank,  R₁₂: rank × (m − rank)
#pragma once

#include "algebra/rank/combinations.h"
#include "algebra/rank/sparse_qr.h"

namespace stillpoint {

/// Returns one combination for each dead position. `qr` must be that of S with its columns split; `noise` is the
/// absolute norm below which a sum of rows counts as zero. In each combination the dead row is the last in the order,
/// which makes the combinations linearly independent.
std::vector<Combination> null_combinations(const SparseMatrix& S, const SparseQr& qr, double noise);

}  // namespace stillpoint
