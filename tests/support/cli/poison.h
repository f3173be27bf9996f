// Small folders of matrices whose entries are at the ends of the range of double precision, and what the tool answers.
#pragma once

#include <cstdint>
#include <string>

namespace stillpoint::testing {

enum class Poison { mild, strong };  ///< entries within 1e±150, or any double

struct PoisonedRun {
  std::string folder, arguments;  ///< the folder is made within the working folder
  int code = -1;                  ///< exit code; 128 + signal; -1 where the time was over
  std::string out, err;

  /// Empty if the answer is one of those that are documented, and no number printed is NaN or infinite.
  std::string fault() const;
};

/// Makes a random folder in `where` and runs a random verb on it. The same seed gives the same run.
PoisonedRun run_poisoned(std::uint64_t seed, Poison poison, const std::string& tool, const std::string& where);

}  // namespace stillpoint::testing
