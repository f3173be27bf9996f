// The assembly problem from guesses that are far off: chains of many links, scissor lifts, linkages of many loops.

#include "stillpoint/assembly.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "stillpoint/assemble.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"
#include "support/equilibrium/linkages.h"

using namespace stillpoint;

namespace {

// All lengths of the linkages are about 1 m. Rounding of positions some thousand lengths away leaves 1e-12.
constexpr double closed = 1e-10;

double largest_residual(const Model& model, const State& state) {
  return constraint_residual(model, state).lpNorm<Eigen::Infinity>();
}

void require_closed(const Model& model, const AssembledGuess& found) {
  CHECK_MESSAGE(found.assembled, found.message);
  CHECK(largest_residual(model, found.state) <= closed);
}

double sharpest_bend(const Model& model, const State& state) {
  double sharpest = 0, before = 0;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const double angle = state.q[model.blocks()[b].first + 2];
    if (b > 0) sharpest = std::max(sharpest, std::abs(angle - before));
    before = angle;
  }
  return sharpest;
}

}  // namespace

// A step of half a link in the largest displacement took the far end of a chain as far only, whatever the others did.
TEST_CASE("assembly: chains of 10 to 10 000 links close from a guess that is an eighth too long") {
  for (const int links : {10, 100, 1000, 10000}) {
    CAPTURE(links);
    const Model bodies = read_model_text(sagging_chain(links), "test");
    const AssembledGuess found = assemble(bodies, bodies.initial_state());
    require_closed(bodies, found);
    CHECK(found.notes.empty());
    // The guess bends by 3.2 rad / links at most, and so does a chain that keeps its shape.
    CHECK(sharpest_bend(bodies, found.state) <= 6.0 / links);

    const Model points = read_model_text(sagging_chain_of_points(links), "test");
    const AssembledGuess found_too = assemble(points, points.initial_state());
    require_closed(points, found_too);
    CHECK(found_too.notes.empty());
  }
}

TEST_CASE("assembly: a long chain comes to rest in a number of steps that does not grow with it") {
  for (const int links : {100, 1000}) {
    CAPTURE(links);
    const Model model = read_model_text(sagging_chain(links), "test");
    const Equilibrium rest = find_equilibrium(model);
    CHECK(rest.status == EquilibriumStatus::at_rest);
    CHECK(rest.verdict == "stable (conservative)");
    CHECK(rest.iterations <= 40);
  }
}

TEST_CASE("assembly: scissor lifts of 2 to 12 stages close, in the plane and in space") {
  for (const bool in_space : {false, true}) {
    for (int stages = 2; stages <= 12; ++stages) {
      CAPTURE(in_space);
      CAPTURE(stages);
      // The bars are drawn flatter than the stages are high, and the other way round.
      for (const auto& drawn : {std::pair{0.2, 0.8}, std::pair{1.2, 0.1}}) {
        const double angle = drawn.first, pitch = drawn.second;
        CAPTURE(angle);
        const Model model = read_model_text(scissor_lift(stages, in_space, angle, pitch), "test");
        require_closed(model, assemble(model, model.initial_state()));
      }
      const Model drawn = read_model_text(scissor_lift(stages, in_space, 0.6, std::sin(0.6)), "test");
      CHECK(largest_residual(drawn, drawn.initial_state()) <= closed);
      for (const double off : {0.1, 0.5, 1.0}) {
        CAPTURE(off);
        require_closed(drawn, assemble(drawn, guess_off_by(drawn, off, 1, static_cast<std::uint64_t>(stages))));
      }
    }
  }
}

// A partially pivoted factorisation of the assembly problem filled up from some hundred stages on.
TEST_CASE("assembly: a scissor lift of 400 stages closes within seconds, in the plane and in space") {
  for (const bool in_space : {false, true}) {
    CAPTURE(in_space);
    const Model model = read_model_text(scissor_lift(400, in_space, 0.2, 0.8), "test");
    require_closed(model, assemble(model, model.initial_state()));
  }
}

TEST_CASE("assembly: deep linkages close from guesses that are a length and a radian off, or say which loop is open") {
  const int count = campaign_size(24, 500);
  std::map<double, int> open;
  for (int seed = 0; seed < count; ++seed) {
    const bool in_space = seed % 2 == 1;
    const int loops = 2 + seed * 28 / count;
    const std::string text = deep_linkage(static_cast<std::uint64_t>(seed), loops, in_space);
    const Model model = read_model_text(text, "test");
    CHECK(largest_residual(model, model.initial_state()) <= closed);
    for (const double off : {0.1, 0.5, 1.0}) {
      CAPTURE(seed);
      CAPTURE(off);
      const AssembledGuess found = assemble(model, guess_off_by(model, off, 1, static_cast<std::uint64_t>(seed)));
      if (found.assembled) {
        CHECK(largest_residual(model, found.state) <= closed);
        continue;
      }
      ++open[off];
      note(fmt::format("linkage {} of {} loops, {} off: {}", seed, loops, off, found.message), text);
      CHECK(found.message.find('\'' + found.worst_constraint + '\'') != std::string::npos);
      CHECK(found.message.find("open between B[") != std::string::npos);
      CHECK(found.message.find("restarts") != std::string::npos);
    }
  }
  for (const auto& of_guess : open) {
    const auto off = of_guess.first;
    const auto n = of_guess.second;
    note(fmt::format("guesses off by {}: {} of {} linkages open", off, n, count));
    CHECK_MESSAGE(n <= 0.02 * count, n << " of " << count << " linkages did not close from guesses off by " << off);
  }
}

TEST_CASE("assembly: what cannot close names the worst constraint, the open loop and what was tried") {
  // Two chains: that of links 1 m long spans 3 m, and that of two rods cannot span 5 m.
  const Model model = read_model_text(
      "stillpoint: 1\nmechanism:\n"
      "  - point: A\n    at: 1.4, 0.1\n  - point: B\n    at: 2.4, 0.3\n"
      "  - point: C\n    at: 1.1, 3.1\n"
      "  - distance: first\n    between: ground, A\n    length: 1\n"
      "  - distance: second\n    between: A, B\n    length: 1\n"
      "  - distance: third\n    between: B, ground(2.5, 0)\n    length: 1\n"
      "  - distance: left\n    between: ground(0, 3), C\n    length: 1\n"
      "  - distance: right\n    between: C, ground(5, 3)\n    length: 2\n",
      "test");
  const AssembledGuess found = assemble(model, model.initial_state());
  CHECK_FALSE(found.assembled);
  CHECK((found.worst_constraint == "left" || found.worst_constraint == "right"));
  CHECK(found.message.find("'left', 'right' contradict each other near the guess: at best, '" + found.worst_constraint +
                           "' keeps a residual of ") != std::string::npos);
  CHECK(found.message.find("(open between C; tried: the guess, and 300 restarts") != std::string::npos);
}

TEST_CASE("assembly: coordinates that are held stay where they are, in a long chain as well") {
  const Model model = read_model_text(sagging_chain(100), "test");
  const Index held = model.blocks()[30].first + 2;
  const State guess = model.initial_state();
  const AssembledGuess found = assemble(model, guess, {.held = {held}});
  require_closed(model, found);
  CHECK(std::abs(found.state.q[held] - guess.q[held]) <= 1e-4);
}
