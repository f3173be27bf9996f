// The outputs of a model at a state, and their derivatives, theory (1.3):
//
//   δy = H_q δq + H_v δq̇ + H_a δq̈ + H_λ δλ + H_u δu
//
// A reaction is the physical force and the moment about the place of the constraint, in the chosen axes, that the
// constraint exerts on the owner of the place. (On the ground it is the load that the ground carries.)
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

struct OutputValues {
  Eigen::VectorXd y;
  SparseMatrix Hq, Hv, Ha;  ///< outputs × n
  SparseMatrix Hl;          ///< outputs × m
  SparseMatrix Hu;          ///< outputs × inputs
};

/// Evaluates all outputs. Empty multipliers count as zero.
OutputValues observe(const Model& model, const State& state);

}  // namespace stillpoint
