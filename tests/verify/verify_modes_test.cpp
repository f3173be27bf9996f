// The truth test agrees where the linearization is right, and fails where it is spoiled.
#include "stillpoint/verify_modes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "support/error_texts.h"

using namespace stillpoint;

namespace {

struct Linearized {
  Model model;
  Equilibrium rest;
  LinearSystem system;
};

Linearized linearized(const std::string& name, const Parameters& parameters = {},
                      EquilibriumRequest request = EquilibriumRequest::stable) {
  const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name, parameters);
  const Equilibrium rest = find_equilibrium(model, model.initial_state(), {.rest = request});
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  return {model, rest, linearize(model, rest)};
}

/// A four-bar of rods that lies flat, in gravity along x: singular there.
Linearized flat_four_bar(Index loops, double damping, double gravity) {
  return linearized(
      "four_bar",
      {{"N", static_cast<double>(loops)}, {"k", 0}, {"c", damping}, {"gx", gravity}, {"gy", 0}, {"phi_guess", 0}},
      EquilibriumRequest::nearest);
}

Linearized at_rest_of(const Model& model) {
  const Equilibrium rest = find_equilibrium(model, model.initial_state(), {.rest = EquilibriumRequest::nearest});
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  return {model, rest, linearize(model, rest)};
}

/// A parallelogram of bodies that lies flat, with a third link that is redundant; a mass hangs from it by a spring.
Linearized flat_bodies_with_mass() {
  ModelBuilder build("five_bar");
  build.gravity({9.81, 0, 0});
  const auto coupler = build.body("coupler", {2, 0}, {.mass = 1, .inertia = 1.0 / 3});
  for (int k = 0; k < 3; ++k) {
    const auto number = static_cast<std::int64_t>(k + 1);
    const double x = k;
    const auto link = build.body(Name("link", {number}), {x, 0}, {.mass = 1, .inertia = 1.0 / 12, .centre = {0.5, 0}});
    build.add(Name("base", {number}), Revolute{.a = build.fixed(Name("A", {number}), {x, 0}), .b = link});
    build.add(Name("top", {number}), Revolute{.a = build.marker(Name("B", {number}), link, {1, 0}),
                                              .b = build.marker(Name("C", {number}), coupler, {x - 1, 0})});
  }
  const auto mass = build.point("P", {4, 0}, {.mass = 0.7});
  build.add("spring", Spring{.a = build.marker("end", coupler, {1, 0}), .b = mass, .stiffness = 50, .free_length = 1});
  return at_rest_of(build.model());
}

Spectrum spectrum_of(const LinearSystem& system) { return solve_modes(system, minimal_form(system)); }

double median_difference(const Verification& verification) {
  std::vector<double> differences;
  for (const VerifiedMode& mode : verification.modes) {
    if (mode.is_done && mode.s != 0.0) differences.push_back(mode.difference / std::abs(mode.s));
  }
  std::sort(differences.begin(), differences.end());
  return differences.empty() ? 0 : differences[differences.size() / 2];
}

}  // namespace

TEST_CASE("verify: oscillating, damped, growing, follower-loaded and gyroscopic modes agree with the motion") {
  struct Case {
    const char* name;
    Parameters parameters;
    EquilibriumRequest request = EquilibriumRequest::stable;
  };
  for (const Case& one : {Case{"four_bar", {{"N", 3}}}, Case{"four_bar", {{"N", 2}, {"c", 1}}},
                          Case{"cart_pole", {}, EquilibriumRequest::nearest}, Case{"ziegler_column", {}},
                          Case{"spatial_double_pendulum", {}}, Case{"slider_crank", {}}}) {
    CAPTURE(one.name);
    const Linearized at = linearized(one.name, one.parameters, one.request);
    const Verification verification = verify_modes(at.model, at.rest, at.system, spectrum_of(at.system));
    CHECK(verification.done > 0);
    for (const VerifiedMode& mode : verification.modes) {
      CAPTURE(mode.s);
      CAPTURE(mode.from_motion);
      CAPTURE(mode.difference);
      CAPTURE(mode.bar);
      CHECK(mode.is_done);
      CHECK(mode.agrees);
    }
    CHECK(median_difference(verification) < 1e-8);
  }
}

// Displaced on a turn as by a line, a beam is stretched by the square of the amplitude, and vibrates.
TEST_CASE("verify: free motions are confirmed, also where no other modes are asked for") {
  const auto [model, rest, system] = linearized("free_beam", {{"n", 3}}, EquilibriumRequest::nearest);
  Spectrum spectrum = spectrum_of(system);
  std::erase_if(spectrum.modes, [](const Mode& mode) { return mode.s != 0.0; });
  REQUIRE(spectrum.modes.size() == 6);
  const Verification found = verify_modes(model, rest, system, spectrum);
  CHECK(found.done == 6);
  CHECK(found.agrees());
  for (const VerifiedMode& mode : found.modes) CHECK(mode.difference < 1e-2);
  // They last as long as beside the slowest of the others.
  Spectrum with_slowest = spectrum_of(system);
  const auto slowest = std::find_if(with_slowest.modes.begin(), with_slowest.modes.end(),
                                    [](const Mode& mode) { return mode.s != 0.0; });
  REQUIRE(slowest != with_slowest.modes.end());
  with_slowest.modes.erase(slowest + 1, with_slowest.modes.end());
  const Verification beside = verify_modes(model, rest, system, with_slowest);
  REQUIRE(beside.modes.size() > 6);
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(found.modes[k].difference == doctest::Approx(beside.modes[k].difference));
    CHECK(found.modes[k].bar == doctest::Approx(beside.modes[k].bar));
  }
}

