#include "stillpoint/sensitivity.h"

#include "stillpoint/error.h"

namespace stillpoint {

std::vector<Variation> variations_of(const ModelFamily& family, const Parameters& settings) {
  std::vector<Variation> result;
  for (const ModelParameter& parameter : family.parameters(settings)) {
    if (!parameter.is_integer) result.push_back(parameter_of(family, parameter.name, settings));
  }
  return result;
}

Sensitivity find_sensitivity(const LinearSystem& system, const Equilibrium& rest, const std::vector<Mode>& modes,
                             const std::vector<Variation>& parameters) {
  const ModeDifferentiator differentiator(system, modes);
  Sensitivity result;
  result.modes = modes;
  for (const Variation& parameter : parameters) {
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
