// Of the modes that are known, those that were asked for.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// Sorted modes stay sorted, and a conjugate pair together.
void select(std::vector<Mode>& modes, const ModesOptions& options);

}  // namespace stillpoint
