#include "base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/unfinished.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// Returns 0, or the errno of the first failure.
int write_file(const std::string& path, const std::function<bool(std::FILE*)>& write) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (!file) return errno;
  int failure = 0;
  const auto note = [&failure](bool good) {
    if (!good && failure == 0) failure = errno != 0 ? errno : EIO;
  };
  note(write(file));
  note(std::fflush(file) == 0);
  note(fsync(fileno(file)) == 0 || errno == EINVAL);  // a pipe or device cannot be synchronised
  note(std::fclose(file) == 0);
  return failure;
}

}  // namespace

void write_whole_file(const std::string& path, const std::string& content) {
  write_whole_file(path, [&content](std::FILE* file) {
    return std::fwrite(content.data(), 1, content.size(), file) == content.size();
  });
}

void write_whole_file(const std::string& path, const std::function<bool(std::FILE*)>& write) {
  // The existing target decides: the file behind a link is replaced and the link kept; a device or pipe is written
  // directly.
  std::error_code none;
  const bool exists = std::filesystem::exists(path, none);
  const bool special = exists && !std::filesystem::is_regular_file(path, none);
  const std::string target = exists && !special ? std::filesystem::canonical(path, none).string() : path;
  if (!special) remove_abandoned(target);
  const std::string written = special ? path : fmt::format("{}.{}.part", target, getpid());
  const std::optional<Unfinished> unfinished =
      special ? std::nullopt : std::optional<Unfinished>(std::in_place, written);

  int failure = write_file(written, write);
  if (failure == 0 && !special && std::rename(written.c_str(), target.c_str()) != 0) failure = errno;
  if (failure == 0) return;
  if (!special) std::remove(written.c_str());
  throw Error({path, 0, 0}, fmt::format("cannot be written: {}", std::strerror(failure)));
}

}  // namespace stillpoint
