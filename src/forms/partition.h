// Coordinate partitioning [Wehage & Haug 1982]: the independent coordinates z and the dependent ones, which follow from
// them.
//
//   J_D δq_D = G δu − J_I δz:     R = [I; −J_D⁻¹ J_I],   S = [0; J_D⁻¹ G],   rows in the order of q         (3.3)
//
// Any z with a nonsingular J_D serves. Sets are ascending.
#pragma once

#include <optional>
#include <vector>

#include "forms/scaled_constraints.h"

namespace stillpoint {

/// Chooses z by sparse elimination: a constraint is solved for a coordinate with a large J_ij / √M_jj, massless
/// coordinates before all others; those never solved for are z. The choice is not optimal, but the entries of R do not
/// grow along chains, and it takes little time.
std::vector<Index> independent_by_mass(const ScaledConstraints& constraints, const SparseMatrix& M);

/// Chooses z by dense LU factorisation with complete pivoting.
std::vector<Index> independent_by_complete_pivoting(const ScaledConstraints& constraints);

struct ConstraintNullSpace {
  SparseMatrix R;  ///< n × k
  SparseMatrix S;  ///< n × inputs
};

/// Finds R and S by one sparse LU factorisation of J_D. Entries of R below the rounding errors of the solution (ε times
/// the largest of their column without units) are left out. Returns nothing if J_D is singular to working precision.
std::optional<ConstraintNullSpace> null_space_of_partition(const ScaledConstraints& constraints,
                                                           const std::vector<Index>& independent,
                                                           const SparseMatrix& G);

/// The reason why a set of the right number is no partition: coordinates in it that follow from the rest of the set,
/// and as many others that do not follow from the set.
struct Misfits {
  std::vector<Index> dependent, undetermined;
};
Misfits find_misfits(const ScaledConstraints& constraints, const std::vector<Index>& independent);

}  // namespace stillpoint
