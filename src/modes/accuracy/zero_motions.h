// The motions of zero eigenvalues: how many there are, and whether one of them grows faster than at a constant rate,
// theory (8.3).
#pragma once

#include <span>

#include "stillpoint/modes.h"

namespace stillpoint {

/// Returns the number of independent vectors among those of modes with s = 0, or nothing if finding it would cost more
/// than the modes did.
std::optional<Index> independent_motions(std::span<const Mode> zeros);

/// Returns whether the modes with s = 0 of a complete spectrum have a chain of vectors that is longer than two.
bool has_growing_chain(const LinearSystem& system, const std::vector<Mode>& modes);

}  // namespace stillpoint
