// Campaign: does an engine of another program ever certify what the serial engine does not find?
//
//   engines [SYSTEMS [SEED [RANKS]]]     2000 random systems from seed 1, by the dense engine of the tests
//
// Systems of all kinds (redundant rows, masses that are zero, dampers, follower forces, free motions) with requests of
// all kinds. With RANKS the program stillpoint-slepc-real or -complex in PATH answers, under mpirun.
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <string>

#include "base/stopwatch.h"
#include "base/whole_program.h"
#include "support/engines/compared_modes.h"
#include "support/engines/dense_engine.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

void run_slepc(const std::string& folder, int ranks) {
  const bool is_complex = content_of(folder + "/request.json").find("\"complex\"") != std::string::npos;
  const std::string command = fmt::format("mpirun -n {} --oversubscribe stillpoint-slepc-{} '{}' >/dev/null 2>&1",
                                          ranks, is_complex ? "complex" : "real", folder);
  [[maybe_unused]] const int code = std::system(command.c_str());  // without an answer the system counts as refused
}

}  // namespace

int main(int argc, char** argv) {
  set_up_whole_program();
  const int systems = argc > 1 ? std::atoi(argv[1]) : 2000, seed = argc > 2 ? std::atoi(argv[2]) : 1,
            ranks = argc > 3 ? std::atoi(argv[3]) : 0;
  const Stopwatch watch;
  std::mt19937 random(static_cast<unsigned>(seed));
  const testing::EngineTally tally =
      testing::compare_random_systems(systems, random, [ranks](const std::string& folder) {
        if (ranks > 0) run_slepc(folder, ranks);
        else testing::run_dense_engine(folder);
      });
  fmt::print("{} systems, {:.0f} s: {} certified by both, {} not by the engine, {} not by the serial one, {} refused\n",
             tally.drawn, watch.seconds(), tally.certified, tally.uncertified, tally.uncertified_serial, tally.refused);
  for (const std::string& reason : tally.reasons) fmt::print("  {}\n", reason);
  fmt::print("certified differences: {}\n", tally.differences.size());
  for (const std::string& difference : tally.differences) fmt::print("  {}\n", difference);
  return tally.differences.empty() ? 0 : 1;
}
