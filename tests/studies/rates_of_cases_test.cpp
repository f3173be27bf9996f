// Every parameter of every case: the rates of its equilibrium and of its lowest modes against differences of the whole
// chain, in which the equilibrium is found anew at each value.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/mode_rates.h"
#include "support/case_runs.h"
#include "support/linearize/claims.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

constexpr std::size_t most_modes = 6;
constexpr Index most_coordinates = 150;  // in CI

/// The eigenvalue next to s with this value of the parameter, from the neighbouring equilibrium.
std::optional<Complex> eigenvalue_at(const Variation& variation, const Equilibrium& rest, double t, Complex s) {
  const Model model = variation.model_at(variation.value + t);
  State start = rest.state;
  start.u += model.initial_state().u - variation.model_at(variation.value).initial_state().u;
  const Equilibrium there = find_equilibrium(model, start, {.rest = EquilibriumRequest::nearest});
  if (there.status != EquilibriumStatus::at_rest) return {};
  const LinearSystem system = linearize(model, there);
  std::optional<Complex> nearest;
  for (const Mode& mode : find_modes(system).spectrum.modes) {
    if (!nearest || std::abs(mode.s - s) < std::abs(*nearest - s)) nearest = mode.s;
  }
  return nearest;
}

/// Of order six; nothing where a value is refused.
std::optional<Complex> difference_of_chain(const Variation& variation, const Equilibrium& rest, Complex s,
                                           double step) {
  constexpr std::array weights{3.0 / 4, -3.0 / 20, 1.0 / 60};
  Complex sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double t = static_cast<double>(k + 1) * step;
    std::optional<Complex> up, down;
    try {
      up = eigenvalue_at(variation, rest, t, s);
      down = eigenvalue_at(variation, rest, -t, s);
    } catch (const Error&) {
      return {};
    }
    if (!up || !down) return {};
    sum += weights[k] * (*up - *down) / step;
  }
  return sum;
}

bool is_apart(const std::vector<Mode>& modes, std::size_t i) {
  constexpr double apart = 1e-2;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (k != i && std::abs(modes[k].s - modes[i].s) < apart * std::abs(modes[i].s)) return false;
  }
  return true;
}

struct Tally {
  int compared = 0, wrong = 0;
  std::vector<std::string> excluded;
};

void compare(const std::string& name, const Variation& variation, const Equilibrium& rest, const SystemRates& rates,
             const std::vector<Mode>& modes, const std::vector<ModeRate>& of_modes, Tally& tally) {
  for (std::size_t i = 0; i < std::min(most_modes, modes.size()); ++i) {
    const Mode& mode = modes[i];
    if (mode.s.imag() < 0 || of_modes[i].kind != ModeRate::Kind::single || !is_apart(modes, i) || mode.s == 0.0)
      continue;
    const double scale = variation.value == 0 ? 1 : std::abs(variation.value);
    double best = 1e300;
    Complex closest = 0;
    for (const double step : {1e-3, 1e-4, 1e-5}) {
      const auto chain = difference_of_chain(variation, rest, mode.s, step * scale);
      if (!chain) continue;
      const double wrong = std::abs(*chain - of_modes[i].s) / std::max(std::abs(*chain), std::abs(mode.s) / scale);
      if (wrong < best) closest = *chain;
      best = std::min(best, wrong);
      if (best < 1e-6) break;
    }
    if (best == 1e300) {
      tally.excluded.push_back(fmt::format("{} {}: the chain has no differences", name, variation.name));
      return;
    }
    ++tally.compared;
    if (best > 1e-6) {
      ++tally.wrong;
      MESSAGE(fmt::format("{} {} mode {}: s' = {} {:+}i, chain {} {:+}i, estimate of the error {:.2g}, models {}", name,
                          variation.name, i, of_modes[i].s.real(), of_modes[i].s.imag(), closest.real(), closest.imag(),
                          of_modes[i].error, rates.models));
    }
  }
}

}  // namespace

TEST_CASE("mode rates: of every parameter of every case agree with differences of the whole chain") {
  Tally tally;
  for (const std::string& name : case_names()) {
    const ModelFamily family((cases::root() / "cases" / name).string());
    const Model model = family.at();
    if (model.coordinates() > most_coordinates) continue;
    const Equilibrium rest = find_equilibrium(model);
    if (rest.kind == ConfigurationType::singular || rest.kind == ConfigurationType::isolated) {
      tally.excluded.push_back(name + ": singular");
      continue;
    }
    const LinearSystem system = linearize(model, rest);
    const std::vector<Mode> modes = find_modes(system).spectrum.modes;
    const ModeDifferentiator differentiator(system, modes);
    for (const ModelParameter& parameter : family.parameters()) {
      try {
        const Variation variation = parameter_of(family, parameter.name);
        const SystemRates rates = system_rates(variation, rest);
        compare(name, variation, rest, rates, modes, differentiator.rates(rates), tally);
      } catch (const Error& refused) {
        tally.excluded.push_back(fmt::format("{} {}: {}", name, parameter.name, refused.what()));
      }
    }
  }
  for (const std::string& excluded : tally.excluded) MESSAGE(excluded);
  MESSAGE(tally.compared << " rates compared");
  CHECK(tally.wrong == 0);
  CHECK(tally.compared > 200);
}
