// Count of the unstable eigenvalues of the whole spectrum by energy criteria, whatever part of it is computed.
//
// Let M ≥ 0 be symmetric, C = D + G with D ≥ 0 symmetric and G skew, K = S + A with S symmetric and A skew. For
// conservative forces (Kelvin, Tait and Chetaev [Zajac 1964], theory (11.10)):
//
//   A = 0, G = 0:                   #{Re s > s*} = #{negative eigenvalues of B(s*)} − rank J, and all of these are real
//   A = 0, K_r > 0:                 none has Re s > 0
//   A = 0, D_r > 0, K_r regular:    #{Re s > 0} = #{negative eigenvalues of K_r}, and none has Re s = 0
//
// For circulatory forces the real part of s̄ xᴴB(s)x = 0 is |s|² (Re s m + d) + Re s k + Im s a = 0, so
//
//   S_r + ρ² M_r > 0,   ρ D_r ± i A_r > 0:     no eigenvalue has Re s ≥ 0 and |s| ≥ ρ                           (11.11)
#pragma once

#include <optional>

#include "modes/problem/quadratic_pencil.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// The known eigenvalues: all with |s| < radius (scaled), or none if the radius is 0.
struct KnownRegion {
  double radius = 0;
  const std::vector<Mode>& modes;
  bool nothing_grows_beyond = false;  ///< none with |s| ≥ radius has Re s > 0
};

/// Counts the zero and the unstable eigenvalues by the signs of their real parts, all others being asymptotically
/// stable. Returns nothing if rounding hides a sign, or hides that a rigid-body motion is driven.
std::optional<Spectrum::Counted> count_by_signs(const std::vector<Mode>& modes, const BorderedProblem& problem);

/// Counts by the criteria above. Returns nothing if their conditions do not hold.
std::optional<Spectrum::Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                 const KnownRegion& known);

/// Returns the least ρ (scaled, to a tenth) at which theory (11.11) holds, so that all unstable eigenvalues have |s| <
/// ρ. Returns nothing if there is none.
std::optional<double> radius_of_instability(const BorderedProblem& problem, const QuadraticPencil& pencil);

}  // namespace stillpoint
