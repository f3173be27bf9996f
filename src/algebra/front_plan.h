// Which runs of positions are eliminated together in one dense front.
#pragma once

#include "algebra/column_tree.h"

namespace stillpoint {

struct FrontPlan {
  std::vector<Index> first;     ///< position of each front's first pivot, and the number of positions at the end
  std::vector<Index> parent;    ///< of each front; −1 for a root
  std::vector<Index> lead;      ///< rows of Sᵀ, sorted by the position in which they begin
  std::vector<Index> lead_end;  ///< for each position: the end of its rows in `lead`; they begin where the last end

  Index fronts() const { return static_cast<Index>(parent.size()); }
};

FrontPlan plan_fronts(const SparseMatrix& S, const ColumnTree& tree);

}  // namespace stillpoint
