// Disjoint-set forest (union–find) with path halving [Tarjan & van Leeuwen 1984].
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/at.h"

namespace stillpoint {

/// Every element starts as a set of its own. The smallest element of a set represents it.
template <class Number>
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), Number{0}); }

  /// Returns the representative of the set of i.
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
