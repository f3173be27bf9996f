// A few eigenvalues of a conservative system, and the proof that none is missing.
//
// Lanczos' method finds those near a shift; the signs of two factorisations say how many there are in a region. Where
// fewer were found, the search goes on beside those, from several start vectors at once: a single one leads to one
// vector only for each multiple eigenvalue.
#pragma once

#include "modes/conservative_shift.h"

namespace stillpoint {

/// Those of least |μ|, at least so many of them (all copies of the last one).
ConservativePairs find_lowest(ConservativePencil& pencil, Index count, const Progress& progress = {});

/// Those of which √μ is nearest to ω > 0, at least so many (all copies of the last one); ω − h < √μ < ω + h, where the
/// region is {ω² + h², 2ωh}. Nothing if h would have to be 0.9 ω or more: what is slower may be zero.
std::optional<ConservativePairs> find_nearest_to(ConservativePencil& pencil, double omega, Index count,
                                                 const Progress& progress = {});

/// All between the two, 0 ≤ from.
ConservativePairs find_between(ConservativePencil& pencil, double from, double to, const Progress& progress = {});

}  // namespace stillpoint
