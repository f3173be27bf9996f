// What passes through a plant at once, and where it stands: hand-derived, entry by entry.

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>

#include "plants/plant_parts.h"
#include "reduction/reduced_bases.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/reduce.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-13;

/// With these outputs; H of another size than outputs × columns is zero.
LinearSystem with_outputs(LinearSystem system, Index outputs, const MatrixXd& Hq, const MatrixXd& Hv = {},
                          const MatrixXd& Ha = {}, const MatrixXd& Hu = {}) {
  const auto matrix = [outputs](const MatrixXd& H, Index columns) {
    return SparseMatrix((H.size() > 0 ? H : MatrixXd::Zero(outputs, columns)).sparseView());
  };
  system.Hq = matrix(Hq, system.coordinates());
  system.Hv = matrix(Hv, system.coordinates());
  system.Ha = matrix(Ha, system.coordinates());
  system.Hl = matrix({}, system.constraints());
  system.Hu = matrix(Hu, system.inputs());
  system.output_name = [](Index i) { return "y" + std::to_string(i + 1); };
  return system;
}

/// A mass m on a spring k1 and a joint without mass, which a spring k2 holds; the force acts on the joint.
///
///     wall -- k2 -- joint (q1) -- k1 -- mass (q2)
struct SoftJoint {
  double m = 2, k1 = 7, k2 = 11;

  LinearSystem system() const {
    MatrixXd M = MatrixXd::Zero(2, 2), K(2, 2), F(2, 1);
    M(1, 1) = m;
    K << k1 + k2, -k1, -k1, k1;
    F << 1, 0;
    return system_of(M, K, {}, {}, {}, F);
  }
};

/// A massless rod between joint and mass in the place of the spring: its force is a multiplier.
LinearSystem pushed_through_an_actuator() {
  return system_of_text(R"(stillpoint: 1
mechanism:
  - input: valve
  - point: P
    at: 1, 0
    mass: 2
  - coupling: guide
    coordinates: [P.y]
    factors: [1]
  - spring: holds
    between: ground, P
    stiffness: 50
    free_length: 1
  - actuator: ram
    between: ground, P
    magnitude: 3
    input: valve
  - {output: push, force: ram}
  - {output: place, position: P}
)");
}

}  // namespace

TEST_CASE("plant: what an input does at an output at once is in D of every form, and in the response") {
  const LinearSystem system = with_channels(pushed_through_an_actuator(), {}, {"push", "place.x"});
  // The actuator's force is 3 u; 2 ẍ + 50 x = 3 u.
  const double omega = 2;
  const Eigen::Vector2cd expected(3, 3 / (50 - 2 * omega * omega));
  const auto sign_of = [&](const Eigen::MatrixXcd& H) { return std::abs(H(0, 0) + 3.0) < 1e-9 ? -1.0 : 1.0; };
  const Eigen::MatrixXcd exact = frequency_response(system, VectorXd::Constant(1, omega)).response[0];
  const double sign = sign_of(exact);  // whether tension or pressure counts as positive
  CHECK(std::abs(exact(0, 0) - sign * expected[0]) < rounding);
  CHECK(std::abs(std::abs(exact(1, 0)) - std::abs(expected[1])) < rounding);
  for (const Plant& plant :
       {state_space(system), descriptor(system), second_order(system), modal_form(system), explicit_penalty(system)}) {
    const SparseMatrix& D = plant.form == PlantForm::second_order ? plant.second.D : plant.first.D;
    CHECK(std::abs(D.coeff(0, 0) - sign * 3) < rounding);
    CHECK(std::abs(response_of(plant, VectorXd::Constant(1, omega))[0](1, 0) - exact(1, 0)) < 1e-6);
  }
}

