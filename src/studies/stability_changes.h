// Where branches of eigenvalues pass the imaginary axis.
#pragma once

#include <functional>
#include <vector>

#include "stillpoint/sweep.h"

namespace stillpoint {

/// The places between the points of a study where the real part of a branch changes its sign, each by Newton's method
/// with exact rates. A pair counts once; `first_branch` is the number of the first row.
std::vector<SweepEvent> stability_changes(const FollowedModes& followed,
                                          const std::function<FollowedSpectrum(double)>& at, Eigen::Index first_branch);

}  // namespace stillpoint
