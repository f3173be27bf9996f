#include "stillpoint/system_structure.h"

#include "algebra/ldlt/definiteness.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "system/checking.h"

namespace stillpoint {

namespace {

/// Rows with an entry that is not zero.
Index occupied_rows(const SparseMatrix& A) {
  std::vector<char> is_occupied(at(static_cast<Index>(A.rows())), 0);
  Index count = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      char& seen = is_occupied[at(static_cast<Index>(entry.row()))];
      if (entry.value() == 0 || seen) continue;
      seen = 1;
      ++count;
    }
  }
  return count;
}

}  // namespace

SystemStructure structure_of(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K) {
  SystemStructure found;
  found.symmetric_mass = is_symmetric(M);
  found.symmetric_stiffness = is_symmetric(K);
  found.nonnegative_mass = !has_negative_eigenvalue(M);
  found.massless_coordinates = static_cast<Index>(M.rows()) - occupied_rows(M);
  found.undamped = largest_entry(C) == 0;
  if (found.undamped) return found;
  found.symmetric_damping = is_symmetric(C);
  found.skew_damping = is_skew(C);
  found.dissipative = is_dissipative(C);
  found.damped_coordinates = occupied_rows(C);
  return found;
}

SystemStructure structure_of(const LinearSystem& system) {
  require_common_range(system);
  return structure_of(system.M, system.C, system.K);
}

std::string to_words(const SystemStructure& structure) {
  std::string words = structure.symmetric() ? "symmetric" : "unsymmetric";
  if (structure.undamped) words += ", undamped";
  else if (structure.gyroscopic()) words += ", gyroscopic";
  else if (structure.dissipative) words += structure.symmetric_damping ? ", damped" : ", damped and gyroscopic";
  else words += ", with damping that feeds energy in";
  if (structure.circulatory()) words += ", circulatory";
  if (!structure.nonnegative_mass) words += ", with negative mass";
  return words;
}

}  // namespace stillpoint
