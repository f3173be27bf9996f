#include "base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "stillpoint/error.h"

namespace stillpoint {

void write_whole_file(const std::string& path, const std::string& content) {
  const std::string beside = fmt::format("{}.{}.part", path, getpid());
  std::FILE* const file = std::fopen(beside.c_str(), "wb");
  bool good = file != nullptr;
  if (file) {
    good = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    good = std::fflush(file) == 0 && good;
    good = fsync(fileno(file)) == 0 && good;
    good = std::fclose(file) == 0 && good;
  }
  good = good && std::rename(beside.c_str(), path.c_str()) == 0;
  if (good) return;
  const std::string reason = std::strerror(errno);
  std::remove(beside.c_str());
  throw Error({path, 0, 0}, "cannot be written: " + reason);
}

}  // namespace stillpoint
