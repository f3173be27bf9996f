// Choice of a maximal set of independent rows of J.

#include <algorithm>
#include <numeric>

#include "base/at.h"
#include "equilibrium/search.h"

namespace stillpoint {

std::vector<Index> all_rows(const Search& search) {
  std::vector<Index> rows(at(search.statics.m()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

namespace {

// In large models that assemble exactly, a regular factorisation is enough at the start; the rank is decided at the
// equilibrium. The factorisation is that of the multiplier fit, so the multipliers are fitted as well.
bool all_rows_will_do(Search& search) {
  Statics& statics = search.statics;
  if (statics.m() < many_rows || search.residual_bound > 0 || search.options.rank) return false;
  Point point = statics.at(search.start);
  if (!statics.fit_multipliers(point)) return false;
  statics.forget_factors();  // pivots of the metric do not suit the stiffness
  search.start = std::move(point.state);
  search.dependence.independent = all_rows(search);
  search.dependence.rank.value = statics.m();
  return true;
}

}  // namespace

// The uncertainty is that of rounding of the coordinates, or that of the remaining constraint residual.
double state_uncertainty(const Search& search, const State& state) {
  return std::min(0.1, std::max(10 * search.residual_bound, search.statics.constraint_noise(state) / 4));
}

RowDependence dependence_at(Search& search, const State& state) {
  return search.statics.dependence(search.statics.matrices(state),
                                   {.noise = state_uncertainty(search, state), .rank = search.options.rank});
}

void choose_rows(Search& search, const State& state) {
  if (search.statics.m() == 0) return;
  search.dependence = dependence_at(search, state);
  search.statics.use_rows(search.dependence.independent);
}

void choose_first_rows(Search& search) {
  if (!all_rows_will_do(search)) choose_rows(search, search.start);
}

void use_all_rows(Search& search) { search.statics.use_rows(all_rows(search)); }

}  // namespace stillpoint
