// The state at the end of a motion as JSON, from which another motion starts.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/motion.h"

namespace stillpoint {

inline constexpr const char* motion_schema = "stillpoint.motion/1";

/// Time, positions, orientations (as quaternions), rates and inputs by name, with all digits.
nlohmann::ordered_json end_as_json(const Model& model, const Motion& motion);

}  // namespace stillpoint
