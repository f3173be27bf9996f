// Registration of files that are being written, so that an interrupted program removes them.
#pragma once

#include <csignal>
#include <string>

namespace stillpoint {

/// Marks a file or folder as unfinished during the lifetime of this object.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  int place_ = -1;
};

/// Removes all unfinished files, the latest first. It may be called from a signal handler, after which the program
/// should end.
void remove_unfinished() noexcept;

/// Blocks SIGINT, SIGTERM and SIGHUP during the lifetime of this object, while several files are renamed together.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace stillpoint
