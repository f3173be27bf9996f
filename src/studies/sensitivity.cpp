#include "stillpoint/sensitivity.h"

#include <algorithm>
#include <iterator>

#include "base/at.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "studies/rates_in_words.h"

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

Sensitivity find_sensitivity(const LinearSystem& system, const Equilibrium& rest, const std::vector<Mode>& modes,
                             const std::vector<Variation>& parameters,
                             const std::function<void(const std::string&)>& progress) {
  const ModeDifferentiator differentiator(system, modes);
  Sensitivity result;
  result.modes = modes;
  for (const Variation& parameter : parameters) {
    if (progress) progress(rates_in_words(result.parameters.size(), parameters));
    ParameterSensitivity& one = result.parameters.emplace_back();
    one.parameter = parameter;
    try {
      one.rates = system_rates(parameter, rest, {.frozen = true});
      one.modes = differentiator.rates(one.rates);
    } catch (const Error& refused) {  // the report says so in the place of the rates
      one.refused = refused.what();
    }
  }
  return result;
}

}  // namespace stillpoint
