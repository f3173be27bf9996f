// Equilibria at singular configurations, where J loses rank at the configuration but not in its neighbourhood.

#include <algorithm>

#include "equilibrium/configuration.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr double nearly_singular = 1e-6;  // singular values of J below this fraction of the largest

Index rows_in_use(const Statics& statics) {
  const std::vector<char>& is_on = statics.rows_in_use();
  return is_on.empty() ? statics.m() : static_cast<Index>(std::count(is_on.begin(), is_on.end(), 1));
}

bool is_redundancy(Search& search, const RowDependence& here) {
  if (here.rank.value != search.dependence.rank.value) return false;
  const State& state = search.point.state;
  return classify_configuration(search.statics, state, here, state_uncertainty(search, state)).kind ==
         ConfigurationType::redundant;
}

// The iteration ended at the same configuration, and all constraints are satisfied there.
bool went_into_it(const Search& search, const Relaxation& done) {
  if (done.end != Relaxation::End::at_rest) return false;
  const Statics& statics = search.statics;
  const State& from = search.point.state;
  const double allowed = std::max(100 * statics.constraint_noise(from), 2 * search.residual_bound);
  return largest(statics.difference(from, done.point.state)) < 1e-2 &&
         largest(statics.whole_phi(done.point.state)) <= allowed;
}

}  // namespace

bool may_be_singular(Search& search) {
  if (search.statics.m() == 0) return false;
  const RowDependence here = dependence_at(search, search.point.state);
  return here.rank.outcome != RankOutcome::full && !is_redundancy(search, here);
}

// Near an equilibrium at a singular configuration Newton's method converges slowly, because J loses rank. With rows
// that stay independent it needs a few steps; the result is accepted if the omitted rows are satisfied in the end.
void enter_singular_configuration(Search& search) {
  Statics& statics = search.statics;
  if (statics.m() == 0) return;
  const Index were_in_use = rows_in_use(statics);
  choose_rows(search, search.point.state);
  const bool crept = search.end != Relaxation::End::at_rest;
  if (search.options.rank || (!crept && !(search.dependence.rank.smallest_kept < nearly_singular))) return;
  const RowDependence coarse =
      statics.dependence(statics.matrices(search.point.state), {.noise = nearly_singular, .has_even_columns = true});
  if (coarse.rank.outcome != RankOutcome::deficient || coarse.rank.value >= were_in_use) return;
  statics.use_rows(coarse.independent);
  State from = search.point.state;
  from.lambda.resize(0);
  // The residual of the omitted rows may grow on the way.
  Relaxation done = relax(statics, from, Measure::residual, search.most_iterations(), 1e-3);
  search.rest.iterations += done.iterations;
  if (!went_into_it(search, done)) return statics.use_rows(search.dependence.independent);
  search.continue_from(std::move(done));
  choose_rows(search, search.point.state);
  search.rest.fallbacks.push_back("Newton's method continued with fewer constraints into a singular configuration");
}

}  // namespace stillpoint
