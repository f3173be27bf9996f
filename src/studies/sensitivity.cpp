#include "stillpoint/sensitivity.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/at.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "studies/rates_in_words.h"
#include "studies/rates_nearby.h"

namespace stillpoint {

std::vector<Variation> variations_of(const ModelFamily& family, const Parameters& settings) {
  std::vector<Variation> result;
  for (const ModelParameter& parameter : family.parameters(settings)) {
    if (!parameter.is_integer) result.push_back(parameter_of(family, parameter.name, settings));
  }
  return result;
}

ModesWithRates lowest_modes(const LinearSystem& system, Index count,
                            const std::function<void(const std::string&)>& progress) {
  constexpr Index more = 12;  // copies of the last one that are looked for
  AnalysisOptions search;
  search.modes.which = Lowest{count + more};
  search.modes.progress = progress;
  search.modes.spurious = false;
  const Spectrum found = find_modes(system, Method::mcs, search).spectrum;
  ModesWithRates lowest{.modes = {}, .warnings = found.warnings};
  for (const Mode& mode : found.modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite() || mode.s.imag() < 0) continue;
    if (static_cast<Index>(lowest.modes.size()) >= count && !are_copies(lowest.modes.back(), mode)) break;
    lowest.modes.push_back(mode);
  }
  return lowest;
}

ModesWithRates equal_modes(const ModesWithRates& all, Index number) {
  const Mode& chosen = all.modes[at(number - 1)];
  const auto is_copy = [&](const Mode& mode) { return are_copies(chosen, mode); };
  const auto first = std::find_if(all.modes.begin(), all.modes.end(), is_copy);
  ModesWithRates copies{
      .modes = {}, .first = static_cast<std::size_t>(first - all.modes.begin()), .warnings = all.warnings};
  std::copy_if(all.modes.begin(), all.modes.end(), std::back_inserter(copies.modes), is_copy);
  return copies;
}

namespace {

/// Whether so many parameters pay for adjoint solutions, which take the derivatives of the matrices along the motion of
/// each mode, and the rates of a parameter half of the evaluations; and whether there are any.
bool finds_adjoints(ModeDifferentiator& differentiator, const Model& model, const Equilibrium& rest,
                    const BorderedProblem& problem, std::size_t modes, std::size_t parameters) {
  constexpr std::size_t paying = 2;  // parameters for each mode; docs/benchmarks.md has what was measured
  if (parameters <= paying * modes || rest.status != EquilibriumStatus::at_rest) return false;
  try {
    differentiator.find_adjoints(model, rest, problem);
  } catch (const Error&) {  // then every parameter has its own total derivatives
    return false;
  }
  return true;
}

/// Where stiff parts hide the derivatives of the others in the differences, the total derivatives are better.
bool are_exact(const std::vector<ModeRate>& rates) {
  constexpr double exact = 1e-10;
  return std::all_of(rates.begin(), rates.end(), [](const ModeRate& rate) {
    return rate.kind == ModeRate::Kind::defective ||
           !(rate.error > exact * std::max(std::abs(rate.s), std::abs(rate.frozen)));
  });
}

}  // namespace

// The equations of the equilibrium are those of all parameters.
Sensitivity find_sensitivity(const LinearSystem& system, const Equilibrium& rest, const std::vector<Mode>& modes,
                             const std::vector<Variation>& parameters,
                             const std::function<void(const std::string&)>& progress) {
  Sensitivity result;
  result.modes = modes;
  if (parameters.empty()) return result;
  const BorderedProblem problem(system);
  ModeDifferentiator differentiator(system, modes, problem);
  const Model model = parameters.front().model_at(parameters.front().value);
  const bool by_adjoints = finds_adjoints(differentiator, model, rest, problem, modes.size(), parameters.size());
  const RatesOptions options{.frozen = true, .with_shift = !by_adjoints};
  const auto statics = std::make_shared<Statics>(model, rest.state);
  for (const Variation& parameter : parameters) {
    if (progress) progress(rates_in_words(result.parameters.size(), parameters));
    ParameterSensitivity& one = result.parameters.emplace_back();
    one.parameter = parameter;
    try {
      const Model same = parameter.model_at(parameter.value);
      one.rates = rates_nearby(parameter, same, rest, options, {statics, {}});
      one.modes = differentiator.rates(one.rates);
      if (by_adjoints && !are_exact(one.modes)) {
        one.rates = rates_nearby(parameter, same, rest, {.frozen = true}, {statics, {}});
        one.modes = differentiator.rates(one.rates);
      }
    } catch (const Error& refused) {  // the report says so in the place of the rates
      one.refused = refused.what();
    }
  }
  return result;
}

}  // namespace stillpoint
