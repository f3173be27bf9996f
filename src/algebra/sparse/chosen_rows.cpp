#include "algebra/sparse/chosen_rows.h"

#include "base/at.h"

namespace stillpoint {

SparseMatrix chosen_rows(const SparseMatrix& A, const std::vector<Index>& rows) {
  std::vector<Index> new_row(at(A.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) new_row[at(rows[i])] = static_cast<Index>(i);
  SparseMatrix kept(static_cast<Eigen::Index>(rows.size()), A.cols());
  kept.reserve(A.nonZeros());
  for (Index j = 0; j < A.outerSize(); ++j) {
    kept.startVec(j);
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const Index row = new_row[at(entry.row())];
      if (row >= 0) kept.insertBackByOuterInner(j, row) = entry.value();  // the order of rows is preserved
    }
  }
  kept.finalize();
  return kept;
}

}  // namespace stillpoint
