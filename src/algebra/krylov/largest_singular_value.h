// Golub–Kahan–Lanczos bidiagonalisation [Golub & Kahan 1965] for the largest singular value of a sparse matrix, to
// about one percent.
//
//   S V = U B,   Sᵀ U = V Bᵀ + …      S: m × n,  V: n × k,  U: m × k,  B: k × k upper bidiagonal
//
// The largest singular value of B approaches that of S from below. Where the largest singular values lie close
// together, as for a chain, the power method converges slowly and would stop several percent too low.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns 0 for a zero matrix. Each of some ten steps takes two products with S.
double largest_singular_value(const SparseMatrix& S);

}  // namespace stillpoint
