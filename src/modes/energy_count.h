// What the energy says of all eigenvalues at once, whatever part of them is computed.
//
// M ≥ 0 symmetric, C = D + G with D ≥ 0 symmetric and G skew, K = S + A with S symmetric and A skew. Where forces have
// a potential (Kelvin, Tait and Chetaev; T33):
//
//   A = 0, G = 0:               as many have Re s > s* as B(s*) has negative ones beside those of J, and all are real
//   A = 0, K_r > 0:             none has Re s > 0
//   A = 0, D_r > 0, K_r regular:    as many have Re s > 0 as K_r has negative ones; none has Re s = 0
//
// Where they have none, the real part of s̄ xᴴB(s)x = 0 is |s|² (Re s m + d) + Re s k + Im s a = 0, so
//
//   S_r + ρ² M_r > 0,   ρ D_r ± i A_r > 0:     no eigenvalue has Re s ≥ 0 and |s| ≥ ρ                             (T36)
#pragma once

#include <optional>

#include "modes/quadratic_pencil.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Eigenvalues that are known: all with |s| < radius (scaled), or none (0).
struct KnownRegion {
  double radius = 0;
  const std::vector<Mode>& modes;
};

/// Those at zero and those that grow, by the signs of real parts, of modes that decay otherwise. Nothing where rounding
/// hides a sign, or that a motion at zero is driven.
std::optional<Spectrum::Counted> count_by_signs(const std::vector<Mode>& modes, const BorderedProblem& problem);

/// Nothing where the conditions do not hold.
std::optional<Spectrum::Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                 const KnownRegion& known);

/// The least ρ (scaled, to a tenth) at which (T36) holds, so that all that grow are within. Nothing if there is none.
std::optional<double> radius_of_growth(const BorderedProblem& problem, const QuadraticPencil& pencil);

}  // namespace stillpoint
