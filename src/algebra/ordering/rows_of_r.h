// The structure of R in Sᵀ = Q R, from the pattern of S and its column elimination tree alone.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "algebra/ordering/column_tree.h"

namespace stillpoint {

struct RowsOfR {
  std::vector<Index> lead;      ///< rows of Sᵀ, sorted by the position of their first entry
  std::vector<Index> lead_end;  ///< for each position the end of its rows in `lead`; they begin where those of the
                                ///< previous one end
  std::vector<Index> counts;    ///< entries of each row of R
  std::int64_t entries = 0;     ///< of all rows
};

/// The count ends with the row in which it exceeds `most`. Its time is proportional to the entries that are counted.
RowsOfR rows_of_R(const SparseMatrix& S, const ColumnTree& tree,
                  std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace stillpoint
