// Frontal matrices of a multifrontal QR factorisation: runs of positions that are eliminated together in one dense
// front (supernodes of the column elimination tree, relaxed as in [Ashcraft & Grimes 1989]).
#pragma once

#include <cstdint>

#include "algebra/ordering/column_tree.h"

namespace stillpoint {

struct ColumnFronts {
  std::vector<Index> first;   ///< position of the first pivot of each front; the number of positions at the end
  std::vector<Index> parent;  ///< parent of each front; −1 for a root
  std::vector<Index> lead;    ///< rows of Sᵀ, sorted by the position of their first entry
  std::vector<Index>
      lead_end;  ///< for each position the end of its rows in `lead`; they begin where those of the previous one end

  std::int64_t entries = 0;  ///< of all rows of R

  Index fronts() const { return static_cast<Index>(parent.size()); }
};

ColumnFronts plan_column_fronts(const SparseMatrix& S, const ColumnTree& tree);

}  // namespace stillpoint
