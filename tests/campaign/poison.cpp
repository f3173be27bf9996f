// Campaign: does the tool answer or refuse whatever it is given?
//
//   poison [RUNS [FIRST_SEED]]          10000 runs from seed 1
//
// Random small folders of matrices, half of them with entries at the ends of the range of double precision, through
// random verbs. An exit code other than 0, 1, 2 and 6, a run that does not end, and NaN or infinity among the results
// are faults; each is printed with its seed, and the folder of the first of a kind is kept in ./poison-found.
#include "support/cli/poison.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>

using namespace stillpoint::testing;

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::filesystem::path where = std::filesystem::temp_directory_path() / fmt::format("poison-{}", first);
  std::map<int, int> codes;
  std::map<std::string, int> faults;
  for (int k = 0; k < runs; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    const PoisonedRun run =
        run_poisoned(seed, seed % 2 == 0 ? Poison::mild : Poison::strong, STILLPOINT_TOOL, where.string());
    ++codes[run.code];
    const std::string fault = run.fault();
    if (fault.empty() || ++faults[fault] > 1) continue;
    fmt::print("seed {}: {}: {}\n", seed, run.arguments, fault);
    std::filesystem::create_directories("poison-found");
    std::filesystem::copy(run.folder, fmt::format("poison-found/{}", seed),
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  }
  std::filesystem::remove_all(where);
  fmt::print("{} runs from seed {}\n", runs, first);
  for (const auto& [code, count] : codes) fmt::print("  exit code {:3}: {}\n", code, count);
  for (const auto& [fault, count] : faults) fmt::print("  fault, {} times: {}\n", count, fault);
  return faults.empty() ? 0 : 1;
}
