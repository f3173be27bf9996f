#include "modes/real_pairs.h"

#include <algorithm>
#include <vector>

#include "algebra/lapack.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Columns = std::vector<Eigen::Index>;

constexpr double surely_rounding = 1e-8;  // relative

// What real and imaginary parts of the columns span, orthonormal in the first n rows. A value that is double and has
// one vector, such as zero, comes with two that are nearly one.
Eigen::MatrixXd real_basis(const Eigen::MatrixXcd& x, const Columns& columns, Eigen::Index n) {
  constexpr double nothing = 1e-12;  // square of what counts as another direction
  const auto count = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd parts(x.rows(), 2 * count);
  parts << x(Eigen::all, columns).real(), x(Eigen::all, columns).imag();
  const SymmetricEigen products = solve_symmetric(Eigen::MatrixXd(parts.topRows(n).transpose() * parts.topRows(n)));
  Eigen::Index rank = 0;
  const Eigen::Index last = 2 * count - 1;
  while (rank < count && products.values[last - rank] > nothing * products.values[last]) ++rank;
  return parts * products.vectors.rightCols(rank) * products.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Of s²M + sC + K in that basis; vectors for it in the upper half.
PencilEigen solve_within(const Eigen::MatrixXd& V, const BorderedProblem& problem) {
  const Eigen::Index r = V.cols();
  const auto projected = [&](const SparseMatrix& matrix) -> Eigen::MatrixXd { return V.transpose() * (matrix * V); };
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * r, 2 * r), E = Eigen::MatrixXd::Identity(2 * r, 2 * r);
  A.topRightCorner(r, r).setIdentity();
  A.bottomLeftCorner(r, r) = -projected(problem.K());
  A.bottomRightCorner(r, r) = -projected(problem.C());
  E.bottomRightCorner(r, r) = projected(problem.M());
  return solve_pencil(A, E);
}

// Each by the one that is nearest, once. False, and nothing is done, where the space does not have so many nearby.
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

// Each by itself.
void round_to_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const Columns& columns, double rounding) {
  for (const Eigen::Index column : columns) {
    if (std::abs(s[column].imag()) > rounding) continue;
    Eigen::Index largest = 0;
    x.col(column).cwiseAbs().maxCoeff(&largest);
    s[column] = s[column].real();
    x.col(column) = (x.col(column) / Complex(x(largest, column))).real().eval().cast<Complex>();
  }
}

}  // namespace

double largest_rounding(double size) {
  constexpr double relative = 1e-4;
  return relative * size;
}

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
    if (!replace(s, x, {first, last}, problem, near)) round_to_real(s, x, {first, last}, surely_rounding * size);
    first = last;
  }
}

// In complex numbers both of a pair near the real axis come, and real values beside it.
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

}  // namespace stillpoint