TEST_CASE("verify: a stiffness that is spoiled by half a percent is noticed in every mode that feels it") {
  auto [model, rest, system] = linearized("four_bar", {{"N", 3}});
  system.K *= 1.005;
  const Verification verification = verify_modes(model, rest, system, spectrum_of(system));
  CHECK(verification.done > 0);
  CHECK(verification.agreeing == 0);
}

TEST_CASE("verify: what has no meaning is refused") {
  const auto [model, rest, system] = linearized("four_bar", {{"N", 1}});
  CHECK_THROWS_AS(verify_modes(model, rest, system, spectrum_of(system), {.amplitude = 0}), Error);
  CHECK_THROWS_AS(verify_modes(model, rest, system, spectrum_of(system), {.which = {99}}), Error);
}

TEST_CASE("verify: on each branch of a singular configuration the modes agree with the motion") {
  struct Case {
    Linearized at;
    std::size_t branches;
  };
  for (const Case& one : {Case{flat_four_bar(1, 0, 9.81), 2}, Case{flat_four_bar(2, 0, 9.81), 3},
                          Case{flat_four_bar(3, 0, 9.81), 4}, Case{flat_four_bar(2, 0, -9.81), 3}}) {
    const auto& [model, rest, system] = one.at;
    REQUIRE(system.singular);
    const Verification verification = verify_branches(model, rest, system, solve_branches(system));
    CHECK(verification.modes.size() >= one.branches);
    std::vector<std::string> names;
    for (const VerifiedMode& mode : verification.modes) {
      CAPTURE(mode.branch);
      CAPTURE(mode.s);
      CAPTURE(mode.note);
      CHECK(mode.is_done);
      CHECK(mode.agrees);
      CHECK(mode.difference < 1e-9 * std::abs(mode.s));
      CHECK(mode.bar < 1e-5 * std::abs(mode.s));  // of growing modes, which end ten times as large
      if (names.empty() || names.back() != mode.branch) names.push_back(mode.branch);
    }
    CHECK(names.size() == one.branches);
    CHECK(contains(to_text(verification), "branch '" + system.branches.front().name + "'\n"));
    CHECK(contains(to_json(verification, "m"), "\"branch\": \"" + system.branches.front().name + "\""));
  }
}

TEST_CASE("verify: on a branch with several modes those that leave the singular configuration agree") {
  const auto [model, rest, system] = flat_bodies_with_mass();
  REQUIRE(system.singular);
  REQUIRE(system.branches.size() >= 1);
  const Verification verification = verify_branches(model, rest, system, solve_branches(system));
  int done = 0, refused = 0;
  for (const VerifiedMode& mode : verification.modes) {
    CAPTURE(mode.branch);
    CAPTURE(mode.s);
    CAPTURE(mode.difference);
    CAPTURE(mode.bar);
    CAPTURE(mode.note);
    if (mode.is_done) CHECK(mode.agrees);
    else CHECK(contains(mode.note, "moves among singular configurations"));
    done += mode.is_done;
    refused += !mode.is_done;
  }
  CHECK(done == 2);     // the links and the mass, across
  CHECK(refused == 1);  // the mass alone, along its spring, while the links lie flat
}

TEST_CASE("verify: a stiffness of a branch that is spoiled by half a percent is noticed") {
  for (const Index loops : {1, 2, 3}) {
    auto [model, rest, system] = flat_four_bar(loops, 0, 9.81);
    system.K *= 1.005;
    const Verification verification = verify_branches(model, rest, system, solve_branches(system));
    CHECK(verification.done == loops + 1);
    CHECK(verification.agreeing == 0);
    CHECK(!verification.agrees());
  }
}

TEST_CASE("verify: a singular configuration needs its branches") {
  const Linearized at = flat_four_bar(1, 0, 9.81);
  const Model& model = at.model;
  const Equilibrium& rest = at.rest;
  LinearSystem system = at.system;
  const std::vector<BranchSpectrum> spectra = solve_branches(system);
  CHECK(contains(error_of([&] { verify_modes(model, rest, system, spectra.front().spectrum); }),
                 "only the modes of its branches can be run"));
  CHECK(contains(error_of([&] {
                   verify_branches(model, rest, system, {{"none", spectra.front().spectrum}});
                 }),
                 "has no branch 'none'"));
  CHECK(verify_branches(model, rest, system, spectra, {.most_modes = 0}).modes.empty());
  CHECK(verify_branches(model, rest, system, spectra, {.which = {1, 99}}).modes.size() == 2);
  system.branches.clear();
  CHECK(contains(error_of([&] { verify_branches(model, rest, system, spectra); }), "no branch of motions is known"));
}
