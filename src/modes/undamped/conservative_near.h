// Modes of a conservative system nearest to a point off the real axis, by spectrum slicing.
//
// The frequencies are real, so these are the modes nearest to a frequency, and inertia at two shifts counts them.
#pragma once

#include <optional>

#include "stillpoint/modes.h"

namespace stillpoint {

/// Returns nothing if there are not enough modes within 0.9 Im s of the frequency, if an unstable eigenvalue may be as
/// near, or if rounding hides the inertia. The problem then needs the search for systems of any kind.
std::optional<Spectrum> solve_conservative_near(const LinearSystem& system, const ModesOptions& options);

}  // namespace stillpoint
