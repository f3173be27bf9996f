#include "stillpoint/version.h"

namespace stillpoint {

std::string version() { return STILLPOINT_VERSION; }

}  // namespace stillpoint
