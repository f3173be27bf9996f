// The stack of contribution blocks (Schur complements) of a multifrontal factorisation [Duff & Reid 1983]: fronts are
// visited in postorder, so that the block pushed last is assembled first.
//
// The current front lies on top of the same array, which rarely needs to be reallocated.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algebra/ldlt/front_pivoting.h"

namespace stillpoint {

/// The packed lower triangle of a contribution block, column by column. Its first `delayed` unknowns are those whose
/// elimination failed.
struct Contribution {
  std::int64_t begin = 0;            ///< where its values begin in the stack
  std::int64_t positions_begin = 0;  ///< where its positions begin in the stack
  Index size = 0, delayed = 0;
  double largest = 0;  ///< largest magnitude that entered the computation of its values
};

class ContributionStack {
 public:
  const Contribution& from_top(Index k) const { return contributions_[contributions_.size() - 1 - k]; }
  const double* numbers(const Contribution& c) const { return numbers_.get() + c.begin; }
  const Index* positions(const Contribution& c) const { return positions_.data() + c.positions_begin; }

  /// Returns the lower triangle of a new front of this size, above all contributions and filled with zeros. The stack
  /// may be reallocated.
  double* open_front(Index size);

  /// Replaces the last `children` contributions by that of the open front: its rows and columns from `done` on.
  void close_front(const Front& front, Index done, double largest, Index children);

  /// Takes the contributions of another stack on top.
  void take(ContributionStack&& other);

  /// Leaves the stack empty, with its memory, and returns what was on it.
  ContributionStack taken_out();

 private:
  void reallocate(std::int64_t capacity);

  std::vector<Contribution> contributions_;
  std::vector<Index> positions_;
  std::unique_ptr<double[]> numbers_;
  std::int64_t capacity_ = 0, top_ = 0;
};

}  // namespace stillpoint
