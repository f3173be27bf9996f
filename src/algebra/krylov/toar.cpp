#include "algebra/krylov/toar.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algebra/dense/complex_lapack.h"
#include "algebra/dense/lapack.h"

namespace stillpoint {

namespace {

// After orthogonalisation, a vector below the first fraction of its length lies in the span of the basis; below the
// second, what is left of it consists largely of rounding errors of the solution from which it came.
constexpr double rounding = 1e-15, short_length = 1e-3;

// The relative distance from the subspace that a new column may have. It cannot be corrected later, and every division
// by a short length enlarges it.
constexpr double most_stray = 1e-13;

// Makes x orthogonal to the columns of Q in the inner product of `weigh`, and returns its remaining length. Two passes
// of Gram–Schmidt suffice (Kahan, in [Parlett 1980]).
template <class Columns, class Weigh, class Vector>
double orthogonalise(const Columns& Q, const Weigh& weigh, Vector& x, Vector& along) {
  along = Vector::Zero(Q.cols());
  Vector weighed = weigh(x);
  double length = std::sqrt(std::real(x.dot(weighed)));
  for (int pass = 0; pass < 2; ++pass) {
    const double before = length;
    const Vector part = Q.adjoint() * weighed;
    x.noalias() -= Q * part;
    along += part;
    weighed = weigh(x);
    length = std::sqrt(std::real(x.dot(weighed)));
    if (length > 0.7 * before) break;
  }
  return length;
}

// Returns the order of descending magnitude; the sort is stable, so that conjugate pairs keep their order.
std::vector<Eigen::Index> by_size(const Eigen::VectorXcd& values) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return std::abs(values[a]) > std::abs(values[b]); });
  return order;
}

}  // namespace

Index QuadraticRitz::converged(double relative) const {
  Index count = 0;
  while (count < size() && residuals[count] <= relative * std::abs(values[count])) ++count;
  return count;
}

template <class Scalar>
SecondOrderKrylov<Scalar>::SecondOrderKrylov(SecondOrderOperator<Scalar> both, const SparseMatrix& N,
                                             const SecondOrderStart<Scalar>& start, Index capacity, Index dimension)
    : operator_(std::move(both)), N_(N), rho_(start.rho), capacity_(0), dimension_(dimension) {
  reserve(capacity);
  begin(start);
}

// Q has three more columns than the basis has vectors: two for the start, and one for the first product.
template <class Scalar>
void SecondOrderKrylov<Scalar>::reserve(Index capacity) {
  capacity_ = std::max(capacity_, std::min(capacity, dimension_));
  const auto n = static_cast<Eigen::Index>(N_.rows()), columns = std::min<Eigen::Index>(capacity_ + 3, n);
  Q_.conservativeResize(n, columns);
  const auto enlarge = [](Matrix& A, Eigen::Index rows, Eigen::Index cols) {
    Matrix larger = Matrix::Zero(rows, cols);
    larger.topLeftCorner(A.rows(), A.cols()) = A;
    A = std::move(larger);
  };
  enlarge(top_, columns, capacity_ + 1);
  enlarge(bottom_, columns, capacity_ + 1);
  enlarge(H_, capacity_ + 1, capacity_);
}

template <class Scalar>
void SecondOrderKrylov<Scalar>::begin(const SecondOrderStart<Scalar>& start) {
  const Vector top = place(start.v / rho_), bottom = place(start.w);
  Vector coefficients;
  append(top, bottom, coefficients);
}

template <class Scalar>
auto SecondOrderKrylov<Scalar>::place(Vector x) -> Vector {
  const double before = length_of(x);
  Vector along;
  const double length = orthogonalise(Q_.leftCols(columns_), weigh(), x, along);
  if (columns_ == Q_.cols() || !(length > rounding * before)) return along;
  x /= length;
  const bool is_noisy = length < short_length * before || operator_.stray(x) > most_stray;
  if (is_noisy && !bring_back(x)) return along;
  Q_.col(columns_++) = x;
  along.conservativeResize(columns_);
  along[columns_ - 1] = length;
  return along;
}

// The remainder of a severe cancellation may lie outside the subspace. Any new direction inside it will do.
template <class Scalar>
bool SecondOrderKrylov<Scalar>::bring_back(Vector& x) const {
  for (int tries = 0; tries < 3; ++tries) {
    x = operator_.project(x);
    Vector along;
    const double length = orthogonalise(Q_.leftCols(columns_), weigh(), x, along);
    if (!(length > 0)) return false;
    x /= length;
    if (length > 0.5) return true;
  }
  return false;
}

template <class Scalar>
bool SecondOrderKrylov<Scalar>::append(Vector top, Vector bottom, Vector& coefficients) {
  const auto fill = [this](Vector& x) {
    const Eigen::Index size = x.size();
    x.conservativeResize(columns_);
    x.tail(columns_ - size).setZero();
  };
  fill(top);
  fill(bottom);
  Vector both(2 * columns_);
  both << top, bottom;
  Matrix basis(2 * columns_, count_);
  basis << top_.topLeftCorner(columns_, count_), bottom_.topLeftCorner(columns_, count_);
  const double before = both.norm(), length = orthogonalise(
                                         basis, [](const Vector&x) { return x; }, both, coefficients);
  if (count_ == dimension_ || !(length > rounding * before)) return false;
  top_.col(count_).head(columns_) = both.head(columns_) / length;
  bottom_.col(count_).head(columns_) = both.tail(columns_) / length;
  coefficients.conservativeResize(++count_);
  coefficients[count_ - 1] = length;
  return true;
}

