// The truth test on every small case: the three lowest modes of its first run. Fine meshes take minutes.
#include <doctest/doctest.h>

#include <algorithm>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/verify_modes.h"
#include "support/case_runs.h"
#include "support/sanitized.h"

using namespace stillpoint;

namespace {

constexpr Index most_coordinates = draws(40, 12);
constexpr std::size_t modes_each = 3;

bool has_flexible_body(const Model& model) {
  return std::any_of(model.arrays().begin(), model.arrays().end(), [](const ModelArray& array) {
    return array.elements->info().keyword == "flexible_body" && array.elements->size() > 0;
  });
}

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
  for (const auto& folder : cases::case_folders()) {
    const cases::CaseRun run = cases::runs_of(folder).front();
    CAPTURE(run.name);
    const Model model = read_model(folder, run.parameters);
    if (model.coordinates() > most_coordinates || has_flexible_body(model)) continue;
    const Equilibrium rest = find_equilibrium(model, model.initial_state(), {.rest = EquilibriumRequest::nearest});
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
    const LinearSystem system = linearize(model, rest);
    if (system.singular) continue;
    const Spectrum spectrum = solve_modes(system, minimal_form(system));
    const Verification verification =
        verify_modes(model, rest, system, spectrum, {.which = lowest_modes(spectrum), .most_steps = 200});
    for (const VerifiedMode& mode : verification.modes) {
      CAPTURE(mode.s);
      CAPTURE(mode.from_motion);
      CAPTURE(mode.difference);
      CAPTURE(mode.bar);
      if (mode.is_done) CHECK(mode.agrees);
      else CHECK(!mode.note.empty());
    }
    cases_done += verification.done > 0;
    modes_done += static_cast<int>(verification.done);
  }
  MESSAGE(cases_done, " cases, ", modes_done, " modes");
  CHECK(cases_done >= draws(20, 8));
  CHECK(modes_done >= draws(35, 12));
}
