// The projective criterion of [Blajer 1994] for independent coordinates, with the mass matrix as metric of the motions.
//
//   cos²α_i = M_ii (R M_r⁻¹ Rᵀ)_ii                                                                       (3.4)
//
// It equals eq. 23a for a diagonal M. For a set it is applied greedily: the part that the chosen coordinates determine
// is removed (deflation), which makes it a pivoted Cholesky factorisation of D R M_r⁻¹ Rᵀ D, D² = diag(M). So the set
// is never dependent, and the larger the pivots, the better conditioned is D⁻¹ M_r D⁻¹ of the chosen coordinates.
// Coordinates without mass come last. Motions without mass (M R N = 0, where M_r is singular) have no cosine: they are
// held first, by the coordinates with the largest remainder in R N without units, massless ones first; the criterion
// then applies to the remaining motions.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// R is any basis of null(J); `columns` are exponents of two that make coordinates comparable without mass. Takes a
/// time ∝ n k² and returns the coordinates in ascending order.
std::vector<Index> independent_by_projection(const SparseMatrix& M, const SparseMatrix& R,
                                             const std::vector<int>& columns);

/// Returns cos²α_i of each coordinate. Takes a time ∝ n k².
Eigen::VectorXd projected_parts(const SparseMatrix& M, const SparseMatrix& R, const std::vector<int>& columns);

}  // namespace stillpoint
