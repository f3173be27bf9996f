// Equilibria that are corrected from a neighbour, against those that are searched anew from the same prediction.
#include "studies/equilibrium_path.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "model/displacement.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "studies/studies_cases.h"
#include "support/case_runs.h"
#include "support/linearize/claims.h"

using namespace stillpoint;
using stillpoint::testing::Study;

namespace {

constexpr Index most_coordinates = 150;
constexpr EquilibriumOptions nearest{.rest = EquilibriumRequest::nearest};

double apart(const Model& model, const State& a, const State& b) {
  const Scales scales = find_scales(model, a, MotionAssembly(model).at(a).J);
  const Eigen::VectorXd way = displacement_between(model, a, b).cwiseQuotient(scales.s);
  return way.size() > 0 ? way.cwiseAbs().maxCoeff() : 0;
}

// Newton's method leaves a few times what rounding of the coordinates moves the equilibrium.
double rounding_of(const Model& model, const Equilibrium& rest) {
  double largest = 1e-13;
  for (const State& beside : rest.perturbed) largest = std::max(largest, apart(model, rest.state, beside));
  return 100 * largest;
}

State predicted_from(const Equilibrium& rest, const SystemRates& rates, const Model& model, double step) {
  State state = model.displaced(rest.state, step * rates.q);
  state.lambda = rest.state.lambda + step * rates.lambda;
  return state;
}

void compare(const std::string& name, const Model& model, const State& predicted, const Equilibrium& neighbour) {
  const CorrectedEquilibrium corrected = corrected_equilibrium(model, predicted, neighbour);
  const Equilibrium anew = find_equilibrium(model, predicted, nearest);
  INFO(name);
  REQUIRE(anew.status == EquilibriumStatus::at_rest);
  REQUIRE(corrected.rest.status == EquilibriumStatus::at_rest);
  CHECK(apart(model, corrected.rest.state, anew.state) <= rounding_of(model, anew));
  CHECK(corrected.rest.kind == anew.kind);
  CHECK(corrected.rest.dof == anew.dof);
  CHECK(corrected.rest.rank.outcome == anew.rank.outcome);
  CHECK(corrected.rest.independent_rows == anew.independent_rows);
  CHECK(corrected.rest.verdict == anew.verdict);
  CHECK(corrected.rest.unstable_directions == anew.unstable_directions);
  CHECK(corrected.rest.neutral_directions == anew.neutral_directions);
  CHECK(corrected.rest.perturbed.size() == anew.perturbed.size());
  // Once more, with what the first correction left: the rank by Weyl's bound, and the same order of elimination.
  const CorrectedEquilibrium again = corrected_equilibrium(model, predicted, neighbour, corrected.known);
  CHECK(apart(model, again.rest.state, anew.state) <= rounding_of(model, anew));
  CHECK(again.rest.rank.outcome == anew.rank.outcome);
  CHECK(again.rest.dof == anew.dof);
  CHECK(again.rest.verdict == anew.verdict);
}

}  // namespace

TEST_CASE(
    "corrected equilibria: next to the equilibrium of every case, for every parameter, they are those found anew") {
  int compared = 0;
  for (const std::string& name : case_names()) {
    const ModelFamily family((cases::root() / "cases" / name).string());
    if (family.at().coordinates() > most_coordinates) continue;
    const Equilibrium rest = find_equilibrium(family.at());
    for (const ModelParameter& parameter : family.parameters()) {
      if (parameter.is_integer || parameter.value == 0) continue;
      const Variation variation = parameter_of(family, parameter.name);
      const double step = 1e-3 * parameter.value;
      try {
        const SystemRates rates = system_rates(variation, rest);
        const Model model = variation.model_at(variation.value + step);
        compare(name + " " + parameter.name, model, predicted_from(rest, rates, model, step), rest);
        ++compared;
      } catch (const Error&) {  // no derivative, or no model: each has a test of its own
        continue;
      }
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("corrected equilibria: the rank is not taken over where J has moved too far") {
  const Study four_bar("four_bar", "k");
  const Model model = four_bar.family.at();
  const CorrectedEquilibrium here = corrected_equilibrium(model, four_bar.start.state, four_bar.start);
  REQUIRE(here.known.rank);
  const Model softer = four_bar.family.at({{"k", 24.999}}), other = four_bar.family.at({{"k", 60}});
  const CorrectedEquilibrium beside = corrected_equilibrium(softer, here.rest.state, here.rest, here.known);
  CHECK(beside.known.rank == here.known.rank);
  const Equilibrium far = find_equilibrium(other, nearest);
  const CorrectedEquilibrium there = corrected_equilibrium(other, far.state, here.rest, here.known);
  REQUIRE(there.rest.status == EquilibriumStatus::at_rest);
  CHECK(there.known.rank != here.known.rank);
  CHECK(there.rest.rank.outcome == RankOutcome::full);
}

TEST_CASE("corrected equilibria: beyond a fold there is none, and none far away is taken for it") {
  const Study truss("von_mises_truss", "P");
  const Model model = truss.family.at({{"P", 11}});
  const CorrectedEquilibrium found = corrected_equilibrium(model, truss.start.state, truss.start);
  const bool is_elsewhere =
      found.rest.status == EquilibriumStatus::at_rest && apart(model, found.rest.state, truss.start.state) > 0.1;
  CHECK((found.rest.status == EquilibriumStatus::not_converged || is_elsewhere));
  EquilibriumPath path(with_scale(truss.variation, {0, 11}), truss.start);
  CHECK_THROWS_AS(path.at(11), Undecided);
}
