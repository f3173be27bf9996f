// Slender beams beyond the load at which they buckle, against the elastica.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/equilibrium.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/read_model.h"

using namespace stillpoint;

namespace {

// Of the angle at the end: sixteen elements are off by 1e-5, and an axial stiffness of 1e5 shortens the column by 1e-4.
constexpr double sixteen_elements = 5e-4;

// The angle α at the end of a clamped column under the dead load P: P = K(sin α/2)² EI / L² (the elastica).
double load_for(double angle) { return std::pow(std::comp_ellint_1(std::sin(angle / 2)), 2); }

double value(const Model& model, const Equilibrium& rest, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return coordinate_value(model, rest.state, i);
  }
  throw std::invalid_argument("no coordinate " + name);
}

Model column(double load, double axial_stiffness) {
  return read_model(STILLPOINT_SOURCE_DIR "/cases/beck_column", {{"P", load}, {"follows", 0}, {"EA", axial_stiffness}});
}

}  // namespace

// The way from the straight column to the bent one follows a valley whose walls are EA/EI times as steep as its floor:
// a step along the tangent climbs them at once. With steps no longer than that allows, 600 were not enough from EA =
// 1e6 on.
TEST_CASE("equilibrium: a column beyond Euler's load is found where the elastica is, however slender") {
  for (const double axial_stiffness : {1e5, 1e7, 1e9}) {
    for (const double angle : {0.3, 0.6, 1.7}) {
      CAPTURE(axial_stiffness);
      CAPTURE(angle);
      const Model model = column(load_for(angle), axial_stiffness);
      const Equilibrium rest = find_equilibrium(model);
      REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, to_text(model, rest));
      CHECK(rest.verdict == "stable (conservative)");
      CHECK(std::abs(std::abs(value(model, rest, "P[16].phi")) - angle) < sixteen_elements * (1 + 1 / angle));
      CHECK(rest.iterations < 100);
    }
  }
}
