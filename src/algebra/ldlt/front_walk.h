// Traversal of the fronts by a solution: forward substitution to the root, then backward substitution to the leaves.
#pragma once

#include <iterator>

#include "algebra/ldlt/front_factors.h"

namespace stillpoint {

/// Calls steps.eliminate(front) and steps.substitute_back(front), and where unknowns were transformed
/// steps.apply_transposed(rotation) and steps.apply(rotation), in the right order.
template <class Steps>
void walk(const FrontFactors& factors, Steps& steps) {
  const auto fronts = static_cast<Index>(factors.fronts.size());
  auto rotation = factors.rotations.begin();
  for (Index f = 0; f < fronts; ++f) {
    for (; rotation != factors.rotations.end() && rotation->before == f; ++rotation) steps.apply_transposed(*rotation);
    steps.eliminate(factors.fronts[f]);
  }
  for (Index f = fronts - 1; f >= 0; --f) {
    steps.substitute_back(factors.fronts[f]);
    for (; rotation != factors.rotations.begin() && std::prev(rotation)->before == f; --rotation)
      steps.apply(*std::prev(rotation));
  }
}

}  // namespace stillpoint
