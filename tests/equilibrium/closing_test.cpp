// Closing conditions against trigonometry, in both assembly modes; random linkages composed of dyads; what cannot
// close.

#include "stillpoint/closing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stillpoint/assemble.h"
#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"
#include "support/equilibrium/linkages.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using std::numbers::pi;

namespace {

// Lengths are about 1 m, so that this is some tens of units of rounding.
constexpr double exact = 1e-13;

Index coordinate_called(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return i;
  }
  FAIL("no coordinate " << name);
  return 0;
}

void set(const Model& model, State& state, const std::string& name, double value) {
  state.q[coordinate_called(model, name)] = value;
}

double largest_residual(const Model& model, const State& state) {
  return model.constraints() > 0 ? constraint_residual(model, state).lpNorm<Eigen::Infinity>() : 0;
}

Closing require_closed(const Model& model, const State& guess, const std::vector<Index>& independent) {
  const Closing closing = close_explicitly(model, guess, independent);
  CHECK_MESSAGE(closing.closed, closing.message);
  CHECK(largest_residual(model, closing.state) <= exact);
  for (const Index i : independent) CHECK(closing.state.q[i] == guess.q[i]);
  return closing;
}

double turned_into_half_turn(double angle) { return std::remainder(angle, 2 * pi); }

// ----- Random linkages of dyads, each of which hangs on bodies of earlier ones

struct Spot {
  double x = 0, y = 0;
};

class DyadSheet {
 public:
  explicit DyadSheet(std::uint64_t seed) : random_(seed) {
    text = "stillpoint: 1\nname: dyads\nmechanism:\n";
    const int crank = body();
    hinge(-1, crank, {0, 0});
  }

  void add_dyad() {
    const int kind = random_.whole(0, 5), p_on = earlier(), q_on = earlier();
    const Spot p = near(p_on), q = near(q_on), elbow = spot();
    const double theta = random_.between(-pi, pi);
    const auto on_line = [&](double s) { return Spot{q.x + s * std::cos(theta), q.y + s * std::sin(theta)}; };
    if (kind == 0) {  // two bars
      const int a = body(), b = body();
      hinge(p_on, a, p);
      hinge(a, b, elbow);
      hinge(b, q_on, q);
    } else if (kind == 1) {  // a point on two rods
      text += fmt::format("  - {{point: 'X[{}]', at: [{:.17g}, {:.17g}], mass: 1}}\n", points_, elbow.x, elbow.y);
      rod(p_on, p, elbow);
      rod(q_on, q, elbow);
      ++points_;
    } else if (kind == 2) {  // a bar and a slider on a rail
      const Spot origin = on_line(random_.between(-1, 1));
      const int a = body(), slider = body(theta, origin);
      hinge(p_on, a, p);
      hinge(a, slider, elbow);
      text += fmt::format("  - {{prismatic: 'J[{}]', between: ['{}', '{}']}}\n", joints_++, frame(q_on, q, theta),
                          name(slider));
    } else if (kind == 3) {  // a bar whose pin slides in a slot
      const int a = body();
      hinge(p_on, a, p);
      text += fmt::format("  - {{slider: 'J[{}]', slot: '{}', pin: '{}'}}\n", joints_++, frame(q_on, q, theta),
                          place(a, on_line(random_.between(-1, 1))));
    } else if (kind == 4) {  // a bar whose slot slides on a pin
      const int a = body();
      hinge(p_on, a, p);
      text += fmt::format("  - {{slider: 'J[{}]', slot: '{}', pin: '{}'}}\n", joints_++,
                          frame(a, on_line(random_.between(-1, 1)), theta), place(q_on, q));
    } else {  // a cylinder with its rod
      const int a = body(), b = body(theta, spot());
      hinge(p_on, a, p);
      hinge(b, q_on, q);
      text += fmt::format("  - {{prismatic: 'J[{}]', between: ['{}', '{}']}}\n", joints_++,
                          frame(a, {origin(b).x + 0.3 * std::cos(theta), origin(b).y + 0.3 * std::sin(theta)}, theta),
                          name(b));
    }
  }

  std::string text;

 private:
  struct Pose {
    Spot at;
    double angle = 0;
  };

