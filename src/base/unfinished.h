// Files that are being written, so that a program that is interrupted leaves none of them behind.
#pragma once

#include <csignal>
#include <string>

namespace stillpoint {

/// A file or folder that is not finished while this lives.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  int place_ = -1;
};

/// Removes them all, the latest first. May be called from a signal handler; the program should end then.
void remove_unfinished() noexcept;

/// SIGINT, SIGTERM and SIGHUP wait while this lives: for the moment in which several files take their places.
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
