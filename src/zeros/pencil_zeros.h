// The finite zeros of a system pencil, each with its multiplicity, its vectors and a bound of its error.
#pragma once

#include "stillpoint/zeros.h"
#include "zeros/system_pencil.h"

namespace stillpoint {

struct PencilZeros {
  std::vector<Zero> zeros;        ///< s in rad/s, in the order of |s|
  Index rank = 0;                 ///< normal rank of the pencil
  std::vector<RankOfStep> steps;  ///< of the deflation
  std::vector<std::string> reasons;
};

/// Finds all zeros by deflation and QZ, theory (12.7), (12.8). `progress` is told what is done, as of `what`.
PencilZeros zeros_of(const SystemPencil& pencil, const std::string& what = {},
                     const std::function<void(const std::string&)>& progress = {});

}  // namespace stillpoint
