#include "algebra/lu/refined_solution.h"

#include <algorithm>
#include <limits>

namespace stillpoint {

namespace {

constexpr int most_refinements = 3;

}  // namespace

double largest_row_sum(const ComplexSparseMatrix& A) {
  if (A.cols() == 0) return 0;
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(A.rows());
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (ComplexSparseMatrix::InnerIterator entry(A, j); entry; ++entry) sums[entry.row()] += std::abs(entry.value());
  }
  return sums.maxCoeff();
}

RefinedSolution solve_refined(const ComplexLu& lu, const ComplexSparseMatrix& A, const Eigen::MatrixXcd& b) {
  RefinedSolution solution{b, 0};
  const double norm = largest_row_sum(A);
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    Eigen::VectorXcd x = lu.solve(b.col(j));
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      const Eigen::VectorXcd residual = b.col(j) - A * x;
      const double size = residual.lpNorm<Eigen::Infinity>();
      const double scale = norm * x.lpNorm<Eigen::Infinity>() + b.col(j).lpNorm<Eigen::Infinity>();
      const bool is_done = !(size > rounding_of_solutions * scale) || size > 0.5 * before || k == most_refinements;
      if (is_done) solution.backward_error = std::max(solution.backward_error, scale > 0 ? size / scale : 0);
      if (is_done) break;
      before = size;
      x += lu.solve(residual);
    }
    solution.x.col(j) = x;
  }
  return solution;
}

}  // namespace stillpoint
