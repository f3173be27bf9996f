// Frames that turn, and rotors, against closed forms and published figures.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/stability.h"
#include "stillpoint/stillpoint.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

constexpr double exact = 1e-10;

struct Judged {
  Equilibrium rest;
  Spectrum spectrum;
  Verdict verdict;
};

Judged judged(const Model& model, EquilibriumRequest kind = EquilibriumRequest::nearest) {
  Judged result;
  result.rest = find_equilibrium(model, {.rest = kind});
  REQUIRE_MESSAGE(result.rest.status == EquilibriumStatus::at_rest, to_text(model, result.rest));
  const LinearSystem system = linearize(model, result.rest);
  const MinimalForm form = minimal_form(system);
  result.spectrum = solve_modes(system, form);
  result.verdict = judge(form, result.spectrum);
  return result;
}

/// Each of the expected ones is among the eigenvalues, as often as it is named.
void check_among(const Spectrum& spectrum, const std::vector<Complex>& expected, double tolerance) {
  std::vector<Complex> left;
  for (const Mode& mode : spectrum.modes) left.push_back(mode.s);
  for (const Complex s : expected) {
    CAPTURE(s.real());
    CAPTURE(s.imag());
    const auto nearest = std::min_element(left.begin(), left.end(),
                                          [&](Complex a, Complex b) { return std::abs(a - s) < std::abs(b - s); });
    REQUIRE(nearest != left.end());
    CHECK(std::abs(*nearest - s) < tolerance);
    left.erase(nearest);
  }
}

constexpr Complex i{0, 1};

}  // namespace

TEST_CASE("frame that turns: a bead on a turning hoop leaves the bottom at Ω² = g/R") {
  const double g = 9.81, R = 1.2;
  for (const double spin : {2.0, 4.0, 6.0}) {
    CAPTURE(spin);
    ModelBuilder build("hoop");
    build.gravity({0, 0, -g});
    build.angular_velocity({0, 0, spin});
    const space::Place bead = build.space_point("P", {R * std::sin(0.3), 0, -R * std::cos(0.3)}, {.mass = 0.7});
    build.add("hoop", space::Distance{.a = space::ground, .b = bead, .length = R});
    build.add("plane", Coupling{.coordinates = {build.coordinate("P", "y")}, .factors = {1}});
    const Judged hoop = judged(build.model(), EquilibriumRequest::stable);
    const double cosine = std::min(1.0, g / (R * spin * spin));
    CHECK(hoop.rest.state.q[2] == doctest::Approx(-R * cosine).epsilon(exact));
    const double square = spin * spin < g / R ? g / R - spin * spin : spin * spin * (1 - cosine * cosine);
    check_among(hoop.spectrum, {i * std::sqrt(square), -i * std::sqrt(square)}, exact);
    CHECK(hoop.verdict.stability == Stability::stable);
  }
}

TEST_CASE("frame that turns: Foucault's pendulum has both its frequencies, and is held though its potential is not") {
  const double g = 9.81, l = 2, own = std::sqrt(g / l);
  for (const double spin : {0.5, 3.0}) {  // slower and faster than the pendulum
    CAPTURE(spin);
    ModelBuilder build("foucault");
    build.gravity({0, 0, -g});
    build.angular_velocity({0, 0, spin});
    const space::Place bob = build.space_point("P", {0, 0, -l}, {.mass = 3});
    build.add("string", space::Distance{.a = space::ground, .b = bob, .length = l});
    const Judged pendulum = judged(build.model());
    check_among(pendulum.spectrum, {i * (own + spin), i * (own - spin), -i * (own + spin), -i * (own - spin)}, exact);
    CHECK(pendulum.verdict.stability == (spin < own ? Stability::stable : Stability::oscillatory));
    CHECK(pendulum.rest.verdict == (spin < own ? "stable (conservative)" : "undecided"));
  }
}

