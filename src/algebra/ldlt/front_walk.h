// Traversal of the fronts by a solution: forward substitution to the root, then backward substitution to the leaves.
#pragma once

#include <iterator>
#include <vector>

#include "algebra/ldlt/front_factors.h"
#include "base/in_parallel.h"

namespace stillpoint {

/// Calls visit(branch, its factors) for the branches of one round at the same time.
template <class Visit>
void for_branches_of(const std::vector<Index>& round, const FrontFactors& factors, const Visit& visit) {
  in_parallel(static_cast<Index>(round.size()),
              [&](Index k) { visit(factors.branches->all[round[k]], factors.of_branches[round[k]]); });
}

/// The children before their parents.
template <class Visit>
void for_branches_upwards(const FrontFactors& factors, const Visit& visit) {
  for (const std::vector<Index>& round : factors.branches->rounds) for_branches_of(round, factors, visit);
}

/// The parents before their children.
template <class Visit>
void for_branches_downwards(const FrontFactors& factors, const Visit& visit) {
  const auto& rounds = factors.branches->rounds;
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) for_branches_of(*round, factors, visit);
}

/// Calls join(original, copy) with the places of all copies that the children of a branch have.
template <class Join>
void for_copies_below(const FrontFactors& factors, const FrontBranch& branch, const Join& join) {
  for (const Index child : branch.children) {
    Index copy = factors.branches->all[child].copies;
    for (const Index original : factors.branches->all[child].originals) join(original, copy++);
  }
}

/// Calls steps.eliminate(front) and steps.substitute_back(front), and where unknowns were transformed
/// steps.apply_transposed(rotation) and steps.apply(rotation), in the right order, and steps.add(to, from) and
/// steps.copy(to, from) for copies; steps are those that steps_of_branch() returns for each branch and direction.
template <class MakeSteps>
void walk(const FrontFactors& factors, const MakeSteps& steps_of_branch) {
  for_branches_upwards(factors, [&](const FrontBranch& branch, const BranchFactors& own) {
    auto steps = steps_of_branch(own);
    for_copies_below(factors, branch, [&](Index original, Index copy) { steps.add(original, copy); });
    auto rotation = own.rotations.begin();
    for (Index f = 0; f < static_cast<Index>(own.fronts.size()); ++f) {
      for (; rotation != own.rotations.end() && rotation->before == f; ++rotation) steps.apply_transposed(*rotation);
      steps.eliminate(own.fronts[f]);
    }
  });
  for_branches_downwards(factors, [&](const FrontBranch& branch, const BranchFactors& own) {
    auto steps = steps_of_branch(own);
    auto rotation = own.rotations.end();
    for (Index f = static_cast<Index>(own.fronts.size()) - 1; f >= 0; --f) {
      steps.substitute_back(own.fronts[f]);
      for (; rotation != own.rotations.begin() && std::prev(rotation)->before == f; --rotation)
        steps.apply(*std::prev(rotation));
    }
    for_copies_below(factors, branch, [&](Index original, Index copy) { steps.copy(copy, original); });
  });
}

}  // namespace stillpoint
