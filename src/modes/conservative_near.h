// The modes of a conservative system nearest to a point off the real axis: its frequencies are real, so that these are
// those nearest to a frequency, which signs of two factorisations count.
#pragma once

#include <optional>

#include "stillpoint/modes.h"

namespace stillpoint {

/// Nothing where there are not so many within 0.9 Im s of it, a motion that grows may be as near, or rounding hides the
/// signs: then it needs the search for systems of any kind.
std::optional<Spectrum> solve_conservative_near(const LinearSystem& system, const ModesOptions& options);

}  // namespace stillpoint
