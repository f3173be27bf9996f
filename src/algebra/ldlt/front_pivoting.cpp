#include "algebra/ldlt/front_pivoting.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algebra/ldlt/dense_update.h"

namespace stillpoint {

namespace {

constexpr double threshold = 0.1;  ///< pivot threshold u
constexpr double least_share =
    1.0 / 64;  ///< smallest admissible determinant of a pair, relative to the sum of its two terms
constexpr Index panel_width = 48;

double largest_magnitude(const double* values, Index begin, Index end) {
  if (end <= begin) return 0;
  return Eigen::Map<const Eigen::ArrayXd>(values + begin, end - begin).abs().maxCoeff();
}

}  // namespace

Front Front::after(Index count) const {
  return {.entries = column(count) + count,
          .stride = stride,
          .size = size - count,
          .candidates = candidates - count,
          .position = position + count,
          .largest = largest};
}

const Pivots& FrontPivoting::eliminate(Front& front) {
  front_ = &front;
  done_ = panel_ = 0;
  pivots_.dropped.clear();
  const auto candidates = static_cast<std::size_t>(front.candidates);
  if (pivots_.diagonal.size() < candidates) {
    pivots_.diagonal.resize(candidates);
    pivots_.below.resize(candidates);
  }
  const auto columns = static_cast<std::size_t>(std::min(front.candidates, panel_width) + 2);
  work_.resize(std::max(work_.size(), columns * static_cast<std::size_t>(front.size)));
  // The rounding error of a sum of k terms is about √k rounding units of the largest term.
  noise_ = std::numeric_limits<double>::epsilon() * 2 * (8 + std::sqrt(static_cast<double>(front.size)));

  Index next = 0, failures = 0;  // candidates that have failed since the last success
  while (failures < front.candidates - done_) {
    if (done_ - panel_ + 2 > panel_width) finish_panel();
    if (next >= front.candidates) next = done_;
    if (try_pivot(next)) failures = 0;
    else ++failures;
    next = std::max(next + 1, done_);
  }
  finish_panel();
  pivots_.count = done_;
  return pivots_;
}

/// Returns the column `at`, in rows from `done_` on, after subtracting the contributions of all pivots of the panel.
FrontPivoting::Column FrontPivoting::look_at(Index at, double* values) {
  const Index size = front_->size, candidates = front_->candidates;
  for (Index j = done_; j < at; ++j) values[j] = column(j)[at];
  std::copy(column(at) + at, column(at) + size, values + at);
  subtract_product(size - done_, done_ - panel_, column(panel_) + done_, front_->stride, work(0) + at, size,
                   values + done_);

  Column found{.values = values, .at = at, .diagonal = std::abs(values[at])};
  found.inside = std::max(largest_magnitude(values, done_, at), largest_magnitude(values, at + 1, candidates));
  found.outside = largest_magnitude(values, candidates, size);
  front_->largest = std::max({front_->largest, found.diagonal, found.largest()});
  return found;
}

Index FrontPivoting::row_of_largest(const Column& column) const {
  Index row = done_;
  double largest = -1;
  for (Index i = done_; i < front_->candidates; ++i) {
    if (i != column.at && std::abs(column.values[i]) > largest) {
      largest = std::abs(column.values[i]);
      row = i;
    }
  }
  return row;
}

/// Eliminates a pivot found by rook pivoting from the candidate `at`; false if the search finds none.
bool FrontPivoting::try_pivot(Index at) {
  Column here = look_at(at, work(done_ - panel_));
  double* spare = work(done_ - panel_ + 1);
  for (Index steps = front_->candidates - done_; steps >= 0; --steps) {
    if (std::max(here.diagonal, here.largest()) <= noise_ * front_->largest) {
      take_zero(here);
      return true;
    }
    if (here.diagonal >= threshold * here.largest()) {
      take_one(here);
      return true;
    }
    if (!(here.inside > 0)) return false;
    Column there = look_at(row_of_largest(here), spare);
    if (there.diagonal > 0 && there.diagonal >= threshold * there.largest()) {
      take_one(there);
      return true;
    }
    if (is_good_pair(here, there)) {
      take_pair(here, there);
      return true;
    }
    if (!(there.inside > here.inside)) return false;
    spare = here.values;
    here = there;
  }
  return false;
}

/// An acceptable pair has one positive and one negative eigenvalue: if both had the same sign, and neither diagonal
/// entry were an acceptable pivot, the pair would fail the test, too.
bool FrontPivoting::is_good_pair(const Column& a, const Column& b) const {
  const double d_a = a.values[a.at], d_b = b.values[b.at], d_ab = a.values[b.at];
  const double determinant = d_ab * d_ab - d_a * d_b;  // the negative of the determinant
  if (!(determinant > least_share * (d_ab * d_ab + std::abs(d_a * d_b)))) return false;

  const auto largest_elsewhere = [&](const Column& c) {
    const Index p = std::min(a.at, b.at), q = std::max(a.at, b.at);
    return std::max({largest_magnitude(c.values, done_, p), largest_magnitude(c.values, p + 1, q),
                     largest_magnitude(c.values, q + 1, front_->candidates), c.outside});
  };
  const double m_a = largest_elsewhere(a), m_b = largest_elsewhere(b);
  const double allowed = determinant / threshold;
  return std::abs(d_b) * m_a + std::abs(d_ab) * m_b <= allowed && std::abs(d_ab) * m_a + std::abs(d_a) * m_b <= allowed;
}

/// Eliminates a column that contains nothing but rounding errors as a column of zeros.
void FrontPivoting::take_zero(const Column& zero) {
  const Index size = front_->size, k = done_;
  if (pivots_.dropped.empty()) pivots_.dropped.assign(static_cast<std::size_t>(size), 0.0);
  double sum = 0;
  for (Index i = k; i < size; ++i) {
    pivots_.dropped[i] += std::abs(zero.values[i]);
    sum += std::abs(zero.values[i]);
  }
  pivots_.dropped[zero.at] += sum - std::abs(zero.values[zero.at]);
  std::fill(work(k - panel_), work(k - panel_) + size, 0.0);
  exchange(zero.at, k);
  std::fill(column(k) + k, column(k) + size, 0.0);
  pivots_.diagonal[k] = 0;
  pivots_.below[k] = 0;
  ++done_;
}

void FrontPivoting::take_one(const Column& chosen) {
  const Index size = front_->size, k = done_;
  double* const w = work(k - panel_);
  if (chosen.values != w) std::copy(chosen.values + k, chosen.values + size, w + k);
  exchange(chosen.at, k);
  if (chosen.at != k) std::swap(w[k], w[chosen.at]);
  double* const l = column(k);
  const double d = w[k];
  for (Index i = k + 1; i < size; ++i) l[i] = w[i] / d;
  pivots_.diagonal[k] = d;
  pivots_.below[k] = 0;
  front_->largest = std::max(front_->largest, chosen.largest() / chosen.diagonal * chosen.largest());
  ++done_;
}

void FrontPivoting::take_pair(const Column& a, const Column& b) {
  const Index size = front_->size, k = done_;
  double* w_a = a.values;
  double* w_b = b.values;
  w_b[a.at] = w_a[b.at];  // they are equal up to rounding
  if (w_a != work(k - panel_)) {
    std::swap_ranges(w_a + k, w_a + size, w_b + k);
    std::swap(w_a, w_b);
  }
  Index second = b.at;
  exchange(a.at, k);
  std::swap(w_a[a.at], w_a[k]);
  std::swap(w_b[a.at], w_b[k]);
  if (second == k) second = a.at;
  // The columns of the panel contain both work columns only after both count as done.
  exchange(second, k + 1);
  std::swap(w_a[second], w_a[k + 1]);
  std::swap(w_b[second], w_b[k + 1]);

  // L = W D⁻¹, computed with D scaled by its subdiagonal entry, which is large by the pivot test.
  const double below = w_a[k + 1], p = w_a[k] / below, q = w_b[k + 1] / below, scale = 1 / ((p * q - 1) * below);
  double* const l_a = column(k);
  double* const l_b = column(k + 1);
  l_a[k + 1] = 0;
  double most = 0;
  for (Index i = k + 2; i < size; ++i) {
    l_a[i] = (q * w_a[i] - w_b[i]) * scale;
    l_b[i] = (p * w_b[i] - w_a[i]) * scale;
  }
  if (k + 2 < size) {
    most =
        std::max(largest_magnitude(l_a, k + 2, size) * a.largest(), largest_magnitude(l_b, k + 2, size) * b.largest());
  }
  front_->largest = std::max(front_->largest, most);
  pivots_.diagonal[k] = w_a[k];
  pivots_.diagonal[k + 1] = w_b[k + 1];
  pivots_.below[k] = below;
  pivots_.below[k + 1] = 0;
  done_ += 2;
}

/// Exchanges the rows and columns a and b, neither of which has been eliminated.
void FrontPivoting::exchange(Index a, Index b) {
  if (a == b) return;
  if (b < a) std::swap(a, b);
  const Index size = front_->size;
  for (Index j = 0; j < a; ++j) std::swap(column(j)[a], column(j)[b]);
  for (Index k = 0; k < done_ - panel_; ++k) std::swap(work(k)[a], work(k)[b]);
  std::swap(column(a)[a], column(b)[b]);
  for (Index j = a + 1; j < b; ++j) std::swap(column(a)[j], column(j)[b]);
  std::swap_ranges(column(a) + b + 1, column(a) + size, column(b) + b + 1);
  std::swap(front_->position[a], front_->position[b]);
  if (!pivots_.dropped.empty()) std::swap(pivots_.dropped[a], pivots_.dropped[b]);
}

/// Subtracts the contributions of the panel's pivots from the remaining front.
void FrontPivoting::finish_panel() {
  const Index size = front_->size, width = done_ - panel_;
  if (width > 0 && done_ < size) {
    subtract_symmetric_product(size - done_, width, column(panel_) + done_, front_->stride, work(0) + done_, size,
                               column(done_) + done_);
  }
  panel_ = done_;
}

}  // namespace stillpoint
