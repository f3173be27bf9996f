#include "algebra/ldlt/contribution_stack.h"

#include <algorithm>
#include <utility>

namespace stillpoint {

double* ContributionStack::open_front(Index size) {
  const std::int64_t needed = top_ + std::int64_t{size} * size;
  if (needed > capacity_) reallocate(std::max(needed, capacity_ + capacity_ / 2));
  double* const front = numbers_.get() + top_;
  for (std::int64_t j = 0; j < size; ++j) std::fill(front + j * size + j, front + (j + 1) * size, 0.0);
  return front;
}

void ContributionStack::close_front(const Front& front, Index done, double largest, Index children) {
  if (children > 0) {
    const Contribution& lowest = from_top(children - 1);
    top_ = lowest.begin;
    positions_.resize(static_cast<std::size_t>(lowest.positions_begin));
    contributions_.resize(contributions_.size() - children);
  }
  contributions_.push_back({.begin = top_,
                            .positions_begin = static_cast<std::int64_t>(positions_.size()),
                            .size = front.size - done,
                            .delayed = front.candidates - done,
                            .largest = largest});
  positions_.insert(positions_.end(), front.position + done, front.position + front.size);
  for (Index j = done; j < front.size;
       ++j) {  // moves to lower addresses in ascending order, so that nothing is overwritten
    std::copy(front.column(j) + j, front.column(j) + front.size, numbers_.get() + top_);
    top_ += front.size - j;
  }
}

void ContributionStack::take(ContributionStack&& other) {
  const ContributionStack theirs = std::move(other);
  const auto positions_before = static_cast<std::int64_t>(positions_.size());
  if (top_ + theirs.top_ > capacity_) reallocate(top_ + theirs.top_);
  std::copy(theirs.numbers_.get(), theirs.numbers_.get() + theirs.top_, numbers_.get() + top_);
  positions_.insert(positions_.end(), theirs.positions_.begin(), theirs.positions_.end());
  for (Contribution contribution : theirs.contributions_) {
    contribution.begin += top_;
    contribution.positions_begin += positions_before;
    contributions_.push_back(contribution);
  }
  top_ += theirs.top_;
}

ContributionStack ContributionStack::taken_out() {
  ContributionStack out;
  out.contributions_ = contributions_;
  out.positions_ = positions_;
  out.reallocate(top_);
  std::copy(numbers_.get(), numbers_.get() + top_, out.numbers_.get());
  out.top_ = std::exchange(top_, 0);
  contributions_.clear();
  positions_.clear();
  return out;
}

void ContributionStack::reallocate(std::int64_t capacity) {
  std::unique_ptr<double[]> numbers(new double[static_cast<std::size_t>(capacity)]);
  std::copy(numbers_.get(), numbers_.get() + top_, numbers.get());
  numbers_ = std::move(numbers);
  capacity_ = capacity;
}

}  // namespace stillpoint
