// Files that are written completely or not at all.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace stillpoint {

/// Writes a temporary file beside the target and renames it. Throws Error; an existing file of that name is then
/// unchanged.
void write_whole_file(const std::string& path, const std::string& content);
/// Writes content that is too long to hold in memory: `write` writes to the open file and returns whether it succeeded.
void write_whole_file(const std::string& path, const std::function<bool(std::FILE*)>& write);

}  // namespace stillpoint
