// The shift of the equilibrium by one adjoint solution for each mode against that of each parameter.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "algebra/sparse/chosen_rows.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/sensitivity.h"
#include "studies/adjoint_of_shift.h"
#include "studies/studies_cases.h"
#include "support/case_runs.h"
#include "support/linearize/claims.h"

using namespace stillpoint;
using stillpoint::testing::family_of_case;

namespace {

constexpr std::size_t most_modes = 4;

std::vector<Mode> lowest(const LinearSystem& system) {
  std::vector<Mode> modes;
  for (const Mode& mode : find_modes(system).spectrum.modes) {
    const bool is_conjugate = !modes.empty() && mode.s.imag() < 0;
    if (mode.is_infinite() || mode.s == 0.0 || is_conjugate) continue;
    if (modes.size() >= most_modes && !are_copies(modes.back(), mode)) break;
    modes.push_back(mode);
  }
  return modes;
}

/// The sum of the magnitudes of the terms of (15.3), whose divisor is one for these vectors, and of those of (15.12),
/// with those of yᴴP(s)x itself, of which the parameter changes parts.
double terms_of(const SystemRates& rates, const Mode& mode, const BorderedProblem& problem, const LinearSystem& system,
                AdjointOfShift& shift, double size) {
  const std::vector<Index>& rows = system.rows.independent;
  const BorderedVector right = problem.with_multipliers(mode.s, mode.shape),
                       left = problem.with_left_multipliers(mode.s, mode.left, right);
  const Eigen::VectorXd x = right.coordinates.cwiseAbs(), y = left.coordinates.cwiseAbs();
  const double s = std::abs(mode.s);
  double terms =
      y.dot(s * s * (rates.M.rate.cwiseAbs() * x) + s * (rates.C.rate.cwiseAbs() * x) + rates.K.rate.cwiseAbs() * x);
  const AdjointOfShift::Slopes slopes = shift.along(mode.s, right);
  terms += y.dot(slopes.K.cwiseAbs() * rates.q.cwiseAbs());
  terms += y.dot(s * s * (system.M.cwiseAbs() * x) + s * (system.C.cwiseAbs() * x) + system.K.cwiseAbs() * x) / size;
  if (rows.empty()) return terms;
  const SparseMatrix J = chosen_rows(rates.J.rate, rows).cwiseAbs();
  return terms + right.multipliers.cwiseAbs().dot(J * y) + left.multipliers.cwiseAbs().dot(J * x);
}

struct Tally {
  int compared = 0, shifted = 0, without = 0;
  double worst = 0;
  std::string worst_one;
};

void compare(const std::string& name, const ModelFamily& family, Tally& tally) {
  const Model model = family.at();
  const Equilibrium rest = find_equilibrium(model);
  if (rest.status != EquilibriumStatus::at_rest) return;
  const LinearSystem system = linearize(model, rest);
  const std::vector<Mode> modes = lowest(system);
  const BorderedProblem problem(system);
  ModeDifferentiator differentiator(system, modes, problem);
  try {
    differentiator.find_adjoints(model, rest, problem);
  } catch (const Error&) {
    ++tally.without;
    return;
  }
  AdjointOfShift shift(model, rest, problem);
  for (const ModelParameter& parameter : family.parameters()) {
    if (parameter.is_integer) continue;
    try {
      const Variation variation = parameter_of(family, parameter.name);
      const SystemRates total = system_rates(variation, rest, {.frozen = true});
      const std::vector<ModeRate> forward = differentiator.rates(total),
                                  by_adjoint =
                                      differentiator.rates(system_rates(variation, rest, {.with_shift = false}));
      const double size = variation.value == 0 ? 1 : std::abs(variation.value);
      for (std::size_t i = 0; i < modes.size(); ++i) {
        CHECK(forward[i].kind == by_adjoint[i].kind);
        if (forward[i].kind != ModeRate::Kind::single) continue;
        const double terms = terms_of(total, modes[i], problem, system, shift, size);
        const double wrong = std::abs(forward[i].s - by_adjoint[i].s) / terms;
        ++tally.compared;
        tally.shifted += std::abs(forward[i].s - forward[i].frozen) > 1e-6 * terms;
        if (wrong <= tally.worst) continue;
        tally.worst = wrong;
        tally.worst_one = fmt::format("{} {} mode {}", name, parameter.name, i);
      }
    } catch (const Error&) {  // there are no rates, which others test
    }
  }
}

}  // namespace

TEST_CASE("adjoint: the rates of every parameter of every case are those of its own shift") {
  constexpr Index most_coordinates = 150;
  Tally tally;
  for (const std::string& name : case_names()) {
    const ModelFamily family = family_of_case(name);
    if (family.at().coordinates() <= most_coordinates) compare(name, family, tally);
  }
  for (const Index N : {5, 20})
    compare(fmt::format("four_bar {}", N), family_of_case("four_bar", {{"N", N}, {"c", 1}}), tally);
  MESSAGE(tally.compared << " compared, " << tally.shifted << " of them shifted, " << tally.without
                         << " cases without adjoint solutions; worst " << tally.worst << " at " << tally.worst_one);
  CHECK(tally.compared > 100);
  CHECK(tally.shifted > 20);
  CHECK(tally.worst < 1e-11);  // 294 of 308 agree to 1e-12
}
