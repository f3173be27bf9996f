// Assembly of the guess: from the guess itself or, if that fails, from random states near it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/name_list.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr int assembly_attempts = 6;

// Held coordinates are made stiff first, so that the others satisfy the constraints where that is possible; a second
// assembly without them removes the remaining residual.
AssemblyResult assembled_from_guess(Search& search) {
  if (search.options.held.empty()) return search.assembled(search.guess);
  search.statics.stiffen(search.options.held);
  const AssemblyResult held = search.assembled(search.guess);
  search.statics.stiffen({});
  return search.assembled(held.state);
}

AssemblyResult assembled_from_near(Search& search, AssemblyResult best) {
  std::mt19937 random(1);
  for (int attempt = 1; attempt < assembly_attempts && !is_assembled(search, best); ++attempt) {
    AssemblyResult other = search.assembled(perturbed_at_random(search, search.guess, 0.05 * attempt, random));
    if (is_assembled(search, other)) {
      search.rest.fallbacks.push_back(
          "the constraints could not be assembled from the guess itself, but from a state near it");
    }
    if (other.constraint_residual() < best.constraint_residual()) best = std::move(other);
  }
  return best;
}

void accept_residual(Search& search, const AssemblyResult& assembled) {
  const Eigen::VectorXd phi = constraint_residual(search.model, assembled.state);
  search.statics.allow_residual(phi);
  search.residual_bound = assembled.constraint_residual();
  Index worst = 0;
  assembled.phi.cwiseAbs().maxCoeff(&worst);
  search.rest.warnings.push_back(
      fmt::format("the constraints cannot all be satisfied at once: '{}' keeps a residual of {:.3g} (its own unit), "
                  "{:.3g} of the typical length; this is taken as rounding of the model's numbers",
                  search.model.constraint_name(worst), phi[worst], search.residual_bound));
}

// At a minimum of |Φ|², where JᵀΦ = 0, the constraints with a residual are those that contradict each other.
std::string contradiction(const Model& model, const Eigen::VectorXd& phi) {
  std::vector<std::string> names;
  Index count = 0;
  for (Index i = 0; i < phi.size(); ++i) {
    if (std::abs(phi[i]) < 1e-2 * largest(phi)) continue;
    if (++count <= 8) names.push_back("'" + model.constraint_name(i) + "'");
  }
  return name_list(names, count);
}

void refuse_unassembled(Search& search, const AssemblyResult& assembled) {
  Equilibrium& rest = search.rest;
  rest.status = EquilibriumStatus::not_assembled;
  rest.state = assembled.state;
  note_constraint_residual(search, assembled.phi);
  const std::string names = contradiction(search.model, assembled.phi);
  rest.message = assembled.stationary
                     ? fmt::format(
                           "the constraints {} contradict each other near the guess: their residual is {:.3g} of the "
                           "typical length ({:.3g} m), where {:.3g} is allowed as rounding of the model's numbers",
                           names, assembled.constraint_residual(), rest.typical_length, search.options.precision)
                     : fmt::format(
                           "the constraints were not assembled after all steps: the residual of {} is {:.3g} of the "
                           "typical length ({:.3g} m); a guess nearer to a possible position may help",
                           names, assembled.constraint_residual(), rest.typical_length);
}

}  // namespace

bool is_assembled(const Search& search, const AssemblyResult& assembled) {
  return assembled.constraint_residual() <=
         std::max(search.options.precision, search.statics.constraint_noise(assembled.state));
}

State perturbed_at_random(const Search& search, const State& state, double size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd x(search.statics.n());
  for (double& entry : x) entry = size * normal(random);
  return search.statics.displaced(state, x);
}

bool assemble_guess(Search& search) {
  const AssemblyResult assembled = assembled_from_near(search, assembled_from_guess(search));
  search.start = assembled.state;
  if (!is_assembled(search, assembled)) {
    refuse_unassembled(search, assembled);
    return false;
  }
  if (assembled.constraint_residual() > 100 * search.statics.constraint_noise(assembled.state))
    accept_residual(search, assembled);
  return true;
}

}  // namespace stillpoint
