// The outputs of a model at a state, and how they change with it:
//
//   δy = H_q δq + H_v δq̇ + H_a δq̈ + H_λ δλ + H_u δu                                                    (mathematics §1)
//
// Reactions are physical: the force and the moment about the place at which a constraint acts, in the chosen axes, on
// what the place belongs to. (On the ground they are what the ground feels.)
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

struct OutputValues {
  Eigen::VectorXd y;
  SparseMatrix Hq, Hv, Ha;  ///< outputs × n
  SparseMatrix Hl;          ///< outputs × m
  SparseMatrix Hu;          ///< outputs × inputs
};

/// All outputs. Empty multipliers count as zero.
OutputValues observe(const Model& model, const State& state);

}  // namespace stillpoint
