// The inner kernels of a dense front: products of tall and narrow matrices, subtracted in place. Matrices are stored by
// columns.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Computes y ← y − A x for A of rows × columns, with columns `stride` apart; entry j of x is x[j * x_stride].
void subtract_product(Index rows, Index columns, const double* A, Index stride, const double* x, Index x_stride,
                      double* y);

/// Computes the lower triangle of C ← C − L Wᵀ, where L Wᵀ must be symmetric. C is size × size, L and W are size ×
/// columns; columns are `stride` apart in C and L, and `w_stride` apart in W. The columns of C and L may be parts of
/// one array.
void subtract_symmetric_product(Index size, Index columns, const double* L, Index stride, const double* W,
                                Index w_stride, double* C);

}  // namespace stillpoint
