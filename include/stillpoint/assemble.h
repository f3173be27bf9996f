// The assembly problem (position problem): the state nearest to a guess at which the constraints are satisfied,
//
//   Φ(q, u) = 0
//
// It is the first step of find_equilibrium, which docs/equilibrium.md describes. Forces do not matter.
//
//   const AssembledGuess closed = assemble(model, model.initial_state());
//   if (closed.assembled) ... find_equilibrium(model, closed.state)
#pragma once

#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"

namespace stillpoint {

struct AssembledGuess {
  bool assembled = false;
  State state;                     ///< where the constraints are satisfied or, if not assembled, where least is open
  double constraint_residual = 0;  ///< the largest, relative to lengths
  std::string worst_constraint;    ///< its constraint; empty without constraints
  std::string message;             ///< if not assembled: what is open, and what was tried
  std::vector<std::string> notes;  ///< restarts that were needed, and residuals that were accepted
};

/// Throws Error if the model has no value at the guess. Of the options, `precision` and `held` are used.
AssembledGuess assemble(const Model& model, const State& guess, const EquilibriumOptions& options = {});

/// The coordinates of a state, one a line as "NAME = VALUE", with all their digits: the form that `--guess FILE` of the
/// command line reads. Comments begin with #.
std::string to_guess(const Model& model, const State& state);

}  // namespace stillpoint
