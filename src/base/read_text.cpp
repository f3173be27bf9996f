#include "base/read_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "stillpoint/error.h"

namespace stillpoint {

void require_file(const std::string& path) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(path, none);
  if (std::filesystem::is_directory(status)) throw Error({path, 0, 0}, "is a folder; it must be a file");
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    throw Error({path, 0, 0}, "is a device; it must be a file or a pipe");
}

std::string read_text(const std::string& path, std::size_t most) {
  constexpr std::size_t part = 1 << 16;
  require_file(path);
  const auto fail = [&path] { throw Error({path, 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno))); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) fail();
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + std::min(std::max(part, before), most + 1 - before));
    text.resize(before + std::fread(text.data() + before, 1, text.size() - before, file.get()));
    if (std::ferror(file.get()) != 0) fail();
    if (text.size() > most)
      throw Error({path, 0, 0}, fmt::format("is longer than {} MB, the most that is read", most >> 20));
    if (text.size() == before) return text;
  }
}

}  // namespace stillpoint
