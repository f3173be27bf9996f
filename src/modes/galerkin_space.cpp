#include "modes/galerkin_space.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algebra/blas.h"
#include "algebra/lapack.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;

constexpr double rounding = 1e-12, dependent = 1e-12;  // of a length; of a square, relative
constexpr double most_stray = 1e-13;

// VᵀAV of a symmetric A; the part of the columns before is known.
void enlarge(Matrix& projected, const Matrix& V, const SparseMatrix& A) {
  const Eigen::Index before = projected.cols(), all = V.cols(), more = all - before;
  const Matrix new_columns = transposed_product(V, A * V.rightCols(more));
  projected.conservativeResize(all, all);
  projected.rightCols(more) = new_columns;
  projected.bottomLeftCorner(more, before) = new_columns.topRows(before).transpose();
}

// Columns of length one that span the same, N-orthonormal, without those that depend on others.
Matrix orthonormal(const Matrix& X, const SparseMatrix& N) {
  const SymmetricEigen products = solve_symmetric(transposed_product(X, N * X));
  const auto kept = (products.values.array() > dependent * products.values.maxCoeff()).count();
  const Eigen::VectorXd lengths = products.values.tail(kept).cwiseSqrt();
  return product(X, Matrix(products.vectors.rightCols(kept) * lengths.cwiseInverse().asDiagonal()));
}

Eigen::VectorXd lengths_of(const Matrix& X, const SparseMatrix& N) {
  return X.cwiseProduct(N * X).colwise().sum().transpose().cwiseMax(0).cwiseSqrt();
}

}  // namespace

GalerkinSpace::GalerkinSpace(const BorderedProblem& problem, const SparseMatrix& N, Project project)
    : problem_(problem), N_(N), project_(std::move(project)), V_(N.rows(), 0) {}

void GalerkinSpace::take_out_known(Matrix& vectors) const {
  subtract_product(V_, transposed_product(V_, N_ * vectors), vectors);
}

// Differences of vectors that nearly agree violate the constraints by as much more as they are shorter.
void GalerkinSpace::bring_back(Matrix& vectors) const {
  const Matrix violations = problem_.J() * vectors, sizes = problem_.J().cwiseAbs() * vectors.cwiseAbs();
  std::vector<Eigen::Index> stray;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    if (violations.col(k).norm() > most_stray * sizes.col(k).norm()) stray.push_back(k);
  }
  if (!stray.empty()) vectors(Eigen::all, stray) = project_(vectors(Eigen::all, stray));
}

void GalerkinSpace::add(Matrix vectors) {
  const Eigen::VectorXd before = lengths_of(vectors, N_);
  take_out_known(vectors);
  const Eigen::VectorXd left = lengths_of(vectors, N_);
  std::vector<Eigen::Index> fresh;
  for (Eigen::Index j = 0; j < vectors.cols(); ++j) {
    if (left[j] > rounding * before[j]) fresh.push_back(j);
  }
  if (fresh.empty()) return;
  Matrix more = vectors(Eigen::all, fresh) * left(fresh).cwiseInverse().asDiagonal();
  for (int pass = 0; pass < 2; ++pass) {
    bring_back(more);
    take_out_known(more);
    more = orthonormal(more, N_);
  }
  V_.conservativeResize(Eigen::NoChange, V_.cols() + more.cols());
  V_.rightCols(more.cols()) = more;
  enlarge(M_, V_, problem_.M());
  enlarge(C_, V_, problem_.C());
  enlarge(K_, V_, problem_.K());
}

// By s = σ + 1/θ:  (θ² Q(σ) + θ Q'(σ) + M) z = 0.
GalerkinValues GalerkinSpace::values(double sigma) const {
  const Eigen::Index p = V_.cols();
  const Eigen::PartialPivLU<Matrix> Q(K_ + sigma * (C_ + sigma * M_));
  const Matrix of_M = Q.solve(M_), of_slope = Q.solve(C_ + 2 * sigma * M_);
  const double largest = std::max(std::sqrt(of_M.norm()), of_slope.norm());
  Matrix A = Matrix::Zero(2 * p, 2 * p);
  A.topRightCorner(p, p).setIdentity();
  A.bottomLeftCorner(p, p) = -of_M / (largest * largest);
  A.bottomRightCorner(p, p) = -of_slope / largest;
  const GeneralEigen found = solve_general(std::move(A));

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