TEST_CASE("plant: what follows at once has accelerations with u̇ and ü, and the second-order form those of masses") {
  const SoftJoint by_hand;
  const auto [m, k1, k2] = by_hand;
  // q1 = (u + k1 q2) / (k1 + k2), m q̈2 = k1 (q1 − q2)
  const double share = k1 / (k1 + k2), own = k1 * (share - 1) / m, by = share / m;
  MatrixXd Ha(2, 2);
  Ha << 0, 1, 1, 0;  // of the mass, and of the joint
  const LinearSystem both = with_outputs(by_hand.system(), 2, {}, {}, Ha);
  const Plant plant = state_space(both);
  REQUIRE(plant.input_names == std::vector<std::string>{"u[1]", "u[1]''"});
  MatrixXd C(2, 2), D(2, 2);
  C << own, 0, share * own, 0;
  D << by, 0, share * by, 1 / (k1 + k2);
  CHECK(difference(plant.first.C, C) < rounding);
  CHECK(difference(plant.first.D, D) < rounding);

  CHECK(error_of([&] { second_order(both); }) ==
        "the output 'y2' needs accelerations of motions without mass, which no equation of the second-order form "
        "gives: choose form 'state-space' or form 'descriptor'");
  const LinearSystem massive = with_outputs(by_hand.system(), 1, {}, {}, Ha.topRows(1));
  const Plant second = second_order(massive);
  // q̈2 = (k1 q1 − k1 q2) / m, whatever holds q1
  CHECK(difference(second.second.F, Eigen::RowVector2d(k1 / m, -k1 / m)) < rounding);
  CHECK(second.second.D.norm() == 0);
  const VectorXd omega = Eigen::Vector2d(0.7, 5);
  CHECK(response_error(frequency_response(massive, omega), second).relative < 1e-12);
}

TEST_CASE("plant: a damped joint without mass has an acceleration as well") {
  // c (q̇1) + k (q1 − q2) = 0, m q̈2 + k (q2 − q1) = u
  const double m = 2, k = 30, c = 5;
  MatrixXd M = MatrixXd::Zero(2, 2), K(2, 2), C = M, F(2, 1), Ha(1, 2);
  M(1, 1) = m;
  K << k, -k, -k, k;
  C(0, 0) = c;
  F << 0, 1;
  Ha << 1, 0;
  const LinearSystem system = with_outputs(system_of(M, K, {}, C, {}, F), 1, {}, {}, Ha);
  const Plant plant = state_space(system);
  REQUIRE(plant.state_names == std::vector<std::string>{"q[1]", "q[2]", "q[2]'"});
  // q̈1 = (k/c) (q̇2 − q̇1), q̇1 = (k/c) (q2 − q1)
  const double a = k / c;
  CHECK(difference(plant.first.C, Eigen::RowVector3d(a * a, -a * a, a)) < rounding);
  CHECK(plant.first.D.norm() == 0);
}

TEST_CASE("plant: an output that needs the third derivative of an input is refused, and descriptor forms show it") {
  // q1 has a spring only, and a damper shows it the rate of q2, which moves as the input says: q1 = −d u̇ / k.
  const double k = 4, d = 3;
  MatrixXd M = MatrixXd::Zero(2, 2), K = M, C = M, J(1, 2), G(1, 1), F = MatrixXd::Zero(2, 1), Ha(1, 2);
  M(1, 1) = 1;
  K(0, 0) = k;
  C(0, 1) = d;
  J << 0, 1;
  G << 1;
  Ha << 1, 0;
  const LinearSystem system = with_outputs(system_of(M, K, J, C, G, F), 1, {}, {}, Ha);
  CHECK(error_of([&] { state_space(system); }) ==
        "output 'y1' depends on the third derivative of the input 'u[1]', because it follows prescribed motion "
        "without mass: choose form 'descriptor'");
  const double omega = 1.5;
  const Eigen::MatrixXcd H = response_of(descriptor(system), VectorXd::Constant(1, omega))[0];
  CHECK(std::abs(H(0, 0) - Complex(0, d * omega * omega * omega / k)) < 1e-12);
}

