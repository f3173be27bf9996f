// Several copies of a small random mechanism beside each other, with redundant constraints: every eigenvalue is there
// as often as there are copies.
#pragma once

#include "stillpoint/linear_system.h"
#include "support/seeded.h"

namespace stillpoint {

enum class Forces {
  conservative,
  damped,      ///< by some dampers, between coordinates
  gyroscopic,  ///< besides
  any          ///< besides, forces without a potential
};

struct Copies {
  LinearSystem one, all;
  Index copies = 0;
};
Copies random_copies(Random& random, Forces forces);

}  // namespace stillpoint
