// UCS for systems of any size, where the penalty system has an equilibrium of its own.
#pragma once

#include <optional>

#include "stillpoint/modes.h"

namespace stillpoint {

/// As the function of modes.h, at the penalty's own equilibrium if there is one. That system is let go as soon as its
/// matrices are scaled: of a large model it takes as much memory as the mechanism.
Spectrum continue_into_penalty(const LinearSystem& system, std::optional<LinearSystem>& own,
                               const PenaltyOptions& penalty, const Spectrum& known);

}  // namespace stillpoint
