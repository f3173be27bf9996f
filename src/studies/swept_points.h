// The spectra at the points of a study. The equilibrium is followed with long steps first; from each of the points
// found so a block of points follows, and the blocks are independent of each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/equilibrium_path.h"
#include "studies/spectrum_at.h"

namespace stillpoint {

struct SweptPoints {
  std::vector<SpectrumAt> found;  ///< in the order of the values; ends before the first one that was not found
  std::string ended;              ///< why it ends early; empty if it does not
};

/// Asks `stop` before each point and tells `begin` its value, from any thread but never from two at a time. The path
/// knows the points afterwards; those of large models are let go. Throws Error if the first one is not found.
SweptPoints sweep_points(EquilibriumPath& path, const std::vector<double>& values, const std::function<bool()>& stop,
                         const std::function<void(double)>& begin);

}  // namespace stillpoint
