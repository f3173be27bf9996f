// Registration of files that are being written, so that an interrupted program removes them.
#pragma once

#include <filesystem>
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

/// Removes what an interrupted program has left beside this target: TARGET.PID.part of a process that has ended some
/// time ago.
void remove_abandoned(const std::filesystem::path& target);

/// Postpones an interruption during the lifetime of this object, while several files are renamed together. Signals may
/// reach any thread, those of other libraries included, so that a mask of the calling thread would not do.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
};

/// To be called by the handler of a signal: whether the interruption must wait. The signal is raised again later.
bool postpone_interruption(int signal) noexcept;

}  // namespace stillpoint
