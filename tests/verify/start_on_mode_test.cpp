// A motion that starts on a mode moves as the mode says.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "model/displacement.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/motion.h"
#include "stillpoint/read_model.h"
#include "stillpoint/verify_modes.h"
#include "support/error_texts.h"

using namespace stillpoint;
using Eigen::VectorXcd, Eigen::VectorXd;

namespace {

struct AtRest {
  Model model;
  Equilibrium rest;
  LinearSystem system;
  Spectrum spectrum;
};

AtRest at_rest(const std::string& name, const Parameters& parameters = {}) {
  const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name, parameters);
  const Equilibrium rest = find_equilibrium(model, model.initial_state());
  const LinearSystem system = linearize(model, rest);
  return {model, rest, system, solve_modes(system, minimal_form(system))};
}

}  // namespace

TEST_CASE("start on a mode: the amplitude is the largest turn, or displacement relative to the size") {
  const AtRest at = at_rest("four_bar", {{"N", 3}});
  const double size = size_of_configuration(at.model, at.rest.state.q);
  const Mode& mode = at.spectrum.modes.front();
  REQUIRE(mode.s.imag() > 0);
  constexpr double amplitude = 1e-4;
  const State start = start_on_mode(at.model, at.rest.state, mode, amplitude);
  const VectorXd moved = displacement_between(at.model, at.rest.state, start);
  double largest = 0;
  for (const Block& block : at.model.blocks()) {
    for (Index k = 0; k < coordinates_of(block.kind); ++k)
      largest = std::max(largest, std::abs(moved[block.first + k]) / (k < lengths_of(block.kind) ? size : 1));
  }
  // The shape of an undamped mode is real; closing the constraints changes it by the square of the amplitude.
  CHECK(largest == doctest::Approx(amplitude).epsilon(1e-3));
  const State opposite = start_on_mode(at.model, at.rest.state, mode, -amplitude);
  CHECK((displacement_between(at.model, at.rest.state, opposite) + moved).norm() < 1e-3 * moved.norm());
}

TEST_CASE("start on a mode: a damped mode keeps its shape and decays as its eigenvalue says") {
  for (const char* const name : {"four_bar", "spatial_double_pendulum", "damped_bodies"}) {
    CAPTURE(name);
    const AtRest at = at_rest(name, std::string(name) == "four_bar" ? Parameters{{"N", 2}, {"c", 1}} : Parameters{});
    const Mode* mode = nullptr;
    for (const Mode& one : at.spectrum.modes) {
      if (!mode && one.s.imag() > 0) mode = &one;
    }
    REQUIRE(mode);
    constexpr double amplitude = 1e-6;
    const double time = 0.3 / std::abs(mode->s);
    const State start = start_on_mode(at.model, at.rest.state, *mode, amplitude);
    const Motion motion = integrate(at.model, start, {.times = {time}, .tolerance = 1e-13});
    REQUIRE(motion.status == MotionStatus::done);
    const double extent = extent_of_shape(at.model, mode->shape, at.rest.state);
    const VectorXcd x = amplitude / extent * std::exp(mode->s * time) * mode->shape;
    const VectorXd moved = displacement_between(at.model, at.rest.state, motion.end);
    // What is not linear is smaller by the amplitude; the equilibrium is known to some 1e-12, a millionth of it.
    CHECK((moved - x.real()).norm() < 1e-4 * x.norm());
    CHECK((motion.end.v - (mode->s * x).real()).norm() < 1e-4 * std::abs(mode->s) * x.norm());
  }
}

TEST_CASE("start on a mode: one without a shape is refused") {
  const AtRest at = at_rest("four_bar");
  CHECK(contains(error_of([&] { start_on_mode(at.model, at.rest.state, Mode{}, 1e-3); }), "no shape"));
}
