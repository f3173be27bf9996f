// Rest positions where J loses rank, and only there: singular configurations.

#include <algorithm>

#include "equilibrium/freedom.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr double nearly_singular = 1e-6;  // singular values of J below this part of the largest

Index rows_in_use(const Statics& statics) {
  const std::vector<char>& is_on = statics.rows_in_use();
  return is_on.empty() ? statics.m() : static_cast<Index>(std::count(is_on.begin(), is_on.end(), 1));
}

bool is_redundancy(Search& search, const RowDependence& here) {
  if (here.rank.value != search.dependence.rank.value) return false;
  const State& state = search.point.state;
  return find_freedom(search.statics, state, here, blur(search, state)).kind == Freedom::redundant;
}

// The same place, and all constraints hold there.
bool went_into_it(const Search& search, const Relaxation& done) {
  if (done.end != Relaxation::End::at_rest) return false;
  const Statics& statics = search.statics;
  const State& from = search.point.state;
  const double allowed = std::max(100 * statics.closing_noise(from), 2 * search.opening);
  return largest(statics.difference(from, done.point.state)) < 1e-2 &&
         largest(statics.whole_gap(done.point.state)) <= allowed;
}

}  // namespace

bool may_be_singular(Search& search) {
  if (search.statics.m() == 0) return false;
  const RowDependence here = dependence_at(search, search.point.state);
  return here.rank.outcome != RankOutcome::full && !is_redundancy(search, here);
}

// Near a singular configuration at rest Newton's method creeps: J loses the rank that it needs. With rows that stay
// independent it goes there in a few steps; it was there if in the end the other rows hold, too.
void draw_into_singular(Search& search) {
  Statics& statics = search.statics;
  if (statics.m() == 0) return;
  const Index were_in_use = rows_in_use(statics);
  choose_rows(search, search.point.state);
  const bool crept = search.end != Relaxation::End::at_rest;
  if (search.options.rank || (!crept && !(search.dependence.rank.smallest_kept < nearly_singular))) return;
  const RowDependence blurred =
      statics.dependence(statics.matrices(search.point.state), {.noise = nearly_singular, .has_even_columns = true});
  if (blurred.rank.outcome != RankOutcome::deficient || blurred.rank.value >= were_in_use) return;
  statics.use_rows(blurred.independent);
  State from = search.point.state;
  from.lambda.resize(0);
  // The other rows may open on the way.
  Relaxation done = relax(statics, from, Measure::residual, search.most_iterations(), 1e-3);
  search.rest.iterations += done.iterations;
  if (!went_into_it(search, done)) return statics.use_rows(search.dependence.independent);
  search.go_on_from(std::move(done));
  choose_rows(search, search.point.state);
  search.rest.fallbacks.push_back("Newton's method went on with fewer constraints, into a singular configuration");
}

}  // namespace stillpoint
