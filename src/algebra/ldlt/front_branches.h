// The assembly tree cut into branches that several threads eliminate at the same time. The cut depends on the pattern
// alone, so that results are bit-identical for any number of threads.
//
// A branch consists of neighbouring subtrees, or of a single front above some branches, its children. Within a
// solution, the unknowns that its fronts share with those above have copies of their own in each branch: forward
// substitution adds the copies to the values above, backward substitution copies these.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct FrontTree;

struct FrontBranch {
  Index begin = 0, end = 0;      ///< its fronts
  Index end_of_inside = 0;       ///< positions before this one are its own or those of branches below
  std::vector<Index> children;   ///< indices of branches, ascending
  std::vector<Index> outside;    ///< positions of the unknowns it shares with the fronts above, ascending
  Index copies = 0;              ///< place of the copy of the first of these
  std::vector<Index> originals;  ///< place that each of the copies is added to

  /// The place of the unknown at this position, in vectors of unknowns in the elimination order with the copies of all
  /// branches behind them.
  Index place_of(Index position) const;
};

struct FrontBranches {
  std::vector<FrontBranch> all;            ///< children before their parents
  std::vector<std::vector<Index>> rounds;  ///< indices of branches; those of one round depend on earlier ones only
  Index places = 0;                        ///< number of unknowns and copies
};

FrontBranches cut_into_branches(const FrontTree& tree);

}  // namespace stillpoint
