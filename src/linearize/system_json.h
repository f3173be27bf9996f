// What a linear system knows beside its matrices, as JSON: names, operating point, rank, branches.
#pragma once

#include <cstdio>
#include <string>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// False if the file does not take it.
bool write_system_json(std::FILE* file, const LinearSystem& system);

/// Adds it to a system whose matrices are there already. Throws Error.
void read_system_json(const std::string& path, LinearSystem& system);

}  // namespace stillpoint
