// The report of modes together with effective masses.
#pragma once

#include <string>

#include "stillpoint/effective_masses.h"

namespace stillpoint {

/// The text of modes, followed by the table of the masses.
std::string text_with_masses(const std::string& modes, const EffectiveMasses& masses);
/// The JSON object of modes with the further key "effective_masses".
std::string json_with_masses(const std::string& modes, const EffectiveMasses& masses);

}  // namespace stillpoint
