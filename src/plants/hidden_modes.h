// Modes that no input moves and modes that no output shows: uncontrollable and unobservable ones by the test of
// Popov, Belevitch and Hautus [Hautus 1969]. Of an eigenvalue with several vectors those count that a combination of
// them keeps from all inputs or outputs.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

struct HiddenModes {
  Index modes = 0;  ///< those examined; a conjugate pair counts once
  Index unmoved = 0, unshown = 0;
};

/// Examines the true eigenvalues among the modes, numerically.
HiddenModes hidden_modes(const LinearSystem& system, const std::vector<Mode>& modes);

/// "no input moves 2 of the 12 modes, and no output shows 1"; empty if none is hidden.
std::string to_words(const HiddenModes& hidden);

}  // namespace stillpoint
