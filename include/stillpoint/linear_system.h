// The waist: one linear system, whatever it came from.
//
//   M δq̈ + C δq̇ + K δq + Jᵀ δλ = F δu,   J δq = G δu                                                      (T2)
//   δy = H_q δq + H_v δq̇ + H_a δq̈ + H_λ δλ + H_u δu
//
// n coordinates, m constraints. K holds the stiffness of the constraint forces, ∂(Jᵀλ)/∂q. Nothing is assumed
// symmetric, definite or of full rank. Units are those of the model; increments of an orientation are turns about the
// axes of the body (rad).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/rank.h"
#include "stillpoint/sparse.h"
#include "stillpoint/strains.h"

namespace stillpoint {

/// Names are made when somebody asks for one: a million of them cost nothing.
using NameOf = std::function<std::string(Index)>;

/// Motions that are possible from a singular configuration, one flat piece of them.
struct MotionBranch {
  std::string name;          ///< what moves, what stands still
  Eigen::MatrixXd tangents;  ///< n × dimension; increments of q
};

/// How bodies hang on each other by joints: blocks of coordinates, each after its parent. What no joint here has, such
/// as the joints that close loops, are the other constraints.
struct JointTree {
  struct Block {
    Index first = 0, size = 0;      ///< its coordinates
    Index turns = 0;                ///< the last so many of them are angles
    Index parent = -1;              ///< a block before it; −1: the ground, or none
    Index first_row = 0, rows = 0;  ///< of J: the joint to the parent or the ground
  };
  std::vector<Block> blocks;
  SparseMatrix carried;  ///< n × n: how blocks move that are fixed to their parents
  NameOf block_name;
};

struct LinearSystem {
  std::string name;  ///< of the model

  SparseMatrix M, C, K;         ///< n × n
  SparseMatrix J;               ///< m × n
  SparseMatrix F;               ///< n × inputs
  SparseMatrix G;               ///< m × inputs
  SparseMatrix Hq, Hv, Ha, Hl;  ///< outputs × n, n, n, m
  SparseMatrix Hu;              ///< outputs × inputs

  /// What is lost in K: the magnitudes of the terms that an entry is summed from beyond its own, where that is more
  /// than its own. Rounding of such an entry is not of its size. Empty where terms are not known.
  SparseMatrix cancelled;

  /// K again, with more digits; empty where elements do not state strains. What changes K drops it.
  Strains strains;

  /// How the matrices differ at positions that are as much at rest, for all that double precision can tell: theirs less
  /// these. Empty where that is not worth mentioning, and where it is not known.
  struct Difference {
    SparseMatrix M, C, K, J;
    bool is_zero() const { return M.nonZeros() + C.nonZeros() + K.nonZeros() + J.nonZeros() == 0; }
  };
  std::vector<Difference> neighbours;

  NameOf coordinate_name, constraint_name, input_name, output_name;

  /// Made when somebody asks for it; empty where bodies are not known.
  std::function<JointTree()> joint_tree;

  /// The operating point; empty where it is not known.
  Eigen::VectorXd q, lambda, u, y;

  /// Which rows of J depend on others. Everything below works with the independent ones.
  RowDependence rows;
  bool singular = false;               ///< the rank drops here only: motions branch
  std::vector<MotionBranch> branches;  ///< then: those along which the mechanism can really move
  /// Then also: ∂(Jᵀν)/∂q for each vector ν of `rows.null_vectors`. K is only known up to sums of these (T25).
  std::vector<SparseMatrix> free_stiffness;

  Index coordinates() const { return static_cast<Index>(M.rows()); }
  Index constraints() const { return static_cast<Index>(J.rows()); }
  Index inputs() const { return static_cast<Index>(F.cols()); }
  Index outputs() const { return static_cast<Index>(Hq.rows()); }
  Index rank() const { return rows.rank.value; }
  Index freedom() const { return coordinates() - rank(); }
};

/// Of each entry of K what it is summed from, in magnitude: rounding of it is some ε of that.
SparseMatrix sizes_of_stiffness(const LinearSystem& system);

/// The independent rows of J.
SparseMatrix independent_rows(const LinearSystem& system);

/// Sizes agree, all numbers are finite; decides the rank of J unless `rows` says it, and gives names (q[1],
/// constraint[1], u[1], y[1]) where there are none; matrices without a size become zeros. Throws Error, which matrix
/// and entry is wrong. What makes a system calls this once, so that nobody else has to.
LinearSystem checked(LinearSystem system, const RankOptions& options = {});

// A folder of matrices: M.mtx, K.mtx, and if there are such C, J, G, F, Hq, Hv, Ha, Hl, Hu .mtx (Matrix Market), with
// names, operating point, rank and branches in model.json; see docs/matrix-folders.md. Absent means zero. What is
// written comes back bit for bit.

/// Whether a folder holds M.mtx or K.mtx, and no model.yaml.
bool is_matrix_folder(const std::string& path);
/// With the rank that model.json tells, unless the options give one. Throws Error with file and line.
LinearSystem read_linear_system(const std::string& folder, const RankOptions& options = {});
/// Makes the folder if it does not exist, and removes files there that have the name of a matrix; files appear whole or
/// not at all. Throws Error if one cannot be written, or if the folder holds a model.yaml.
void write_linear_system(const LinearSystem& system, const std::string& folder);

}  // namespace stillpoint
