// What the energy says of all eigenvalues at once, whatever part of them is computed (Kelvin, Tait and Chetaev; T33).
//
// M ≥ 0 and K symmetric, C = D + G with D ≥ 0 symmetric and G skew:
//
//   G = 0:                   as many eigenvalues have Re s > s* as B(s*) has negative ones beside those of J, all real
//   K_r > 0:                 none has Re s > 0
//   D_r > 0, K_r regular:    as many have Re s > 0 as K_r has negative eigenvalues; none has Re s = 0
#pragma once

#include <optional>

#include "modes/quadratic_pencil.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Nothing where the conditions do not hold. `radius` (scaled): all |s| below it are `known`.
std::optional<Spectrum::Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                 double radius, const std::vector<Mode>& known);

}  // namespace stillpoint
