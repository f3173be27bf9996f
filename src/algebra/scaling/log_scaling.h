// Logarithmic scaling of a sparse matrix [Curtis & Reid 1972] with a one-sided Huber loss [Huber 1964].
//
//   minimise Σ φ(log₂|a_ij| + r_i + c_j)      φ(x) = x²;  for x < −3, φ continues along its tangent
//
// The scaled matrix does not depend on the units of rows and columns. Scalings that only bring the largest entry of
// each row and column to one are not unique, and some of them make a regular matrix look singular. The linear branch
// limits the influence of very small entries, such as the cosine of a right angle, so that the large entries of a row
// or column decide. The minimum is found to a fraction of a bit by iteratively reweighted least squares with conjugate
// gradients, in time proportional to the number of entries.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

struct LogScales {
  Eigen::VectorXd rows, columns;  ///< binary logarithms r and c
};

/// Returns the minimiser. A must be compressed and store no zeros.
LogScales log_scales(const SparseMatrix& A);

}  // namespace stillpoint
