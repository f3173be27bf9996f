// The equations of motion at one state as a linear system: M v̇ + Jᵀλ = b, J v̇ = c.
#pragma once

#include "stillpoint/assembly.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/motion.h"

namespace stillpoint {

struct EquationsOfMotion {
  SparseMatrix M, J;
  Eigen::VectorXd b{}, c{};             ///< f − h, and G ü less the curvature of the constraints
  Eigen::VectorXd open{}, open_rate{};  ///< Φ, and Φ̇ = J v − G u̇
};

/// The state holds the inputs and rates of the time; the parts are those of the state.
EquationsOfMotion equations_at(const Model& model, const MotionAssembly::Parts& parts, const State& state,
                               const InputSample& input);

/// M, J and names as a linear system with c as the column of its only input; the rank of J is decided.
LinearSystem system_of(const Model& model, const State& state, const EquationsOfMotion& equations);

/// The name of a coordinate whose motion has no inertia, if one can be seen in M.
std::string name_without_inertia(const Model& model, const SparseMatrix& M);

}  // namespace stillpoint