// Of the motions of the body's centre, which a frame that turns sees as circles that drift, nothing is asked here.
TEST_CASE("frame that turns: a free body turns stably about its first and its third axis") {
  const double A = 10, B = 12, C = 8, spin = 5;
  const auto turning = [&](const Vec3<double>& axis) {
    ModelBuilder build("free");
    build.angular_velocity(spin * axis);
    const space::Place body = build.space_body("body", {0, 0, 0}, {.mass = 1, .inertia = {A, B, C}});
    build.add("centre", space::Spherical{.a = space::ground, .b = body});
    return judged(build.model());
  };
  const auto squared = [&](double own, double one, double other) {
    return Complex(-spin * spin * (own - one) * (own - other) / (one * other));
  };
  const Complex about_x = std::sqrt(squared(A, B, C)), about_y = std::sqrt(squared(B, A, C)),
                about_z = std::sqrt(squared(C, A, B));
  check_among(turning({1, 0, 0}).spectrum, {about_x, -about_x, 0, 0, i * spin, -i * spin}, exact);
  check_among(turning({0, 1, 0}).spectrum, {about_y, -about_y, 0, 0, i * spin, -i * spin}, exact);
  check_among(turning({0, 0, 1}).spectrum, {about_z, -about_z, 0, 0, i * spin, -i * spin}, exact);
  CHECK(turning({1, 0, 0}).verdict.stability == Stability::unstable);  // A is the one between
  CHECK(turning({0, 1, 0}).verdict.stability == Stability::neutral);
  CHECK(turning({0, 0, 1}).verdict.stability == Stability::neutral);
}

TEST_CASE("frame that turns: a wheel within makes a satellite stable, and another speed unstable again") {
  // Of two spins, W of the satellite and h of the wheel: λ² = −((C − B) W + h) ((C − A) W + h) / (A B).
  const double A = 10, B = 12, C = 8;
  for (const double h : {0.0, 1.0, 2.5, 3.9, 4.1, 6.0}) {
    CAPTURE(h);
    ModelBuilder build("gyrostat");
    build.angular_velocity({0, 0, 1});
    const space::Place body = build.space_body("body", {0, 0, 0}, {.mass = 1, .inertia = {A, B, C}});
    build.add("centre", space::Spherical{.a = space::ground, .b = body});
    build.add("wheel", space::Rotor{.on = body, .momentum = {0, 0, h}});
    const Complex s = std::sqrt(Complex(-((C - B) + h) * ((C - A) + h) / (A * B)));
    check_among(judged(build.model()).spectrum, {s, -s, 0, 0, i, -i}, exact);
  }
}

TEST_CASE("frame that turns: what is described in another frame has the same motions there") {
  // Two masses and a rod of mass, in a plane that does not turn: seen from one that does, with frequencies shifted.
  const double spin = 0.7;
  const auto plate = [&](double angular_velocity) {
    ModelBuilder build("plate");
    build.angular_velocity({0, 0, angular_velocity});
    const Place a = build.point("A", {0, 0}, {.mass = 2});
    for (const Vec2<double>& wall : {Vec2<double>{1, 0}, Vec2<double>{-1, 0}, Vec2<double>{0, 1}, Vec2<double>{0, -1}})
      build.add({}, Spring{.a = build.fixed({}, wall), .b = a, .stiffness = 9, .free_length = 1});
    return judged(build.model());
  };
  const double own = std::sqrt(9.0);
  check_among(plate(0).spectrum, {i * own, i * own, -i * own, -i * own}, exact);
  check_among(plate(spin).spectrum, {i * (own + spin), i * (own - spin), -i * (own + spin), -i * (own - spin)}, exact);
}

