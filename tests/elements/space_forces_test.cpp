// Springs, dampers, loads and masses in space in closed form.

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "support/as_eigen.h"
#include "support/dense_reference.h"
#include "support/elements/space_harness.h"

using namespace stillpoint;
using doctest::Approx;
using Matrix = Eigen::MatrixXd;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int seeds = 20;

// Of sums of a few terms of the order of ten.
constexpr double rounding = 1e-13;

using Vector = Vec3<double>;

space::Frame<double> random_pose(Random& random) { return {random_vector(random), random_rotation(random)}; }

Eigen::Matrix3d cross_matrix(const Vector& a) {
  Eigen::Matrix3d made;
  made << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
  return made;
}

DenseMatrices matrices_of(const Model& model, const State& state) {
  Assembly assembly(model, state.v.size() > 0 ? Assembly::Motion::moving : Assembly::Motion::at_rest);
  return exact_matrices(assembly.at(state));
}

Inertia inertia_of(const Eigen::Matrix3d& I) { return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}; }

/// Newton's method on the forces of a model without constraints, from its guess.
State at_rest(const Model& model) {
  State state = model.initial_state();
  for (int i = 0; i < 30; ++i) {
    const Eigen::VectorXd f = applied_forces(model, state);
    const Eigen::VectorXd step = dense::solve(matrices_of(model, state).K, f);
    state = model.displaced(state, step);
    if (step.norm() < 1e-14) break;
  }
  REQUIRE(applied_forces(model, state).norm() < 1e-12);
  return state;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Loads

TEST_CASE("torque: keeps its direction, whatever the body does; in the body's axes it is turned back") {
  Random random(1);
  for (int i = 0; i < seeds; ++i) {
    const Vector torque = random_vector(random);
    const Rotation<double> R = random_rotation(random);
    const space::Frame<double> on_body = random_pose(random);
    ModelBuilder build;
    const space::Place body = build.space_body("b", random_vector(random), {.rotation = R});
    const space::Place turned_marker = build.space_marker({}, body, on_body.p, on_body.R);
    build.add("load", space::Torque{.at = turned_marker, .vector = torque, .input = build.input("u", 1.5)});
    const Model model = build.model();
    const State state = model.initial_state();
    const Vector own = turned_back(R, torque);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(6);
    f.tail(3) = 1.5 * eigen(own);
    CHECK((applied_forces(model, state) - f).norm() < rounding);
    // Half of what the torque changes in the turning axes is the chart's: −½ [m]×, not −[m]×.
    const DenseMatrices at = matrices_of(model, state);
    CHECK((at.K.bottomRightCorner(3, 3) + 0.75 * cross_matrix(own)).norm() < rounding);
    CHECK(at.K.topRows(3).norm() + at.K.leftCols(3).norm() == 0);
    CHECK((at.F.bottomRows(3) - eigen(own)).norm() < rounding);
  }
}

TEST_CASE("follower_torque: is the same in the body's axes at every orientation") {
  Random random(2);
  const Vector torque{2, -5, 3};
  const Rotation<double> on_body = random_rotation(random);
  for (int i = 0; i < seeds; ++i) {
    const space::Frame<double> pose = random_pose(random);
    ModelBuilder build;
    const space::Place body = build.space_body("b", pose.p, {.rotation = pose.R});
    const space::Place marker = build.space_marker({}, body, random_vector(random), on_body);
    build.add("load", space::FollowerTorque{.at = marker, .vector = torque, .input = build.input("u", 1.5)});
    const Model model = build.model();
    const State state = model.initial_state();
    const Vector own = turned(on_body, torque);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(6);
    f.tail(3) = 1.5 * eigen(own);
    CHECK((applied_forces(model, state) - f).norm() < rounding);
    const DenseMatrices at = matrices_of(model, state);
    CHECK((at.K.bottomRightCorner(3, 3) - 0.75 * cross_matrix(own)).norm() < rounding);
    CHECK((at.F.bottomRows(3) - eigen(own)).norm() < rounding);
  }
}

TEST_CASE("force: keeps its direction when the body turns; follower_force: turns with it") {
  Random random(3);
  for (int i = 0; i < seeds; ++i) {
    const Vector F = random_vector(random), arm = random_vector(random);
    const Rotation<double> R = random_rotation(random), on_body = random_rotation(random);
    ModelBuilder build;
    const space::Place body = build.space_body("b", random_vector(random), {.rotation = R});
    const space::Place nozzle = build.space_marker({}, body, arm, on_body);
    build.add("dead", space::Force{.at = nozzle, .vector = F, .input = build.input("dead", 1)});
    build.add("thrust", space::FollowerForce{.at = nozzle, .vector = F, .input = build.input("thrust", 0)});
    const Model model = build.model();
    State state = model.initial_state();
    Eigen::VectorXd f = applied_forces(model, state);
    CHECK((f.head(3) - eigen(F)).norm() < rounding);
    CHECK((f.tail(3) - eigen(cross(arm, turned_back(R, F)))).norm() < rounding);
    state.u = Eigen::Vector2d(0, 1);
    f = applied_forces(model, state);
    CHECK((f.head(3) - eigen(turned(R, turned(on_body, F)))).norm() < rounding);
    CHECK((f.tail(3) - eigen(cross(arm, turned(on_body, F)))).norm() < rounding);  // the same at every orientation
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// About the axis of a hinge

namespace {

/// Two bodies anywhere, with frames of which b is turned against a by `relative`.
template <class Make>
Model with_frames(Random& random, const Rotation<double>& relative, const Make& make) {
  const Rotation<double> R_a = random_rotation(random), on_a = random_rotation(random), on_b = random_rotation(random);
  ModelBuilder build;
  const space::Place a = build.space_body("a", random_vector(random), {.rotation = R_a});
  const Rotation<double> R_b = R_a * on_a * relative * inverse(on_b);
  const space::Place b = build.space_body("b", random_vector(random), {.rotation = R_b});
  const space::Place first = build.space_marker("on_a", a, random_vector(random), on_a);
  const space::Place second = build.space_marker("on_b", b, random_vector(random), on_b);
  make(build, first, second);
  return build.model();
}

/// The torque on a body in the axes of the ground.
Vector torque_on(const Model& model, const State& state, std::size_t body) {
  const Eigen::VectorXd f = applied_forces(model, state);
  const Index x = model.blocks()[body].first;
  CHECK(f.segment<3>(x).norm() == 0);
  return turned(state.orientations[body], Vector{f[x + 3], f[x + 4], f[x + 5]});
}

/// z of the frame on the first body.
Vector axis_of(const Model& model, const State& state) {
  return z_axis(lift<double>(model.context(state), space::OrientationOf{model.blocks()[1].marker + 1}, {}));
}

void check_axial(const Model& model, const State& state, double on_b) {
  const Vector axis = axis_of(model, state);
  CHECK(length(torque_on(model, state, 1) - on_b * axis) < 10 * rounding);
  CHECK(length(torque_on(model, state, 0) + on_b * axis) < 10 * rounding);
}

Rotation<double> about_z(double angle) { return rotation_about({0, 0, angle}); }

}  // namespace

TEST_CASE("torsion_spring: twists back with k (φ − φ₀) about the axis of the hinge, equal and opposite") {
  Random random(4);
  for (int i = 0; i < seeds; ++i) {
    const double angle = random.between(-2.5, 2.5), stiffness = 8, free_angle = 0.25;
    const Model model = with_frames(random, about_z(angle), [&](ModelBuilder& build, space::Place a, space::Place b) {
      build.add("spring", space::TorsionSpring{.a = a, .b = b, .stiffness = stiffness, .free_angle = free_angle});
    });
    const State state = model.initial_state();
    check_axial(model, state, -stiffness * (angle - free_angle));
    CHECK(potential_energy(model, state) ==
          Approx(0.5 * stiffness * std::pow(angle - free_angle, 2)).epsilon(rounding));
    // and K about the axis is k
    const Eigen::Vector3d axis = eigen(turned_back(state.orientations[1], axis_of(model, state)));
    CHECK(axis.dot(matrices_of(model, state).K.bottomRightCorner(3, 3) * axis) == Approx(stiffness).epsilon(1e-12));
  }
}

TEST_CASE("torsion_spring: a tilt of the axis leaves its angle as it is; the angle goes round at half a turn from φ₀") {
  Random random(5);
  for (int i = 0; i < seeds; ++i) {
    const double angle = random.between(-3, 3), way = random.between(-pi, pi), tilt = random.between(0, 2.5);
    const Rotation<double> tilted = rotation_about({tilt * std::cos(way), tilt * std::sin(way), 0});
    for (const auto& relative : {tilted * about_z(angle), about_z(angle) * tilted, about_z(angle + 2 * pi)}) {
      const Model model = with_frames(random, relative, [&](ModelBuilder& build, space::Place a, space::Place b) {
        build.add("spring", space::TorsionSpring{.a = a, .b = b, .stiffness = 2, .free_angle = 0.25});
      });
      const double twist = std::remainder(angle - 0.25, 2 * pi);
      CHECK(potential_energy(model, model.initial_state()) == Approx(twist * twist).epsilon(1e-12));
    }
  }
}

TEST_CASE("torsion_damper, and the damper of a spring: hold back with c times the relative rate about the axis") {
  Random random(6);
  for (int i = 0; i < seeds; ++i) {
    for (const bool in_spring : {false, true}) {
      CAPTURE(in_spring);
      const double damping = 3;
      const Model model =
          with_frames(random, random_rotation(random), [&](ModelBuilder& build, space::Place a, space::Place b) {
            if (in_spring) {
              build.add("spring", space::TorsionSpring{.a = a, .b = b, .stiffness = 0, .damping = damping});
            } else {
              build.add("damper", space::TorsionDamper{.a = a, .b = b, .damping = damping});
            }
          });
      State state = model.initial_state();
      state.v = random.vector(12, -2, 2);
      const auto omega = [&](Index first, std::size_t body) {
        return turned(state.orientations[body], Vector{state.v[first], state.v[first + 1], state.v[first + 2]});
      };
      check_axial(model, state, -damping * dot(axis_of(model, state), omega(9, 1) - omega(3, 0)));
    }
  }
}

TEST_CASE("motor: turns b about the axis of the hinge and reacts on a, with its magnitude times the input") {
  Random random(7);
  for (int i = 0; i < seeds; ++i) {
    const double u = random.between(-2, 2);
    const Model model =
        with_frames(random, about_z(random.between(-3, 3)), [&](ModelBuilder& build, space::Place a, space::Place b) {
          const InputRef input = build.input("u", u);
          build.add("motor", space::Motor{.a = a, .b = b, .magnitude = 6, .input = input});
        });
    const State state = model.initial_state();
    check_axial(model, state, 6 * u);
    // F δu is that torque for δu = 1, on the increments about the bodies' own axes.
    const Matrix F = matrices_of(model, state).F;
    const Eigen::Vector3d axis = eigen(axis_of(model, state));
    CHECK((matrix(state.orientations[1]) * F.block(9, 0, 3, 1) - 6 * axis).norm() < rounding);
    CHECK((matrix(state.orientations[0]) * F.block(3, 0, 3, 1) + 6 * axis).norm() < rounding);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Bushing

namespace {

/// A symmetric matrix with all its entries different from zero.
Matrix random_symmetric(Random& random) {
  Matrix A(6, 6);
  for (double& x : A.reshaped()) x = random.between(0.5, 2);
  return A + A.transpose() + 10 * Matrix::Identity(6, 6);
}

space::Matrix6 by_rows(const Matrix& A) {
  space::Matrix6 rows{};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) rows[static_cast<std::size_t>(6 * i + j)] = A(i, j);
  }
  return rows;
}

/// A frame W on the ground, and a body whose axes and origin are in the given pose against it.
Model bushing_on_ground(const space::Frame<double>& W, const space::Frame<double>& relative, const Matrix& K,
                        const Matrix& D) {
  ModelBuilder build;
  const space::Place a = build.space_fixed("a", W.p, W.R);
  const space::Place b = build.space_body("b", W.p + turned(W.R, relative.p), {.rotation = W.R * relative.R});
  build.add("bushing", space::Bushing{.a = a, .b = b, .stiffness = by_rows(K), .damping = by_rows(D)});
  return build.model();
}

}  // namespace

TEST_CASE("bushing: without deflection K and C are its 36 numbers in the axes of the first frame, couplings included") {
  Random random(8);
  for (int i = 0; i < seeds; ++i) {
    const Matrix K = random_symmetric(random), D = random_symmetric(random);
    const Rotation<double> W = i == 0 ? Rotation<double>() : random_rotation(random);
    const Model model = bushing_on_ground({random_vector(random), W}, {}, K, D);
    // Positions are in the axes of the ground, increments of the orientation in those of body and frame.
    Matrix axes = Matrix::Identity(6, 6);
    axes.topLeftCorner(3, 3) = matrix(W);
    const DenseMatrices at = matrices_of(model, model.initial_state());
    CHECK(relative_difference(at.K, axes * K * axes.transpose()) < rounding);
    CHECK(relative_difference(at.C, axes * D * axes.transpose()) < rounding);
    CHECK(applied_forces(model, model.initial_state()).norm() < 10 * rounding);
  }
}

TEST_CASE("bushing: its force is K e + D ė, in the axes of the first frame") {
  Random random(9);
  for (int i = 0; i < seeds; ++i) {
    const Matrix K = random_symmetric(random), D = random_symmetric(random);
    const space::Frame<double> W = random_pose(random);
    const Vector d = random_vector(random);
    const Model model = bushing_on_ground(W, {d, {}}, K, D);  // moved, not turned
    State state = model.initial_state();
    state.v = random.vector(6, -2, 2);
    Eigen::VectorXd e = Eigen::VectorXd::Zero(6), rate(6);
    e.head(3) = eigen(d);
    rate << matrix(W.R).transpose() * state.v.head(3), state.v.tail(3);
    const Eigen::VectorXd expected = -(K * e + D * rate);
    const Eigen::VectorXd f = applied_forces(model, state);
    CHECK((matrix(W.R).transpose() * f.head(3) - expected.head(3)).norm() < 10 * rounding);
    CHECK((f.tail(3) - expected.tail(3)).norm() < 10 * rounding);
  }
}

TEST_CASE("bushing: with equal stiffness about all axes it turns back with k α about the axis of the turn") {
  Random random(10);
  for (const double angle : {1e-9, 1e-3, 0.2, 0.21, 1.0, 3.0}) {
    CAPTURE(angle);
    const Vector direction = turned(random_rotation(random), Vector{0, 0, 1});
    const Matrix K = 4 * Matrix::Identity(6, 6);
    const Model model =
        bushing_on_ground(random_pose(random), {{}, rotation_about(angle * direction)}, K, Matrix::Zero(6, 6));
    const Eigen::VectorXd f = applied_forces(model, model.initial_state());
    CHECK((f.tail(3) + 4 * angle * eigen(direction)).norm() < 1e-12 * angle + 1e-15);
    CHECK(potential_energy(model, model.initial_state()) == Approx(2 * angle * angle).epsilon(1e-12));
  }
}

// The rotation vector is a series up to sin²(α/2) = 0.01, and closed beyond.
TEST_CASE("bushing: K equals differences at no rotation, at small ones, and on both sides of where formulas change") {
  Random random(11);
  const double change = 2 * std::asin(0.1);
  for (const double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.1, change - 1e-6, change + 1e-6, 0.3, 2.5}) {
    CAPTURE(angle);
    const Matrix K = random_symmetric(random);
    const Vector axis = turned(random_rotation(random), Vector{0, 0, 1});
    const space::Frame<double> W = random_pose(random);
    const Model model =
        bushing_on_ground(W, {random_vector(random), rotation_about(angle * axis)}, K, Matrix::Zero(6, 6));
    const State state = model.initial_state();
    CHECK(relative_difference(matrices_of(model, state).K, CentralDifferences(model).at(state).K) < 1e-10);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// A body held by a dead torque (theory (1.5): one chart for all laws)
//
// A bushing with the same stiffness k about all axes, and a dead torque τ about z of its frame: the body rests turned
// by α = τ/k about z. There
//
//   K about x and y  [[k_p, −τ/2], [τ/2, k_p]] (or its transpose),   k_p = k (α/2) cot(α/2);   about z  k
//   ω_z² = k/I_z,    λ² − k_p (1/I_x + 1/I_y) λ + (k_p² + τ²/4)/(I_x I_y) = 0,   λ = ω²
//
// The design page prints three frequencies, and three wrong ones which the dead torque gives if it is not pulled back
// as the potential is: √(k/I_z), √(k_p/I_x), √(k_p/I_y). It does not print its data; those here are chosen so that
// the wrong ones come out as printed, and tan(α/2) = τ/(2 k_p) = 0.14935 so that the right ones follow to 1e-4.

namespace {

struct DeadTorque {
  double k = 12;
  double alpha = 2 * std::atan(0.14935);
  double tau = k * alpha;
  double k_p = k * (alpha / 2) / std::tan(alpha / 2);
  double I_z = k / (3.4531 * 3.4531), I_x = k_p / (3.5416 * 3.5416), I_y = k_p / (4.5430 * 4.5430);
  double mass = 0.5, held = 50;  ///< so that it moves along all axes with 10 rad/s

  /// The bushing's frame turned by `whole`, the body's axes against it by `axes`; everything at its guess, α = 0.
  Model model(const Rotation<double>& whole, const Rotation<double>& axes) const {
    ModelBuilder build;
    const Eigen::Matrix3d A = matrix(axes);
    const Eigen::Matrix3d principal = Eigen::Vector3d(I_x, I_y, I_z).asDiagonal();
    const space::Place body = build.space_body(
        "b", {0, 0, 0},
        {.rotation = whole * inverse(axes), .mass = mass, .inertia = inertia_of(A * principal * A.transpose())});
    const space::Place on_body = build.space_marker("on_b", body, {0, 0, 0}, axes);
    Matrix K = Matrix::Identity(6, 6) * k;
    K.topLeftCorner(3, 3) *= held / k;
    build.add("bushing",
              space::Bushing{.a = build.space_fixed("a", {0, 0, 0}, whole), .b = on_body, .stiffness = by_rows(K)});
    build.add("load", space::Torque{.at = body, .vector = turned(whole, Vector{0, 0, tau})});
    return build.model();
  }
};

/// The frequencies, ascending.
std::vector<double> frequencies(const Model& model, const State& rest) {
  std::vector<double> omega;
  for (const std::complex<double>& s : dense::dense_spectrum(model, rest)) {
    CHECK(std::abs(s.real()) < 1e-9);
    if (s.imag() > 0) omega.push_back(s.imag());
  }
  std::sort(omega.begin(), omega.end());
  return omega;
}

}  // namespace

TEST_CASE("a body held by a dead torque: frequencies 3.4531, 3.6515 and 4.4551 rad/s at every orientation") {
  const DeadTorque data;
  const double sum = data.k_p * (1 / data.I_x + 1 / data.I_y);
  const double product = (data.k_p * data.k_p + data.tau * data.tau / 4) / (data.I_x * data.I_y);
  const double root = std::sqrt(sum * sum / 4 - product);
  const double closed[] = {std::sqrt(data.k / data.I_z), std::sqrt(sum / 2 - root), std::sqrt(sum / 2 + root)};
  const double printed[] = {3.4531, 3.6515, 4.4551}, mixed[] = {3.4531, 3.5416, 4.5430};
  Random random(12);
  for (int i = 0; i <= seeds; ++i) {
    const Rotation<double> whole = i == 0 ? Rotation<double>() : random_rotation(random);
    const Rotation<double> axes = i == 0 ? Rotation<double>() : random_rotation(random);
    const Model model = data.model(whole, axes);
    const State rest = at_rest(model);
    const Rotation<double> turn = inverse(whole) * rest.orientations[0] * axes;
    CHECK(length(rotation_vector(turn) - Vector{0, 0, data.alpha}) < rounding);
    const std::vector<double> omega = frequencies(model, rest);
    REQUIRE(omega.size() == 6);
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(omega[j] == Approx(closed[j]).epsilon(1e-12));
      CHECK(std::abs(omega[j] - printed[j]) < 1e-4);
      if (j > 0) CHECK(std::abs(omega[j] - mixed[j]) > 0.05);
      CHECK(omega[3 + j] == Approx(10).epsilon(1e-12));
    }
  }
}

// Three points of the body are tied to three on the ground by springs of different stiffness and no free length; the
// weight and a dead torque do the rest. The witness knows no chart: the force and the torque on the body in the axes of
// the ground are differentiated as they stand, which is all the same at rest, where both vanish.
TEST_CASE("a body on three springs under a dead torque: K at rest is the derivative of the full equations of motion") {
  Random random(13);
  for (int i = 0; i < seeds; ++i) {
    ModelBuilder build;
    build.gravity({0, 0, -9.81});
    const space::Place body = build.space_body(
        "b", {0, 0, 0},
        {.rotation = random_rotation(random), .mass = 1.2, .inertia = {0.5, 0.7, 0.9, 0.05, -0.1, 0.02}});
    const double stiffness[] = {60, 90, 140};
    const Vector triad[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int j = 0; j < 3; ++j) {
      const space::Place end = build.space_marker({}, body, triad[j]);
      const Vector near = build.pose(end).p + random_vector(random, 0.2);
      build.add({},
                space::Spring{.a = build.space_fixed({}, near), .b = end, .stiffness = stiffness[j], .free_length = 0});
    }
    build.add("load", space::Torque{.at = body, .vector = random_vector(random, 20)});
    const Model model = build.model();
    const State rest = at_rest(model);

    const auto force_and_torque = [&](const State& at, const Eigen::VectorXd&) {
      Eigen::VectorXd f = applied_forces(model, at);
      f.tail(3) = (matrix(at.orientations[0]) * f.tail(3)).eval();
      return f;
    };
    Matrix K = -chart_derivative(model, rest, force_and_torque);
    K.bottomRows(3) = (matrix(rest.orientations[0]).transpose() * K.bottomRows(3)).eval();
    const Matrix exact = matrices_of(model, rest).K;
    CHECK(relative_difference(exact, K) < 1e-9);
    CHECK(relative_difference(exact, exact.transpose()) > 1e-3);  // the torque has no potential
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Masses

TEST_CASE("rigid_mass: is what the masses of its points amount to, in weight, at rest and in motion") {
  Random random(14);
  for (int i = 0; i < seeds; ++i) {
    const Rotation<double> R = random_rotation(random);
    const Vector at = random_vector(random);
    ModelBuilder points, whole;
    points.gravity({1, -9.81, 2});
    whole.gravity({1, -9.81, 2});

    const space::Place body = points.space_body("b", at, {.rotation = R});
    double mass = 0;
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // Σ m r rᵀ
    for (int k = 0; k < 7; ++k) {
      const double m = random.between(0.1, 1);
      const Vector r = random_vector(random);
      points.add({}, space::PointMass{.at = points.space_marker({}, body, r), .mass = m});
      mass += m;
      first += m * eigen(r);
      second += m * eigen(r) * eigen(r).transpose();
    }
    const Eigen::Vector3d c = first / mass;
    second -= mass * c * c.transpose();
    const Eigen::Matrix3d I = second.trace() * Eigen::Matrix3d::Identity() - second;
    whole.space_body("b", at, {.rotation = R, .mass = mass, .inertia = inertia_of(I), .centre = {c[0], c[1], c[2]}});

    const Model many = points.model(), one = whole.model();
    State state = many.initial_state();
    state.v = random.vector(6, -2, 2);
    state.a = random.vector(6, -2, 2);
    CHECK(relative_difference(inertia_forces(one, state), inertia_forces(many, state)) < rounding);
    CHECK(relative_difference(applied_forces(one, state), applied_forces(many, state)) < rounding);
    const DenseMatrices a = matrices_of(one, state), b = matrices_of(many, state);
    for (const char letter : {'M', 'C', 'K'}) CHECK(relative_difference(a[letter], b[letter]) < 10 * rounding);
  }
}

// Euler's equations in the axes of the body, about a centre of mass at its origin: I α + ω × I ω.
TEST_CASE("rigid_mass: turning freely about a principal axis it asks for no torque, otherwise for ω × I ω") {
  ModelBuilder build;
  build.space_body("b", {1, 2, 3}, {.rotation = rotation_about({0.4, -1, 2}), .mass = 2, .inertia = {1, 2, 4}});
  const Model model = build.model();
  State state = model.initial_state();
  state.v = Eigen::VectorXd::Zero(6);
  state.v[5] = 3;
  CHECK(inertia_forces(model, state).norm() < rounding);
  state.v.tail<3>() << 3, -1, 2;
  CHECK((inertia_forces(model, state).tail<3>() - Eigen::Vector3d((4 - 2) * -1 * 2, (1 - 4) * 2 * 3, (2 - 1) * 3 * -1))
            .norm() < rounding);
}
