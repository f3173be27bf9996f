// Continuation of the modes of the mechanism into the penalty system. Modes closer together than the penalty moves them
// are continued as one invariant subspace, theory (11.13).
#pragma once

#include <string>
#include <vector>

#include "modes/penalty/penalty_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

struct Continued {
  Mode mode;
  std::vector<std::complex<double>> from;  ///< eigenvalues of the mechanism in the same group
};

struct PenaltyContinuation {
  std::vector<Continued> found;            ///< each followed by its conjugate
  std::vector<std::string> uncertainties;  ///< one reason for each mode of the mechanism that led to no mode of its own
};

/// Continues the modes in `known` that are not zero.
PenaltyContinuation continue_modes(const PenaltyProblem& problem, const std::vector<Mode>& known);

}  // namespace stillpoint
