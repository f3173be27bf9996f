// The matrices of a model at a state, evaluated once for all that need them there.
#pragma once

#include "stillpoint/assembly.h"
#include "stillpoint/linearize.h"

namespace stillpoint {

struct EvaluatedAssembly {
  EvaluatedAssembly(const Model& model, const State& state) : assembly(model), at(assembly.at(state, &sizes)) {}
  EvaluatedAssembly(const EvaluatedAssembly&) = delete;
  EvaluatedAssembly& operator=(const EvaluatedAssembly&) = delete;

  Eigen::ArrayXd sizes;  ///< of each entry of K: the sum of the magnitudes of its terms
  Assembly assembly;
  const Matrices& at;
};

/// The same as linearize(model, rest). Where systems beside the equilibrium are needed, the assembly moves on to them.
LinearSystem linearize(const Model& model, const Equilibrium& rest, EvaluatedAssembly& evaluated);

}  // namespace stillpoint
