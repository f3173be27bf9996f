#include "studies/chosen_rows.h"

#include "base/at.h"

namespace stillpoint {

SparseMatrix chosen_rows(const SparseMatrix& A, const std::vector<Index>& rows) {
  std::vector<Index> place(at(A.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) place[at(rows[k])] = static_cast<Index>(k);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (place[at(entry.row())] >= 0) entries.emplace_back(place[at(entry.row())], j, entry.value());
    }
  }
  SparseMatrix result(static_cast<Eigen::Index>(rows.size()), A.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace stillpoint