// [Wright 1982]: μ of the first lag and flap modes over η, without hub.
TEST_CASE("frame that turns: a turning cantilever is as stiff as Southwell's and Wright's tables say") {
  constexpr double figures = 1e-4;  // relative: sixteen elements
  const int n = 16;
  for (const auto& row : {std::pair{3.0, 4.797279}, std::pair{6.0, 7.360375}, std::pair{10.0, 11.202342}}) {
    const double eta = row.first, flap = row.second;
    CAPTURE(eta);
    ModelBuilder plane("lag"), space_("flap");
    plane.angular_velocity({0, 0, eta});
    space_.angular_velocity({0, 0, eta});
    Place before = plane.body("P[0]", {0, 0});
    space::Place before_in_space = space_.space_body("P[0]", {0, 0, 0});
    plane.add("hub", Weld{.a = ground, .b = before});
    space_.add("hub", space::Weld{.a = space::ground, .b = before_in_space});
    for (int k = 1; k <= n; ++k) {
      const double x = static_cast<double>(k) / n;
      const Place at = plane.body({"P", {k}}, {x, 0});
      const space::Place there = space_.space_body({"P", {k}}, {x, 0, 0});
      plane.add({}, Beam{.a = before,
                         .b = at,
                         .length = 1.0 / n,
                         .axial_stiffness = 1e8,
                         .bending_stiffness = 1,
                         .mass_per_length = 1});
      space_.add({}, space::Beam{.a = before_in_space,
                                 .b = there,
                                 .length = 1.0 / n,
                                 .axial_stiffness = 1e8,
                                 .torsion_stiffness = 1,
                                 .bending_y = 1,
                                 .bending_z = 1,
                                 .mass_per_length = 1,
                                 .rotary_inertia = {1e-7, 0, 0}});
      before = at;
      before_in_space = there;
    }
    const double lag = std::sqrt(flap * flap - eta * eta);
    check_among(judged(plane.model()).spectrum, {i * lag, -i * lag}, figures * lag);
    check_among(judged(space_.model()).spectrum, {i * flap, -i * flap, i * lag, -i * lag}, figures * flap);
  }
}

// EI k⁴ − ρA ω² − ρI k² ω² + 2 ρI k² Ω ω = 0 for a round shaft whose sections tilt, with 2 ρI about its axis; in the
// frame of the shaft the frequencies are |ω − Ω|.
TEST_CASE("frame that turns: a thick shaft on two supports whirls as it should, to the fourth power of its elements") {
  constexpr double spin = 0.3, EI = 1, rhoA = 1, rhoI = 0.03, k = std::numbers::pi;
  const double a = rhoA + rhoI * k * k, b = rhoI * k * k * spin, root = std::sqrt(b * b + a * EI * k * k * k * k);
  const double forward = (b + root) / a - spin, backward = (root - b) / a + spin;
  const auto distance = [&](int n) {
    ModelBuilder build;
    build.angular_velocity({spin, 0, 0});
    std::vector<space::Place> nodes{build.space_body("P[0]", {0, 0, 0})};
    for (int j = 1; j <= n; ++j) {
      nodes.push_back(build.space_body({"P", {j}}, {static_cast<double>(j) / n, 0, 0}));
      build.add({}, space::Beam{.a = nodes[nodes.size() - 2],
                                .b = nodes.back(),
                                .length = 1.0 / n,
                                .axial_stiffness = 1e3,
                                .torsion_stiffness = 1,
                                .bending_y = EI,
                                .bending_z = EI,
                                .mass_per_length = rhoA,
                                .rotary_inertia = {2 * rhoI, rhoI, rhoI}});
    }
    const Rotation<double> across = rotation_about({0, 0.5 * std::numbers::pi, 0});  // z along the shaft
    const double third = 2 * std::numbers::pi / 3 / std::numbers::sqrt3;
    const Rotation<double> turned = rotation_about({third, third, third});  // its x and y across the shaft
    build.add("left", space::Universal{.a = build.space_fixed("end", {0, 0, 0}, turned),
                                       .b = build.space_marker("joint", nodes.front(), {0, 0, 0}, turned)});
    build.add("right",
              space::PointOnLine{.line = build.space_fixed("support", {1, 0, 0}, across), .point = nodes.back()});
    const Spectrum spectrum = judged(build.model()).spectrum;
    double largest = 0;
    for (const double expected : {forward, backward}) {
      double least = expected;
      for (const Mode& mode : spectrum.modes) {
        if (mode.s.imag() > 0) least = std::min(least, std::abs(mode.s - i * expected));
        CHECK(std::abs(mode.s.real()) < 1e-9 * std::max(1.0, std::abs(mode.s)));
      }
      largest = std::max(largest, least / expected);
    }
    return largest;
  };
  const double coarse = distance(4), fine = distance(8);
  CAPTURE(coarse);
  CAPTURE(fine);
  CHECK(fine < 3e-5);
  CHECK(coarse / fine > 12);
}