  Spot spot() {
    const double x = random_.between(-1.5, 1.5);
    return {x, random_.between(-1.5, 1.5)};
  }
  Spot near(int body) {
    const double x = random_.between(-1, 1);
    return {origin(body).x + x, origin(body).y + random_.between(-1, 1)};
  }
  int earlier() {
    return random_.whole(std::max(-1, static_cast<int>(poses_.size()) - 5), static_cast<int>(poses_.size()) - 1);
  }
  int body(double angle, const Spot& at) {
    text += fmt::format("  - {{body: 'B[{}]', at: [{:.17g}, {:.17g}], angle: {:.17g}, mass: 1, inertia: 1}}\n",
                        poses_.size(), at.x, at.y, angle);
    poses_.push_back({at, angle});
    return static_cast<int>(poses_.size()) - 1;
  }
  int body() {
    const double angle = random_.between(-pi, pi);
    return body(angle, spot());
  }
  Spot origin(int body) const { return body < 0 ? Spot{} : poses_[static_cast<std::size_t>(body)].at; }
  double angle(int body) const { return body < 0 ? 0 : poses_[static_cast<std::size_t>(body)].angle; }
  static std::string name(int body) { return body < 0 ? "ground" : fmt::format("B[{}]", body); }
  Spot inside(int body, const Spot& p) const {
    const double x = p.x - origin(body).x, y = p.y - origin(body).y, c = std::cos(angle(body)),
                 s = std::sin(angle(body));
    return {c * x + s * y, c * y - s * x};
  }
  std::string place(int body, const Spot& p) const {
    return fmt::format("{}({:.17g}, {:.17g})", name(body), inside(body, p).x, inside(body, p).y);
  }
  std::string frame(int body, const Spot& p, double theta) const {
    return fmt::format("{}({:.17g}, {:.17g}, {:.17g})", name(body), inside(body, p).x, inside(body, p).y,
                       theta - angle(body));
  }
  void hinge(int a, int b, const Spot& at) {
    text += fmt::format("  - {{revolute: 'J[{}]', between: ['{}', '{}']}}\n", joints_++, place(a, at), place(b, at));
  }
  void rod(int a, const Spot& p, const Spot& x) {
    text += fmt::format("  - {{distance: 'R[{}]', between: ['{}', 'X[{}]'], length: {:.17g}}}\n", rods_++, place(a, p),
                        points_, std::hypot(x.x - p.x, x.y - p.y));
  }

  Random random_;
  std::vector<Pose> poses_;
  int joints_ = 0, rods_ = 0, points_ = 0;
};

Model random_dyads(std::uint64_t seed, int dyads) {
  DyadSheet sheet(seed);
  for (int k = 0; k < dyads; ++k) sheet.add_dyad();
  return read_model_text(sheet.text, "test");
}

}  // namespace

// The formulas are those of the crank-rocker of [Blajer 1994], eq. (40), and of the law of cosines.
TEST_CASE("closing: the four-bar linkage has the angles of trigonometry in both assembly modes") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/crank_rocker");
  const double l0 = 1, l1 = 0.3, l2 = 0.9, l3 = 0.8;
  const std::vector<Index> crank{coordinate_called(model, "crank.phi")};
  for (const int mode : {1, -1}) {
    for (int k = 0; k < 24; ++k) {
      CAPTURE(mode);
      CAPTURE(k);
      const double alpha = 2 * pi * k / 24, x = l1 * std::cos(alpha), y = l1 * std::sin(alpha);
      const double d = std::hypot(x, l0 - y);
      // The rocker's joint is to the left of the line from the coupler's to the rocker's known joint, or to its right.
      const double beta = std::atan2(l0 - y, -x) + mode * std::acos((d * d + l2 * l2 - l3 * l3) / (2 * l2 * d));
      const double gamma = std::atan2(l0 - y - l2 * std::sin(beta), -x - l2 * std::cos(beta));
      State guess = model.initial_state();
      set(model, guess, "crank.phi", alpha);
      set(model, guess, "coupler.phi", beta + 0.2);  // both turn, so that the mode is the same
      set(model, guess, "rocker.phi", gamma + 0.2);
      const Closing closing = require_closed(model, guess, crank);
      const auto angle = [&](const char* name) { return closing.state.q[coordinate_called(model, name)]; };
      CHECK(std::abs(turned_into_half_turn(angle("coupler.phi") - beta)) <= exact);
      CHECK(std::abs(turned_into_half_turn(angle("rocker.phi") - gamma)) <= exact);
      const double cosine = (l0 * l0 + l1 * l1 - l2 * l2 - l3 * l3 - 2 * l0 * l1 * std::sin(alpha)) / (2 * l2 * l3);
      CHECK(std::abs(std::cos(angle("rocker.phi") - angle("coupler.phi")) - cosine) <= exact);
      REQUIRE(closing.groups.size() == 1);
      const ClosedGroup& group = closing.groups[0];
      CHECK(group.kind == ClosedGroup::Kind::two_lengths);
      CHECK(group.joint == "O[3]");
      CHECK(group.links == std::vector<std::string>{"coupler", "rocker"});
      CHECK(group.bodies.size() == 2);
      CHECK(group.branch == mode);
    }
  }
}

