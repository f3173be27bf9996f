// A flexible body as finite elements give it: matrices of mass and stiffness, and its motions as a rigid body.
//
//   M ẅ + K u = f,     K R = 0
//
// Displacements are small and taken in the body's own axes. The columns of R are the translations along x, y, z and the
// turns about them: a node at (x, y, z) with the displacements of its place and its turns has there the rows
// (1, 0, 0, 0, z, −y), (0, 1, 0, −z, 0, x), (0, 0, 1, y, −x, 0) and those of the unit turns.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"
#include "stillpoint/vec3.h"

namespace stillpoint {

struct FlexibleMatrices {
  SparseMatrix M, K;
  Eigen::MatrixXd R;  ///< N × 6
  SparseMatrix D;     ///< damping of its own; empty: none

  Index size() const { return static_cast<Index>(M.rows()); }
};

/// M.mtx, K.mtx and R.mtx of a folder. Throws Error where sizes do not fit, M or K is not symmetric, or where the
/// rigid motions ask for forces.
FlexibleMatrices read_flexible_matrices(const std::string& folder);

/// The same with the freedoms of the nodes first: those that start at the given rows, six for each node. Throws Error
/// if these are not there, not apart, or if R has no node there.
FlexibleMatrices with_nodes_first(const FlexibleMatrices& body, const std::vector<Index>& first_rows);

/// What R has in the six rows of a node at p.
Eigen::Matrix<double, 6, 6> rigid_motions_of_node(const Vec3<double>& p);

/// Where a node is whose freedoms start in this row.
Vec3<double> place_of_node(const FlexibleMatrices& body, Index row);

/// Craig and Bampton's reduction: the first freedoms stay, the others follow them statically, and in so many of their
/// own lowest modes with these held. All modes below the highest of them are among them: their count is certified.
/// Throws Error if the body has fewer others, or can move with the first ones held.
FlexibleMatrices craig_bampton(const FlexibleMatrices& body, Index kept, Index modes);

/// Damping D that gives every elastic mode of the free body the same damping ratio. Dense: for reduced bodies.
SparseMatrix modal_damping(const FlexibleMatrices& body, double ratio);

}  // namespace stillpoint
