#pragma once

#include <string>

namespace stillpoint {

/// Returns the version of the library, e.g. "0.1.0".
std::string version();

}  // namespace stillpoint
