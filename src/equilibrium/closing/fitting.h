// The rotation of a body that brings two of its vectors into known directions (the TRIAD method [Black 1964]).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "equilibrium/closing/placement.h"

namespace stillpoint {

/// The longest of the vectors, and the one that differs most from its direction; empty if all are parallel.
std::optional<std::pair<KnownVector, KnownVector>> find_two_independent(const std::vector<KnownVector>& vectors,
                                                                        double size);

/// The rotation that maps the first vector exactly, and the second as nearly as the first allows.
Rotation<double> fitted_rotation(const KnownVector& first, const KnownVector& second);

/// The least rotation that maps a direction of the drawn body to its known direction, after the drawn one.
Rotation<double> least_turned(const Rotation<double>& drawn, const KnownVector& vector);

}  // namespace stillpoint
