// S A S with rows whose largest entries are near 1, for symmetric A (Ruiz 2001, in powers of two).
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The diagonal of S, all powers of two: multiplying by them rounds nothing. Each sweep divides row and column i by the
/// square root of the largest entry of row i. A row of zeros has 1. Only the lower triangle of A is read, which must be
/// finite.
std::vector<double> congruence_scaling(const SparseMatrix& A);

}  // namespace stillpoint
