// Spectrum slicing: eigenvalues of a conservative system in a region, with a proof that none is missing.
//
// Shift-and-invert Lanczos [Wu & Simon 2000] finds the eigenvalues near a shift. By Sylvester's law of inertia two
// factorisations tell how many there are in a region, theory (11.2). If fewer were found, the search continues
// M-orthogonal to these from a block of start vectors, since one start vector finds only one vector of each multiple
// eigenvalue.
#pragma once

#include "modes/undamped/shifted_lanczos.h"

namespace stillpoint {

/// Finds the eigenvalues of least |μ|, at least `count` of them, with all copies of the last one.
ConservativePairs find_lowest(ConservativePencil& pencil, Index count, const SlicingOptions& options = {});

/// Finds the eigenvalues with √μ nearest to ω > 0, at least `count` of them, with all copies of the last one. They are
/// those with ω − h < √μ < ω + h, in the region {ω² + h², 2ωh}. Returns nothing if h would have to be 0.9 ω or more,
/// since slower motions may be zero.
std::optional<ConservativePairs> find_nearest_to(ConservativePencil& pencil, double omega, Index count,
                                                 const SlicingOptions& options = {});

/// Finds all eigenvalues between the two, 0 ≤ from.
ConservativePairs find_between(ConservativePencil& pencil, double from, double to, const SlicingOptions& options = {});

}  // namespace stillpoint
