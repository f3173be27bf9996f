// Modes that no input moves and modes that no output shows, from the right and left vectors of modes, for systems of
// any size: the test of Popov, Belevitch and Hautus [Hautus 1969]. Of an eigenvalue with several vectors the whole
// space of them is examined; of rigid-body motion, which has chains (x, 0), (0, x), these.
#pragma once

#include "stillpoint/controllability.h"
#include "stillpoint/plant.h"

namespace stillpoint {

/// Examines the true eigenvalues among the modes, those that coincide within their bounds together. The modes are in
/// the order of |s|.
std::vector<ModeReach> reach_by_vectors(const LinearSystem& system, const std::vector<Mode>& modes);

/// Counts them. At a singular configuration none is examined.
Plant::HiddenCount hidden_modes(const LinearSystem& system, const std::vector<Mode>& modes);

/// "no input moves 2 of the 12 modes, and no output shows 1"; empty if none is hidden.
std::string to_words(const Plant::HiddenCount& hidden);

}  // namespace stillpoint
