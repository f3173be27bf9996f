// Mass and stiffness matrices of a flexible body from a finite element model, with its rigid-body motions.
//
//   M ẅ + K u = f,     K R = 0      M, K: N × N,  R: N × 6
//
// The displacements are small and given in the axes of the body. The columns of R are the translations along x, y, z
// and the rotations about them. For a node at (x, y, z) with three displacements and three rotations, its rows of R are
// (1, 0, 0, 0, z, −y), (0, 1, 0, −z, 0, x), (0, 0, 1, y, −x, 0) and those of the unit rotations.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

struct FlexibleMatrices {
  SparseMatrix M, K;
  Eigen::MatrixXd R;  ///< N × 6
  SparseMatrix D;     ///< damping matrix of the body itself; empty for none

  Index size() const { return static_cast<Index>(M.rows()); }
};

/// Reads M.mtx, K.mtx and R.mtx of a folder. Throws Error if the sizes do not agree, if M or K is not symmetric, or if
/// K R is not zero.
FlexibleMatrices read_flexible_matrices(const std::string& folder);

/// Returns the body with the degrees of freedom of the nodes first: those that start at the given rows, six for each
/// node. Throws Error if these rows do not exist or overlap, or if R does not describe a node there.
FlexibleMatrices with_nodes_first(const FlexibleMatrices& body, const std::vector<Index>& first_rows);

/// Returns the six rows of R of a node at p.
Eigen::Matrix<double, 6, 6> rigid_motions_of_node(const Vec3<double>& p);

/// Returns the position of the node whose degrees of freedom start in this row.
Vec3<double> place_of_node(const FlexibleMatrices& body, Index row);

/// Component mode synthesis of [Craig & Bampton 1968]: the first `kept` degrees of freedom are retained; the others
/// follow by static constraint modes and the `modes` lowest fixed-interface normal modes. No mode below the highest of
/// them is missing: their number is certified. Throws Error if the body has fewer other degrees of freedom, or if it
/// can move with the retained ones fixed.
FlexibleMatrices craig_bampton(const FlexibleMatrices& body, Index kept, Index modes);

/// Returns the damping matrix D that gives every elastic mode of the free body the same damping ratio. The matrix is
/// dense, and meant for reduced bodies.
SparseMatrix modal_damping(const FlexibleMatrices& body, double ratio);

}  // namespace stillpoint
