#include "modes/problem/real_pairs.h"

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Columns = std::vector<Eigen::Index>;

// Returns a real basis of the span of real and imaginary parts of the columns, orthonormal in the first n rows. A
// double eigenvalue with one vector, such as zero, brings two vectors that are nearly parallel.
Eigen::MatrixXd real_basis(const Eigen::MatrixXcd& x, const Columns& columns, Eigen::Index n) {
  const auto count = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd parts(x.rows(), 2 * count);
  parts << x(Eigen::all, columns).real(), x(Eigen::all, columns).imag();
  const SymmetricEigen products = solve_symmetric(Eigen::MatrixXd(parts.topRows(n).transpose() * parts.topRows(n)));
  Eigen::Index rank = 0;
  const Eigen::Index last = 2 * count - 1;
  while (rank < count && products.values[last - rank] > tolerance::new_direction * products.values[last]) ++rank;
  return parts * products.vectors.rightCols(rank) * products.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Solves s²M + sC + K projected onto the basis; the upper half of each vector holds its coefficients.
PencilEigen solve_within(const Eigen::MatrixXd& V, const BorderedProblem& problem) {
  const Eigen::Index r = V.cols();
  const auto projected = [&](const ScaledMatrix& matrix) -> Eigen::MatrixXd { return V.transpose() * (matrix * V); };
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * r, 2 * r), E = Eigen::MatrixXd::Identity(2 * r, 2 * r);
  A.topRightCorner(r, r).setIdentity();
  A.bottomLeftCorner(r, r) = -projected(problem.K());
  A.bottomRightCorner(r, r) = -projected(problem.C());
  E.bottomRightCorner(r, r) = projected(problem.M());
  return solve_pencil(A, E);
}

// Replaces each value by the nearest one of the projected problem, each of which serves once. Returns false and changes
// nothing if the projected problem does not have enough values nearby.
bool replace(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const Columns& columns, const BorderedProblem& problem,
             double near) {
  const Eigen::Index n = problem.M().rows();
  const Eigen::MatrixXd basis = real_basis(x, columns, n);
  const PencilEigen eigen = solve_within(basis.topRows(n), problem);
  Columns left, chosen;
  for (Eigen::Index k = 0; k < eigen.size(); ++k) {
    if (!eigen.is_infinite(k)) left.push_back(k);
  }
  if (left.size() < columns.size()) return false;
  for (const Eigen::Index column : columns) {
    const auto distance = [&](Eigen::Index k) { return std::abs(eigen.value(k) - s[column]); };
    const auto nearest = std::min_element(left.begin(), left.end(),
                                          [&](Eigen::Index a, Eigen::Index b) { return distance(a) < distance(b); });
    if (distance(*nearest) > near) return false;
    chosen.push_back(*nearest);
    left.erase(nearest);
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    s[columns[k]] = eigen.value(chosen[k]);
    const Eigen::VectorXcd y = eigen.right.col(chosen[k]).head(basis.cols());
    const Eigen::VectorXcd vector = basis.cast<Complex>() * y;
    x.col(columns[k]) = vector / vector.head(n).norm();
  }
  return true;
}

// Sets the imaginary part of each value to zero by itself.
void round_to_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const Columns& columns, double rounding) {
  for (const Eigen::Index column : columns) {
    if (std::abs(s[column].imag()) > rounding) continue;
    s[column] = s[column].real();
    x.col(column) = real_part(x.col(column)).cast<Complex>();
  }
}

std::array<BorderedVector, 2> parts_of(const BorderedVector& x) {
  return {BorderedVector{x.coordinates.real().cast<Complex>(), x.multipliers.real().cast<Complex>()},
          BorderedVector{x.coordinates.imag().cast<Complex>(), x.multipliers.imag().cast<Complex>()}};
}

std::array<BorderedVector, 2> combined(const std::array<BorderedVector, 2>& x, const Eigen::Matrix2d& with) {
  std::array<BorderedVector, 2> result;
  for (int k = 0; k < 2; ++k) {
    result[at(k)].coordinates = with(0, k) * x[0].coordinates + with(1, k) * x[1].coordinates;
    result[at(k)].multipliers = with(0, k) * x[0].multipliers + with(1, k) * x[1].multipliers;
  }
  return result;
}

/// Returns the combinations that make the real parts orthonormal, scaled; nothing if they are nearly parallel.
std::optional<Eigen::Matrix2d> separated(const std::array<BorderedVector, 2>& x, const BorderedProblem& problem) {
  const Eigen::VectorXd& unit = problem.coordinate_scale();
  Eigen::MatrixXd parts(unit.size(), 2);
  for (int k = 0; k < 2; ++k) parts.col(k) = x[at(k)].coordinates.real().cwiseQuotient(unit);
  const SymmetricEigen products = solve_symmetric(Eigen::MatrixXd(parts.transpose() * parts));
  if (!(products.values[0] > tolerance::dependent_vectors * products.values[1])) return {};
  return Eigen::Matrix2d(products.vectors * products.values.cwiseSqrt().cwiseInverse().asDiagonal());
}

}  // namespace

Eigen::VectorXd real_part(const Eigen::VectorXcd& x) {
  Eigen::Index largest = 0;
  x.cwiseAbs().maxCoeff(&largest);
  return (x / x[largest]).real();
}

double largest_rounding(double size) { return tolerance::possibly_real * size; }

void make_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size) {
  const double near = largest_rounding(size);
  Columns real;
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    if (std::abs(s[k].imag()) <= near) real.push_back(k);
  }
  std::sort(real.begin(), real.end(), [&](Eigen::Index a, Eigen::Index b) { return s[a].real() < s[b].real(); });
  for (auto first = real.begin(); first != real.end();) {
    auto last = first + 1;
    while (last != real.end() && s[*last].real() - s[*(last - 1)].real() <= near) ++last;
    if (!replace(s, x, {first, last}, problem, near))
      round_to_real(s, x, {first, last}, tolerance::certainly_real * size);
    first = last;
  }
}

// A complex computation returns both members of a pair near the real axis, and the real values besides.
bool keep_upper(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size) {
  make_real(s, x, problem, size);
  Columns kept;
  int more_above = 0;
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    const double imaginary = s[k].imag();
    if (imaginary >= 0) kept.push_back(k);
    if (imaginary != 0 && std::abs(imaginary) <= largest_rounding(size)) more_above += imaginary > 0 ? 1 : -1;
  }
  s = s(kept).eval();
  x = x(Eigen::all, kept).eval();
  return more_above == 0;
}

// The left vectors are combined so that they are biorthogonal to the right ones with respect to P'(s).
std::optional<RealPair> real_pair(double s, const BorderedVector& right, const BorderedVector& left,
                                  const BorderedProblem& problem) {
  RealPair pair{parts_of(right), parts_of(left)};
  const auto of_right = separated(pair.right, problem), of_left = separated(pair.left, problem);
  if (!of_right || !of_left) return {};
  pair.right = combined(pair.right, *of_right);
  pair.left = combined(pair.left, *of_left);
  Eigen::Matrix2d felt;
  for (int k = 0; k < 2; ++k) {
    const Eigen::VectorXd derivative = problem.derivative(s, pair.right[at(k)].coordinates).real();
    for (int l = 0; l < 2; ++l) felt(l, k) = pair.left[at(l)].coordinates.real().dot(derivative);
  }
  const Eigen::FullPivLU<Eigen::Matrix2d> lu(felt);
  if (!lu.isInvertible()) return {};
  pair.left = combined(pair.left, lu.inverse().transpose());
  return pair;
}

}  // namespace stillpoint
