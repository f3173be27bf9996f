// Files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace stillpoint {

/// Writes beside the target and renames. Throws Error; an older file of that name is then as it was.
void write_whole_file(const std::string& path, const std::string& content);
/// The same with a content too long to hold in memory: `write` puts it into the open file, and says whether it could.
void write_whole_file(const std::string& path, const std::function<bool(std::FILE*)>& write);

}  // namespace stillpoint
