#include "algebra/lu/parted_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "algebra/lu/klu_factors.h"
#include "algebra/ordering/parted_order.h"
#include "base/at.h"
#include "base/in_parallel.h"

namespace stillpoint {

struct PartedLu::Analysis {
  Analysis(const SparseMatrix& pattern, PartedOrder by) : order(std::move(by)), klu(pattern, order.order) {}

  PartedOrder order;
  KluFactors<double> klu;
};

std::unique_ptr<PartedLu> PartedLu::of(const SparseMatrix& pattern) {
  std::optional<PartedOrder> order = parted_order(pattern);
  if (!order) return nullptr;
  return std::unique_ptr<PartedLu>(new PartedLu(pattern, *std::move(order)));
}

PartedLu::PartedLu(const SparseMatrix& pattern, PartedOrder order)
    : analysis_(std::make_unique<Analysis>(pattern, std::move(order))) {}

PartedLu::~PartedLu() = default;

void PartedLu::forget_factors() {
  analysis_->klu.forget_factors();
  lower_ = upper_ = {};
  rows_ = positions_ = lower_separators_ = {};
  pivots_ = {};
}

bool PartedLu::factor(const SparseMatrix& A) {
  forget_factors();
  if (!choose_pivots(A)) return false;
  take_patterns();
  analysis_->klu.forget_factors();
  if (refactor(A)) return true;
  forget_factors();
  return false;
}

// Where a part's column has its pivot in a row of the separators, that row would couple it to other parts: the column
// is put to the separators.
bool PartedLu::choose_pivots(const SparseMatrix& A) {
  constexpr int most_orders = 4;
  for (int k = 1;; ++k) {
    if (!analysis_->klu.factor(A)) return false;
    rows_ = analysis_->klu.pivot_rows();
    std::vector<int> part = parts_with_pivots();
    if (k == most_orders || part == analysis_->order.part) return true;
    std::optional<PartedOrder> order = parted_order(A, std::move(part));
    if (!order) return true;
    analysis_ = std::make_unique<Analysis>(A, *std::move(order));
  }
}

std::vector<int> PartedLu::parts_with_pivots() const {
  const PartedOrder& order = analysis_->order;
  std::vector<int> part = order.part;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto column = at(order.order[k]);
    part[column] = std::max(part[column], order.part[at(rows_[k])]);
  }
  return part;
}

// Rows of a column ascend, so that the columns of U are subtracted in an order that suits their dependencies.
void PartedLu::take_patterns() {
  const auto found = analysis_->klu.patterns();
  positions_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) positions_[at(rows_[k])] = static_cast<Index>(k);
  const auto n = static_cast<Index>(rows_.size());
  const auto take = [&](const std::vector<Index>& starts, const std::vector<Index>& rows, Triangle& to) {
    to.starts.assign(1, 0);
    to.starts.reserve(starts.size());
    to.rows.reserve(rows.size() - at(n));
    for (Index j = 0; j < n; ++j) {
      for (Index k = starts[at(j)]; k < starts[at(j) + 1]; ++k) {
        if (rows[at(k)] != j) to.rows.push_back(rows[at(k)]);
      }
      std::sort(to.rows.begin() + to.starts.back(), to.rows.end());
      to.starts.push_back(static_cast<Index>(to.rows.size()));
    }
    to.values.resize(to.rows.size());
  };
  take(found.lower_starts, found.lower_rows, lower_);
  take(found.upper_starts, found.upper_rows, upper_);
  starts_ = analysis_->order.starts;
  if (!parts_are_apart()) starts_ = {0, n, n};
  lower_separators_.resize(at(n));
  for (Index j = 0; j < n; ++j) {
    const auto first = lower_.rows.begin() + lower_.starts[at(j)],
               last = lower_.rows.begin() + lower_.starts[at(j) + 1];
    lower_separators_[at(j)] = static_cast<Index>(std::lower_bound(first, last, separators()) - lower_.rows.begin());
  }
  pivots_.resize(at(n));
}

bool PartedLu::parts_are_apart() const {
  for (Index part = 0; part < parts(); ++part) {
    const Index begin = starts_[at(part)], end = starts_[at(part) + 1];
    const auto is_within = [&](const Triangle& of) {
      return std::all_of(of.rows.begin() + of.starts[at(begin)], of.rows.begin() + of.starts[at(end)],
                         [&](Index row) { return row >= begin && (row < end || row >= separators()); });
    };
    if (!is_within(lower_) || !is_within(upper_)) return false;
  }
  return true;
}

