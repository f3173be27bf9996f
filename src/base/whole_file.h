// Files that appear whole or not at all.
#pragma once

#include <string>

namespace stillpoint {

/// Writes beside the target and renames. Throws Error; an older file of that name is then as it was.
void write_whole_file(const std::string& path, const std::string& content);

}  // namespace stillpoint
