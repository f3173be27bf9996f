#include "algebra/ldlt/dense_update.h"

#include <algorithm>

#include "algebra/dense/blas.h"

namespace stillpoint {

namespace {

using Offset = std::ptrdiff_t;

constexpr Index block = 48;  ///< number of columns of C in a block
constexpr Index worth_blocks =
    64;  ///< size of C from which blocks and matrix products are faster than the loop over columns

/// Computes c ← c − L w, four columns at a time to reduce the number of loads and stores of c.
void update_column(Index rows, Index columns, const double* L, Offset stride, const double* w, Offset w_stride,
                   double* c) {
  Index p = 0;
  for (; p + 4 <= columns; p += 4) {
    const double* const l0 = L + p * stride;
    const double* const l1 = l0 + stride;
    const double* const l2 = l1 + stride;
    const double* const l3 = l2 + stride;
    const double w0 = w[p * w_stride], w1 = w[(p + 1) * w_stride], w2 = w[(p + 2) * w_stride],
                 w3 = w[(p + 3) * w_stride];
    for (Index i = 0; i < rows; ++i) c[i] -= (l0[i] * w0 + l1[i] * w1) + (l2[i] * w2 + l3[i] * w3);
  }
  for (; p < columns; ++p) {
    const double* const l = L + p * stride;
    const double w0 = w[p * w_stride];
    for (Index i = 0; i < rows; ++i) c[i] -= l[i] * w0;
  }
}

}  // namespace

void subtract_product(Index rows, Index columns, const double* A, Index stride, const double* x, Index x_stride,
                      double* y) {
  update_column(rows, columns, A, stride, x, x_stride, y);
}

void subtract_symmetric_product(Index size, Index columns, const double* L, Index stride, const double* W,
                                Index w_stride, double* C) {
  const bool in_blocks = size >= worth_blocks && columns >= 8;
  for (Index from = 0; from < size; from += block) {
    const Index to = in_blocks ? std::min(size, from + block) : size;
    for (Index j = from; j < to; ++j) {
      update_column(to - j, columns, L + j, stride, W + j, w_stride, C + Offset{j} * stride + j);
    }
    if (to == size) return;
    const DenseBlock below{L + to, size - to, columns, stride}, across{W + from, to - from, columns, w_stride};
    subtract_transposed_product(below, across, C + Offset{from} * stride + to, stride);
  }
}

}  // namespace stillpoint