TEST_CASE("plant: operating points are those of the states, inputs and outputs that were chosen") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/base_excited");
  State guess = model.initial_state();
  guess.u[0] = 0.1;
  const LinearSystem shaken = linearize(model, find_equilibrium(model, guess));
  const Plant plant = state_space(with_channels(shaken, {"base"}, {"mass.y", "B.y"}));
  REQUIRE(plant.input_names == std::vector<std::string>{"base", "base'"});
  CHECK(difference(plant.at.u, Eigen::Vector2d(0.1, 0)) < rounding);  // its rate is zero
  CHECK(difference(plant.at.x, Eigen::Vector2d(0.4, 0)) < 1e-9);
  CHECK(difference(plant.at.y, Eigen::Vector2d(0.4, 0.1)) < 1e-9);

  const Plant second = second_order(shaken);
  CHECK(difference(second.at.x, VectorXd::Constant(1, 0.4)) < 1e-9);
  CHECK(difference(second.S, state_space(shaken).S) < rounding);
  CHECK(second.S.norm() > 0.5);

  LinearSystem resting = SoftJoint().system();  // its first coordinate is no state
  resting.q = Eigen::Vector2d(5, 8);
  CHECK(difference(state_space(with_outputs(resting, 1, MatrixXd::Identity(1, 2))).at.x, Eigen::Vector2d(8, 0)) == 0);
}

TEST_CASE("plant: multipliers of a descriptor form stand beside their names where constraints are redundant") {
  // Twice the same row, then another: whichever is left out, those that stay carry their own.
  MatrixXd J(3, 3);
  J << 1, -1, 0, 1, -1, 0, 0, 2, -1;
  LinearSystem system =
      system_of(MatrixXd::Identity(3, 3), MatrixXd::Identity(3, 3), J, {}, {}, Eigen::Vector3d(1, 0, 0));
  system.lambda = Eigen::Vector3d(10, 20, 30);
  system.q = Eigen::Vector3d::Zero();
  system.constraint_name = [](Index i) { return "hold[" + std::to_string(i + 1) + "]"; };
  const Plant plant = descriptor(with_outputs(system, 1, Eigen::RowVector3d(1, 0, 0)));
  REQUIRE(plant.state_names.size() == 8);
  for (const std::size_t i : {6U, 7U}) {
    const std::string& name = plant.state_names[i];
    CAPTURE(name);
    const double expected = name == "lambda(hold[1])" ? 10 : name == "lambda(hold[2])" ? 20 : 30;
    CHECK(plant.at.x[static_cast<Eigen::Index>(i)] == expected);
  }
  CHECK(plant.state_names[7] == "lambda(hold[3])");
}

TEST_CASE("plant: whether a rate of an input is a channel does not depend on rounding") {
  const SparseMatrix row = MatrixXd(Eigen::RowVector3d(0.1, 0.2, -0.3)).sparseView();
  const SparseMatrix ones = MatrixXd(Eigen::Vector3d(1, 1, 1)).sparseView();
  REQUIRE(MatrixXd(row * ones)(0, 0) != 0);
  CHECK(MatrixXd(clean_product(row, ones))(0, 0) == 0);
  const SparseMatrix other = MatrixXd(Eigen::Vector3d(1, 1, 1.0001)).sparseView();
  CHECK(MatrixXd(clean_product(row, other))(0, 0) == doctest::Approx(-3e-5));
}

TEST_CASE("plant: poles are the finite modes of the mechanism itself") {
  Spectrum spectrum;
  const auto add = [&](Complex s, ModeClass kind) {
    Mode mode;
    mode.s = s;
    mode.error = 1e-9;
    mode.kind = kind;
    spectrum.modes.push_back(mode);
  };
  add({-1, 2}, ModeClass::genuine);
  add({-10, 0}, ModeClass::spurious);
  add({0, 3}, ModeClass::undecided);
  add({std::numeric_limits<double>::infinity(), 0}, ModeClass::genuine);
  const std::vector<Plant::Pole> poles = poles_of(spectrum);
  REQUIRE(poles.size() == 1);
  CHECK(poles[0].s == Complex(-1, 2));
  CHECK(poles[0].error == 1e-9);
}

TEST_CASE("response: infinite frequencies are refused") {
  const LinearSystem system = system_of_case("drive_train");
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(contains(error_of([&] { frequency_response(system, Eigen::Vector2d(1, infinite)); }), "a frequency of inf"));
}

