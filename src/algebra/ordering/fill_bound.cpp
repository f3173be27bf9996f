#include "algebra/ordering/fill_bound.h"

#include "algebra/ordering/rows_of_r.h"

namespace stillpoint {

std::int64_t fill_bound(const SparseMatrix& pattern, const std::vector<Index>& columns, std::int64_t most) {
  return rows_of_R(pattern, column_tree(pattern, columns), most).entries;
}

}  // namespace stillpoint
