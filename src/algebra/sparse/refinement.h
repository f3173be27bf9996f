// Iterative refinement in fixed precision [Skeel 1980] of solutions of real sparse systems.
#pragma once

#include <limits>
#include <utility>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Below this ratio of the smallest pivot to the largest no digit of a solution can be trusted, refined or not.
inline constexpr double singular_pivot_ratio = 1e-14;

/// Returns x with A x = b, refined until the residual is at the level of rounding or no longer halves. `solve` returns
/// a solution for the vector that it is given, by factors of A.
template <class Solve>
Eigen::VectorXd refined_solution(const SparseMatrix& A, const Eigen::VectorXd& b, const Solve& solve) {
  constexpr int most_refinements = 3;
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  Eigen::VectorXd x = solve(b);
  if (b.size() == 0) return x;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    Eigen::VectorXd residual = b - A * x;
    const double size = residual.lpNorm<Eigen::Infinity>();
    const double scale = x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>();
    if (!(size > rounding * scale) || size > 0.5 * before) break;
    before = size;
    x += solve(std::move(residual));
  }
  return x;
}

}  // namespace stillpoint
