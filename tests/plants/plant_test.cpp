// Plants against closed forms: matrices, feedthrough, names, and what is refused.

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>

#include "stillpoint/frequency_response.h"
#include "stillpoint/modes.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/plants/doubly_held.h"
#include "support/scratch_folder.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

// A dozen operations with numbers near one.
constexpr double rounding = 1e-13;

using Words = std::vector<std::string>;

/// A mass on a spring and a damper on a shaken base, which has mass; see cases/base_excited.
struct BaseExcited {
  double m = 2, mb = 0.5, k = 800, c = 4;
  LinearSystem system = system_of_case("base_excited");
};

std::vector<std::complex<double>> eigenvalues(const SparseMatrix& A) {
  const Eigen::VectorXcd values = dense::eigenvalues(A);
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("plant: the cart-pole upright and hanging has A and B of its closed form") {
  const double M = 10, m = 1, l = 0.5, g = 9.81;
  for (const bool is_upright : {true, false}) {
    CAPTURE(is_upright);
    const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/cart_pole", {{"theta_guess", is_upright ? 3 : 0.2}});
    const Equilibrium rest = find_equilibrium(model, model.initial_state(), {.rest = EquilibriumRequest::nearest});
    const LinearSystem system = linearize(model, rest);
    const Plant plant = state_space(system, with_independent(system, {"cart.x", "pole.phi"}));
    CHECK(plant.state_names == Words{"cart.x", "pole.phi", "cart.x'", "pole.phi'"});
    CHECK(plant.input_names == Words{"u"});
    CHECK(plant.output_names == Words{"position", "angle"});
    const double sign = is_upright ? 1 : -1;
    MatrixXd A = MatrixXd::Zero(4, 4), B = MatrixXd::Zero(4, 1), C = MatrixXd::Zero(2, 4);
    A(0, 2) = A(1, 3) = C(0, 0) = C(1, 1) = 1;
    A(2, 1) = m * g / M;
    A(3, 1) = sign * (M + m) * g / (M * l);
    B(2, 0) = 1 / M;
    B(3, 0) = sign / (M * l);
    CHECK(difference(plant.first.A, A) < rounding);
    CHECK(difference(plant.first.B, B) < rounding);
    CHECK(difference(plant.first.C, C) < rounding);
    CHECK(plant.first.D.nonZeros() == 0);
    CHECK(plant.at.x[1] == doctest::Approx(is_upright ? 3.14159265358979 : 0).epsilon(1e-12));
    CHECK(plant.at.u[0] == 0);
    CHECK(plant.T.rows() == 6);
    CHECK(plant.poles.size() == 4);
  }
}

TEST_CASE("plant: a shaken base is the input with its two derivatives, and feeds through as derived by hand") {
  const BaseExcited by_hand;
  const auto [m, mb, k, c, system] = by_hand;
  const Plant plant = state_space(system);
  REQUIRE(plant.state_names == Words{"P.y", "P.y'"});
  CHECK(plant.input_names == Words{"base", "base'", "base''"});
  REQUIRE(plant.output_names == Words{"mass.x", "mass.y", "felt.x", "felt.y", "suspension", "shaker"});
  MatrixXd A(2, 2), B(2, 3), C(6, 2), D(6, 3);
  A << 0, 1, -k / m, -c / m;
  B << 0, 0, 0, k / m, c / m, 0;
  // The spring pulls where it is long: k (y − b) + c (ẏ − ḃ). The base needs the force m_b b̈ less that.
  C << 0, 0, 1, 0, 0, 0, -k / m, -c / m, k, c, -k, -c;
  D << 0, 0, 0, 0, 0, 0, 0, 0, 0, k / m, c / m, 0, -k, -c, 0, k, c, mb;
  CHECK(difference(plant.first.A, A) < rounding);
  CHECK(difference(plant.first.B, B) < rounding);
  CHECK(difference(plant.first.C, C) < rounding);
  CHECK(difference(plant.first.D, D) < rounding);
  CHECK(difference(VectorXd(plant.S.row(1)), Eigen::Vector3d(1, 0, 0)) < rounding);  // B.y follows the input
}

TEST_CASE("plant: a reaction is what the motion needs, with exact feedthrough") {
  const double a = 0.4, M = 2 * 1.5, mc = 2, k = 60, c = 0.8, phi = std::acos(-1) / 3;
  const double inertia = M * a * a / 3 + mc * a * a, W = (1.5 + mc) * 9.81 * a, stiffness = k - W * std::sin(phi);
  const std::string path = STILLPOINT_SOURCE_DIR "/cases/actuated_four_bar/model.yaml";
  const LinearSystem system = system_of_text(content_of(path) + "  - output: other\n    reaction: O[4]\n");
  const Plant plant = state_space(system, with_independent(system, {"crank.phi"}));
  MatrixXd A(2, 2), B(2, 1);
  A << 0, 1, -stiffness / inertia, -c / inertia;
  B << 0, 1 / inertia;
  CHECK(difference(plant.first.A, A) < 1e-12);
  CHECK(difference(plant.first.B, B) < 1e-12);
  REQUIRE(plant.output_names ==
          Words{"crank", "coupler.x", "coupler.y", "bearing.fx", "bearing.fy", "other.fx", "other.fy"});
  // Both bearings together accelerate the coupler, and the bars at half their length, across the cranks.
  const Eigen::Vector2d across(-std::sin(phi), std::cos(phi));
  MatrixXd C(4, 2), D(4, 1);
  C << a * across, Eigen::Vector2d::Zero(), (1.5 + mc) * a * across * A.row(1);
  D << 0, 0, (1.5 + mc) * a * across * B(1, 0);
  MatrixXd sums = MatrixXd::Zero(4, 7);
  sums(0, 1) = sums(1, 2) = sums(2, 3) = sums(2, 5) = sums(3, 4) = sums(3, 6) = 1;
  CHECK(difference(sums * plant.first.C, C) < 1e-12);
  CHECK(difference(sums * plant.first.D, D) < 1e-12);
  CHECK(std::abs(plant.first.D.coeff(3, 0)) > 1);  // each by itself is not zero
}

TEST_CASE("plant: the poles of a full state space are those of the modes") {
  for (const NamedSystem& each : all_systems()) {
    const LinearSystem& system = each.system;
    CAPTURE(each.name);
    if (system.dof() > 60 || system.singular) continue;
    const Plant plant = state_space(system);
    const std::vector<std::complex<double>> found = eigenvalues(plant.first.A);
    REQUIRE(found.size() == plant.poles.size());
    // Multiple zeros are defective: rounding ε of A moves them by its square root.
    const double near_zero = 10 * std::sqrt(std::numeric_limits<double>::epsilon() * plant.first.A.norm());
    std::vector<std::complex<double>> expected;
    for (const Plant::Pole& pole : plant.poles) {
      if (pole.s != 0.0) expected.push_back(pole.s);
    }
    const auto small = std::count_if(found.begin(), found.end(), [&](auto s) { return std::abs(s) < near_zero; });
    CHECK(small >= static_cast<std::ptrdiff_t>(found.size() - expected.size()));
    CHECK(distance(expected, found, near_zero) < 1e-5);
  }
}

TEST_CASE("plant: what has no mass but a damper has no rate, and what has neither is no state") {
  // A mass on a Maxwell element: spring k and damper c in series; and a massless lever arm on springs.
  const double m = 2, k = 30, c = 5, k1 = 7, k2 = 11;
  MatrixXd M = MatrixXd::Zero(3, 3), C = M, K = M, F = MatrixXd::Zero(3, 1);
  M(0, 0) = m;
  K(0, 0) = k + k1;
  K(0, 1) = K(1, 0) = -k;
  K(1, 1) = k;
  C(1, 1) = c;
  K(0, 2) = K(2, 0) = -k1;
  K(2, 2) = k1 + k2;
  F(2, 0) = 1;
  LinearSystem system = system_of(M, K, {}, C, {}, F);
  system.Hq.resize(3, 3);
  system.Hq.setIdentity();
  system.Hv.resize(3, 3);
  system.Hv.insert(1, 1) = 1;  // the rate that is no state
  system.Ha.resize(3, 3);
  system.Ha.insert(0, 0) = 1;
  system.Hl.resize(3, 0);
  system.Hu.resize(3, 1);
  system.output_name = [](Index i) { return "y" + std::to_string(i); };
  const Plant plant = state_space(system);
  CHECK(plant.state_names == Words{"q[1]", "q[2]", "q[1]'"});
  // z3 = (k1 z1 + u) / (k1 + k2)
  const double share = k1 / (k1 + k2), spring = k + k1 - k1 * share;
  MatrixXd A(3, 3), B(3, 1), C_y(3, 3), D(3, 1);
  A << 0, 0, 1, k / c, -k / c, 0, -spring / m, k / m, 0;
  B << 0, 0, share / m;
  C_y << 1 - spring / m, k / m, 0, k / c, 1 - k / c, 0, share, 0, 0;
  D << share / m, 0, 1 / (k1 + k2);
  CHECK(difference(plant.first.A, A) < rounding);
  CHECK(difference(plant.first.B, B) < rounding);
  CHECK(difference(plant.first.C, C_y) < rounding);
  CHECK(difference(plant.first.D, D) < rounding);
  CHECK(plant.channels.size() == 1);
  REQUIRE(plant.notes.size() == 2);
  CHECK(contains(plant.notes[0], "without mass, so that their rates are not states: 'q[2]'"));
  CHECK(contains(plant.notes[1], "without mass and damping, so that they are not states: 'q[3]'"));

  // Its rate needs that of the force.
  system.Hv.coeffRef(2, 2) = 1;
  system.Hv.makeCompressed();
  const Plant with_rate = state_space(system);
  REQUIRE(with_rate.input_names == Words{"u[1]", "u[1]'"});
  CHECK(with_rate.first.D.coeff(2, 1) == doctest::Approx(1 / (k1 + k2)).epsilon(1e-12));
  CHECK(with_rate.first.C.coeff(2, 2) == doctest::Approx(share).epsilon(1e-12));
}

TEST_CASE("plant: a motion without mass that is no coordinate takes the place of one, which is marked") {
  MatrixXd M(2, 2), K(2, 2), F = MatrixXd::Ones(2, 1);
  M << 1, 1, 1, 1;  // q1 − q2 has no mass
  K << 2, 0, 0, 3;
  const LinearSystem shared = with_channels(system_of(M, K, {}, {}, {}, F), {}, {"q[1]", "q[2]"});
  // By hand: p = q1 + q2 has the mass 1, and q1 − q2 follows, 2 q1 = 3 q2, with the stiffness 2 · 3 / (2 + 3).
  const Plant plant = state_space(shared);
  REQUIRE(plant.first.A.rows() == 2);
  CHECK(plant.state_names[0].back() == '*');
  const double omega = plant.poles[0].s.imag();
  CHECK(omega == doctest::Approx(std::sqrt(6.0 / 5)).epsilon(1e-12));
  CHECK(response_error(frequency_response(shared, plant.check.omega), plant).relative < 1e-12);
  CHECK(error_of([&] { descriptor(shared); }) == "");
}

TEST_CASE("plant: a damper that couples a massless motion with others, and does not resist it, is refused by name") {
  MatrixXd M = MatrixXd::Zero(2, 2), C = MatrixXd::Zero(2, 2), K = 3 * MatrixXd::Identity(2, 2);
  M(0, 0) = 1;
  C(0, 1) = C(1, 0) = 0.5;
  const std::string text = error_of([&] { state_space(system_of(M, K, {}, C, {}, MatrixXd::Ones(2, 1))); });
  CHECK(contains(text, "there is a motion of 'q[2]' without mass and damping"));
  CHECK(contains(text, "form 'descriptor'"));
}

TEST_CASE("plant: a reaction that redundancy leaves open is refused by name, or told to be one of many") {
  const LinearSystem system = system_of_text(doubly_held);
  for (const auto& make : {+[](const LinearSystem&s, const PlantOptions&o) { return state_space(s, o); },
                           +[](const LinearSystem&s, const PlantOptions&o) { return second_order(s, o); },
                           +[](const LinearSystem&s, const PlantOptions&o) { return descriptor(s, o); },
                           +[](const LinearSystem&s, const PlantOptions&o) { return explicit_penalty(s, {}, o); },
                           +[](const LinearSystem&s, const PlantOptions&o) { return corrected_penalty(s, {}, o); }}) {
    const std::string text = error_of([&] { make(system, {}); });
    CHECK(contains(text, "output 'first' is a reaction that is not determined: the constraints"));
    CHECK(contains(text, "'one'"));
    CHECK(contains(text, "'two'"));
    const Plant plant = make(system, {.minimum_norm_reactions = true});
    const auto is_told = [](const std::string& note) {
      return contains(note, "redundant constraints leave undetermined the reaction 'first'");
    };
    CHECK(std::any_of(plant.notes.begin(), plant.notes.end(), is_told));
    const Eigen::VectorXd omega = Eigen::VectorXd::Constant(1, 0.9);
    const std::complex<double> x = 1.0 / (5 - 15 * 0.81), a = -0.81 * x;
    const Eigen::MatrixXcd H = response_of(plant, omega)[0];
    CHECK(std::abs(std::abs(H(0, 0)) - std::abs(6.5 * a)) < 1e-5 * std::abs(a));
    CHECK(std::abs(std::abs(H(1, 0)) - std::abs(6.0 * a)) < 1e-5 * std::abs(a));
  }
  CHECK(error_of([&] { state_space(with_channels(system, {}, {"third"})); }) == "");
}

TEST_CASE("plant: acceleration outputs are states of the descriptor form, whose names are told") {
  const BaseExcited by_hand;
  const Plant plant = descriptor(by_hand.system);
  CHECK(plant.input_names == Words{"base"});
  CHECK(std::count(plant.state_names.begin(), plant.state_names.end(), "P.y''") == 1);
  CHECK(std::count(plant.state_names.begin(), plant.state_names.end(), "lambda(shaker)") == 1);
  CHECK(plant.first.E.rows() == static_cast<Index>(plant.state_names.size()));
}

TEST_CASE("plant: channels are chosen by name, coordinates among them, and a wrong name is told") {
  const LinearSystem system = system_of_case("drive_train");
  const LinearSystem part = with_channels(system, {"load.phi", "motor"}, {"rotor.phi", "shaft"});
  CHECK(part.inputs() == 2);
  CHECK(part.outputs() == 2);
  CHECK(part.input_name(0) == "load.phi");
  const Plant plant = state_space(part, with_independent(system, {"rotor.phi", "load.phi"}));
  MatrixXd B = MatrixXd::Zero(4, 2);
  B(3, 0) = 1 / 0.5;
  B(2, 1) = 1 / 0.02;
  CHECK(difference(plant.first.B, B) < rounding);
  CHECK(plant.first.C.coeff(0, 0) == doctest::Approx(1).epsilon(1e-14));
  CHECK(plant.first.C.coeff(1, 0) == doctest::Approx(-400).epsilon(1e-12));
  CHECK(error_of([&] { with_channels(system, {"moter"}, {}); }) ==
        "there is no input or coordinate 'moter' (did you mean 'motor'?)");
  CHECK(contains(error_of([&] {
                   with_channels(system, {}, {"shaft", "shaft"});
                 }),
                 "the output 'shaft' is named twice"));
}

TEST_CASE("plant: units are told where the model knows them") {
  const auto plant_of = [](const char* name) {
    const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR) + "/cases/" + name);
    return state_space(linearize(model, find_equilibrium(model)));
  };
  const Plant shaken = plant_of("base_excited");
  CHECK(shaken.state_units == Words{"m", "m/s"});
  CHECK(shaken.input_units == Words{"m", "m/s", "m/s²"});
  CHECK(shaken.output_units == Words{"m", "m", "m/s²", "m/s²", "N", "N"});
  const Plant train = plant_of("drive_train");
  CHECK(train.state_units == Words{"rad", "rad", "rad/s", "rad/s"});
  CHECK(train.output_units == Words{"N m", "rad/s", "rad/s"});
  CHECK(train.input_units == Words{"N m"});
  const Plant linkage = plant_of("actuated_four_bar");
  CHECK(linkage.output_units == Words{"rad", "m", "m", "N", "N"});
  CHECK(linkage.input_units == Words{"N m"});
  // What an element sets to an angle is one.
  const Model ring = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar");
  const LinearSystem system = with_channels(linearize(ring, find_equilibrium(ring)), {"B[1].x"}, {"phi", "B[1].y"});
  const Plant coordinates = state_space(system);
  CHECK(coordinates.input_units == Words{"N"});
  CHECK(coordinates.output_units == Words{"rad", "m"});
}

