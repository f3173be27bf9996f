#include "algebra/ldlt/contribution_stack.h"

#include <algorithm>

namespace stillpoint {

double* ContributionStack::open_front(Index size) {
  const std::int64_t needed = top_ + std::int64_t{size} * size;
  if (needed > capacity_) {
    const std::int64_t capacity = std::max(needed, capacity_ + capacity_ / 2);
    std::unique_ptr<double[]> larger(new double[static_cast<std::size_t>(capacity)]);
    std::copy(numbers_.get(), numbers_.get() + top_, larger.get());
    numbers_ = std::move(larger);
    capacity_ = capacity;
  }
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

}  // namespace stillpoint
