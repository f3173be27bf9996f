#include "algebra/krylov/lanczos.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algebra/dense/lapack.h"
#include "base/in_parallel.h"

namespace stillpoint {

namespace {

// After orthogonalisation, a vector below the first fraction of its length lies in the span of the basis; below the
// second, what is left of it consists largely of rounding errors of the solution from which it came.
constexpr double rounding = 1e-15, short_length = 1e-3;

// Rows of a basis that one thread works on, and the entries from which several threads pay.
constexpr Index rows_at_once = 8192;
constexpr Eigen::Index many_entries = 2'000'000;

using Columns = Eigen::Ref<const Eigen::MatrixXd>;

// Returns Vᵀx. The parts of the rows are added in their order, whatever threads have found them.
Eigen::VectorXd transposed_times(const Columns& V, const Eigen::VectorXd& x) {
  return joined_chunks(
      static_cast<Index>(V.rows()), rows_at_once, Eigen::VectorXd(Eigen::VectorXd::Zero(V.cols())),
      [&](Index begin, Index end) -> Eigen::VectorXd {
        return V.middleRows(begin, end - begin).transpose() * x.segment(begin, end - begin);
      },
      V.size() >= many_entries);
}

// Computes x ← x − V c.
void subtract_combination(const Columns& V, const Eigen::VectorXd& c, Eigen::VectorXd& x) {
  in_parallel_chunks(
      static_cast<Index>(V.rows()), rows_at_once,
      [&](Index begin, Index end) { x.segment(begin, end - begin).noalias() -= V.middleRows(begin, end - begin) * c; },
      V.size() >= many_entries);
}

}  // namespace

Index RitzPairs::converged(double relative) const {
  Index count = 0;
  while (count < size() && residuals[count] <= relative * std::abs(values[count])) ++count;
  return count;
}

LanczosBasis::LanczosBasis(const SparseMatrix& M, SelfAdjoint A, const Eigen::MatrixXd& start,
                           const Eigen::MatrixXd& locked, Index capacity, Index dimension)
    : M_(M), A_(std::move(A)), locked_(locked), capacity_(capacity) {
  most_ = dimension - static_cast<Index>(locked.cols());
  const auto width = capacity + static_cast<Index>(start.cols());
  V_.resize(M.rows(), std::clamp<Index>(most_, 0, width));
  T_ = Eigen::MatrixXd::Zero(width, capacity);
  for (const auto& column : start.colwise()) {
    Eigen::VectorXd coefficients;
    append(column, 0, coefficients);
  }
}

// Two passes suffice (Kahan, in [Parlett 1980]); the second is made only if the first has removed more than half.
double LanczosBasis::orthogonalise(Eigen::VectorXd& w, Eigen::VectorXd& coefficients) const {
  coefficients = Eigen::VectorXd::Zero(count_);
  Eigen::VectorXd Mw = M_ * w;
  double square = w.dot(Mw);
  for (int pass = 0; pass < 2; ++pass) {
    const double before = square;
    const Eigen::VectorXd along = transposed_times(V_.leftCols(count_), Mw);
    subtract_combination(V_.leftCols(count_), along, w);
    coefficients += along;
    if (locked_.cols() > 0) subtract_combination(locked_, transposed_times(locked_, Mw), w);
    Mw.noalias() = M_ * w;
    square = w.dot(Mw);
    if (square > 0.5 * before) break;
  }
  return square;
}

// Appends w to the basis unless it contains no new direction. `taken` is the length of the components that have been
// subtracted before.
void LanczosBasis::append(Eigen::VectorXd w, double taken, Eigen::VectorXd& coefficients) {
  const double length = std::sqrt(std::max(0.0, orthogonalise(w, coefficients)));
  const double before = std::hypot(length, taken, coefficients.norm());
  if (count_ == most_ || !(length > rounding * before)) return;
  w /= length;
  if (length < short_length * before && !bring_back(w)) return;
  V_.col(count_++) = w;
  coefficients.conservativeResize(count_);
  coefficients[count_ - 1] = length;
}

// The remainder of a severe cancellation may lie outside the subspace of A. Any new direction inside it will do.
bool LanczosBasis::bring_back(Eigen::VectorXd& w) const {
  for (int tries = 0; tries < 3; ++tries) {
    w = A_.project(w);
    Eigen::VectorXd along;
    const double length = std::sqrt(std::max(0.0, orthogonalise(w, along)));
    if (!(length > 0)) return false;
    w /= length;
    if (length > 0.5) return true;
  }
  return false;
}

// T is symmetric, so some components of the new column are known. They are subtracted first; one pass over the basis
// then suffices.
void LanczosBasis::grow() {
  Eigen::VectorXd w = A_.apply(M_ * V_.col(applied_));
  Eigen::VectorXd known = T_.row(applied_).head(applied_ + 1).transpose();
  for (Index i = 0; i < applied_; ++i) {
    if (known[i] != 0) w -= known[i] * V_.col(i);
  }
  known[applied_] = V_.col(applied_).dot(M_ * w);
  w -= known[applied_] * V_.col(applied_);
  Eigen::VectorXd coefficients;
  append(std::move(w), known.norm(), coefficients);
  T_.col(applied_).head(coefficients.size()) = coefficients;
  T_.col(applied_).head(known.size()) += known;
  ++applied_;
}

RitzPairs LanczosBasis::ritz() const {
  const Eigen::MatrixXd T = T_.topLeftCorner(applied_, applied_);
  const SymmetricEigen eigen = solve_symmetric(0.5 * (T + T.transpose()));
  std::vector<Eigen::Index> order(static_cast<std::size_t>(applied_));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(eigen.values[a]) > std::abs(eigen.values[b]);
  });
  RitzPairs pairs{eigen.values(order), {}, eigen.vectors(Eigen::all, order)};
  const Eigen::MatrixXd outside = T_.block(applied_, 0, count_ - applied_, applied_) * pairs.coefficients;
  pairs.residuals = outside.colwise().norm();
  return pairs;
}

// Replaces the first vectors of the basis by combinations of them, some rows at a time.
void LanczosBasis::combine(const Eigen::MatrixXd& coefficients) {
  in_parallel_chunks(static_cast<Index>(V_.rows()), rows_at_once, [&](Index begin, Index end) {
    auto rows = V_.middleRows(begin, end - begin);
    rows.leftCols(coefficients.cols()) = (rows.leftCols(coefficients.rows()) * coefficients).eval();
  });
}

Eigen::MatrixXd LanczosBasis::take_vectors(const RitzPairs& pairs, const std::vector<Index>& which) {
  combine(pairs.coefficients(Eigen::all, which));
  V_.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(which.size()));
  applied_ = count_ = 0;
  return std::move(V_);
}

// The kept Ritz vectors replace the basis; the vectors to which A has not yet been applied follow them.
void LanczosBasis::restart(const RitzPairs& pairs, Index kept) {
  const Index pending = count_ - applied_;
  const Eigen::MatrixXd Y = pairs.coefficients.leftCols(kept);
  const Eigen::MatrixXd coupling = T_.block(applied_, 0, pending, applied_) * Y;
  const Eigen::MatrixXd waiting = V_.middleCols(applied_, pending);
  combine(Y);
  V_.middleCols(kept, pending) = waiting;
  T_.setZero();
  T_.topLeftCorner(kept, kept) = pairs.values.head(kept).asDiagonal();
  T_.block(kept, 0, pending, kept) = coupling;
  applied_ = kept;
  count_ = kept + pending;
}

}  // namespace stillpoint
