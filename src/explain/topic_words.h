// What is to be explained, in the words of a user: "mode 2", "spurious ucs 3", "redundancy".
#pragma once

#include <string>
#include <vector>

#include "stillpoint/explanation.h"

namespace stillpoint {

/// Without words the few things worth knowing. Throws Error, with the words that are allowed, for any others.
ExplanationRequest explanation_request(const std::vector<std::string>& words);

}  // namespace stillpoint
