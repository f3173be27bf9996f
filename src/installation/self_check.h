// Small computations with known answers, each through another of the libraries.
#pragma once

#include "installation/installation.h"

namespace stillpoint {

/// Never throws: a computation that fails has an infinite difference.
SelfCheck check_against_known_answers();

}  // namespace stillpoint
