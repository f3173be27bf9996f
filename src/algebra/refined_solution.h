// Solutions of complex sparse systems, refined, and how well they solve them.
#pragma once

#include <limits>

#include "algebra/complex_lu.h"

namespace stillpoint {

/// A backward error that is no more is as good as it gets.
inline constexpr double rounding_of_solutions = 4 * std::numeric_limits<double>::epsilon();

struct RefinedSolution {
  Eigen::MatrixXcd x;
  double backward_error = 0;  ///< max over columns of ‖b − A x‖ / (‖A‖ ‖x‖ + ‖b‖), largest entries and row sums
};

/// A x = b, refined until the residual is at rounding level or falls no further. `lu` is of A.
RefinedSolution solve_refined(const ComplexLu& lu, const ComplexSparseMatrix& A, const Eigen::MatrixXcd& b);

}  // namespace stillpoint
