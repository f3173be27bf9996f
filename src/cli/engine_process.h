// The program of an engine under mpirun: where it is, how it is started, and what is said where it fails.
#pragma once

#include <deque>
#include <string>

#include "base/unfinished.h"

namespace stillpoint::cli {

/// A folder for one request and its answer, in the folder for temporary files. It is gone afterwards, and where the
/// program is interrupted.
class EngineFolder {
 public:
  EngineFolder();
  ~EngineFolder();
  EngineFolder(const EngineFolder&) = delete;
  EngineFolder& operator=(const EngineFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::deque<Unfinished> unfinished_;
};

class EngineProcess {
 public:
  /// Throws Error with the command that brings what is missing, if there is no such program or no mpirun.
  EngineProcess(const std::string& program, int ranks);

  /// Answers the request in the folder. Throws Undecided if the program fails, with its last words.
  void run(const std::string& folder) const;

 private:
  std::string program_, mpirun_;
  int ranks_;
};

}  // namespace stillpoint::cli
