// Size and time of the LDLᵀ factorisation with pivoting that the eigensolvers use (SymmetricFactor).
#pragma once

#include <limits>

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// Counts the entries of L and the operations by the elimination tree of the factorisation, in its own order: AMD, in
/// which an unknown without a diagonal entry forms one node with a neighbour. Supernodes and delayed pivots add to
/// these numbers. The pattern has both triangles.
FactorCount count_ldlt(const SparseMatrix& pattern);

struct LdltFactor {
  bool regular = false;  ///< whether every pivot differs from zero
  /// Time of the numerical factorisation (s), the median of a few; NaN if it was not timed.
  double seconds = std::numeric_limits<double>::quiet_NaN();
};

/// Factors an exactly symmetric matrix.
LdltFactor factor_ldlt(const SparseMatrix& A, bool timed);

}  // namespace stillpoint
