// What fronts have left behind for their parents: the last one done is the first one used.
//
// The fronts lie on top of the same array, so that nothing is allocated for a front as a rule.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algebra/front_pivoting.h"

namespace stillpoint {

/// A packed lower triangle, column by column, over some positions; the first are unknowns whose elimination failed.
struct Contribution {
  std::int64_t begin = 0;            ///< of its numbers in the stack
  std::int64_t positions_begin = 0;  ///< of its positions
  Index size = 0, delayed = 0;
  double largest = 0;  ///< magnitude of anything that entered the computation of its entries
};

class ContributionStack {
 public:
  const Contribution& from_top(Index k) const { return contributions_[contributions_.size() - 1 - k]; }
  const double* numbers(const Contribution& c) const { return numbers_.get() + c.begin; }
  const Index* positions(const Contribution& c) const { return positions_.data() + c.positions_begin; }

  /// The lower triangle of a front of this size above all contributions, filled with zeros. Numbers may move.
  double* open_front(Index size);

  /// Replaces the last `children` contributions by what the open front has left: its rows and columns from `done` on.
  void close_front(const Front& front, Index done, double largest, Index children);

 private:
  std::vector<Contribution> contributions_;
  std::vector<Index> positions_;
  std::unique_ptr<double[]> numbers_;
  std::int64_t capacity_ = 0, top_ = 0;
};

}  // namespace stillpoint
