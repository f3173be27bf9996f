// Iterative refinement in fixed precision [Skeel 1980] of solutions of complex sparse systems, with their backward
// error.
#pragma once

#include <limits>

#include "algebra/lu/complex_lu.h"

namespace stillpoint {

/// The backward error (4 ε) at which a solution cannot be improved further.
inline constexpr double rounding_of_solutions = 4 * std::numeric_limits<double>::epsilon();

struct RefinedSolution {
  Eigen::MatrixXcd x;
  double backward_error = 0;  ///< maximum over the columns of ‖b − A x‖ / (‖A‖ ‖x‖ + ‖b‖), in the ∞-norm
};

/// The ∞-norm of A.
double largest_row_sum(const ComplexSparseMatrix& A);

/// Solves A X = B with the factors `lu` of A, and refines each column until its residual is at the level of rounding or
/// no longer halves.
RefinedSolution solve_refined(const ComplexLu& lu, const ComplexSparseMatrix& A, const Eigen::MatrixXcd& b);

}  // namespace stillpoint
