// Text files read as a whole, with a limit on their size.
#pragma once

#include <cstddef>
#include <string>

namespace stillpoint {

/// Throws Error if the path is a folder, or a device that never ends, such as /dev/zero. A pipe is allowed.
void require_file(const std::string& path);

/// Reads a file to its end. Throws Error if it cannot be read or is longer than `most` bytes.
std::string read_text(const std::string& path, std::size_t most);

}  // namespace stillpoint