namespace {

/// ∂g/∂q_I by central differences. With h = 1e-4 third derivatives leave 1e-8 of rates of about 1.
constexpr double difference = 1e-4, of_differences = 1e-6;

Eigen::VectorXd rates_of(const Model& model, const State& here, Index independent) {
  Eigen::VectorXd rate = Eigen::VectorXd::Zero(model.coordinates());
  for (const double sign : {1.0, -1.0}) {
    State there = here;
    there.q[independent] += sign * difference;
    rate += sign / (2 * difference) * require_closed(model, there, {independent}).state.q;
  }
  return rate;
}

}  // namespace

TEST_CASE("closing: derivatives of the closing conditions span the null space of J") {
  const std::vector<std::pair<std::string, std::string>> of_one_freedom{{"crank_rocker", "crank.phi"},
                                                                        {"actuated_four_bar", "rocker.phi"},
                                                                        {"slider_crank", "crank.phi"},
                                                                        {"slider_crank", "slider.x"},
                                                                        {"scissor_frame", "rising.phi"},
                                                                        {"five_bar_parallelogram", "link[1].phi"},
                                                                        {"four_bar", "phi"}};
  for (const auto& mechanism : of_one_freedom) {
    const std::string &name = mechanism.first, &coordinate = mechanism.second;
    CAPTURE(name);
    CAPTURE(coordinate);
    const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name);
    const Index independent = coordinate_called(model, coordinate);
    State guess = model.initial_state();
    guess.q[independent] += 0.01;
    const State here = require_closed(model, guess, {independent}).state;
    const Eigen::VectorXd rate = rates_of(model, here, independent);
    CHECK(rate[independent] == doctest::Approx(1));
    const Eigen::VectorXd violation = MotionAssembly(model).at(here).J * rate;
    CHECK(violation.lpNorm<Eigen::Infinity>() <= of_differences * rate.lpNorm<Eigen::Infinity>());
  }
}

TEST_CASE("closing: the rates of the four-bar linkage are those of [Blajer 1994], eq. (42)") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/crank_rocker");
  const double l0 = 1, l1 = 0.3, l2 = 0.9, l3 = 0.8;
  const Index crank = coordinate_called(model, "crank.phi"), coupler = coordinate_called(model, "coupler.phi");
  const Index rocker = coordinate_called(model, "rocker.phi");
  for (const double alpha : {-1.0, 0.5, 2.0}) {
    State guess = model.initial_state();
    guess.q[crank] = alpha;
    const State here = require_closed(model, guess, {crank}).state;
    const Eigen::VectorXd rate = rates_of(model, here, crank);
    const double alpha3 = here.q[rocker] - here.q[coupler];
    const double expected = l0 * l1 * std::cos(alpha) / (l2 * l3 * std::sin(alpha3));
    CHECK(std::abs(rate[rocker] - rate[coupler] - expected) <= of_differences);
  }
}

TEST_CASE("closing: the slider-crank has the stroke of trigonometry in both assembly modes") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/slider_crank");
  const double r = 0.1, L = 0.3;
  const Index crank = coordinate_called(model, "crank.phi");
  for (const int mode : {1, -1}) {
    for (int k = 0; k < 24; ++k) {
      CAPTURE(mode);
      CAPTURE(k);
      const double phi = 2 * pi * k / 24, slope = -std::asin(r / L * std::sin(phi));
      State guess = model.initial_state();
      guess.q[crank] = phi;
      set(model, guess, "rod.phi", (mode > 0 ? slope : pi - slope) + 0.3);
      const Closing closing = require_closed(model, guess, {crank});
      const double x = r * std::cos(phi) + mode * std::sqrt(L * L - std::pow(r * std::sin(phi), 2));
      CHECK(std::abs(closing.state.q[coordinate_called(model, "slider.x")] - x) <= exact);
      REQUIRE(closing.groups.size() == 1);
      CHECK(closing.groups[0].kind == ClosedGroup::Kind::length_and_line);
      CHECK(closing.groups[0].joint == "slider_pin");
      CHECK(closing.groups[0].branch == mode);
    }
  }
  // With the slider independent the crank follows, here from two lengths.
  State guess = model.initial_state();
  set(model, guess, "slider.x", 0.3);
  const Closing closing = require_closed(model, guess, {coordinate_called(model, "slider.x")});
  const double phi = closing.state.q[crank];
  CHECK(std::abs(std::abs(std::cos(phi)) - (r * r + 0.3 * 0.3 - L * L) / (2 * r * 0.3)) <= exact);
}

