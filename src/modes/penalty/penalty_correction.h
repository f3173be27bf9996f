// Correction of the eigenvalues of the penalty system for constraint compliance, theory (5.3), (5.4).
#pragma once

#include <optional>
#include <vector>

#include "modes/accuracy/inverse_iteration.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

// With the multipliers λ = Ξ g(s) J x and μ = ḡ Ξ J y the eigenvectors of the penalty system almost solve the bordered
// problem, so its eigenvalue next to s is wrong by second order only, theory (5.3). J is that of the form, which may
// belong to another equilibrium.
struct Correction {
  const LinearSystem& system;
  const PenaltyForm& form;  ///< its law of constraints and J; the matrices are not needed
  const BorderedProblem& problem;

  Eigen::VectorXcd multipliers(std::complex<double> g, const Eigen::VectorXcd& x) const;
  ModalCoefficients modal_coefficients(const Mode& mode) const;
};

/// Sets the corrected values of all modes and their errors: to first order by the vectors of the penalty system, then
/// by inverse iteration where the eigenvalue is isolated. Returns true if all true modes are confirmed as distinct
/// eigenvalues of the constrained problem. `at_hand` holds refined values that are known already.
bool correct(std::vector<Mode>& modes, const Correction& correction,
             const std::vector<std::optional<Refined>>& at_hand = {});

}  // namespace stillpoint
