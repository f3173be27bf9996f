// Which constraints count: as many rows of J as are independent of each other.

#include <algorithm>
#include <numeric>

#include "base/at.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr Index many_rows = 1000;  // beyond them a rank costs more than a factorisation

std::vector<Index> all_rows(const Search& search) {
  std::vector<Index> rows(at(search.statics.m()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

// In large models whose loops close exactly, a sound factorisation is enough to start with; the rank is decided at
// rest. The factorisation is the one that multipliers are fitted with, and so they are.
bool all_rows_will_do(Search& search) {
  Statics& statics = search.statics;
  if (statics.m() < many_rows || search.opening > 0 || search.options.rank) return false;
  Point point = statics.at(search.start);
  if (!statics.fit_multipliers(point)) return false;
  search.start = std::move(point.state);
  search.dependence.independent = all_rows(search);
  search.dependence.rank.value = statics.m();
  return true;
}

}  // namespace

// By rounding of its coordinates, or by what the constraints leave open.
double blur(const Search& search, const State& state) {
  return std::min(0.1, std::max(10 * search.opening, search.statics.closing_noise(state) / 4));
}

RowDependence dependence_at(Search& search, const State& state) {
  return search.statics.dependence(search.statics.matrices(state),
                                   {.noise = blur(search, state), .rank = search.options.rank});
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
