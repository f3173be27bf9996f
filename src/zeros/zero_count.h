// The number of zeros of a square system pencil in a disc, by the argument principle.
//
//   2π N = change of arg det P(s) along the circle |s − centre| = radius
#pragma once

#include <optional>

#include "zeros/system_pencil.h"

namespace stillpoint {

/// `expected` is the number that is expected: the determinant turns as many times, and is followed with steps that are
/// short enough for it. Returns nothing if the argument cannot be followed: a zero is on the circle to rounding, or P
/// is singular for all s.
std::optional<Index> zeros_in_disc(const SystemPencil& pencil, std::complex<double> centre, double radius,
                                   Index expected);

}  // namespace stillpoint
