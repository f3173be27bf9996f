#include "modes/damped/galerkin_space.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algebra/dense/blas.h"
#include "algebra/dense/lapack.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;

constexpr Eigen::Index added_together = 8;  // vectors that are added together, with work space for some times as many

// Extends VᵀAV of a symmetric A by the columns that V has gained.
void enlarge(Matrix& projected, const Matrix& new_columns) {
  const Eigen::Index all = new_columns.rows(), more = new_columns.cols(), before = all - more;
  projected.conservativeResize(all, all);
  projected.rightCols(more) = new_columns;
  projected.bottomLeftCorner(more, before) = new_columns.topRows(before).transpose();
}

// Returns N-orthonormal columns with the same span; directions that depend on the others are dropped.
Matrix orthonormal(const Matrix& X, const SparseMatrix& N) {
  const SymmetricEigen products = solve_symmetric(transposed_product(X, N * X));
  const auto kept = (products.values.array() > tolerance::new_direction * products.values.maxCoeff()).count();
  const Eigen::VectorXd lengths = products.values.tail(kept).cwiseSqrt();
  return product(X, Matrix(products.vectors.rightCols(kept) * lengths.cwiseInverse().asDiagonal()));
}

Eigen::VectorXd lengths_of(const Matrix& X, const SparseMatrix& N) {
  Eigen::VectorXd lengths(X.cols());
  for (Eigen::Index k = 0; k < X.cols(); ++k) lengths[k] = std::sqrt(std::max(0.0, X.col(k).dot(N * X.col(k))));
  return lengths;
}

// Returns the columns that are longer than the least lengths, with length 1.
Matrix normalized_where_longer(const Matrix& X, const Eigen::VectorXd& least, const SparseMatrix& N) {
  const Eigen::VectorXd lengths = lengths_of(X, N);
  std::vector<Eigen::Index> longer;
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    if (lengths[j] > least[j]) longer.push_back(j);
  }
  return X(Eigen::all, longer) * lengths(longer).cwiseInverse().asDiagonal();
}

// Returns a bound of the norm of a symmetric matrix: its largest sum of the magnitudes in a row.
double largest_row_sum(const ScaledMatrix& A) {
  return A.rows() > 0 ? A.magnitudes_times(Eigen::VectorXd::Ones(A.cols())).maxCoeff() : 0;
}

}  // namespace

Index ProjectedUndamped::at_least_below(double mu) const {
  if (M.size() == 0) return 0;
  const double error = error_of_K + std::abs(mu) * error_of_M;
  return static_cast<Index>((symmetric_values(K - mu * M).array() < -error).count());
}

GalerkinSpace::GalerkinSpace(const BorderedProblem& problem, const SparseMatrix& N, Project project)
    : problem_(problem), N_(N), project_(std::move(project)) {}

// Returns VᵀX.
Matrix GalerkinSpace::products_with(const Matrix& X) const {
  Matrix all(size_, X.cols());
  Eigen::Index row = 0;
  for (const Matrix& part : V_) {
    all.middleRows(row, part.cols()) = transposed_product(part, X);
    row += part.cols();
  }
  return all;
}

void GalerkinSpace::orthogonalise(Matrix& vectors, std::size_t first_part, std::size_t end) const {
  const Matrix N_times = N_ * vectors;
  for (std::size_t k = first_part; k < end; ++k) subtract_product(V_[k], transposed_product(V_[k], N_times), vectors);
}

// Differences of nearly equal vectors violate the constraints by more, in proportion to their loss of length.
void GalerkinSpace::restore_constraints(Matrix& vectors) const {
  const Matrix violations = problem_.J() * vectors, magnitudes = problem_.J().magnitudes_times(vectors.cwiseAbs());
  std::vector<Eigen::Index> violating;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    if (violations.col(k).norm() > tolerance::violation_of_correction * magnitudes.col(k).norm())
      violating.push_back(k);
  }
  if (!violating.empty()) vectors(Eigen::all, violating) = project_(vectors(Eigen::all, violating));
}

void GalerkinSpace::add(const Eigen::Ref<const Matrix>& vectors) {
  add(vectors.cols(), [&](auto first, auto some) -> Matrix { return vectors.middleCols(first, some); });
}

