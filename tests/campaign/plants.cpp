// Campaign: are plants of all forms and reductions finite and right, or refused with a sentence?
//
//   plants [SYSTEMS [FIRST_SEED]]        2000 random systems from seed 1
//
// Free chains, massless directions, damped, gyroscopic and circulatory systems, bent beams, linkages; each through
// state-space, second-order, modal and descriptor forms, both penalty forms, and four reductions. The responses of
// exact forms are compared with that of the system.
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "base/whole_program.h"
#include "stillpoint/error.h"
#include "support/plants/random_plants.h"

using namespace stillpoint;
using namespace stillpoint::testing;

int main(int argc, char** argv) {
  set_up_whole_program();
  const int systems = argc > 1 ? std::atoi(argv[1]) : 2000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  int plants = 0, faults = 0, at_rest = 0;
  std::map<std::string, int> refusals;  // by form and the begin of the sentence
  for (int k = 0; k < systems; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    try {
      const ControlledSystem drawn = controlled_system(seed);
      ++at_rest;
      for (const PlantOutcome& outcome : outcomes_of(drawn.system)) {
        plants += outcome.refusal.empty();
        if (!outcome.refusal.empty())
          ++refusals[fmt::format("{}, {}: {}", drawn.kind, outcome.form, outcome.refusal.substr(0, 90))];
        if (outcome.fault.empty()) continue;
        ++faults;
        fmt::print("seed {}, {}, {}: {}\n", seed, drawn.kind, outcome.form, outcome.fault);
      }
    } catch (const Error& error) {
      ++refusals[fmt::format("no equilibrium: {}", std::string(error.what()).substr(0, 90))];
    }
  }
  fmt::print("{} systems, {} at an equilibrium, {} plants, {} faults\n", systems, at_rest, plants, faults);
  for (const auto& [what, count] : refusals) fmt::print("  {:5} refused: {}\n", count, what);
  return faults == 0 ? 0 : 1;
}