// Columns of a part have entries in its own rows and in those of the separators.
void PartedLu::scale_rows(const SparseMatrix& A) {
  const auto n = at(A.rows()), of_separators = n - at(separators());
  row_sizes_.assign(n, 0);
  std::vector<double> shared(at(parts()) * of_separators, 0);
  const auto see = [&](double& size, double value) { size = std::max(size, std::abs(value)); };
  const auto see_columns = [&](Index begin, Index end, double* of_part) {
    for (Index k = begin; k < end; ++k) {
      for (SparseMatrix::InnerIterator entry(A, analysis_->order.order[at(k)]); entry; ++entry) {
        const Index place = positions_[at(entry.row())];
        const bool is_shared = of_part && place >= separators();
        see(is_shared ? of_part[place - separators()] : row_sizes_[at(entry.row())], entry.value());
      }
    }
  };
  in_parallel(parts(), [&](Index part) {
    see_columns(starts_[at(part)], starts_[at(part) + 1], shared.data() + at(part) * of_separators);
  });
  see_columns(separators(), starts_.back(), nullptr);
  for (std::size_t i = 0; i < shared.size(); ++i)
    see(row_sizes_[at(rows_[at(separators()) + i % of_separators])], shared[i]);
  for (double& size : row_sizes_) size = size > 0 ? size : 1;
}

bool PartedLu::refactor(const SparseMatrix& A) {
  scale_rows(A);
  std::vector<double> growths(at(parts()), std::numeric_limits<double>::infinity());
  std::vector<char> are_regular(at(parts()), 0);
  in_parallel(parts(), [&](Index part) {
    are_regular[at(part)] = refactor_columns(A, starts_[at(part)], starts_[at(part) + 1], growths[at(part)]);
  });
  growth_ = *std::min_element(growths.begin(), growths.end());
  return std::all_of(are_regular.begin(), are_regular.end(), [](char is_regular) { return is_regular != 0; }) &&
         refactor_columns(A, separators(), starts_.back(), growth_);
}

// From the left: each column of L is subtracted as soon as its entry of U is known.
bool PartedLu::refactor_columns(const SparseMatrix& A, Index begin, Index end, double& growth) {
  // Rows of other parts do not occur; those of the separators come after those of the part, or all are needed.
  const bool is_of_separators = begin == separators();
  const Index offset = is_of_separators ? 0 : begin, own = is_of_separators ? separators() : end - begin;
  const std::vector<Index>& columns = analysis_->order.order;
  const auto place = [&](Index row) { return row < separators() ? row - offset : own + row - separators(); };
  std::vector<double> x(at(own) + at(starts_.back() - separators()), 0.0);
  for (Index k = begin; k < end; ++k) {
    double of_A = 0, of_U = 0;
    for (SparseMatrix::InnerIterator entry(A, columns[at(k)]); entry; ++entry) {
      const double value = entry.value() / row_sizes_[at(entry.row())];
      x[at(place(positions_[at(entry.row())]))] = value;
      of_A = std::max(of_A, std::abs(value));
    }
    for (Index i = upper_.starts[at(k)]; i < upper_.starts[at(k) + 1]; ++i) {
      const Index j = upper_.rows[at(i)];
      const double u = std::exchange(x[at(place(j))], 0.0);
      upper_.values[at(i)] = u;
      of_U = std::max(of_U, std::abs(u));
      const Index first_of_separators = lower_separators_[at(j)];
      for (Index l = lower_.starts[at(j)]; l < first_of_separators; ++l)
        x[at(lower_.rows[at(l)] - offset)] -= lower_.values[at(l)] * u;
      for (Index l = first_of_separators; l < lower_.starts[at(j) + 1]; ++l)
        x[at(own + lower_.rows[at(l)] - separators())] -= lower_.values[at(l)] * u;
    }
    const double pivot = std::exchange(x[at(place(k))], 0.0);
    pivots_[at(k)] = pivot;
    if (pivot == 0 || !std::isfinite(pivot)) return false;
    for (Index l = lower_.starts[at(k)]; l < lower_.starts[at(k) + 1]; ++l)
      lower_.values[at(l)] = std::exchange(x[at(place(lower_.rows[at(l)]))], 0.0) / pivot;
    growth = std::min(growth, of_A / std::max(of_U, std::abs(pivot)));
  }
  return true;
}

