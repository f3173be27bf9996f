#include "modes/inverse_iteration.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/at.h"

namespace stillpoint {

namespace {

// The shift keeps off the eigenvalue, where nothing can be factored: as near as it can, relative.
constexpr double off_the_eigenvalue = 1e-9, far_off = 1e-4;
constexpr int most_steps = 5;

SparseMatrix as_real(const Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, Index>& B) {
  const auto n = static_cast<Index>(B.cols());
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(4 * at(B.nonZeros()));
  for (Index j = 0; j < n; ++j) {
    for (std::remove_reference_t<decltype(B)>::InnerIterator entry(B, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      const std::complex<double> value = entry.value();
      entries.emplace_back(i, j, value.real());
      entries.emplace_back(n + i, n + j, value.real());
      entries.emplace_back(n + i, j, value.imag());
      entries.emplace_back(i, n + j, -value.imag());
    }
  }
  SparseMatrix real(2 * n, 2 * n);
  real.setFromTriplets(entries.begin(), entries.end());  // keeps zeros
  return real;
}

}  // namespace

bool InverseIteration::Side::factor() {
  if (!lu) lu = std::make_unique<SparseLu>(matrix);
  return lu->factor(matrix);
}

Eigen::VectorXcd InverseIteration::Side::solve(const Eigen::VectorXcd& b) {
  const Eigen::Index n = b.size();
  Eigen::VectorXd parts(2 * n);
  parts << b.real(), b.imag();
  const Eigen::VectorXd x = lu->solve(parts);
  Eigen::VectorXcd result(n);
  result.real() = x.head(n);
  result.imag() = x.tail(n);
  return result;
}

bool InverseIteration::improve(std::complex<double> s, BorderedVector& x, BorderedVector& y) {
  right_.matrix = as_real(problem_.scaled_matrix(s));
  left_.matrix = right_.matrix.transpose();
  if (!right_.factor() || !left_.factor()) return false;
  const auto improved = [&](Side& side, const Eigen::VectorXcd& slope) {
    const Eigen::VectorXcd solution = side.solve(slope);
    return problem_.unscaled(solution / solution.norm());
  };
  const BorderedVector better_x = improved(right_, problem_.scaled_slope(s, x.coordinates));
  const BorderedVector better_y = improved(left_, problem_.scaled_left_slope(s, y.coordinates));
  if (!better_x.coordinates.allFinite() || !better_y.coordinates.allFinite()) return false;
  x = better_x;
  y = better_y;
  return true;
}

std::optional<Refined> InverseIteration::refine(std::complex<double> s, BorderedVector x, BorderedVector y) {
  std::optional<Refined> refined;
  for (int step = 0; step < most_steps; ++step) {
    bool is_better = false;
    for (double off = off_the_eigenvalue; off < far_off && !is_better; off *= 100) {
      is_better = improve(s * (1 + off), x, y);
    }
    if (!is_better) break;
    const RayleighValue value = rayleigh_value(problem_.sandwich(x, y), s);
    refined = {value.s, value.rounding + value.change, value.change <= value.rounding};
    s = value.s;
    if (refined->is_settled) break;
  }
  return refined;
}

bool is_same_root(const Refined& refined, const std::vector<std::complex<double>>& values, std::size_t of) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != of) nearest = std::min(nearest, std::abs(values[i] - values[of]));
  }
  return refined.is_settled && 2 * std::abs(refined.s - values[of]) < nearest;
}

}  // namespace stillpoint
