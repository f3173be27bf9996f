// The cases that can be set in motion, and states of them.
#pragma once

#include <algorithm>
#include <optional>

#include "stillpoint/error.h"
#include "stillpoint/motion.h"
#include "support/seeded.h"

namespace stillpoint {

/// Flexible bodies from matrices are known at rest only.
inline bool has_flexible_body(const Model& model) {
  return std::any_of(model.arrays().begin(), model.arrays().end(), [](const ModelArray& array) {
    return array.elements->info().keyword == "flexible_body" && array.elements->size() > 0;
  });
}

/// A state near the guess, on the constraints, in motion; nothing if none is found there.
inline std::optional<State> random_moving_state(const Model& model, Random& random) {
  State state = model.displaced(model.initial_state(), random.vector(model.coordinates(), -0.1, 0.1));
  state.v = random.vector(model.coordinates(), -1, 1);
  try {
    return consistent_state(model, state);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace stillpoint
