// The rank of mechanisms that are put together so that it is known: with surplus constraints, with numbers rounded to
// what a drawing states, and in any unit of length.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <map>

#include "stillpoint/assembly.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/read_model.h"
#include "support/dense_reference.h"
#include "support/equilibrium/campaign.h"
#include "support/equilibrium/known_ranks.h"
#include "support/modes/random_mechanisms.h"

using namespace stillpoint;

namespace {

constexpr double unit_of[] = {1, 1e3, 1e6, 1e-3};  // m, mm, µm, km
constexpr const char* name_of[] = {"m", "mm", "µm", "km"};

struct Tally {
  int drawn = 0, wrong = 0, undecided = 0, open = 0, miscalled = 0;

  std::string text() const {
    return fmt::format("{} drawn, {} wrong, {} undecided, {} without an answer, {} called by a wrong kind", drawn,
                       wrong, undecided, open, miscalled);
  }
};

}  // namespace

// Without rounding the singular values that should be zero come out at 1e-15; the smallest of the others, over all
// seeds of the campaign, is far above this.
constexpr double zero = 1e-10;

TEST_CASE("rank: the mechanisms of this file have the rank that they are built for") {
  const int count = campaign_size(100, 2000);
  for (int seed = 0; seed < count; ++seed) {
    const KnownRank known = known_rank(static_cast<std::uint64_t>(seed));
    const Model model = read_model_text(known.text, "test");
    REQUIRE(model.constraints() == known.constraints);
    Assembly assembly(model);
    const Eigen::MatrixXd J = assembly.at(model.initial_state()).J;
    const Eigen::VectorXd values = dense::singular_values(J);
    const Index rank = values.size() == 0 ? 0 : static_cast<Index>((values.array() > zero * values[0]).count());
    if (rank != known.rank) note(fmt::format("construction {}: SVD {}, built {}", seed, rank, known.rank), known.text);
    CHECK_MESSAGE(rank == known.rank, "seed " << seed);
  }
}

TEST_CASE("rank: surplus constraints are counted right, whatever is rounded and in whatever unit") {
  const int count = campaign_size(168, 10500);
  std::map<int, Tally> by_digits;
  std::map<std::string, Tally> by_unit;
  Tally all, sharp;
  for (int seed = 0; seed < count; ++seed) {
    const int digits = 6 + seed / 2 % 7, unit = seed / 14 % 4;
    const bool is_large = seed % 100 >= 98;  // sparse QR instead of the SVD
    KnownRankOptions options{.digits = digits, .unit = unit_of[unit]};
    if (is_large) options.bodies = 80;
    const KnownRank known = known_rank(static_cast<std::uint64_t>(seed), options);
    const Model model = read_model_text(known.text, "test");
    const ConstraintSurvey rest = survey_constraints(model, model.initial_state());
    Tally one;
    one.drawn = 1;
    one.open = !rest.assembled;
    one.undecided = !one.open && rest.rank.outcome == RankOutcome::undecided;
    one.wrong = !one.open && !one.undecided && rest.rank.value != known.rank;
    const ConfigurationType kind =
        known.rank == known.constraints ? ConfigurationType::regular : ConfigurationType::redundant;
    one.miscalled = !one.open && !one.undecided && !one.wrong &&
                    (rest.kind != kind || rest.redundant_equations != known.constraints - known.rank);
    const auto add = [&](Tally& tally) {
      tally.drawn += one.drawn;
      tally.wrong += one.wrong;
      tally.undecided += one.undecided;
      tally.open += one.open;
      tally.miscalled += one.miscalled;
    };
    add(all);
    add(by_digits[digits]);
    add(by_unit[name_of[unit]]);
    if (digits >= 9) add(sharp);
    const std::string found = fmt::format(
        "rank seed {}, {} digits, {}{}: {} of {} said, {} are; gap {:.1e} (kept {:.1e}, dropped {:.1e}, floor {:.1e}), "
        "{}; kind {}, {} redundant; {}",
        seed, digits, name_of[unit], is_large ? ", large" : "", rest.rank.value, known.constraints, known.rank,
        rest.rank.gap, rest.rank.smallest_kept, rest.rank.largest_dropped, rest.rank.noise_floor, rest.rank.method,
        static_cast<int>(rest.kind), rest.redundant_equations, rest.message);
    const char* what = one.wrong ? "WRONG" : one.open ? "open" : one.undecided ? "undecided" : "miscalled";
    if (one.wrong + one.open + one.undecided + one.miscalled > 0) note(fmt::format("{}: {}", what, found), known.text);
    CHECK_MESSAGE(one.wrong == 0, found);
  }
  for (const auto& [digits, tally] : by_digits) note(fmt::format("{} digits: {}", digits, tally.text()));
  for (const auto& [unit, tally] : by_unit) note(fmt::format("{}: {}", unit, tally.text()));
  CHECK_MESSAGE(sharp.undecided <= sharp.drawn / 100, "from 9 digits on: " << sharp.text());
  CHECK_MESSAGE(sharp.miscalled == 0, "from 9 digits on: " << sharp.text());
  CHECK_MESSAGE(sharp.open == 0, "from 9 digits on: " << sharp.text());
}

// Mechanisms whose null vectors once depended on each other: a neighbourhood that holds dependent rows itself gave a
// combination with coefficients of 1e15.
TEST_CASE("rank: where constraints repeat others many times, the multipliers are those of least norm") {
  for (const std::uint64_t seed : {5348, 20135, 20270, 27644, 28847, 32504, 35285}) {
    CAPTURE(seed);
    const testing::RandomMechanism mechanism = testing::random_mechanism(seed);
    const Equilibrium rest = find_equilibrium(mechanism.model, mechanism.state, {.rest = EquilibriumRequest::check});
    CHECK(rest.status == EquilibriumStatus::at_rest);
    CHECK(rest.redundant_equations == mechanism.redundant);
    CHECK(rest.state.lambda.norm() < mechanism.state.lambda.norm());
  }
}
