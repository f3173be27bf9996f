// Ruiz equilibration of a symmetric matrix by congruence, S A S with S diagonal [Ruiz 2001], in powers of two.
//
//   maxⱼ |s_i a_ij s_j| ≈ 1   for each row i      A: n × n,  S = diag(s)
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the diagonal of S. All its entries are powers of two, so that scaling does not round. Each sweep divides row
/// and column i by the square root of the largest entry of row i. A row of zeros keeps the scale 1. Only the lower
/// triangle of A is read; it must be finite.
std::vector<double> congruence_scaling(const SparseMatrix& A);

}  // namespace stillpoint
