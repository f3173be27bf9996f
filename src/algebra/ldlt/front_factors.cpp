#include "algebra/ldlt/front_factors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algebra/ldlt/contribution_stack.h"
#include "algebra/ldlt/front_pivoting.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

class Factoring {
 public:
  Factoring(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest,
            FrontFactors& factors)
      : plan_(plan),
        values_(values),
        scale_(scale),
        largest_(largest),
        factors_(factors),
        row_of_(plan.unknown.size()) {}

  void run() {
    factors_.numbers.clear();
    factors_.positions.clear();
    factors_.other_errors.clear();
    factors_.fronts.clear();
    factors_.fronts.reserve(plan_.children.size());
    factors_.rotations.clear();
    factors_.entries = factors_.delays = 0;
    for (Index f = 0; f < plan_.fronts(); ++f) {
      Front front = lay_out(f);
      add_entries(f, front);
      for (Index c = 0; c < plan_.children[f]; ++c) add_contribution(stack_.from_top(c), front);
      Front rest = eliminate(front);
      if (worth_rotating(rest)) {
        change_unknowns(rest);
        rest = eliminate(rest);
      }
      check(f, rest);
      factors_.delays += rest.candidates;
      stack_.close_front(front, front.size - rest.size, rest.largest, plan_.children[f]);
    }
  }

 private:
  /// Lists the rows of a front: its own unknowns, then the delayed unknowns of its children, then the border.
  Front lay_out(Index f) {
    positions_.clear();
    for (Index k = plan_.first[f]; k < plan_.first[f + 1]; ++k) positions_.push_back(k);
    double largest = largest_;
    for (Index c = plan_.children[f] - 1; c >= 0; --c) {
      const Contribution& child = stack_.from_top(c);
      const Index* const of_child = stack_.positions(child);
      positions_.insert(positions_.end(), of_child, of_child + child.delayed);
      largest = std::max(largest, child.largest);
    }
    const auto candidates = static_cast<Index>(positions_.size());
    positions_.insert(positions_.end(), plan_.border.begin() + plan_.border_starts[f],
                      plan_.border.begin() + plan_.border_starts[f + 1]);
    const auto size = static_cast<Index>(positions_.size());
    for (Index i = 0; i < size; ++i) row_of_[positions_[i]] = i;
    return {.entries = stack_.open_front(size),
            .stride = size,
            .size = size,
            .candidates = candidates,
            .position = positions_.data(),
            .largest = largest};
  }

  void add_entries(Index f, Front& front) {
    for (Index k = plan_.first[f]; k < plan_.first[f + 1]; ++k) {
      double* const column = front.column(k - plan_.first[f]);
      const double scale = scale_[plan_.unknown[k]];
      for (Index e = plan_.entry_starts[k]; e < plan_.entry_starts[k + 1]; ++e) {
        const Index row = plan_.entry_row[e];
        column[row_of_[row]] += scale * values_[plan_.entry_source[e]] * scale_[plan_.unknown[row]];
      }
    }
  }

  void add_contribution(const Contribution& child, Front& front) {
    const Index* const positions = stack_.positions(child);
    const double* number = stack_.numbers(child);
    rows_.resize(static_cast<std::size_t>(child.size));
    for (Index i = 0; i < child.size; ++i) rows_[i] = row_of_[positions[i]];
    const Index* const rows = rows_.data();
    for (Index j = 0; j < child.size; ++j, number += child.size - j + 1) {
      double* const column = front.column(rows[j]);
      if (j >= child.delayed) {  // positions in a border ascend in every front
        for (Index i = j; i < child.size; ++i) column[rows[i]] += number[i - j];
        continue;
      }
      for (Index i = j; i < child.size; ++i) {
        if (rows[i] >= rows[j]) column[rows[i]] += number[i - j];
        else front.column(rows[i])[rows[j]] += number[i - j];
      }
    }
  }

  /// Eliminates the unknowns that have acceptable pivots, and returns the remaining front.
  Front eliminate(Front& front) {
    const Pivots& pivots = pivoting_.eliminate(front);
    if (pivots.count > 0) keep(front, pivots);
    return front.after(pivots.count);
  }

  void change_unknowns(Front& front) {
    FrontRotation rotation = rotate(front, factors_.numbers, factors_.positions);
    rotation.before = static_cast<Index>(factors_.fronts.size());
    factors_.entries += rotation.entries();
    add_errors(rotation.position, std::vector<double>(static_cast<std::size_t>(rotation.size), rotation.error));
    factors_.rotations.push_back(rotation);
  }

  void check(Index f, const Front& rest) const {
    const bool is_root = plan_.border_starts[f] == plan_.border_starts[f + 1];
    if (std::isfinite(rest.largest) && !(is_root && rest.size > 0)) return;
    throw Undecided("the factorisation of a symmetric matrix exceeds the range of double precision");
  }

  void keep(const Front& front, const Pivots& pivots) {
    const Index count = pivots.count;
    const std::int64_t entries = std::int64_t{count} * front.size - std::int64_t{count} * (count + 1) / 2;
    Index* const positions = factors_.positions.take(front.size);
    double* const diagonal = factors_.numbers.take(entries + 2 * std::int64_t{count});
    double* L = diagonal + 2 * std::int64_t{count};
    factors_.fronts.push_back({.count = count,
                               .size = front.size,
                               .position = positions,
                               .diagonal = diagonal,
                               .below = diagonal + count,
                               .L = L});
    std::copy(front.position, front.position + front.size, positions);
    std::copy(pivots.diagonal.begin(), pivots.diagonal.begin() + count, diagonal);
    std::copy(pivots.below.begin(), pivots.below.begin() + count, diagonal + count);
    for (Index j = 0; j < count; ++j) {
      const double* const column = front.column(j);
      L = std::copy(column + j + 1, column + front.size, L);
    }
    factors_.entries += entries + count;
    if (!pivots.dropped.empty()) add_errors(front.position, pivots.dropped);
  }

  void add_errors(const Index* position, const std::vector<double>& errors) {
    if (factors_.other_errors.empty()) factors_.other_errors.assign(plan_.unknown.size(), 0.0);
    for (std::size_t i = 0; i < errors.size(); ++i) factors_.other_errors[position[i]] += errors[i];
  }

  const FrontTree& plan_;
  const double* values_;
  const std::vector<double>& scale_;
  double largest_;
  FrontFactors& factors_;

  ContributionStack stack_;
  FrontPivoting pivoting_;
  std::vector<Index> positions_;  ///< positions of the rows of the front
  std::vector<Index> row_of_;     ///< row in the front, for each position that is in it
  std::vector<Index> rows_;       ///< rows in the front of the unknowns of a child
};

}  // namespace

void factor_fronts(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest,
                   FrontFactors& factors) {
  Factoring(plan, values, scale, largest, factors).run();
}

}  // namespace stillpoint
