// What is found in the signals of a motion.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stillpoint/motion.h"

namespace stillpoint {

/// In its outputs by their names, or in its coordinates if there are no outputs.
std::vector<std::pair<std::string, Identified>> identified_in(const Model& model, const Motion& motion);

}  // namespace stillpoint
