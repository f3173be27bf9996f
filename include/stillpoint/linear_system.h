// The linear system: the interface between mechanics, which produces it, and analysis, which needs nothing else.
//
//   M δq̈ + C δq̇ + K δq + Jᵀ δλ = F δu,   J δq = G δu                                                     (1.2)
//   δy = H_q δq + H_v δq̇ + H_a δq̈ + H_λ δλ + H_u δu
//
// There are n coordinates and m constraints. K contains the geometric stiffness of the constraint forces, ∂(Jᵀλ)/∂q.
// The matrices need not be symmetric, definite or of full rank. Units are those of the model; increments of an
// orientation are rotations about the axes of the body (rad).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/rank.h"
#include "stillpoint/sparse.h"
#include "stillpoint/strains.h"

namespace stillpoint {

/// A function that makes the name of an index on request, so that a million names cost nothing.
using NameOf = std::function<std::string(Index)>;

/// A branch of the motions that are possible from a singular configuration: one linear subspace of tangents.
struct MotionBranch {
  std::string name;          ///< which parts move and which stay at rest
  Eigen::MatrixXd tangents;  ///< n × dimension of the branch; increments of q
};

/// The spanning tree of joints: blocks of coordinates, each after its parent. Rows of J that belong to no joint of the
/// tree, such as those of the joints that close loops, are the other constraints.
struct JointTree {
  struct Block {
    Index first = 0, size = 0;      ///< coordinates of the block
    Index turns = 0;                ///< number of its last coordinates that are angles
    Index parent = -1;              ///< an earlier block; −1 for the ground or none
    Index first_row = 0, rows = 0;  ///< rows of J of the joint to the parent or the ground
  };
  std::vector<Block> blocks;
  SparseMatrix carried;  ///< n × n: motion of each block when its parent moves and it is fixed to the parent
  NameOf block_name;
};

struct LinearSystem {
  std::string name;  ///< of the model

  // ----- matrices
  SparseMatrix M, C, K;         ///< n × n
  SparseMatrix J;               ///< m × n
  SparseMatrix F;               ///< n × inputs
  SparseMatrix G;               ///< m × inputs
  SparseMatrix Hq, Hv, Ha, Hl;  ///< outputs × n, n, n, m
  SparseMatrix Hu;              ///< outputs × inputs

  // ----- precision of the matrices
  /// The cancellation in K: for each entry the sum of the magnitudes of its terms, less its own magnitude, where that
  /// exceeds the own magnitude. The rounding error of such an entry is relative to the terms. Empty where the terms are
  /// not known.
  SparseMatrix cancellation;

  /// K in factored form, K = K₀ + BᵀDB, with more digits than K. Empty where the elements do not state strains; whoever
  /// changes K must clear it.
  Strains strains;

  /// The sensitivity to rounding of the equilibrium: differences of the matrices at equilibria that cannot be
  /// distinguished from this one in double precision. Empty where they are negligible or not known.
  struct Difference {
    SparseMatrix M, C, K, J;
    bool is_zero() const { return M.nonZeros() + C.nonZeros() + K.nonZeros() + J.nonZeros() == 0; }
  };
  std::vector<Difference> perturbed;

  // ----- names
  NameOf coordinate_name, constraint_name, input_name, output_name;
  NameOf coordinate_unit, input_unit, output_unit;  ///< empty words where a unit is not known

  // ----- topology
  /// Returns the tree of joints; empty where the bodies are not known.
  std::function<JointTree()> joint_tree;

  // ----- operating point; empty where it is not known
  Eigen::VectorXd q, lambda, u, y;

  // ----- rank of the constraints, and singularity of the configuration
  /// Which rows of J depend on others. All analyses use the independent rows.
  RowDependence rows;
  bool singular = false;               ///< the rank of J drops in this configuration only: the motions branch
  std::vector<MotionBranch> branches;  ///< of a singular configuration: the branches of finite motions
  /// For a singular configuration: ∂(Jᵀν)/∂q for each column ν of `rows.null_vectors`. K is determined only up to
  /// linear combinations of these, theory (9.1).
  std::vector<SparseMatrix> free_stiffness;

  Index coordinates() const { return static_cast<Index>(M.rows()); }
  Index constraints() const { return static_cast<Index>(J.rows()); }
  Index inputs() const { return static_cast<Index>(F.cols()); }
  Index outputs() const { return static_cast<Index>(Hq.rows()); }
  Index rank() const { return rows.rank.value; }
  Index dof() const { return coordinates() - rank(); }
};

/// Returns for each entry of K the sum of the magnitudes of its terms, to which its rounding error is relative.
SparseMatrix stiffness_magnitudes(const LinearSystem& system);

/// Returns the linearly independent rows of J.
SparseMatrix independent_rows(const LinearSystem& system);

/// Validates and completes a linear system. The sizes must agree and all entries must be finite. The rank of J is
/// decided unless `rows` states it; missing names become q[1], constraint[1], u[1], y[1]; matrices without a size
/// become zero. Throws Error that names the matrix and the entry. Every function that creates a system calls this once.
LinearSystem checked(LinearSystem system, const RankOptions& options = {});

// A folder of matrices contains M.mtx and K.mtx, optionally C, J, G, F, Hq, Hv, Ha, Hl and Hu (Matrix Market), and
// names, operating point, rank and branches in model.json; see docs/matrix-folders.md. A matrix without a file is zero.
// Writing and reading reproduce a system exactly.

/// Whether the folder contains M.mtx or K.mtx, and no model.yaml.
bool is_matrix_folder(const std::string& path);
/// Reads a system. The rank is that of model.json unless the options state one. Throws Error with file and line.
LinearSystem read_linear_system(const std::string& folder, const RankOptions& options = {});
/// Writes a system. Creates the folder if necessary and removes files in it that are named like a matrix; each file is
/// written completely or not at all. Throws Error if a file cannot be written, or if the folder contains a model.yaml.
void write_linear_system(const LinearSystem& system, const std::string& folder);

}  // namespace stillpoint
