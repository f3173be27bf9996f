#pragma once

#include <string>

namespace stillpoint {

/// The version of the library, e.g. "0.1.0".
std::string version();

}  // namespace stillpoint
