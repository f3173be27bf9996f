// The poles of a system: its finite eigenvalues that belong to the mechanism.
#pragma once

#include "stillpoint/frequency_response.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Finds the modes of the system by MCS: all of a small system, the lowest of a large one, and none of a large singular
/// one.
Spectrum modes_of(const LinearSystem& system, const MinimalOptions& options);

/// Returns the modes that are poles.
std::vector<Plant::Pole> poles_of(const Spectrum& spectrum);

/// Returns the range of the poles, as range_of_modes() does.
ResponseRange range_of_poles(const std::vector<Plant::Pole>& poles);

}  // namespace stillpoint
