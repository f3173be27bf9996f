// Random systems through every form of plant and every reduction; the campaign `plants` does the same for thousands.

#include "support/plants/random_plants.h"

#include <doctest/doctest.h>

using namespace stillpoint;
using namespace stillpoint::testing;

TEST_CASE("plants: random systems become finite plants with the response of the system, or are refused") {
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    const ControlledSystem drawn = controlled_system(seed);
    CAPTURE(seed);
    CAPTURE(drawn.kind);
    for (const PlantOutcome& outcome : outcomes_of(drawn.system)) {
      CAPTURE(outcome.form);
      CHECK(outcome.fault == "");
      made += outcome.refusal.empty() && outcome.fault.empty();
    }
  }
  CHECK(made > 600);  // of 900
}