TEST_CASE("closing: rods and cylinders turn so that a line passes through a point") {
  // An arm from the origin whose slot passes through the pin (2, 0) at a lateral distance w = 0.5.
  const Model slot = read_model_text(
      "stillpoint: 1\nname: slot\nmechanism:\n  - {body: arm, at: [0, 0], angle: 0.2, mass: 1, inertia: 1}\n"
      "  - {revolute: pivot, between: [ground, arm]}\n  - {slider: guide, slot: 'arm(0, 0.5)', pin: 'ground(2, 0)'}\n",
      "test");
  for (const int mode : {1, -1}) {
    State guess = slot.initial_state();
    const double expected = mode > 0 ? -std::asin(0.25) : pi + std::asin(0.25);
    set(slot, guess, "arm.phi", expected + 0.4);
    const Closing closing = require_closed(slot, guess, {});
    CHECK(closing.independent.empty());
    CHECK(std::abs(closing.state.q[coordinate_called(slot, "arm.phi")] - expected) <= exact);
    REQUIRE(closing.groups.size() == 1);
    CHECK(closing.groups[0].kind == ClosedGroup::Kind::directions);
    CHECK(closing.groups[0].branch != 0);
  }
}

TEST_CASE("closing: linkages composed of dyads of all kinds close from guesses that are off by half a length") {
  const int count = campaign_size(500, 20000);
  int groups = 0, most = 0;
  for (int seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    const Model model = random_dyads(static_cast<std::uint64_t>(seed), 3 + seed % 28);
    REQUIRE(largest_residual(model, model.initial_state()) <= exact * 100);
    State guess = guess_off_by(model, 0.5, 1, static_cast<std::uint64_t>(seed));
    const Index crank = coordinate_called(model, "B[0].phi");
    guess.q[crank] = model.initial_state().q[crank];
    const Closing closing = close_explicitly(model, guess, {crank});
    CHECK_MESSAGE(closing.closed, closing.message);
    CHECK(closing.chosen == 0);
    CHECK(largest_residual(model, closing.state) <= 1e-12);  // of positions up to some ten lengths away
    CHECK(closing.state.q[crank] == guess.q[crank]);
    groups += static_cast<int>(closing.groups.size());
    most = std::max(most, static_cast<int>(closing.groups.size()));
  }
  CHECK(groups >= 15 * count);  // one for each dyad
  CHECK(most >= 30);
}

// A mode that was ruled out for another one stayed ruled out when that one returned, if a third one was changed
// between.
TEST_CASE("closing: modes are tried again when those have changed for which they were ruled out") {
  for (const int seed : {10695, 13985, 14933, 19231}) {
    CAPTURE(seed);
    const Model model = random_dyads(static_cast<std::uint64_t>(seed), 3 + seed % 28);
    State guess = guess_off_by(model, 0.5, 1, static_cast<std::uint64_t>(seed));
    const Index crank = coordinate_called(model, "B[0].phi");
    guess.q[crank] = model.initial_state().q[crank];
    require_closed(model, guess, {crank});
  }
}

