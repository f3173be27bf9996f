// From modes of the mechanism to those of the penalty system beside them. Those that lie closer together than the
// penalty moves them are followed as one invariant subspace (T38).
#pragma once

#include <string>
#include <vector>

#include "modes/penalty_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

struct Followed {
  Mode mode;
  std::vector<std::complex<double>> from;  ///< the eigenvalues that were followed together to this one and its like
};

struct Followers {
  std::vector<Followed> found;      ///< each with its conjugate
  std::vector<std::string> doubts;  ///< one for each mode of the mechanism that led to none of its own
};

/// Of `known` those that are not zero.
Followers follow(const PenaltyProblem& problem, const std::vector<Mode>& known);

}  // namespace stillpoint