TEST_CASE("plant: units that are given are taken, others follow from use, and what nobody can know stays empty") {
  const std::string before = R"(stillpoint: 1
mechanism:
  - input: volts
    unit: V
  - input: pull
  - input: lever
  - input: both
  - input: idle
  - scalar: theta
    unit: rad
    mass: 2
  - scalar: slide
    unit: m
    mass: 1
  - scalar: unknown
    mass: 1
  - point: P
    at: 1, 0
    mass: 1
)";
  std::string text = before;
  for (const char* const scalar : {"theta", "slide", "unknown"})
    text += std::string("  - scalar_spring: k_") + scalar + "\n    of: " + scalar + "\n    stiffness: 9\n";
  text += R"(  - spring: one
    between: P, ground(0, 0)
    stiffness: 9
    free_length: 1
  - spring: two
    between: P, ground(1, 1)
    stiffness: 9
    free_length: 1
  - scalar_force: drive
    on: theta
    magnitude: 0.3
    input: volts
  - force: pull
    at: P
    vector: 0.6, -0.8
    input: pull
  - force: lever
    at: P
    vector: 2, 0
    input: lever
  - scalar_force: first
    on: theta
    magnitude: 1
    input: both
  - scalar_force: second
    on: slide
    magnitude: 1
    input: both
  - {output: turn, coordinate: theta}
  - {output: any, coordinate: unknown}
)";
  const Model model = read_model_text(text, "model.yaml");
  const LinearSystem system = linearize(model, find_equilibrium(model));
  const Plant plant = state_space(system, with_independent(system, {"theta", "slide", "unknown", "P.x", "P.y"}));
  CHECK(plant.input_names == Words{"volts", "pull", "lever", "both", "idle"});
  CHECK(plant.input_units == Words{"V", "N", "", "", ""});  // twice the lever is a force; two uses disagree
  CHECK(plant.state_units == Words{"rad", "m", "", "m", "m", "rad/s", "m/s", "", "m/s", "m/s"});
  CHECK(plant.output_units == Words{"rad", ""});
  const Plant forced = state_space(with_channels(system, {"theta", "slide", "unknown"}, {}));
  CHECK(forced.input_units == Words{"N m", "N", ""});
  CHECK(contains(
      error_of([&] { read_model_text("stillpoint: 1\nmechanism:\n  - input: u\n    unit: [m, s]\n", "m.yaml"); }),
      "'unit' of input 'u' must be text"));
}

