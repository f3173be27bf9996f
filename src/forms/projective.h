// The projective criterion of paper 001: how well a coordinate does as an independent one, with the mass matrix as the
// metric of the space of motions.
//
//   cos²α_i = M_ii (R M_r⁻¹ Rᵀ)_ii                                                                       (T10)
//
// Equal to eq. 23a for diagonal M. For a set it is asked greedily: what the coordinates already chosen determine is
// taken out (deflation), which makes it a pivoted Cholesky factorisation of D R M_r⁻¹ Rᵀ D, D² = diag(M). So the set is
// never dependent, and D⁻¹ M_r D⁻¹ of the chosen coordinates is the better conditioned, the larger the pivots are.
// Coordinates without mass come last. Motions without mass (M R N = 0, where M_r is singular) have no cosine: they are
// held first, by coordinates of which most is left in R N without units, those without mass first; the criterion then
// speaks about the motions that remain.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// R: any basis of null(J); `columns`: exponents that make coordinates comparable where there is no mass. Time ∝ n k².
/// Ascending.
std::vector<Index> independent_by_projection(const SparseMatrix& M, const SparseMatrix& R,
                                             const std::vector<int>& columns);

/// cos²α_i of each coordinate. Time ∝ n k².
Eigen::VectorXd projected_parts(const SparseMatrix& M, const SparseMatrix& R, const std::vector<int>& columns);

}  // namespace stillpoint
