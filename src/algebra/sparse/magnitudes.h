// Sums of the magnitudes of terms, by which rounding is measured.
#pragma once

#include <cmath>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns xᵀ |A| y.
inline double magnitude_of_product(const Eigen::VectorXd& x, const SparseMatrix& A, const Eigen::VectorXd& y) {
  double sum = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    double column = 0;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) column += x[entry.row()] * std::abs(entry.value());
    sum += column * y[j];
  }
  return sum;
}

}  // namespace stillpoint
