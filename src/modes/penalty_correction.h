// What the compliance of a penalty's constraints has changed in its eigenvalues, taken back (T17, T17a).
#pragma once

#include <optional>
#include <vector>

#include "modes/bordered_problem.h"
#include "modes/inverse_iteration.h"
#include "stillpoint/modes.h"

namespace stillpoint {

// The multipliers of a penalty, λ = Ξ g(s) J x and μ = ḡ Ξ J y, make its eigenvectors almost solutions of the bordered
// problem: its eigenvalue next to s is wrong by second order only (T17). J is that of the form, which may be at another
// rest position.
struct Correction {
  const LinearSystem& system;
  const PenaltyForm& form;  ///< its law of constraints and J; the matrices are not needed
  const BorderedProblem& problem;

  Eigen::VectorXcd multipliers(std::complex<double> g, const Eigen::VectorXcd& x) const;
  Sandwich sandwich(const Mode& mode) const;
};

/// Sets the corrected values of all, and what follows for their errors: to first order by the vectors of the penalty,
/// then to the end where the eigenvalue stands alone. True if all true ones are confirmed as eigenvalues of the
/// constrained problem, each as another. `at_hand`: what is known already.
bool correct(std::vector<Mode>& modes, const Correction& correction,
             const std::vector<std::optional<Refined>>& at_hand = {});

}  // namespace stillpoint
