// Independent coordinates by sparse Gaussian elimination: every constraint is solved for one of its coordinates, which
// is replaced in all others. Coordinates that are never solved for are independent.
//
// The constraint with the fewest coordinates comes first. Among the coordinates with a large entry the one that the
// fewest other constraints contain is chosen ([Markowitz 1957], with threshold pivoting), so chains and trees of bodies
// take a time proportional to their length.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Preferences in the choice of pivots, in the order of the coordinates.
struct SolvingPreference {
  Eigen::VectorXd weights;      ///< factors of the entries in comparisons
  std::vector<char> reluctant;  ///< 1: used only if a constraint has no other entry of at least `enough`
  double enough = 0;            ///< relative to the largest entry of the constraint, without weights
};

/// Returns the independent coordinates, ascending: n minus the number of rows of S, if no row depends on others. S must
/// not store zeros.
std::vector<Index> independent_by_elimination(const SparseMatrix& S, const SolvingPreference& preference);

}  // namespace stillpoint