void GalerkinSpace::add(Eigen::Index count, const Source& vectors) {
  const std::size_t known_parts = V_.size();
  for (Eigen::Index first = 0; first < count; first += added_together)
    add_together(vectors(first, std::min(added_together, count - first)), known_parts);
}

// Vectors may be all but in the space that was there before, yet not in what those added just before have brought.
void GalerkinSpace::add_together(Matrix vectors, std::size_t known_parts) {
  const Eigen::VectorXd before = lengths_of(vectors, N_);
  orthogonalise(vectors, 0, known_parts);
  Matrix more = normalized_where_longer(vectors, tolerance::new_direction * before, N_);
  vectors.resize(0, 0);
  if (V_.size() > known_parts) {
    orthogonalise(more, known_parts, V_.size());
    more =
        normalized_where_longer(more, Eigen::VectorXd::Constant(more.cols(), std::sqrt(tolerance::new_direction)), N_);
  }
  if (more.cols() == 0) return;
  for (int pass = 0; pass < 2; ++pass) {
    restore_constraints(more);
    orthogonalise(more, 0, V_.size());
    more = orthonormal(more, N_);
  }
  size_ += static_cast<Index>(more.cols());
  V_.push_back(std::move(more));
  enlarge(M_, products_with(problem_.M() * V_.back()));
  enlarge(C_, products_with(problem_.C() * V_.back()));
  enlarge(K_, products_with(problem_.K() * V_.back()));
}

// The spectral transformation s = σ + 1/θ gives (θ² Q(σ) + θ Q'(σ) + M) z = 0.
GalerkinValues GalerkinSpace::values(double sigma) const {
  const Eigen::Index p = size_;
  const Eigen::PartialPivLU<Matrix> Q(K_ + sigma * (C_ + sigma * M_));
  const Matrix of_M = Q.solve(M_), of_derivative = Q.solve(C_ + 2 * sigma * M_);
  const double largest = std::max(std::sqrt(of_M.norm()), of_derivative.norm());
  Matrix A = Matrix::Zero(2 * p, 2 * p);
  A.topRightCorner(p, p).setIdentity();
  A.bottomLeftCorner(p, p) = -of_M / (largest * largest);
  A.bottomRightCorner(p, p) = -of_derivative / largest;
  const GeneralEigen found = solve_unsymmetric(std::move(A));

  Eigen::VectorXcd s(2 * p);
  std::vector<Eigen::Index> upper;
  for (Eigen::Index k = 0; k < 2 * p; ++k) {
    if (found.values[k] == 0.0) continue;
    s[k] = sigma + 1.0 / (largest * found.values[k]);
    if (s[k].imag() >= 0) upper.push_back(k);
  }
  std::stable_sort(upper.begin(), upper.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return std::abs(s[a]) < std::abs(s[b]); });
  return {s(upper), found.vectors(Eigen::all, upper).topRows(p)};
}

ProjectedUndamped GalerkinSpace::undamped() const {
  double squares = 0;
  for (const Matrix& part : V_) squares += part.squaredNorm();
  const double uncertain = tolerance::violation_of_correction * squares;
  return {M_, K_, uncertain * largest_row_sum(problem_.M()), uncertain * largest_row_sum(problem_.K())};
}

Eigen::VectorXd GalerkinSpace::share_of_first(Index count, const Eigen::MatrixXcd& z) const {
  return z.topRows(count).colwise().norm().cwiseQuotient(z.colwise().norm()).transpose();
}

Eigen::MatrixXcd GalerkinSpace::vectors(const Eigen::MatrixXcd& z) const {
  Matrix real_parts(z.rows(), 2 * z.cols());
  real_parts << -z.real(), -z.imag();
  Matrix sum = Matrix::Zero(N_.rows(), real_parts.cols());
  Eigen::Index row = 0;
  for (const Matrix& part : V_) {
    subtract_product(part, real_parts.middleRows(row, part.cols()), sum);
    row += part.cols();
  }
  Eigen::MatrixXcd x(sum.rows(), z.cols());
  x.real() = sum.leftCols(z.cols());
  x.imag() = sum.rightCols(z.cols());
  return x;
}

}  // namespace stillpoint
