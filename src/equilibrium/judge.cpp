// Stability verdict on an equilibrium by the energy criterion (Lagrange–Dirichlet), theory (8.1): from the signs of the
// reduced stiffness, or at a singular configuration from the signs of the stiffness along each branch.

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "equilibrium/search.h"

namespace stillpoint {

namespace {

void give_verdict(Equilibrium& rest) {
  rest.verdict = rest.unstable_directions > 0  ? "unstable"
                 : rest.neutral_directions > 0 ? "neutral"
                                               : "stable (conservative)";
}

// The eigenvalues are dimensionless.
Eigen::VectorXd stiffness_along(const Branch& branch, const SparseMatrix& K, const Statics& statics) {
  const Eigen::VectorXd& s = statics.scales().s;
  const Eigen::MatrixXd x = s.cwiseInverse().asDiagonal() * branch.tangents;
  const Eigen::MatrixXd along = x.transpose() * s.asDiagonal() * (K * branch.tangents) / statics.energy();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (along + along.transpose())).eigenvalues();
}

void judge_branches(Search& search, const SparseMatrix& K) {
  constexpr double band = 1e-10;
  Equilibrium& rest = search.rest;
  rest.unstable_directions = rest.neutral_directions = 0;
  for (Branch& branch : rest.branches) {
    const Eigen::VectorXd values = stiffness_along(branch, K, search.statics);
    branch.unstable_directions = static_cast<Index>((values.array() < -band).count());
    branch.neutral_directions = static_cast<Index>((values.array().abs() <= band).count());
    rest.unstable_directions = std::max(rest.unstable_directions, branch.unstable_directions);
    rest.neutral_directions = std::max(rest.neutral_directions, branch.neutral_directions);
  }
  const bool all_known = !rest.branches.empty() && std::all_of(rest.branches.begin(), rest.branches.end(),
                                                               [](const Branch& branch) { return branch.confirmed; });
  if (rest.kind == ConfigurationType::isolated) {
    rest.verdict = "stable (conservative)";
    rest.verdict_basis = "the configuration is isolated: nothing can move";
  } else if (!all_known) {
    rest.verdict = "undecided";
    rest.verdict_basis = "not all branches of real motion are known";
  } else {
    rest.verdict_basis = "energy: signs of the stiffness along the branches of real motion";
    give_verdict(rest);
  }
}

bool has_gyroscopic_forces(const Search& search) {
  Assembly assembly(search.model);
  return !is_symmetric(assembly.at(search.point.state).C, search.statics.scales().s);
}

void judge_stiffness(Search& search, const Matrices& at) {
  Equilibrium& rest = search.rest;
  if (!search.signs) search.signs = count_signs(search.statics, at, stiffness_uncertainty(search));
  if (!search.signs->sharp) {
    rest.verdict = "undecided";
    rest.verdict_basis = "rounding hides the signs of the reduced stiffness";
    return;
  }
  rest.unstable_directions = search.signs->negative;
  rest.neutral_directions = search.signs->zero;
  rest.verdict_basis = "energy: signs of the reduced stiffness";
  give_verdict(rest);
  // A sleeping top is at a maximum of its potential.
  if (rest.unstable_directions > 0 && has_gyroscopic_forces(search)) {
    rest.verdict = "undecided";
    rest.verdict_basis =
        "the potential has no minimum here, but gyroscopic forces may stabilise the equilibrium: the spectrum must "
        "decide";
  }
}

}  // namespace

double stiffness_uncertainty(const Search& search) { return std::min(1e-3, 10 * search.residual_bound); }

void judge(Search& search) {
  Equilibrium& rest = search.rest;
  const Matrices& at = search.statics.linearize(search.point);
  rest.conservative = is_symmetric(at.K, search.statics.scales().s);
  if (!rest.conservative) {
    rest.verdict = "undecided";
    rest.verdict_basis =
        "there are circulatory (nonconservative) forces, K is not symmetric: the spectrum must decide about stability";
  } else if (rest.kind == ConfigurationType::singular || rest.kind == ConfigurationType::isolated) {
    judge_branches(search, at.K);
  } else {
    judge_stiffness(search, at);
  }
}

}  // namespace stillpoint
