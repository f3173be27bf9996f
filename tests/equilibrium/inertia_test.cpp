// Is the number of unstable directions right? The witness is dense and in long double: an orthonormal basis R of
// null(J) by the SVD, and the signs of the eigenvalues of RᵀKR.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "stillpoint/equilibrium.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"
#include "support/equilibrium/known_rests.h"

using namespace stillpoint;

TEST_CASE("inertia: unstable and neutral directions are as many as the reduced stiffness has, at saddles too") {
  const int count = campaign_size(360, 12000);
  std::map<Index, int> seen;
  int judged = 0, wrong = 0;
  for (int seed = 0; seed < count; ++seed) {
    const KnownRest known = known_rest(static_cast<std::uint64_t>(seed));
    const Model model = read_model_text(known.text, "test");
    const State start = random_start(model, known.extent, static_cast<std::uint64_t>(seed) + 1);
    const Equilibrium rest = find_equilibrium(model, start, {.rest = EquilibriumRequest::nearest});
    if (rest.status != EquilibriumStatus::at_rest || rest.unstable_directions < 0) continue;
    if (rest.kind != ConfigurationType::regular && rest.kind != ConfigurationType::redundant) continue;
    const Signs signs = reduced_signs(model, rest.state, known.extent);
    ++judged;
    ++seen[signs.negative];
    const bool right = signs.negative == rest.unstable_directions && signs.zero == rest.neutral_directions;
    const std::string sentence = fmt::format(
        "seed {} ({}): {} unstable and {} neutral said, {} and {} are; zero up to {:.1e}, not zero from {:.1e}", seed,
        known.family, rest.unstable_directions, rest.neutral_directions, signs.negative, signs.zero, signs.largest_zero,
        signs.smallest_counted);
    if (!right) {
      ++wrong;
      note("inertia: " + sentence, known.text);
    }
    CHECK_MESSAGE(right, sentence);
    // Freedom is the size of the reduced stiffness.
    CHECK(signs.negative + signs.zero + signs.positive == rest.dof);
  }
  note(fmt::format("inertia: {} of {} judged, {} wrong", judged, count, wrong));
  for (const auto& [negative, n] : seen) note(fmt::format("  {} unstable directions: {}", negative, n));
  // A campaign that only ever saw minima would prove little.
  CHECK(judged > count / 2);
  CHECK(judged - seen[0] > count / 10);
}
