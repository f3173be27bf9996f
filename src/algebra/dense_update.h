// The inner loops of a front: products of tall, narrow matrices, subtracted in place. Column-major, any sizes.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// y −= A x, with A of rows × columns and columns `stride` apart; entry j of x is x[j * x_stride].
void subtract_product(Index rows, Index columns, const double* A, Index stride, const double* x, Index x_stride,
                      double* y);

/// The lower triangle of C −= L Wᵀ, with C of size × size, L and W of size × columns, columns `stride` apart in C and L
/// and `w_stride` apart in W. L Wᵀ must be symmetric. The columns of C and L may be parts of one array.
void subtract_symmetric_product(Index size, Index columns, const double* L, Index stride, const double* W,
                                Index w_stride, double* C);

}  // namespace stillpoint
