// Input and output of a linear system without its matrices, as JSON: names, operating point, rank, branches.
#pragma once

#include <cstdio>
#include <string>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Returns false if writing fails.
bool write_system_json(std::FILE* file, const LinearSystem& system);

/// Completes a system whose matrices have been read. Throws Error.
void read_system_json(const std::string& path, LinearSystem& system);

}  // namespace stillpoint
