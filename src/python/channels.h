// Inputs and outputs by name.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint::python {

/// The system with these inputs and outputs, without names with its own. Throws Error, with what could be named, if it
/// has none then.
LinearSystem with_named_channels(const LinearSystem& system, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs);

}  // namespace stillpoint::python
