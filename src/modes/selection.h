// Of the modes that are known, those that were asked for.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// Sorted modes stay sorted, and a conjugate pair together.
void select(std::vector<Mode>& modes, const ModesOptions& options);

/// "the 3 least damped of those from 1 to 2 Hz"; empty for all, or the lowest.
std::string words_for_selection(const ModesOptions& options);

}  // namespace stillpoint