TEST_CASE("reduce: what grows is kept however fast it is, and undamped modes weigh by their frequency") {
  // Coordinates beside each other: a slow stable pair, and s² = 100.
  MatrixXd K = MatrixXd::Zero(2, 2), C = K;
  K(0, 0) = 1;
  C(0, 0) = 0.2;
  K(1, 1) = -100;
  LinearSystem system =
      with_outputs(system_of(MatrixXd::Identity(2, 2), K, {}, C, {}, Eigen::Vector2d(1, 1)), 1, MatrixXd::Ones(1, 2));
  const auto poles_of_one = [&](Importance keep) {
    return Eigen::VectorXcd(
        dense::eigenvalues(reduce(system, {.method = Reduction::modal, .order = 2, .keep = keep}).plant.first.A));
  };
  for (const Importance keep : {Importance::frequency, Importance::participation, Importance::gramian})
    CHECK((poles_of_one(keep).array() - 10.0).abs().minCoeff() < 1e-9);

  // Undamped at 1 and 100 rad/s: a blow moves the fast one ten times as far, but it rings a hundredth as long.
  K.diagonal() << 1, 1e4;
  system = with_outputs(system_of(MatrixXd::Identity(2, 2), K, {}, {}, {}, Eigen::Vector2d(1, 1000)), 1,
                        MatrixXd::Ones(1, 2));
  CHECK(std::abs(poles_of_one(Importance::participation)[0]) == doctest::Approx(100));
  CHECK(std::abs(poles_of_one(Importance::gramian)[0]) == doctest::Approx(1));
}

TEST_CASE("reduce: the error that is told stands where it is the largest, as a singular value for all channels") {
  LinearSystem system = with_channels(system_of_case("flexible_double_pendulum", {{"n_p", 2}}), {}, {"tip.x"});
  system.C = 0.1 * system.M + 2e-4 * system.K;
  const ReducedPlant reduced = reduce(system, {.method = Reduction::balanced, .order = 4});
  const ResponseRange range = range_of_modes(system);
  const VectorXd omega = log_spaced(range.from, range.to, 120);
  const auto exact = frequency_response(system, omega).response, own = response_of(reduced.plant, omega);
  double largest = 0, where = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const double error = std::abs(exact[k](0, 0) - own[k](0, 0));
    if (error <= largest) continue;
    largest = error;
    where = omega[static_cast<Eigen::Index>(k)];
  }
  CHECK(reduced.measured.omega == doctest::Approx(where).epsilon(1e-12));
  CHECK(reduced.gain_error == doctest::Approx(largest).epsilon(1e-6));
  CHECK(where > 1.01 * omega[0]);
}

TEST_CASE("reduce: a shaken chain has B of all its channels in each basis") {
  // Masses on springs from a base that moves as told.
  const double m = 2, k = 800, c = 4;
  MatrixXd M = MatrixXd::Zero(4, 4), K = M, C = M, J = MatrixXd::Zero(1, 4), G(1, 1);
  for (Eigen::Index i = 0; i < 4; ++i) M(i, i) = m;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Eigen::Vector2d ends(1, -1);
    K.block(i, i, 2, 2) += k * ends * ends.transpose();
    C.block(i, i, 2, 2) += c * ends * ends.transpose();
  }
  M(0, 2) = M(2, 0) = 0.7;  // an inertial coupling, so that the acceleration of the base is felt
  J(0, 0) = 1;
  G << 1;
  const LinearSystem system =
      with_outputs(system_of(M, K, J, C, G, MatrixXd::Zero(4, 1)), 1, Eigen::RowVector4d(0, 0, 0, 1),
                   Eigen::RowVector4d(0, 0, 0.3, 0), Eigen::RowVector4d(0, 0.2, 0, 0));
  for (const Reduction method : {Reduction::krylov, Reduction::craig_bampton}) {
    const ReducedPlant whole = reduce(system, {.method = method, .order = 6});
    CHECK(whole.plant.input_names.size() == 3);
    CHECK(whole.measured.relative < 1e-11);
  }
  // And so has the form itself: the base pushes with −Rᵀ (M S ü + C S u̇ + K S u).
  const MinimalForm form = craig_bampton_basis(system, {}, 3);
  const MatrixXd Rt = MatrixXd(form.R).transpose(), S = form.S;
  CHECK(difference(form.Fa, -Rt * M * S) < rounding);
  CHECK(difference(form.Fv, -Rt * C * S) < rounding);
  CHECK(difference(form.F, -Rt * K * S) < 1e-9);
  CHECK(MatrixXd(form.Fa).norm() > 0.1);
  CHECK(MatrixXd(form.Fv).norm() > 0.1);
}
