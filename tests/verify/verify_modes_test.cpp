// The truth test agrees where the linearization is right, and fails where it is spoiled.
#include "stillpoint/verify_modes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"

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
