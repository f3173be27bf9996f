// Coordinates in which directions without mass are coordinates. An explicit plant eliminates what has no mass
// coordinate by coordinate: positions without mass and damping follow algebraically, velocities without mass from
// positions. Where such a direction is a combination of coordinates, as the twist of a bent beam, one of them is
// replaced by the direction:
//
//   z = T z',     Lᵀ (M z̈ + C ż + K z) = Lᵀ B u,     M T e_p = 0,   e_pᵀ Lᵀ M = 0   for the coordinates p
#pragma once

#include "modes/dense/quadratic.h"
#include "plants/second_order_parts.h"

namespace stillpoint {

struct SortedParts {
  SecondOrderParts parts;
  DofKinds kinds;
};

/// Replaces coordinates where that is needed and possible, and sorts the degrees of freedom. `M` and `C` are the
/// matrices of the parts with the magnitudes of their terms. Replaced coordinates are marked by a star.
SortedParts with_massless_coordinates(SecondOrderParts parts, const Summed& M, const Summed& C);

}  // namespace stillpoint