TEST_CASE("plant: units in space, and of several prescribed motions, stand each at its own name") {
  const std::string bar = content_of(STILLPOINT_SOURCE_DIR "/cases/hinged_bar/model.yaml");
  const Model model =
      read_model_text(bar + "  - {output: spin, rate: bar}\n  - {output: gap, force: tip}\n", "model.yaml");
  const LinearSystem system = linearize(model, find_equilibrium(model));
  const LinearSystem chosen = with_channels(system, {"bar.rz", "bar.y"}, {"tip.z", "spin.x", "gap", "bar.z", "bar.rx"});
  const Plant plant = state_space(chosen, with_independent(system, {"bar.rz"}));
  CHECK(plant.state_units == Words{"rad", "rad/s"});
  CHECK(plant.input_units == Words{"N m", "N"});
  CHECK(plant.output_units == Words{"m", "rad/s", "N", "m", "rad"});

  const Model shaken = read_model_text(R"(stillpoint: 1
mechanism:
  - input: tilt
  - input: lift
  - body: table
    at: 0, 0
    mass: 3
    inertia: 1
  - point: P
    at: 1, 1
    mass: 1
  - spring: one
    between: P, table(1, 0)
    stiffness: 100
    free_length: 1
  - spring: two
    between: P, table(2, 1)
    stiffness: 100
    free_length: 1
  - coupling: guide
    coordinates: [table.x]
    factors: [1]
  - prescribed: first
    coordinate: table.y
    input: lift
  - prescribed: second
    coordinate: table.phi
    input: tilt
  - {output: place, position: P}
)",
                                       "model.yaml");
  const Plant both = state_space(linearize(shaken, find_equilibrium(shaken)));
  CHECK(both.input_names == Words{"tilt", "lift"});
  CHECK(both.input_units == Words{"rad", "m"});
}

TEST_CASE("plant: a state space that would be too large is refused with advice") {
  const LinearSystem chain = system_of_case("n_pendulum", {{"N", 40}});
  const std::string text = error_of([&] { state_space(chain, {.largest = 30}); });
  CHECK(contains(text, "a state space of 40 degrees of freedom would be a dense matrix of 80 states; allowed are 30"));
  CHECK(contains(text, "form 'descriptor'"));
}
