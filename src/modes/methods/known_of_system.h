// What studies know of a system before its modes are found, and what they keep of it afterwards.
#pragma once

#include <optional>

#include "forms/minimal_form_nearby.h"
#include "modes/damped/motions_nearby.h"
#include "modes/problem/bordered_problem.h"

namespace stillpoint {

struct KnownOfSystem {
  const BorderedProblem& problem;  ///< with the summed stiffness
  /// That of a similar system; where a minimal form is made, the one in it.
  std::optional<ChosenPartition> partition{};
  /// Those of a similar system; where lightly damped modes are searched for, the ones of this system.
  MotionsNearby motions{};
};

}  // namespace stillpoint
