// The blocks of D in a front, of size 1 and 2.
#pragma once

#include <algorithm>

#include "algebra/front_factors.h"

namespace stillpoint {

/// Calls one(d) and pair(d_a, d_ab, d_b) for the blocks of D in a front, with the row of the first.
template <class One, class Pair>
void for_each_block(const FrontFactor& front, const One& one, const Pair& pair) {
  for (Index k = 0; k < front.count; ++k) {
    if (front.below[k] == 0) {
      one(k, front.diagonal[k]);
      continue;
    }
    pair(k, front.diagonal[k], front.below[k], front.diagonal[k + 1]);
    ++k;
  }
}

inline Index largest_front(const FrontFactors& factors) {
  Index size = 0;
  for (const FrontFactor& front : factors.fronts) size = std::max(size, front.size);
  return size;
}

}  // namespace stillpoint
