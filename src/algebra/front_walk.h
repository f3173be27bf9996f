// The way of a solution through the fronts: to the root and back.
#pragma once

#include <iterator>

#include "algebra/front_factors.h"

namespace stillpoint {

/// Steps: eliminate(front) and substitute_back(front), apply_transposed(rotation) and apply(rotation) where the
/// unknowns are changed in between.
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
