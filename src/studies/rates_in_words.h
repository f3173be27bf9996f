// What the progress of sensitivities says.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "stillpoint/system_rates.h"

namespace stillpoint {

/// "rates with respect to 'k', 3 of 12 parameters", of which two are done.
inline std::string rates_in_words(std::size_t done, const std::vector<Variation>& parameters) {
  return fmt::format("rates with respect to '{}', {} of {} parameters", parameters[done].name, done + 1,
                     parameters.size());
}

}  // namespace stillpoint
