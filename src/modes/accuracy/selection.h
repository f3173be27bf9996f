// Selection of the requested modes from those that are known.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// Keeps the requested modes in their order, conjugate pairs together.
void select(std::vector<Mode>& modes, const ModesOptions& options);

/// Describes the selection: "the 3 least damped of those from 1 to 2 Hz"; empty for all modes and for the lowest.
std::string words_for_selection(const ModesOptions& options);

}  // namespace stillpoint
