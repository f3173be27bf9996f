// The truth test on every small case: the three lowest modes of its first run. With STILLPOINT_CAMPAIGN set, all modes
// of the cases with up to 200 coordinates, some minutes; a line for each case goes to standard output.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/verify_modes.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"

using namespace stillpoint;

namespace {

const Index most_coordinates = is_campaign() ? 200 : draws(40, 12);
const std::size_t modes_each = is_campaign() ? std::numeric_limits<std::size_t>::max() : 3;

std::vector<std::size_t> lowest_modes(const Spectrum& spectrum) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < spectrum.modes.size() && which.size() < modes_each; ++i) {
    const Mode& mode = spectrum.modes[i];
    if (mode.kind == ModeClass::genuine && !mode.is_infinite() && mode.s.imag() >= 0) which.push_back(i);
  }
  return which;
}

}  // namespace

TEST_CASE("verify: the cases move as their modes say") {
  int cases_done = 0, modes_done = 0;
  std::vector<double> differences;  // relative
  for (const cases::MovingCase& one : cases::moving_cases(most_coordinates)) {
    const Model& model = one.model;
    CAPTURE(one.name);
    const Equilibrium rest = find_equilibrium(model, model.initial_state(), {.rest = EquilibriumRequest::nearest});
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
    const LinearSystem system = linearize(model, rest);
    if (system.singular) continue;
    const Spectrum spectrum = solve_modes(system, minimal_form(system));
    const Verification verification = verify_modes(
        model, rest, system, spectrum, {.which = lowest_modes(spectrum), .most_steps = is_campaign() ? 20'000 : 200});
    for (const VerifiedMode& mode : verification.modes) {
      CAPTURE(mode.s);
      CAPTURE(mode.from_motion);
      CAPTURE(mode.difference);
      CAPTURE(mode.bar);
      if (mode.is_done) CHECK(mode.agrees);
      else CHECK(!mode.note.empty());
      if (mode.is_done && mode.s != 0.0) differences.push_back(mode.difference / std::abs(mode.s));
      if (is_campaign() && !mode.is_done) fmt::print("  {} {}: {}\n", one.name, mode.s.imag(), mode.note);
    }
    if (is_campaign())
      fmt::print("{}: {} of {} modes agree\n", one.name, verification.agreeing, verification.modes.size());
    cases_done += verification.done > 0;
    modes_done += static_cast<int>(verification.done);
  }
  REQUIRE(!differences.empty());
  std::nth_element(differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2),
                   differences.end());
  const double median = differences[differences.size() / 2];
  MESSAGE(cases_done, " cases, ", modes_done, " modes, median difference ", median);
  CHECK(median < 1e-9);
  CHECK(cases_done >= draws(20, 8));
  CHECK(modes_done >= draws(35, 12));
}
