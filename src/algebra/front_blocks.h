// The blocks of D in a front, of size 1 and 2.
#pragma once

#include <algorithm>
#include <utility>

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

/// [d_a, d_ab; d_ab, d_b]⁻¹ (x_a, x_b), numbers or vectors; by way of D divided by d_ab, as when the pair was taken.
template <class X>
std::pair<X, X> divided_by_pair(const X& x_a, const X& x_b, double d_a, double d_ab, double d_b) {
  const double p = d_a / d_ab, q = d_b / d_ab, scale = 1 / ((p * q - 1) * d_ab);
  return {(q * x_a - x_b) * scale, (p * x_b - x_a) * scale};
}

inline Index largest_front(const FrontFactors& factors) {
  Index size = 0;
  for (const FrontFactor& front : factors.fronts) size = std::max(size, front.size);
  return size;
}

}  // namespace stillpoint