double PartedLu::pivot_ratio() const {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double pivot : pivots_) {
    least = std::min(least, std::abs(pivot));
    most = std::max(most, std::abs(pivot));
  }
  return most > 0 ? least / most : 0;
}

double PartedLu::reciprocal_growth() const { return growth_; }

void PartedLu::solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const {
  constexpr Eigen::Index most = 4;
  for (Eigen::Index first = 0; first < b.cols(); first += most) {
    const Eigen::Index count = std::min(most, b.cols() - first);
    const auto from = b.middleCols(first, count);
    const auto to = x.middleCols(first, count);
    if (count == 1) solve_together<1>(from, to);
    else if (count == 2) solve_together<2>(from, to);
    else if (count == 3) solve_together<3>(from, to);
    else solve_together<4>(from, to);
  }
}

// All of `from` is read before any of `to` is written.
template <int count>
void PartedLu::solve_together(const Eigen::Ref<const Eigen::MatrixXd>& from, Eigen::Ref<Eigen::MatrixXd> to) const {
  const Index n = starts_.back(), of_separators = count * (n - separators());
  Eigen::VectorXd x(static_cast<Eigen::Index>(count) * n);
  std::vector<double> sums(at(parts()) * at(of_separators), 0.0);
  const auto take = [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index row = rows_[at(k)];
      for (Index c = 0; c < count; ++c) x[count * k + c] = from(row, c) / row_sizes_[at(row)];
    }
  };
  const std::vector<Index>& columns = analysis_->order.order;
  const auto give = [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      for (Index c = 0; c < count; ++c) to(columns[at(k)], c) = x[count * k + c];
    }
  };
  in_parallel(parts(), [&](Index part) {
    take(starts_[at(part)], starts_[at(part) + 1]);
    solve_lower<count>(starts_[at(part)], starts_[at(part) + 1], x.data(), sums.data() + part * of_separators);
  });
  take(separators(), n);
  double* const separate = x.data() + count * separators();
  for (Index part = 0; part < parts(); ++part) {
    for (Index i = 0; i < of_separators; ++i) separate[i] += sums[at(part * of_separators + i)];
  }
  solve_lower<count>(separators(), n, x.data(), separate);
  solve_upper<count>(separators(), n, x.data());
  in_parallel(parts(), [&](Index part) {
    solve_upper<count>(starts_[at(part)], starts_[at(part) + 1], x.data());
    give(starts_[at(part)], starts_[at(part) + 1]);
  });
  give(separators(), n);
}

namespace {

template <int count>
bool any_nonzero(const double* x) {
  return std::any_of(x, x + count, [](double value) { return value != 0; });
}
template <int count>
void subtract(double* from, double value, const double* times) {
  for (int c = 0; c < count; ++c) from[c] -= value * times[c];
}

}  // namespace

template <int count>
void PartedLu::solve_lower(Index begin, Index end, double* x, double* separate) const {
  const Index* const rows = lower_.rows.data();
  const double* const values = lower_.values.data();
  const Index first = separators();
  for (Index j = begin; j < end; ++j) {
    const double* const of_j = x + count * j;
    if (!any_nonzero<count>(of_j)) continue;
    const Index middle = lower_separators_[at(j)], last = lower_.starts[at(j) + 1];
    for (Index k = lower_.starts[at(j)]; k < middle; ++k) subtract<count>(x + count * rows[k], values[k], of_j);
    for (Index k = middle; k < last; ++k) subtract<count>(separate + count * (rows[k] - first), values[k], of_j);
  }
}

template <int count>
void PartedLu::solve_upper(Index begin, Index end, double* x) const {
  const Index* const rows = upper_.rows.data();
  const double* const values = upper_.values.data();
  for (Index j = end; j-- > begin;) {
    double* const of_j = x + count * j;
    for (int c = 0; c < count; ++c) of_j[c] /= pivots_[at(j)];
    if (!any_nonzero<count>(of_j)) continue;
    const Index last = upper_.starts[at(j) + 1];
    for (Index k = upper_.starts[at(j)]; k < last; ++k) subtract<count>(x + count * rows[k], values[k], of_j);
  }
}

}  // namespace stillpoint
