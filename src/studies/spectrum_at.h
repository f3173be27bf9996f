// The spectrum at one point of a path of equilibria, with rates, as modes are followed by it.
#pragma once

#include <memory>

#include "stillpoint/follow_modes.h"
#include "stillpoint/stability.h"
#include "studies/equilibrium_path.h"

namespace stillpoint {

struct SpectrumAt {
  std::shared_ptr<const PathPoint> point;  ///< null where it was let go
  FollowedSpectrum followed;               ///< all finite eigenvalues that are not zero by structure
  Verdict verdict;
  bool certified = false;
  Index structural_zeros = 0;
};

/// All eigenvalues at a value of the parameter. Where fewer than `least` are not zero, as at the very point of
/// buckling, zeros are among those that are followed.
SpectrumAt spectrum_at(EquilibriumPath& path, double parameter, Eigen::Index least = 0);
/// The lowest ones, so many; a conjugate pair counts once.
SpectrumAt lowest_at(EquilibriumPath& path, double parameter, Index count);

}  // namespace stillpoint