template <class Scalar>
void SecondOrderKrylov<Scalar>::grow() {
  Matrix halves(columns_, 2);
  halves << rho_ * top_.col(applied_).head(columns_), bottom_.col(applied_).head(columns_);
  const Matrix vw = Q_.leftCols(columns_) * halves;
  const Vector below = halves.col(0);
  const Vector top = place(operator_.apply(vw.col(0), vw.col(1)) / rho_);
  Vector coefficients;
  append(top, below, coefficients);
  H_.col(applied_).head(coefficients.size()) = coefficients;
  ++applied_;
}

template <class Scalar>
QuadraticRitz SecondOrderKrylov<Scalar>::ritz() const {
  const GeneralEigen eigen = solve_unsymmetric(Matrix(H_.topLeftCorner(applied_, applied_)));
  const std::vector<Eigen::Index> order = by_size(eigen.values);
  QuadraticRitz ritz{eigen.values(order), {}, eigen.vectors(Eigen::all, order)};
  const Eigen::MatrixXcd outside = H_.block(applied_, 0, count_ - applied_, applied_) * ritz.coefficients;
  ritz.residuals = outside.colwise().norm();
  return ritz;
}

// The larger half of the vector is taken, because its relative error is smaller.
template <class Scalar>
Eigen::VectorXcd SecondOrderKrylov<Scalar>::vector(const QuadraticRitz& ritz, Index k) const {
  const auto& half = std::abs(ritz.values[k]) > rho_ ? top_ : bottom_;
  const Eigen::VectorXcd in_Q = half.topLeftCorner(columns_, applied_) * ritz.coefficients.col(k);
  return Q_.leftCols(columns_) * in_Q;
}

// With an orthonormal basis Z of the wanted invariant subspace of H: A (basis Z) = (basis Z) T + pending hᵀ Z.
template <class Scalar>
void SecondOrderKrylov<Scalar>::reduce(Index kept) {
  const auto schur = leading_schur(Matrix(H_.topLeftCorner(applied_, applied_)), [&](const Eigen::VectorXcd& values) {
    std::vector<bool> is_wanted(static_cast<std::size_t>(values.size()));
    const std::vector<Eigen::Index> order = by_size(values);
    for (Index k = 0; k < kept; ++k) is_wanted[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
    return is_wanted;
  });
  const Eigen::Index pending = count_ - applied_, m = schur.Z.cols();
  const auto change_basis = [&](Matrix& half) {
    const Matrix waiting = half.middleCols(applied_, pending);
    half.leftCols(m) = (half.leftCols(applied_) * schur.Z).eval();
    half.middleCols(m, pending) = waiting;
    half.rightCols(half.cols() - m - pending).setZero();
  };
  change_basis(top_);
  change_basis(bottom_);
  const Matrix coupling = H_.block(applied_, 0, pending, applied_) * schur.Z;
  H_.setZero();
  H_.topLeftCorner(m, m) = schur.T;
  H_.block(m, 0, pending, m) = coupling;
  applied_ = static_cast<Index>(m);
  count_ = static_cast<Index>(m + pending);
}

// Reduces the number of columns of Q to that which the basis needs. ρ times the upper halves of all vectors but the
// last lie in the span of the lower halves, so that one column more than there are vectors suffices; further ones hold
// rounding errors.
template <class Scalar>
void SecondOrderKrylov<Scalar>::compress() {
  Matrix both(columns_, 2 * count_);
  both << top_.topLeftCorner(columns_, count_), bottom_.topLeftCorner(columns_, count_);
  const auto svd = decompose(both);
  Eigen::Index rank = 0;
  const Eigen::Index most = std::min<Eigen::Index>(count_ + 1, svd.values.size());
  while (rank < most && svd.values[rank] > rounding * svd.values[0]) ++rank;
  const Matrix U = svd.U.leftCols(rank);
  Q_.leftCols(rank) = (Q_.leftCols(columns_) * U).eval();
  for (Matrix* half : {&top_, &bottom_}) {
    const Matrix in_new_columns = U.adjoint() * half->topLeftCorner(columns_, count_);
    half->setZero();
    half->topLeftCorner(rank, count_) = in_new_columns;
  }
  columns_ = static_cast<Index>(rank);
}

template <class Scalar>
void SecondOrderKrylov<Scalar>::restart(Index kept) {
  reduce(kept);
  compress();
}

template <class Scalar>
void SecondOrderKrylov<Scalar>::restart(Index kept, const SecondOrderStart<Scalar>& start, Index room) {
  if (kept > 0) reduce(kept);
  else applied_ = 0;
  count_ = applied_;
  H_.bottomRows(H_.rows() - applied_).setZero();
  if (count_ > 0) compress();
  else columns_ = 0;
  reserve(applied_ + room);
  begin(start);
}

template class SecondOrderKrylov<double>;
template class SecondOrderKrylov<std::complex<double>>;

}  // namespace stillpoint
