// Which things are tied to each other, directly or by others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/at.h"

namespace stillpoint {

/// Each thing is in a set of its own until it is tied to another. One of a set stands for it: the first, in their
/// order.
template <class Number>
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), Number{0}); }

  /// The one that stands for the set of i.
  Number find(Number i) {
    while (above_[at(i)] != i) i = above_[at(i)] = above_[at(above_[at(i)])];
    return i;
  }
  void tie(Number a, Number b) {
    a = find(a);
    b = find(b);
    above_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<Number> above_;
};

}  // namespace stillpoint
