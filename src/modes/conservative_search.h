// A few eigenvalues of a conservative system, and the proof that none is missing.
//
// Lanczos' method finds those near a shift; the signs of two factorisations say how many there are in a region. Where
// fewer were found, the search goes on beside those, from several start vectors at once: a single one leads to one
// vector only for each multiple eigenvalue.
#pragma once

#include <functional>
#include <string>

#include "modes/conservative_pencil.h"
#include "modes/shift_view.h"

namespace stillpoint {

struct ConservativePairs {
  Eigen::VectorXd mu;     ///< ascending
  Eigen::VectorXd error;  ///< what the search leaves; rounding is not in it
  Eigen::MatrixXd z;      ///< M-orthonormal, in columns
  Region region;          ///< all in it are here
  Index expected = 0;     ///< there
  Index below = 0;        ///< how many less than zero are not in the region
  Index at_zero = 0;      ///< how many at zero are not in the region
  std::string doubt;      ///< empty: as many were found as there are

  Index size() const { return static_cast<Index>(mu.size()); }
};

using Progress = std::function<void(const std::string&)>;

/// Those of least |μ|, at least so many of them (all copies of the last one).
ConservativePairs find_lowest(ConservativePencil& pencil, Index count, const Progress& progress = {});

/// All between the two, 0 ≤ from.
ConservativePairs find_between(ConservativePencil& pencil, double from, double to, const Progress& progress = {});

}  // namespace stillpoint