TEST_CASE("closing: of the drawn linkages of dyads each keeps its position") {
  for (int seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const Model model = random_dyads(static_cast<std::uint64_t>(seed), 10);
    const State drawn = model.initial_state();
    const State found = close_explicitly(model, drawn, {coordinate_called(model, "B[0].phi")}).state;
    // Rounding grows from dyad to dyad, much where one is nearly stretched.
    CHECK((found.q - drawn.q).lpNorm<Eigen::Infinity>() <= 1e-7);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// In space

namespace {

Rotation<double> about(const Vec3<double>& axis, double angle) { return rotation_about(angle * axis); }

double angle_between(const Rotation<double>& a, const Rotation<double>& b) {
  const Vec3<double> turn = rotation_vector(inverse(a) * b);
  return std::sqrt(dot(turn, turn));
}

constexpr Vec3<double> y_axis_of_ground{0, 1, 0}, z_axis_of_ground{0, 0, 1};

}  // namespace

// R = R_z(a) R_y(b) R_z(c) has two solutions, (a, b, c) and (a + π, −b, c + π).
TEST_CASE("closing: a spherical wrist has the Euler angles of its hand, in both assembly modes") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: wrist\ndimension: 3\nmechanism:\n"
      "  - {body: fork, at: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  - {body: cross, at: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  - {body: hand, at: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  - {revolute: roll, between: [ground, fork]}\n"
      "  - {revolute: pitch, between: ['fork(0, 0, 0, -90*deg, 0, 0)', 'cross(0, 0, 0, -90*deg, 0, 0)']}\n"
      "  - {revolute: twist, between: ['cross', 'hand']}\n",
      "test");
  const Index hand = coordinate_called(model, "hand.rx");
  const auto orientation = [&](double a, double b, double c) {
    return about(z_axis_of_ground, a) * about(y_axis_of_ground, b) * about(z_axis_of_ground, c);
  };
  for (const double b : {0.7, -0.7}) {
    CAPTURE(b);
    const double a = 0.4, c = -1.1;
    State guess = model.initial_state();
    guess.orientations = {orientation(a + 0.2, 0, 0), orientation(a, b + 0.3, 0), orientation(a, b, c)};
    const Closing closing = require_closed(model, guess, {hand, hand + 1, hand + 2});
    CHECK(angle_between(closing.state.orientations[0], orientation(a, 0, 0)) <= exact);
    CHECK(angle_between(closing.state.orientations[1], orientation(a, b, 0)) <= exact);
    CHECK(angle_between(closing.state.orientations[2], guess.orientations[2]) <= exact);
    CHECK(closing.chosen == 0);
    REQUIRE(closing.groups.size() == 1);
    CHECK(closing.groups[0].kind == ClosedGroup::Kind::directions);
    CHECK(closing.groups[0].branch == (b > 0 ? 1 : -1));
  }
}

// The rod is 1 m long between (0.3 cos t, 0.3 sin t, 0) and (0.5 + 0.4 cos s, 0.2, 0.4 sin s).
TEST_CASE("closing: a rod between ball joints turns the rocker to the angle of trigonometry, in both modes") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: rssr\ndimension: 3\nmechanism:\n"
      "  - {body: crank, at: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  - {body: rocker, at: [0.5, 0.2, 0], mass: 1, inertia: [1, 1, 1]}\n"
      "  - {scalar: t, value: 0}\n"
      "  - {revolute: O, between: [ground, crank]}\n"
      "  - {revolute: Q, between: ['ground(0.5, 0.2, 0, -90*deg, 0, 0)', 'rocker(0, 0, 0, -90*deg, 0, 0)']}\n"
      "  - {distance: rod, between: ['crank(0.3, 0, 0)', 'rocker(0.4, 0, 0)'], length: 1}\n"
      "  - {angle: t, of: t, between: [ground, crank]}\n",
      "test");
  const Index t = coordinate_called(model, "t");
  for (const int mode : {1, -1}) {
    for (const double angle : {2.0, 3.0, 4.0}) {
      CAPTURE(mode);
      CAPTURE(angle);
      // |p_b − p_a|² = 1 is u cos s = v.
      const double dx = 0.5 - 0.3 * std::cos(angle), dy = 0.2 - 0.3 * std::sin(angle);
      const double cosine = (1 - dx * dx - dy * dy - 0.16) / (0.8 * dx), s = mode * std::acos(cosine);
      State guess = model.initial_state();
      guess.q[t] = angle;
      guess.orientations[1] = about(y_axis_of_ground, -s + 0.1);
      const Closing closing = require_closed(model, guess, {t});
      CHECK(angle_between(closing.state.orientations[1], about(y_axis_of_ground, -s)) <= exact);
      CHECK(angle_between(closing.state.orientations[0], about(z_axis_of_ground, angle)) <= exact);
      REQUIRE(closing.groups.size() == 1);
      CHECK(closing.groups[0].kind == ClosedGroup::Kind::two_lengths);
      CHECK(std::abs(closing.groups[0].branch) == 1);
    }
  }
}

