// One degree of freedom among very many coordinates: R is one sparse solve, and the eigenvalue has a closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"

using namespace stillpoint;

namespace {

// I s² + V''(φ₀) = 0 of N loops in a row, V'(φ₀) = 0 (cases/four_bar/README.md).
double frequency_of_loops(double N) {
  constexpr double k = 25, l0 = std::numbers::sqrt2, g = 9.81;
  const double weight = g * ((N + 1) / 2 + N);
  double phi = 1.8, stiffness = 0;
  for (int step = 0; step < 20; ++step) {
    const double c = std::cos(phi / 2), s = std::sin(phi / 2);
    const double torque = weight * std::cos(phi) - N * k * (2 * c - l0) * s;
    stiffness = -weight * std::sin(phi) + N * k * (s * s - (2 * c - l0) * c / 2);
    phi -= torque / stiffness;
  }
  return std::sqrt(stiffness / ((N + 1) / 3 + N));
}

}  // namespace

TEST_CASE("modes: the four-bar with very many loops has the frequency of its closed form to ten digits") {
  const int N = campaign_size(10'000, 1'000'000);
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", N}});
  const LinearSystem system = linearize(model, find_equilibrium(model));
  const Spectrum spectrum = solve_modes(system, minimal_form(system));
  REQUIRE(spectrum.modes.size() == 2);
  CHECK(spectrum.certified);
  CHECK(spectrum.modes[0].s.real() == 0);
  CHECK(std::abs(spectrum.modes[0].s.imag() / frequency_of_loops(N) - 1) < 1e-10);
}

TEST_CASE(
    "sparse modes: the four-bar with very many loops has that frequency by all coordinates and by penalties, too") {
  const int N = campaign_size(10'000, 1'000'000);
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", N}});
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  const Spectrum known = solve_conservative(system, {.which = Lowest{20}});
  PenaltyOptions penalty;
  penalty.omega = penalty_frequency(system);
  penalty.alpha = penalty_factors(system);
  const LinearSystem at_rest =
      linearize(model, rest, find_penalty_equilibrium(model, rest, penalty.alpha, *penalty.omega));
  const Spectrum followed = continue_into_penalty(system, at_rest, penalty, known);
  REQUIRE(followed.modes.size() == 2);
  CHECK(followed.certified);
  CHECK(std::abs(known.modes[0].s.imag() / frequency_of_loops(N) - 1) < 1e-10);
  CHECK(std::abs(followed.modes[0].corrected.imag() / frequency_of_loops(N) - 1) < 1e-10);
  CHECK(std::abs(followed.modes[0].corrected - known.modes[0].s) <=
        followed.modes[0].corrected_error + known.modes[0].error);
  CHECK(followed.modes[0].penalty_error > 1e-8);
}
