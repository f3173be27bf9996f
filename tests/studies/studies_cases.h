// What the tests of parameter studies share.
#pragma once

#include <string>

#include "stillpoint/equilibrium.h"
#include "stillpoint/model_family.h"
#include "stillpoint/system_rates.h"

namespace stillpoint::testing {

inline ModelFamily family_of_case(const std::string& name, const Parameters& settings = {}) {
  return ModelFamily(std::string(STILLPOINT_SOURCE_DIR) + "/cases/" + name, settings);
}

/// A parameter of a case, beside settings, and the equilibrium at its value.
struct Study {
  Study(const std::string& name, const std::string& parameter, const Parameters& settings = {},
        EquilibriumRequest rest = EquilibriumRequest::nearest)
      : family(family_of_case(name, settings)),
        variation(parameter_of(family, parameter)),
        start(find_equilibrium(family.at(), {.rest = rest})) {}

  ModelFamily family;
  Variation variation;
  Equilibrium start;
};

}  // namespace stillpoint::testing