TEST_CASE("closing: the spatial linkages among the cases close in closed form from guesses that are off") {
  for (const char* name : {"slider_crank_spatial", "four_bar_spatial"}) {
    CAPTURE(name);
    const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Closing closing = require_closed(model, guess_off_by(model, 0.1, 0.1, seed), {});
      CHECK(closing.chosen == 1);
      CHECK(!closing.groups.empty());
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What cannot close, and what has no closing conditions

namespace {

std::string two_bars(const std::string& end) {
  return "stillpoint: 1\nname: bars\nmechanism:\n  - {body: A, at: [0.5, 0], mass: 1, inertia: 1}\n"
         "  - {body: B, at: [1.5, 0], mass: 1, inertia: 1}\n"
         "  - {revolute: a, between: [ground, 'A(-0.5, 0)']}\n  - {revolute: b, between: ['A(0.5, 0)', 'B(-0.7, "
         "0)']}\n" +
         end;
}

}  // namespace

TEST_CASE("closing: joints that do not meet are named, with the length") {
  const auto message_of = [](const std::string& text) {
    const Model model = read_model_text(text, "test");
    const State guess = model.initial_state();
    const Closing closing = close_explicitly(model, guess, {});
    CHECK(!closing.closed);
    CHECK(closing.groups.empty());
    CHECK(closing.gap > 0);
    return closing.message;
  };
  CHECK(message_of(two_bars("  - {revolute: c, between: ['B(0.7, 0)', 'ground(3, 0)']}\n")) ==
        "'b' would be 1 m from 'a' (by 'A') and 1.4 m from 'c' (by 'B'), but these are 3 m apart: 0.6 m too far");
  CHECK(message_of(two_bars("  - {revolute: c, between: ['B(0.7, 0)', 'ground(0.3, 0)']}\n")) ==
        "'b' would be 1 m from 'a' (by 'A') and 1.4 m from 'c' (by 'B'), but these are 0.3 m apart: 0.1 m too near");
  CHECK(message_of("stillpoint: 1\nname: guide\nmechanism:\n  - {body: A, at: [0.5, 0], mass: 1, inertia: 1}\n"
                   "  - {revolute: a, between: [ground, 'A(-0.5, 0)']}\n"
                   "  - {slider: s, slot: 'ground(0, 1.25)', pin: 'A(0.5, 0)'}\n") ==
        "'s' would be 1 m from 'a' (by 'A'), but the line of 's' passes that at 1.25 m: 0.25 m too far");
  CHECK(
      message_of("stillpoint: 1\nname: rods\nmechanism:\n  - {point: X, at: [1, 1], mass: 1}\n"
                 "  - {rod: left, between: [ground, X], length: 1, mass: 1}\n"
                 "  - {rod: right, between: ['ground(3, 0)', X], length: 1.5, mass: 1}\n") ==
      "'X' would be 1 m from the other end of 'left' and 1.5 m from the other end of 'right', but these are 3 m apart: "
      "0.5 m too far");
}

TEST_CASE("closing: what has no solution for other reasons is told") {
  const Model slot = read_model_text(
      "stillpoint: 1\nname: slot\nmechanism:\n  - {body: arm, at: [0, 0], mass: 1, inertia: 1}\n"
      "  - {revolute: pivot, between: [ground, arm]}\n  - {slider: guide, slot: 'arm(0, 3)', pin: 'ground(2, 0)'}\n",
      "test");
  const Closing closing = close_explicitly(slot, slot.initial_state(), {});
  CHECK(!closing.closed);
  CHECK(closing.message == "no orientation satisfies 'arm', 'guide' together");

  const Model bar = read_model_text(two_bars("  - {revolute: c, between: ['A(0.2, 0)', 'ground(0.3, 0)']}\n"), "test");
  CHECK(close_explicitly(bar, bar.initial_state(), {}).message == "'A' does not fit between the places of its joints");
}

TEST_CASE("closing: a model without closing conditions is left as it is") {
  for (const char* name : {"twin_chains", "free_beam", "free_beam_spatial", "beck_column", "pendulum_body"}) {
    CAPTURE(name);
    const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name);
    const State guess = model.initial_state();
    const Closing closing = close_explicitly(model, guess);
    CHECK(closing.closed);
    CHECK(closing.groups.empty());
    CHECK(closing_conditions(model, guess).empty());
    CHECK(closing.state.q == guess.q);
  }
}

// A platform on three rods has up to six positions, the roots of a polynomial.
TEST_CASE("closing: a group that needs a polynomial has no closing conditions, and is assembled as before") {
  std::string text = "stillpoint: 1\nname: platform\nmechanism:\n  - {body: P, at: [0.1, 1.1], mass: 1, inertia: 1}\n";
  const double feet[] = {-1, 0.2, 1.1}, corners[] = {-0.5, 0.1, 0.5};
  for (int k = 0; k < 3; ++k) {
    text += fmt::format("  - {{distance: 'R[{}]', between: ['ground({}, 0)', 'P({}, {})'], length: 1}}\n", k, feet[k],
                        corners[k], k == 1 ? 0.3 : 0);
  }
  const Model model = read_model_text(text, "test");
  const Closing closing = close_explicitly(model, model.initial_state());
  CHECK(!closing.closed);
  CHECK(closing.groups.empty());
  CHECK(closing.gap == 0);
  CHECK(closing.message == "with P.phi as in the guess, the conditions of 'P' contradict each other");
  CHECK(closing.constraint_residual > 1e-3);
  const AssembledGuess found = assemble(model, model.initial_state());
  CHECK(found.assembled);
  CHECK(found.notes.empty());
}

// ---------------------------------------------------------------------------------------------------------------------
// Use in the assembly

TEST_CASE("closing: an assembly with held coordinates keeps them exactly where they determine the others") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/crank_rocker");
  const Index crank = coordinate_called(model, "crank.phi");
  State guess = model.initial_state();
  guess.q[crank] += 2.5;
  const AssembledGuess found = assemble(model, guess, {.held = {crank}});
  CHECK(found.assembled);
  CHECK(found.notes.empty());
  CHECK(found.state.q[crank] == guess.q[crank]);
  CHECK(largest_residual(model, found.state) <= exact);
  CHECK(found.state.q == close_explicitly(model, guess, {crank}).state.q);
}

