#include "algebra/second_order_krylov.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algebra/lapack.h"

namespace stillpoint {

namespace {

// What orthogonalising leaves of a vector that lies in the span, of its length: rounding of the solution it came from.
constexpr double rounding = 1e-15, short_length = 1e-3;

// Makes x orthogonal to the columns; `weigh` is the inner product. Twice is enough. Returns the length that is left.
template <class Weigh>
double orthogonalise(const Eigen::Ref<const Eigen::MatrixXd>& Q, const Weigh& weigh, Eigen::VectorXd& x,
                     Eigen::VectorXd& along) {
  along = Eigen::VectorXd::Zero(Q.cols());
  Eigen::VectorXd weighed = weigh(x);
  double length = std::sqrt(x.dot(weighed));
  for (int pass = 0; pass < 2; ++pass) {
    const double before = length;
    const Eigen::VectorXd part = Q.transpose() * weighed;
    x.noalias() -= Q * part;
    along += part;
    weighed = weigh(x);
    length = std::sqrt(x.dot(weighed));
    if (length > 0.7 * before) break;
  }
  return length;
}

// By falling size; of a pair the one with the positive imaginary part first.
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

SecondOrderKrylov::SecondOrderKrylov(SecondOrderOperator both, const SparseMatrix& N, const SecondOrderStart& start,
                                     Index capacity, Index dimension)
    : operator_(std::move(both)), N_(N), rho_(start.rho), capacity_(0), dimension_(dimension) {
  reserve(capacity);
  begin(start);
}

// Three more columns than vectors: the start has two, and the first product one.
void SecondOrderKrylov::reserve(Index capacity) {
  capacity_ = std::max(capacity_, std::min(capacity, dimension_));
  const auto n = static_cast<Eigen::Index>(N_.rows()), columns = std::min<Eigen::Index>(capacity_ + 3, n);
  Q_.conservativeResize(n, columns);
  const auto enlarge = [](Eigen::MatrixXd& A, Eigen::Index rows, Eigen::Index cols) {
    Eigen::MatrixXd larger = Eigen::MatrixXd::Zero(rows, cols);
    larger.topLeftCorner(A.rows(), A.cols()) = A;
    A = std::move(larger);
  };
  enlarge(top_, columns, capacity_ + 1);
  enlarge(bottom_, columns, capacity_ + 1);
  enlarge(H_, capacity_ + 1, capacity_);
}

void SecondOrderKrylov::begin(const SecondOrderStart& start) {
  const Eigen::VectorXd top = place(start.v / rho_), bottom = place(start.w);
  Eigen::VectorXd coefficients;
  append(top, bottom, coefficients);
}

Eigen::VectorXd SecondOrderKrylov::place(Eigen::VectorXd x) {
  const double before = length_of(x);
  Eigen::VectorXd along;
  const double length = orthogonalise(Q_.leftCols(columns_), weigh(), x, along);
  if (columns_ == Q_.cols() || !(length > rounding * before)) return along;
  x /= length;
  if (length < short_length * before && !bring_back(x)) return along;
  Q_.col(columns_++) = x;
  along.conservativeResize(columns_);
  along[columns_ - 1] = length;
  return along;
}

// What rounding left of a difference may point anywhere. Any direction does that is new.
bool SecondOrderKrylov::bring_back(Eigen::VectorXd& x) const {
  for (int tries = 0; tries < 3; ++tries) {
    x = operator_.project(x);
    Eigen::VectorXd along;
    const double length = orthogonalise(Q_.leftCols(columns_), weigh(), x, along);
    if (!(length > 0)) return false;
    x /= length;
    if (length > 0.5) return true;
  }
  return false;
}

bool SecondOrderKrylov::append(Eigen::VectorXd top, Eigen::VectorXd bottom, Eigen::VectorXd& coefficients) {
  const auto fill = [this](Eigen::VectorXd& x) {
    const Eigen::Index size = x.size();
    x.conservativeResize(columns_);
    x.tail(columns_ - size).setZero();
  };
  fill(top);
  fill(bottom);
  Eigen::VectorXd both(2 * columns_);
  both << top, bottom;
  Eigen::MatrixXd basis(2 * columns_, count_);
  basis << top_.topLeftCorner(columns_, count_), bottom_.topLeftCorner(columns_, count_);
  const double before = both.norm(), length = orthogonalise(
                                         basis, [](const Eigen::VectorXd&x) { return x; }, both, coefficients);
  if (count_ == dimension_ || !(length > rounding * before)) return false;
  top_.col(count_).head(columns_) = both.head(columns_) / length;
  bottom_.col(count_).head(columns_) = both.tail(columns_) / length;
  coefficients.conservativeResize(++count_);
  coefficients[count_ - 1] = length;
  return true;
}

void SecondOrderKrylov::grow() {
  const auto used = Q_.leftCols(columns_);
  const Eigen::VectorXd below = rho_ * top_.col(applied_).head(columns_);
  const Eigen::VectorXd v = used * below, w = used * bottom_.col(applied_).head(columns_);
  const Eigen::VectorXd top = place(operator_.apply(v, w) / rho_);
  Eigen::VectorXd coefficients;
  append(top, below, coefficients);
  H_.col(applied_).head(coefficients.size()) = coefficients;
  ++applied_;
}

QuadraticRitz SecondOrderKrylov::ritz() const {
  const GeneralEigen eigen = solve_general(H_.topLeftCorner(applied_, applied_));
  const std::vector<Eigen::Index> order = by_size(eigen.values);
  QuadraticRitz ritz{eigen.values(order), {}, eigen.vectors(Eigen::all, order)};
  const Eigen::MatrixXcd outside = H_.block(applied_, 0, count_ - applied_, applied_) * ritz.coefficients;
  ritz.residuals = outside.colwise().norm();
  return ritz;
}

// Of both halves the larger one: it has the smaller errors.
Eigen::VectorXcd SecondOrderKrylov::vector(const QuadraticRitz& ritz, Index k) const {
  const auto& half = std::abs(ritz.values[k]) > rho_ ? top_ : bottom_;
  const Eigen::VectorXcd in_Q = half.topLeftCorner(columns_, applied_) * ritz.coefficients.col(k);
  return Q_.leftCols(columns_) * in_Q;
}

// A (basis Z) = (basis Z) T + pending hᵀ Z, for an orthonormal Z of the wanted invariant subspace of H.
void SecondOrderKrylov::reduce(Index kept) {
  const LeadingSchur schur = leading_schur(H_.topLeftCorner(applied_, applied_), [&](const Eigen::VectorXcd& values) {
    std::vector<bool> is_wanted(static_cast<std::size_t>(values.size()));
    const std::vector<Eigen::Index> order = by_size(values);
    for (Index k = 0; k < kept; ++k) is_wanted[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
    return is_wanted;
  });
  const Eigen::Index pending = count_ - applied_, m = schur.Z.cols();
  const auto turn = [&](Eigen::MatrixXd& half) {
    const Eigen::MatrixXd waiting = half.middleCols(applied_, pending);
    half.leftCols(m) = (half.leftCols(applied_) * schur.Z).eval();
    half.middleCols(m, pending) = waiting;
    half.rightCols(half.cols() - m - pending).setZero();
  };
  turn(top_);
  turn(bottom_);
  const Eigen::MatrixXd coupling = H_.block(applied_, 0, pending, applied_) * schur.Z;
  H_.setZero();
  H_.topLeftCorner(m, m) = schur.T;
  H_.block(m, 0, pending, m) = coupling;
  applied_ = static_cast<Index>(m);
  count_ = static_cast<Index>(m + pending);
}

// Q with no more columns than the basis needs.
void SecondOrderKrylov::compress() {
  Eigen::MatrixXd both(columns_, 2 * count_);
  both << top_.topLeftCorner(columns_, count_), bottom_.topLeftCorner(columns_, count_);
  const SingularValues svd = decompose(both);
  Eigen::Index rank = 0;
  while (rank < svd.values.size() && svd.values[rank] > rounding * svd.values[0]) ++rank;
  const Eigen::MatrixXd U = svd.U.leftCols(rank);
  Q_.leftCols(rank) = (Q_.leftCols(columns_) * U).eval();
  for (Eigen::MatrixXd* half : {&top_, &bottom_}) {
    const Eigen::MatrixXd turned = U.transpose() * half->topLeftCorner(columns_, count_);
    half->setZero();
    half->topLeftCorner(rank, count_) = turned;
  }
  columns_ = static_cast<Index>(rank);
}

void SecondOrderKrylov::restart(Index kept) {
  reduce(kept);
  compress();
}

void SecondOrderKrylov::restart(Index kept, const SecondOrderStart& start, Index room) {
  if (kept > 0) reduce(kept);
  else applied_ = 0;
  count_ = applied_;
  H_.bottomRows(H_.rows() - applied_).setZero();
  if (count_ > 0) compress();
  else columns_ = 0;
  reserve(applied_ + room);
  begin(start);
}

}  // namespace stillpoint
