// A few eigenvalues of any system of any size, and how many in their region are missing.
//
// A second-order Krylov space at a real shift finds those near it; the winding of the determinant around the region
// says whether there are others. Where there are, the search goes on beside what is known from another start: a single
// one leads to one vector only for each multiple eigenvalue.
#pragma once

#include <string>

#include "modes/quadratic_pencil.h"

namespace stillpoint {

struct QuadraticPairs {
  Eigen::VectorXcd s;  ///< scaled; by rising |s|, Im s ≥ 0: the conjugate ones are meant, too
  Eigen::MatrixXcd x;  ///< scaled: coordinates and multipliers, in columns
  double radius = 0;   ///< all |s| in it
  Index missing = 0;   ///< how many eigenvalues of those in it are not here
  double counting_seconds = 0;
  std::string doubt;  ///< empty: none is missing

  Index size() const { return static_cast<Index>(s.size()); }
};

/// The so many of least |s|, a conjugate pair counts once; with `counts` off nothing is said about missing ones.
QuadraticPairs find_lowest(const BorderedProblem& problem, const QuadraticPencil& pencil, Index count, bool counts);

}  // namespace stillpoint