TEST_CASE("closing: held coordinates determine 30 000 loops in closed form as well") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", draws(30'000, 2000)}});
  const Index phi = coordinate_called(model, "phi");
  State guess = model.initial_state();
  guess.q[phi] = 1.5;
  const AssembledGuess found = assemble(model, guess, {.held = {phi}});
  CHECK(found.assembled);
  CHECK(found.notes.empty());
  CHECK(found.state.q[phi] == guess.q[phi]);
  CHECK(largest_residual(model, found.state) <= 3e-11);  // rounding of places up to 30 km away
}

TEST_CASE("closing: a guess that satisfies the constraints is not touched by the assembly") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/crank_rocker");
  const State guess = model.initial_state();
  CHECK(assemble(model, guess, {.held = {coordinate_called(model, "crank.phi")}}).state.q == guess.q);
}

TEST_CASE("closing: linkages that cannot be assembled from the guess are assembled explicitly, and a note says so") {
  int explicitly = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Model model = random_dyads(seed, 12);
    const AssembledGuess found = assemble(model, guess_off_by(model, 1, 1, seed));
    if (found.notes.empty() || found.notes[0].find("but explicitly: ") == std::string::npos) continue;
    ++explicitly;
    CHECK(found.assembled);
    CHECK(largest_residual(model, found.state) <= 1e-10);
    CHECK(found.notes[0].find("closing conditions in closed form (independent: ") != std::string::npos);
  }
  CHECK(explicitly >= 3);
}

TEST_CASE("closing: an assembly that fails names the joints that do not meet") {
  const Model model = read_model_text(two_bars("  - {revolute: c, between: ['B(0.7, 0)', 'ground(3, 0)']}\n"), "test");
  const std::string message = assemble(model, model.initial_state()).message;
  CHECK_MESSAGE(
      message.find("; 'b' would be 1 m from 'a' (by 'A') and 1.4 m from 'c' (by 'B'), but these are 3 m apart: "
                   "0.6 m too far") != std::string::npos,
      message);
}

TEST_CASE("closing: the text tells the conditions, the assembly modes and what is independent") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/scissor_frame");
  CHECK(to_text(close_explicitly(model, model.initial_state())) ==
        "2 closing conditions in closed form (independent: rising.phi): 'right_foot' +, axis of 'table' −");
}
