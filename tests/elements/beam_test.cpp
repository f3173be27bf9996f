// Beams in the plane against closed forms: vibration, buckling, flutter, large rotations.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/elements/all.h"
#include "support/elements/vibrations.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

/// Of a beam: how it is made, and from where in which direction.
struct Line {
  double length = 1, EA = 1e6, EI = 1, GA = 0, rhoA = 1, rhoI = 0;
  Vec2<double> from{};
  double angle = 0;
};

/// Nodes along a line, and beams between them.
std::vector<Place> lay(ModelBuilder& build, const Line& line, int elements, const std::string& name = "node") {
  std::vector<Place> nodes;
  const double h = line.length / elements;
  for (int i = 0; i <= elements; ++i) {
    nodes.push_back(build.body(Name(name, {i}), line.from + (i * h) * direction(line.angle), {.angle = line.angle}));
    if (i == 0) continue;
    build.add({}, Beam{.a = nodes[nodes.size() - 2],
                       .b = nodes.back(),
                       .length = h,
                       .axial_stiffness = line.EA,
                       .bending_stiffness = line.EI,
                       .shear_stiffness = line.GA,
                       .mass_per_length = line.rhoA,
                       .rotary_inertia = line.rhoI});
  }
  return nodes;
}

double largest_real_part(const Spectrum& spectrum) {
  double largest = 0;
  for (const Mode& mode : spectrum.modes) largest = std::max(largest, mode.s.real());
  return largest;
}

Model cantilever(int elements, const Line& line = {}) {
  ModelBuilder build;
  const std::vector<Place> nodes = lay(build, line, elements);
  build.add("clamp", Weld{.a = build.fixed("wall", line.from, line.angle), .b = nodes.front()});
  return build.model();
}

/// A column under a load P on its free end, against its axis: one that follows it, or one that keeps its direction.
Model column(double P, bool follows) {
  ModelBuilder build;
  const std::vector<Place> nodes = lay(build, {.EA = 1e7}, 16);
  build.add("clamp", Weld{.a = ground, .b = nodes.front()});
  if (follows) build.add("load", FollowerForce{.at = nodes.back(), .vector = {-P, 0}});
  else build.add("load", Force{.at = nodes.back(), .vector = {-P, 0}});
  return build.model();
}

}  // namespace

TEST_CASE("beam: a cantilever vibrates as Euler and Bernoulli say, and errors fall with the fourth power") {
  const double exact[] = {3.516015268500, 22.034491564686, 61.697214402098};  // β²; cos β cosh β = −1
  const auto coarse = frequencies(cantilever(6)), fine = frequencies(cantilever(12));
  for (std::size_t k = 0; k < 3; ++k) {
    const double before = coarse[k] / exact[k] - 1, now = fine[k] / exact[k] - 1;
    CHECK(now > 0);
    CHECK(now < 2e-4);
    CHECK(before / now > 14);
    CHECK(before / now < 17);
  }
}

TEST_CASE("beam: wherever it lies and points, it vibrates the same") {
  const auto here = frequencies(cantilever(6, {.GA = 300, .rhoI = 1e-3}));
  const auto there = frequencies(cantilever(6, {.GA = 300, .rhoI = 1e-3, .from = {3, -2}, .angle = 2.5}));
  REQUIRE(here.size() == there.size());
  for (std::size_t k = 0; k < here.size(); ++k) CHECK(there[k] == doctest::Approx(here[k]).epsilon(1e-9));
}

TEST_CASE("beam: a free one has three motions without a frequency, and bends as the theory says") {
  ModelBuilder build;
  lay(build, {}, 16);
  const Spectrum spectrum = spectrum_of(build.model());
  CHECK(spectrum.at_zero == 6);
  CHECK(frequencies(spectrum)[0] == doctest::Approx(22.373285448).epsilon(1e-5));
  CHECK(frequencies(spectrum)[1] == doctest::Approx(61.672822868).epsilon(1e-4));
}

