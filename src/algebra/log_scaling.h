// Scales that do not depend on units: the exponents that make all entries of a matrix as equal as they can be.
//
//   minimise Σ φ(log₂|a_ij| + r_i + c_j),   φ(x) = x², for x < −3 continued by its tangent
//
// With φ = x² this is the scaling of Curtis and Reid (1972). Any other units of rows and columns give the same scaled
// matrix. The largest entries alone do not have this property: there are many scalings in which each row and column has
// its largest entry at one, and some of them look singular. The tangent keeps small entries, such as the cosine of a
// right angle, from pulling: what is large in a row or column counts.
// Solved to within a part of a bit, by conjugate gradients and repeated weighting, in time proportional to the entries.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

struct LogScales {
  Eigen::VectorXd rows, columns;  ///< binary logarithms, r and c
};

/// A is compressed and has no zeros.
LogScales log_scales(const SparseMatrix& A);

}  // namespace stillpoint
