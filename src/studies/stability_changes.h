// Where branches of eigenvalues pass the imaginary axis.
#pragma once

#include <vector>

#include "stillpoint/sweep.h"
#include "studies/followed_value.h"

namespace stillpoint {

/// The places between the points of a study where the real part of a branch changes its sign, each by Newton's method
/// with exact rates. A pair counts once; `first_branch` is the number of the first row.
std::vector<SweepEvent> stability_changes(const FollowedModes& followed, const SpectrumOf& at,
                                          Eigen::Index first_branch);

}  // namespace stillpoint
