#include "forms/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"

namespace stillpoint {

namespace {

// A constraint may be solved for a coordinate with at least this part of its largest weighted entry. On bent chains of
// up to 2500 bars R is sparse and well conditioned from 0.8 on; with less, time falls a little and R fills.
constexpr double large_enough = 0.9;

// A difference below this part of what was subtracted is rounding.
constexpr double cancellation = 1e-13;

class Elimination {
 public:
  Elimination(const SparseMatrix& S, const SolvingPreference& preference)
      : preference_(preference),
        constraints_(at(S.rows())),
        is_solved_(at(S.rows()), 0),
        holders_(at(S.cols())),
        count_(at(S.cols()), 0),
        is_dependent_(at(S.cols()), 0),
        place_(at(S.cols()), nowhere) {
    for (Index j = 0; j < S.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
        insert(static_cast<Index>(entry.row()), {j, entry.value()});
      }
    }
    for (Index c = 0; c < S.rows(); ++c) enqueue(c);
  }

  void run() {
    for (Index c = next(); c != -1; c = next()) {
      is_solved_[at(c)] = 1;
      const std::vector<Entry> constraint = std::move(constraints_[at(c)]);
      for (const Entry& entry : constraint) --count_[at(entry.coordinate)];
      if (!constraint.empty()) replace(choose(constraint), constraint);
    }
  }

  std::vector<Index> independent() const {
    std::vector<Index> result;
    for (std::size_t i = 0; i < is_dependent_.size(); ++i) {
      if (!is_dependent_[i]) result.push_back(static_cast<Index>(i));
    }
    return result;
  }

 private:
  struct Entry {
    Index coordinate;
    double value;
  };
  static constexpr Index nowhere = -1;

  void insert(Index c, const Entry& entry) {
    constraints_[at(c)].push_back(entry);
    holders_[at(entry.coordinate)].push_back(c);
    ++count_[at(entry.coordinate)];
  }

  void enqueue(Index c) {
    const std::size_t size = constraints_[at(c)].size();
    if (size >= by_size_.size()) by_size_.resize(size + 1);
    by_size_[size].push_back(c);
    smallest_ = std::min(smallest_, size);
  }

  /// A constraint is in the queue once for each number of coordinates it had; only the present number counts.
  Index next() {
    for (; smallest_ < by_size_.size(); ++smallest_) {
      std::vector<Index>& queue = by_size_[smallest_];
      while (!queue.empty()) {
        const Index c = queue.back();
        queue.pop_back();
        if (!is_solved_[at(c)] && constraints_[at(c)].size() == smallest_) return c;
      }
    }
    return -1;
  }

  Entry choose(const std::vector<Entry>& constraint) const {
    double largest = 0, of_willing = 0;
    for (const Entry& entry : constraint) {
      const double size = std::abs(entry.value);
      largest = std::max(largest, size);
      if (!preference_.reluctant[at(entry.coordinate)]) of_willing = std::max(of_willing, size);
    }
    const char kind = of_willing > preference_.enough * largest ? 0 : 1;
    const auto weighted = [&](const Entry& entry) {
      if (preference_.reluctant[at(entry.coordinate)] != kind) return 0.0;
      return std::abs(entry.value) * preference_.weights[entry.coordinate];
    };
    double most = 0;
    for (const Entry& entry : constraint) most = std::max(most, weighted(entry));
    const Entry* best = nullptr;
    for (const Entry& entry : constraint) {
      if (weighted(entry) < large_enough * most || weighted(entry) == 0) continue;
      if (!best || count_[at(entry.coordinate)] < count_[at(best->coordinate)]) best = &entry;
    }
    return best ? *best : constraint.front();
  }

  /// Solves the constraint for the coordinate and replaces that in all others.
  void replace(const Entry& pivot, const std::vector<Entry>& constraint) {
    is_dependent_[at(pivot.coordinate)] = 1;
    for (std::size_t k = 0; k < constraint.size(); ++k) place_[at(constraint[k].coordinate)] = static_cast<Index>(k);
    const std::vector<Index> holders = std::move(holders_[at(pivot.coordinate)]);
    for (const Index c : holders) {
      if (!is_solved_[at(c)]) subtract(c, pivot, constraint);
    }
    for (const Entry& entry : constraint) place_[at(entry.coordinate)] = nowhere;
  }

  void subtract(Index c, const Entry& pivot, const std::vector<Entry>& constraint) {
    std::vector<Entry>& target = constraints_[at(c)];
    const auto found = std::find_if(target.begin(), target.end(),
                                    [&](const Entry& entry) { return entry.coordinate == pivot.coordinate; });
    if (found == target.end()) return;  // it cancelled before
    const double factor = found->value / pivot.value;
    is_met_.assign(constraint.size(), 0);
    std::erase_if(target, [&](Entry& entry) {
      const Index k = place_[at(entry.coordinate)];
      if (k == nowhere) return false;
      is_met_[at(k)] = 1;
      const double part = factor * constraint[at(k)].value, before = std::abs(entry.value);
      entry.value -= part;
      const bool is_gone = entry.coordinate == pivot.coordinate ||
                           std::abs(entry.value) <= cancellation * std::max(before, std::abs(part));
      if (is_gone) --count_[at(entry.coordinate)];
      return is_gone;
    });
    for (std::size_t k = 0; k < constraint.size(); ++k) {
      if (!is_met_[k]) insert(c, {constraint[k].coordinate, -factor * constraint[k].value});
    }
    enqueue(c);
  }

  const SolvingPreference& preference_;
  std::vector<std::vector<Entry>> constraints_;
  std::vector<char> is_solved_;
  std::vector<std::vector<Index>> holders_;  // constraints that have or had each coordinate
  std::vector<Index> count_;                 // unsolved constraints that have it
  std::vector<char> is_dependent_;
  std::vector<std::vector<Index>> by_size_;
  std::size_t smallest_ = 0;

  // Place of each coordinate in the constraint that is being replaced, and which of its entries a target has.
  std::vector<Index> place_;
  std::vector<char> is_met_;
};

}  // namespace

std::vector<Index> independent_by_elimination(const SparseMatrix& S, const SolvingPreference& preference) {
  Elimination elimination(S, preference);
  elimination.run();
  return elimination.independent();
}

}  // namespace stillpoint
