// Sparse Cholesky factorisation by CHOLMOD [Chen 2008]: the size of the factor, counted from the pattern, and the time
// of the numerical factorisation, in the simplicial and in the supernodal form.
//
//   P A Pᵀ = L Lᵀ      A: n × n, symmetric; numerically also positive definite;  P: the order of elimination
//
// A build with STILLPOINT_CHOLMOD=OFF has no CHOLMOD: then nothing is known here.
#pragma once

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// In which sequence the unknowns are eliminated: as they are; by approximate minimum degree [Amestoy 1996]; by nested
/// dissection [Karypis & Kumar 1998]. In each of them the elimination tree is then put into postorder, which changes
/// neither the number of entries nor that of the operations.
enum class CholeskyOrder { natural, amd, metis };

/// The matrix whose factorisation is timed, and the most memory in bytes that its factor may take.
struct TimedCholesky {
  const SparseMatrix* matrix = nullptr;  ///< exactly symmetric, within the pattern; if null, nothing is timed
  double memory = 0;
};

/// Counts the entries of L and the operations, for a pattern with both triangles. They do not depend on values. A time
/// is NaN if the matrix is not positive definite, or if its factor would take too much memory or too many operations.
/// Throws Error if memory runs out. It is not thread-safe in the order of METIS, which uses and seeds rand().
FactorCount measure_cholesky(const SparseMatrix& pattern, CholeskyOrder order, const TimedCholesky& timed = {});

}  // namespace stillpoint
