// The time of day for what is written into files.
#pragma once

#include <string>

namespace stillpoint {

/// Now, in coordinated universal time: "2000-01-01T00:00:00Z" [ISO 8601].
std::string utc_now();

}  // namespace stillpoint
