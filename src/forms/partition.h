// A partition of the coordinates: z, which are free to choose, and the others, which follow from them.
//
//   J_D δq_D = G δu − J_I δz:     R = [I; −J_D⁻¹ J_I],   S = [0; J_D⁻¹ G],   rows in the order of q          (T9)
//
// Any z with a nonsingular J_D serves. Sets are ascending.
#pragma once

#include <optional>
#include <vector>

#include "forms/scaled_constraints.h"

namespace stillpoint {

/// By sparse elimination: a constraint is solved for a coordinate whose J_ij / √M_jj is large, one without mass before
/// all others; what is left is z. Far from optimal, but without growth along chains, and in no time.
std::vector<Index> independent_by_mass(const ScaledConstraints& constraints, const SparseMatrix& M);

/// By dense LU with complete pivoting.
std::vector<Index> independent_by_complete_pivoting(const ScaledConstraints& constraints);

struct Tangents {
  SparseMatrix R;  ///< n × k
  SparseMatrix S;  ///< n × inputs
};

/// By one sparse LU of J_D. Entries of R below the rounding errors of the solution, ε times the largest of their column
/// without units, are left out. Nothing if J_D is singular to working precision.
std::optional<Tangents> tangents_of_partition(const ScaledConstraints& constraints,
                                              const std::vector<Index>& independent, const SparseMatrix& G);

/// Why a set of the right number is no partition: coordinates in it that follow from the rest of the set, and others,
/// as many, that do not follow from the set.
struct Misfits {
  std::vector<Index> following, undetermined;
};
Misfits find_misfits(const ScaledConstraints& constraints, const std::vector<Index>& independent);

}  // namespace stillpoint
