#include "motion/equations_of_motion.h"

#include "linearize/joint_tree.h"

namespace stillpoint {

EquationsOfMotion equations_at(const Model& model, const MotionAssembly::Parts& parts, const State& state,
                               const InputSample& input) {
  State moving = state;
  moving.a.resize(0);
  moving.lambda.resize(0);
  EquationsOfMotion found{.M = parts.M, .J = parts.J};
  found.b = applied_forces(model, moving) - inertia_forces(model, moving);
  found.c = parts.G * input.acceleration - constraint_curvature(model, moving, input.rate);
  found.open = constraint_residual(model, moving);
  found.open_rate = parts.J * moving.v - parts.G * input.rate;
  return found;
}

LinearSystem system_of(const Model& model, const State& state, const EquationsOfMotion& equations) {
  LinearSystem system;
  system.name = model.name();
  system.M = equations.M;
  system.J = equations.J;
  system.G = equations.c.sparseView();
  system.F.resize(model.coordinates(), 1);
  system.coordinate_name = [model](Index i) { return model.coordinate_name(i); };
  system.constraint_name = [model](Index i) { return model.constraint_name(i); };
  system.joint_tree = [model, state] { return joint_tree(model, state); };
  return checked(std::move(system));
}

std::string name_without_inertia(const Model& model, const SparseMatrix& M) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (M.coeff(i, i) == 0) return model.coordinate_name(i);
  }
  const std::vector<Index> dependent = find_dependent_rows(M).dependent;
  return dependent.empty() ? "" : model.coordinate_name(dependent.front());
}

}  // namespace stillpoint