TEST_CASE("beam: shear and rotary inertia as in Timoshenko's theory (NAFEMS FV5 in its plane)") {
  const double side = 2, L = 10, E = 200e9, G = E / 2.6, rho = 8000, A = side * side, I = A * A / 12, k = 0.85;
  ModelBuilder build;
  const auto nodes =
      lay(build, {.length = L, .EA = E * A, .EI = E * I, .GA = k * G * A, .rhoA = rho * A, .rhoI = rho * I}, 40);
  build.add("left", Revolute{.a = ground, .b = nodes.front()});
  build.add("right", Slider{.slot = ground, .pin = nodes.back()});
  const std::vector<double> found = frequencies(build.model());
  // ρ²I/(kG) ω⁴ − (ρA + ρI a² (1 + E/(kG))) ω² + EI a⁴ = 0,  a = nπ/L; and the axial mode of one fixed end, 125 Hz
  const auto bending = [&](int n) {
    const double a = n * pi / L, p = rho * rho * I / (k * G), q = rho * A + rho * I * a * a * (1 + E / (k * G)),
                 r = E * I * a * a * a * a;
    return std::sqrt((q - std::sqrt(q * q - 4 * p * r)) / (2 * p));
  };
  CHECK(found[0] == doctest::Approx(bending(1)).epsilon(5e-4));
  CHECK(found[1] == doctest::Approx(2 * pi * 125).epsilon(1e-3));
  CHECK(found[2] == doctest::Approx(bending(2)).epsilon(2e-3));
  CHECK(bending(1) == doctest::Approx(2 * pi * 42.6456).epsilon(1e-5));
}

TEST_CASE("beam: a moment rolls it up into a circle") {
  const auto gap_of = [](int elements) {
    ModelBuilder build;
    std::vector<Place> nodes;
    const double h = 1.0 / elements, radius = 1 / (2 * pi);
    for (int i = 0; i <= elements; ++i) {  // the guess: on the circle
      const double phi = 2 * pi * i * h;
      nodes.push_back(
          build.body(Name("node", {i}), {radius * std::sin(phi), radius * (1 - std::cos(phi))}, {.angle = phi}));
      if (i == 0) continue;
      build.add({}, Beam{.a = nodes[nodes.size() - 2],
                         .b = nodes.back(),
                         .length = h,
                         .axial_stiffness = 1e4,
                         .bending_stiffness = 1});
    }
    build.add("clamp", Weld{.a = ground, .b = nodes.front()});
    build.add("moment", Torque{.on = nodes.back(), .magnitude = 2 * pi});
    const Equilibrium rest = find_equilibrium(build.model(), {.rest = EquilibriumRequest::nearest});
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
    const Eigen::VectorXd tip = rest.state.q.tail<3>();
    CHECK(tip[2] == doctest::Approx(2 * pi).epsilon(1e-9));
    return std::hypot(tip[0], tip[1]);
  };
  CHECK(gap_of(10) < 1e-3);
  CHECK(gap_of(20) < 1e-3 / 12);
}

TEST_CASE("beam: tension stiffens bending (the hanging double pendulum of González 2017, geometrically exact)") {
  const double r = 0.15, rho = 1500, E = 1e8, A = pi * r * r, I = pi * r * r * r * r / 4;
  const auto frequencies_with = [&](double EA, double rhoI) {
    ModelBuilder build;
    build.gravity({0, -9.81});
    const Line upper{.length = 4, .EA = EA, .EI = E * I, .rhoA = rho * A, .rhoI = rhoI, .angle = -pi / 2};
    Line lower = upper;
    lower.from = {0, -4};
    const auto first = lay(build, upper, 20, "upper"), second = lay(build, lower, 20, "lower");
    build.add("top", Revolute{.a = ground, .b = first.front()});
    build.add("middle", Revolute{.a = first.back(), .b = second.front()});
    return frequencies(build.model());
  };
  const double stiff[] = {1.338727, 3.554338, 15.352588, 25.397713};  // inextensible, without rotary inertia
  const double soft[] = {1.33807, 3.54863, 15.2992, 25.2102};         // extensible, with rotary inertia
  const auto found_stiff = frequencies_with(1e3 * E * A, 0), found_soft = frequencies_with(E * A, rho * I);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(found_stiff[k] == doctest::Approx(stiff[k]).epsilon(2e-6));
    CHECK(found_soft[k] == doctest::Approx(soft[k]).epsilon(6e-6));
  }
}

TEST_CASE("beam: a column buckles at Euler's load, and flutters at Beck's if the load follows it") {
  CHECK(largest_real_part(spectrum_of(column(pi * pi / 4 - 0.002, false))) < 1e-6);
  CHECK(largest_real_part(spectrum_of(column(pi * pi / 4 + 0.002, false))) > 0.01);
  CHECK(largest_real_part(spectrum_of(column(20.04, true))) < 1e-6);
  CHECK(largest_real_part(spectrum_of(column(20.07, true))) > 0.01);
}