// Natural coordinates of a rod, a floating frame and a rigid body describe the same bar.
TEST_CASE("frame that turns: a bar feels the same as a rod, as a rigid body and as a floating beam") {
  const double spin = 2, k = 30, l = 1, m = 3;
  const auto spring_at = [&](ModelBuilder& build, Place end, const Vec2<double>& wall) {
    build.add({}, Spring{.a = build.fixed({}, wall), .b = end, .stiffness = k, .free_length = 0.5});
  };
  const auto held = [&](ModelBuilder& build, Place a, Place b) {
    build.angular_velocity({0, 0, spin});
    spring_at(build, a, {-0.5, 0.1});
    spring_at(build, a, {0, 0.7});
    spring_at(build, b, {1.6, 0});
    spring_at(build, b, {1, -0.5});
  };
  ModelBuilder rods("rod"), bodies("body"), beams("floating");
  {
    const Place a = rods.point("A", {0, 0}), b = rods.point("B", {l, 0});
    rods.add("bar", Rod{.a = a, .b = b, .length = l, .mass = m});
    held(rods, a, b);
  }
  {
    const Place bar = bodies.body("bar", {0, 0}, {.mass = m, .inertia = m * l * l / 12, .centre = {l / 2, 0}});
    held(bodies, bar, bodies.marker("end", bar, {l, 0}));
  }
  {
    const Place bar = beams.body("bar", {0, 0});
    const Place a = beams.node("A", bar, {0, 0}), b = beams.node("B", bar, {l, 0});
    beams.add(
        "bar",
        FloatingBeam{
            .nodes = {a.marker, b.marker}, .axial_stiffness = 1e9, .bending_stiffness = 1e9, .mass_per_length = m / l});
    beams.add("clamp", Clamp{.node = a});
    held(beams, a, b);
  }
  const Judged rod = judged(rods.model()), body = judged(bodies.model()), beam = judged(beams.model());
  std::vector<Complex> expected;
  for (const Mode& mode : body.spectrum.modes) expected.push_back(mode.s);
  CHECK(expected.size() == 6);
  check_among(rod.spectrum, expected, exact);
  check_among(beam.spectrum, expected, 1e-5);  // it gives way by 1e-7 of what holds it
}

TEST_CASE("frame that turns: what it does not know is refused") {
  ModelBuilder falls("falls"), turns("turns");
  falls.gravity({0, -9.81});
  CHECK_THROWS_WITH_AS(falls.angular_velocity({0, 0, 1}), doctest::Contains("angular_velocity: gravity rotates"),
                       Error);
  turns.angular_velocity({0, 1, 1});
  CHECK_THROWS_WITH_AS(turns.gravity({0, 0, -9.81}), doctest::Contains("gravity: gravity rotates"), Error);
  ModelBuilder infinite("infinite");
  CHECK_THROWS_WITH_AS(infinite.angular_velocity({0, 0, 1.0 / 0.0}), doctest::Contains("angular_velocity"), Error);
}

TEST_CASE("rotor: Lagrange's top sleeps above n = 2 √(A m g l) / C") {
  const double A = 0.02, m = 0.5, l = 0.1, g = 9.81;
  for (const double part : {1.5, 1.1, 0.9}) {
    CAPTURE(part);
    const double momentum = part * 2 * std::sqrt(A * m * g * l);
    ModelBuilder build("top");
    build.gravity({0, 0, -g});
    const space::Place top = build.space_body(
        "top", {0, 0, 0}, {.mass = m, .inertia = {A - m * l * l, A - m * l * l, 0.001}, .centre = {0, 0, l}});
    build.add("tip", space::Universal{.a = space::ground, .b = top});
    build.add("spin", space::Rotor{.on = top, .momentum = {0, 0, momentum}});
    const Judged sleeping = judged(build.model());
    const Complex root = std::sqrt(Complex(momentum * momentum - 4 * A * m * g * l));
    std::vector<Complex> expected;
    for (const double sign : {1.0, -1.0}) {
      expected.push_back(i * (momentum + sign * root) / (2 * A));
      expected.push_back(-i * (momentum + sign * root) / (2 * A));
    }
    check_among(sleeping.spectrum, expected, exact);
    CHECK(sleeping.verdict.stability == (part > 1 ? Stability::oscillatory : Stability::unstable));
    CHECK(sleeping.rest.verdict == "undecided");
  }
}
