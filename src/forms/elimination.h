// Which coordinates follow from the others: every constraint is solved for one of its coordinates, and that is replaced
// in all other constraints (Gauss). Coordinates that are never solved for are independent.
//
// Fewest coordinates first; of those that are large enough in a constraint, the one that the fewest others have
// (Markowitz 1957, with threshold pivoting): chains and trees of bodies take a time proportional to their length.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// In the order of the coordinates.
struct SolvingPreference {
  Eigen::VectorXd weights;      ///< entries times these are compared: a constraint is solved for where that is large
  std::vector<char> reluctant;  ///< 1: only where a constraint has nothing else of at least `enough`
  double enough = 0;            ///< relative to the largest entry of the constraint; without weights
};

/// The independent coordinates, ascending: n minus the rows of S if no row depends on others. S has no zeros stored.
std::vector<Index> independent_by_elimination(const SparseMatrix& S, const SolvingPreference& preference);

}  // namespace stillpoint
