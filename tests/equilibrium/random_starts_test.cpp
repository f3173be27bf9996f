// Mechanisms whose stable rest position is known, from starts that know nothing of it. No draw is left out.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "stillpoint/equilibrium.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"
#include "support/equilibrium/known_rests.h"

using namespace stillpoint;

namespace {

// Asked of the solver: what remains after a well-conditioned solve in double precision.
constexpr double exact = 1e-12;
// The same seen from outside, where other lengths and forces are compared with.
constexpr double seen_exact = 1e-10;
// Forces in balance to 1e-12 of the largest one leave a light mass at the end of a heavy chain that much less certain.
constexpr double same_place = 1e-7;

/// How far a state is from the nearest of the known ones, relative to the extent; 0 if they are not known.
double distance_to(const KnownRest& known, const Model& model, const State& state) {
  double nearest = known.rests.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const Values& values : known.rests) {
    double off = 0;
    for (const auto& [name, value] : values) off = std::max(off, std::abs(value_of(model, state, name) - value));
    nearest = std::min(nearest, off / known.extent);
  }
  return nearest;
}

/// What is wrong with an answer, in words; empty if nothing is.
struct Judgement {
  std::string open;   ///< no rest position was found
  std::string wrong;  ///< what was said is not true
};

Judgement judge(const KnownRest& known, const Model& model, const Equilibrium& rest) {
  Judgement judgement;
  if (rest.status != EquilibriumStatus::at_rest) {
    if (rest.message.empty()) judgement.wrong = "no rest, and no sentence about it";
    judgement.open = rest.message;
    return judgement;
  }
  const Balance balance = balance_at(model, rest.state, known.extent);
  if (!(balance.force <= seen_exact))
    judgement.wrong = fmt::format("forces are out of balance by {:.1e}", balance.force);
  if (!(balance.gap <= seen_exact)) judgement.wrong = fmt::format("constraints are open by {:.1e}", balance.gap);
  if (!(rest.force_residual <= exact)) judgement.open = fmt::format("force residual {:.1e}", rest.force_residual);
  if (!(rest.constraint_residual <= exact))
    judgement.open = fmt::format("constraint residual {:.1e}", rest.constraint_residual);

  const double off = distance_to(known, model, rest.state);
  if (rest.unstable_directions == 0 && !(off <= same_place)) {
    judgement.wrong = fmt::format("{:.1e} of its extent off all stable positions; verdict {}", off, rest.verdict);
  }
  const Signs signs = reduced_signs(model, rest.state, known.extent);
  if (rest.kind == ConfigurationType::regular &&
      (signs.negative != rest.unstable_directions || signs.zero != rest.neutral_directions)) {
    judgement.wrong = fmt::format(
        "{} directions are called unstable and {} neutral, but {} and {} are: zero is up to {:.1e}, not zero from "
        "{:.1e}",
        rest.unstable_directions, rest.neutral_directions, signs.negative, signs.zero, signs.largest_zero,
        signs.smallest_counted);
  }
  // Of mechanisms whose rests are not known some may have a loose direction; none may end on a saddle.
  const Index neutral = known.rests.empty() ? rest.neutral_directions : known.neutral;
  const char* expected = neutral > 0 ? "neutral" : "stable (conservative)";
  if (rest.verdict != expected || rest.neutral_directions != neutral) {
    judgement.open = fmt::format("verdict {} with {} neutral directions; kind {}", rest.verdict,
                                 rest.neutral_directions, static_cast<int>(rest.kind));
  }
  return judgement;
}

}  // namespace

TEST_CASE("random starts: the known stable rest position is found, and nothing untrue is said") {
  const int count = campaign_size(360, 12000);
  std::map<std::string, int> drawn, open, wrong;
  int all_open = 0;
  for (int seed = 0; seed < count; ++seed) {
    const KnownRest known = known_rest(static_cast<std::uint64_t>(seed));
    const Model model = read_model_text(known.text, "test");
    const State start = random_start(model, known.extent, static_cast<std::uint64_t>(seed));
    const Equilibrium rest = find_equilibrium(model, start);
    const Judgement judgement = judge(known, model, rest);
    ++drawn[known.family];
    if (!judgement.open.empty()) {
      ++open[known.family];
      ++all_open;
      note(fmt::format("random start {} ({}): {}", seed, known.family, judgement.open), known.text);
    }
    if (!judgement.wrong.empty()) {
      ++wrong[known.family];
      note(fmt::format("random start {} ({}): WRONG: {}", seed, known.family, judgement.wrong), known.text);
    }
    CHECK_MESSAGE(judgement.wrong.empty(), "seed " << seed << ", " << known.family << ": " << judgement.wrong);
  }
  for (const auto& [family, n] : drawn)
    note(fmt::format("{}: {} drawn, {} open, {} wrong", family, n, open[family], wrong[family]));
  CHECK_MESSAGE(all_open <= count / 100, all_open << " of " << count << " starts did not lead to rest");
}
