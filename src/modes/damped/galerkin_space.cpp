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

// Extends VᵀAV of a symmetric A by the columns that V has gained.
void enlarge(Matrix& projected, const Matrix& V, const SparseMatrix& A) {
  const Eigen::Index before = projected.cols(), all = V.cols(), more = all - before;
  const Matrix new_columns = transposed_product(V, A * V.rightCols(more));
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
  return X.cwiseProduct(N * X).colwise().sum().transpose().cwiseMax(0).cwiseSqrt();
}

}  // namespace

GalerkinSpace::GalerkinSpace(const BorderedProblem& problem, const SparseMatrix& N, Project project)
    : problem_(problem), N_(N), project_(std::move(project)), V_(N.rows(), 0) {}

void GalerkinSpace::orthogonalise(Matrix& vectors) const {
  subtract_product(V_, transposed_product(V_, N_ * vectors), vectors);
}

// Differences of nearly equal vectors violate the constraints by more, in proportion to their loss of length.
void GalerkinSpace::restore_constraints(Matrix& vectors) const {
  const Matrix violations = problem_.J() * vectors, magnitudes = problem_.J().cwiseAbs() * vectors.cwiseAbs();
  std::vector<Eigen::Index> violating;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    if (violations.col(k).norm() > tolerance::violation_of_correction * magnitudes.col(k).norm())
      violating.push_back(k);
  }
  if (!violating.empty()) vectors(Eigen::all, violating) = project_(vectors(Eigen::all, violating));
}

void GalerkinSpace::add(Matrix vectors) {
  const Eigen::VectorXd before = lengths_of(vectors, N_);
  orthogonalise(vectors);
  const Eigen::VectorXd left = lengths_of(vectors, N_);
  std::vector<Eigen::Index> independent;
  for (Eigen::Index j = 0; j < vectors.cols(); ++j) {
    if (left[j] > tolerance::new_direction * before[j]) independent.push_back(j);
  }
  if (independent.empty()) return;
  Matrix more = vectors(Eigen::all, independent) * left(independent).cwiseInverse().asDiagonal();
  for (int pass = 0; pass < 2; ++pass) {
    restore_constraints(more);
    orthogonalise(more);
    more = orthonormal(more, N_);
  }
  V_.conservativeResize(Eigen::NoChange, V_.cols() + more.cols());
  V_.rightCols(more.cols()) = more;
  enlarge(M_, V_, problem_.M());
  enlarge(C_, V_, problem_.C());
  enlarge(K_, V_, problem_.K());
}

// The spectral transformation s = σ + 1/θ gives (θ² Q(σ) + θ Q'(σ) + M) z = 0.
GalerkinValues GalerkinSpace::values(double sigma) const {
  const Eigen::Index p = V_.cols();
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

Eigen::VectorXd GalerkinSpace::share_of_first(Index count, const Eigen::MatrixXcd& z) const {
  return z.topRows(count).colwise().norm().cwiseQuotient(z.colwise().norm()).transpose();
}

Eigen::MatrixXcd GalerkinSpace::vectors(const Eigen::MatrixXcd& z) const { return product(V_, z); }

}  // namespace stillpoint
