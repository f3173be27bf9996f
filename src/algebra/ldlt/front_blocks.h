// Access to the 1 × 1 and 2 × 2 diagonal blocks of D in a front.
#pragma once

#include <algorithm>
#include <utility>

#include "algebra/ldlt/front_factors.h"

namespace stillpoint {

/// Calls one(k, d) or pair(k, d_a, d_ab, d_b) for each block of D in a front, where k is the first row of the block.
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

/// Returns [d_a, d_ab; d_ab, d_b]⁻¹ (x_a, x_b) for numbers or vectors. The block is scaled by d_ab first, exactly as in
/// the factorisation.
template <class X>
std::pair<X, X> divided_by_pair(const X& x_a, const X& x_b, double d_a, double d_ab, double d_b) {
  const double p = d_a / d_ab, q = d_b / d_ab, scale = 1 / ((p * q - 1) * d_ab);
  return {(q * x_a - x_b) * scale, (p * x_b - x_a) * scale};
}

/// The number of rows of the largest front.
inline Index largest_front(const BranchFactors& factors) {
  Index size = 0;
  for (const FrontFactor& front : factors.fronts) size = std::max(size, front.size);
  return size;
}

}  // namespace stillpoint
