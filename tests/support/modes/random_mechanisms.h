// Seeded mechanisms, in the plane and in space, that rest where they are drawn.
//
// Each grows step by step: what hangs on what stands there already and brings its own mass adds freedom; groups of rods
// and hinges close loops without adding any; repeated joints, parallel cranks and rods that are one too many add
// redundant equations. What has no mass hangs last in line, on springs and dampers. So freedom, redundancy and the
// number of finite eigenvalues are known from the steps. Multipliers are drawn, too, and dead loads, inputs
// of the model, balance what is left.
#pragma once

#include <cstdint>
#include <string>

#include "stillpoint/model.h"

namespace stillpoint::testing {

struct RandomMechanism {
  Model model;
  State state;        ///< at rest, with multipliers and loads
  std::string steps;  ///< what it is made of, in the order of growth
  Index dof = 0;
  Index redundant = 0;    ///< constraint equations that repeat others
  Index eigenvalues = 0;  ///< finite ones
  Index at_zero = 0;      ///< of these by rigid-body motion
};

/// 1 to 30 degrees of freedom, mostly few; 0 to 10 redundant equations. Every third seed is in space.
RandomMechanism random_mechanism(std::uint64_t seed);

}  // namespace stillpoint::testing
