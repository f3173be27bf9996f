// What outputs show, how it changes with the state, and that reactions are forces that hold things in balance.

#include "stillpoint/outputs.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "stillpoint/detail/observed.h"
#include "stillpoint/elements/all.h"
#include "support/as_eigen.h"
#include "support/dense_reference.h"
#include "support/elements/element_harness.h"
#include "support/elements/space_harness.h"

using namespace stillpoint;
using doctest::Approx;

namespace {

constexpr int seeds = 20;

// Of values of the order of ten, after some ten operations.
constexpr double rounding = 1e-13;

// As in every_element_test: differences are good to about 1e-11; a missing term shows at 1e-2 or more.
constexpr double like_differences = 1e-8;

using Matrix = Eigen::MatrixXd;
using Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

/// The components of an output by its name, without suffixes.
VectorXd shown(const Model& model, const State& state, const std::string& name) {
  const VectorXd y = observe(model, state).y;
  std::vector<double> found;
  for (Index i = 0; i < model.outputs(); ++i) {
    const std::string full = model.output_name(i);
    if (full == name || full.starts_with(name + ".")) found.push_back(y[i]);
  }
  REQUIRE(!found.empty());
  return Eigen::Map<VectorXd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

VectorXd one(double x) { return VectorXd::Constant(1, x); }

Eigen::Matrix2d turn(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }
Vector2d across(const Vector2d& v) { return {-v[1], v[0]}; }

// Two bodies and a point in the plane, with an output of every kind.
const char* const plane_file = R"(stillpoint: 1
mechanism:
  - body: A
    at: 1, 2
    angle: 0.5
  - body: B
    at: -1, 0.5
    angle: -0.8
  - point: P
    at: 3, -1
  - scalar: s
    value: 0.4
  - input: u
    value: 1.5
  - marker: tip
    on: A
    at: 0.3, 0.7
    angle: 0.2
  - spring: spring
    between: tip, P
    stiffness: 8
    free_length: 1.2
    damping: 0.7
  - damper: damper
    between: A, P
    damping: 3
  - actuator: cylinder
    between: B, P
    magnitude: 5
    input: u
  - torsion_spring: coil
    between: A, B
    stiffness: 6
    free_angle: 0.3
    damping: 0.9
  - torsion_damper: brake
    between: A, B
    damping: 2
  - revolute: pin
    between: tip, P
  - prismatic: rail
    between: tip, B
  - prescribed: drive
    coordinate: s
    input: u
  - {output: where, position: tip}
  - {output: where_in_B, position: tip, axes: B}
  - {output: speed, velocity: tip}
  - {output: speed_in_B, velocity: tip, axes: B}
  - {output: jerked, acceleration: tip}
  - {output: jerked_in_tip, acceleration: P, axes: tip}
  - {output: far, distance: [tip, P]}
  - {output: bent, angle: [tip, B]}
  - {output: spin, rate: tip}
  - {output: value, coordinate: s}
  - {output: height, coordinate: A.y}
  - {output: pull, force: spring}
  - {output: drag, force: damper}
  - {output: push, force: cylinder}
  - {output: wind, force: coil}
  - {output: hold, force: brake}
  - {output: on_P, reaction: pin}
  - {output: on_tip, reaction: pin, on: 1}
  - {output: on_P_in_B, reaction: pin, axes: B}
  - {output: rail_on_B, reaction: rail}
  - {output: rail_on_tip, reaction: rail, on: 1, axes: tip}
  - {output: servo, reaction: drive}
)";

// The same in space.
const char* const space_file = R"(stillpoint: 1
dimension: 3
mechanism:
  - body: A
    at: 1, 2, 0.5
    rotation: 0.4, -0.9, 0.7
  - body: B
    at: -1, 0.5, -0.8
    rotation: -0.3, 0.5, 1.1
  - point: P
    at: 3, -1, 0.2
  - scalar: s
    value: 0.4
  - input: u
    value: 1.5
  - marker: tip
    on: A
    at: 0.3, 0.7, -0.4
    rotation: 0.6, 0.2, -0.5
  - spring: spring
    between: tip, P
    stiffness: 8
    free_length: 1.2
    damping: 0.7
  - damper: damper
    between: A, P
    damping: 3
  - actuator: cylinder
    between: B, P
    magnitude: 5
    input: u
  - torsion_spring: coil
    between: tip, B
    stiffness: 6
    free_angle: 0.3
    damping: 0.9
  - torsion_damper: brake
    between: tip, B
    damping: 2
  - bushing: rubber
    between: tip, B
    stiffness: 3, 5, 7, 2, 4, 6
    damping: 0.3, 0.5, 0.7, 0.2, 0.4, 0.6
  - spherical: ball
    between: tip, P
  - revolute: hinge
    between: tip, B
  - angle: turn
    of: s
    between: tip, B
  - prescribed: drive
    coordinate: s
    input: u
  - {output: where, position: tip}
  - {output: where_in_B, position: tip, axes: B}
  - {output: speed, velocity: tip}
  - {output: speed_in_B, velocity: tip, axes: B}
  - {output: jerked, acceleration: tip}
  - {output: jerked_in_tip, acceleration: P, axes: tip}
  - {output: far, distance: [tip, P]}
  - {output: bent, angle: [tip, B]}
  - {output: spin, rate: A}
  - {output: spin_in_tip, rate: A, axes: tip}
  - {output: value, coordinate: s}
  - {output: height, coordinate: A.z}
  - {output: pull, force: spring}
  - {output: drag, force: damper}
  - {output: push, force: cylinder}
  - {output: wind, force: coil}
  - {output: hold, force: brake}
  - {output: rubber, force: rubber}
  - {output: on_P, reaction: ball}
  - {output: on_tip, reaction: ball, on: 1}
  - {output: on_P_in_B, reaction: ball, axes: B}
  - {output: hinge_on_B, reaction: hinge}
  - {output: hinge_on_tip, reaction: hinge, on: 1, axes: tip}
  - {output: turning, reaction: turn, on: 3, axes: B}
  - {output: turned, reaction: turn, on: 1}
  - {output: servo, reaction: drive, on: 1}
)";

State plane_state(const Model& model, Random& random) { return random_state(model, random, Assembly::Motion::moving); }
State space_state(const Model& model, Random& random) {
  return random_space_state(model, random, Assembly::Motion::moving);
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Values

TEST_CASE("outputs in the plane: show what their names say, in the axes that are asked for") {
  const Model model = read_model_text(plane_file, "test.yaml");
  Random random(1);
  for (int i = 0; i < seeds; ++i) {
    const State state = plane_state(model, random);
    const auto show = [&](const char* name) { return shown(model, state, name); };
    const auto &q = state.q, &v = state.v, &a = state.a, &lambda = state.lambda;  // A 0–2, B 3–5, P 6–7, s 8
    const Vector2d arm = turn(q[2]) * Vector2d(0.3, 0.7), P = q.segment<2>(6);
    const Vector2d tip = q.head<2>() + arm;
    const Vector2d v_tip = v.head<2>() + v[2] * across(arm);
    const Vector2d a_tip = a.head<2>() + a[2] * across(arm) - v[2] * v[2] * arm;
    const Eigen::Matrix2d to_B = turn(-q[5]), to_tip = turn(-q[2] - 0.2);

    CHECK((show("where") - tip).norm() < rounding);
    CHECK((show("where_in_B") - to_B * tip).norm() < rounding);
    CHECK((show("speed") - v_tip).norm() < rounding);
    CHECK((show("speed_in_B") - to_B * v_tip).norm() < rounding);
    CHECK((show("jerked") - a_tip).norm() < rounding);
    CHECK((show("jerked_in_tip") - to_tip * a.segment<2>(6)).norm() < rounding);
    CHECK((show("far") - one((P - tip).norm())).norm() < rounding);
    CHECK((show("bent") - one(q[5] - q[2] - 0.2)).norm() < rounding);
    CHECK(show("spin") == one(v[2]));
    CHECK(show("value") == one(q[8]));
    CHECK(show("height") == one(q[1]));

    const auto stretching = [](const Vector2d& d, const Vector2d& rate) { return d.dot(rate) / d.norm(); };
    const Vector2d from_A = P - q.head<2>();
    const double spring = 8 * ((P - tip).norm() - 1.2) + 0.7 * stretching(P - tip, v.segment<2>(6) - v_tip);
    CHECK((show("pull") - one(spring)).norm() < 10 * rounding);
    CHECK((show("drag") - one(3 * stretching(from_A, v.segment<2>(6) - v.head<2>()))).norm() < rounding);
    CHECK((show("push") - one(-5 * state.u[0])).norm() < rounding);  // it pulls where the input is negative
    CHECK((show("wind") - one(6 * (q[5] - q[2] - 0.3) + 0.9 * (v[5] - v[2]))).norm() < 10 * rounding);
    CHECK((show("hold") - one(2 * (v[5] - v[2]))).norm() < rounding);

    // Multipliers: pin 0–1, rail 2–3, drive 4. Those of a pin are the force on its first place.
    CHECK((show("on_P") + lambda.head<2>()).norm() < rounding);
    CHECK((show("on_tip") - lambda.head<2>()).norm() < rounding);
    CHECK((show("on_P_in_B") + to_B * lambda.head<2>()).norm() < rounding);
    const Vector2d y_tip = turn(q[2] + 0.2).col(1), reach = q.segment<2>(3) - tip;
    Vector3d rail;
    rail << -lambda[2] * y_tip, -lambda[3];
    CHECK((show("rail_on_B") - rail).norm() < rounding);
    // about the tip, and as the tip sees it
    Vector3d on_tip;
    on_tip << to_tip * (lambda[2] * y_tip), lambda[3] + lambda[2] * (reach[0] * y_tip[1] - reach[1] * y_tip[0]);
    CHECK((show("rail_on_tip") - on_tip).norm() < rounding);
    CHECK((show("servo") - one(-lambda[4])).norm() < rounding);
  }
}

TEST_CASE("outputs in space: show what their names say, in the axes that are asked for") {
  const Model model = read_model_text(space_file, "test.yaml");
  const Matrix3d on_A = matrix(rotation_about({0.6, 0.2, -0.5}));
  Random random(2);
  for (int i = 0; i < seeds; ++i) {
    const State state = space_state(model, random);
    const auto show = [&](const char* name) { return shown(model, state, name); };
    const auto &q = state.q, &v = state.v, &a = state.a, &lambda = state.lambda;  // A 0–5, B 6–11, P 12–14, s 15
    const Matrix3d A = matrix(state.orientations[0]), B = matrix(state.orientations[1]), T = A * on_A;
    const Vector3d arm = A * Vector3d(0.3, 0.7, -0.4), omega = A * v.segment<3>(3), alpha = A * a.segment<3>(3);
    const Vector3d P = q.segment<3>(12), tip = q.head<3>() + arm, v_tip = v.head<3>() + omega.cross(arm);
    const Vector3d a_tip = a.head<3>() + alpha.cross(arm) + omega.cross(omega.cross(arm));

    CHECK((show("where") - tip).norm() < rounding);
    CHECK((show("where_in_B") - B.transpose() * tip).norm() < rounding);
    CHECK((show("speed") - v_tip).norm() < rounding);
    CHECK((show("speed_in_B") - B.transpose() * v_tip).norm() < rounding);
    CHECK((show("jerked") - a_tip).norm() < rounding);
    CHECK((show("jerked_in_tip") - T.transpose() * a.segment<3>(12)).norm() < rounding);
    CHECK((show("far") - one((P - tip).norm())).norm() < rounding);
    CHECK((show("spin") - omega).norm() < rounding);
    CHECK((show("spin_in_tip") - T.transpose() * omega).norm() < rounding);
    CHECK(show("value") == one(q[15]));
    CHECK(show("height") == one(q[2]));
    // The twist of a rotation: the angle whose tangent of the half is (R10 − R01)/(1 + trace).
    const Matrix3d relative = T.transpose() * B;
    const double twist = 2 * std::atan2(relative(1, 0) - relative(0, 1), 1 + relative.trace());
    CHECK((show("bent") - one(twist)).norm() < 10 * rounding);

    const auto stretching = [](const Vector3d& d, const Vector3d& rate) { return d.dot(rate) / d.norm(); };
    const Vector3d v_P = v.segment<3>(12);
    const double spring = 8 * ((P - tip).norm() - 1.2) + 0.7 * stretching(P - tip, v_P - v_tip);
    CHECK((show("pull") - one(spring)).norm() < 10 * rounding);
    CHECK((show("drag") - one(3 * stretching(P - q.head<3>(), v_P - v.head<3>()))).norm() < rounding);
    CHECK((show("push") - one(-5 * state.u[0])).norm() < rounding);
    const Vector3d spin = B * v.segment<3>(9) - omega;
    CHECK((show("wind") - one(6 * (twist - 0.3) + 0.9 * spin.dot(T.col(2)))).norm() < 100 * rounding);
    CHECK((show("hold") - one(2 * spin.dot(T.col(2)))).norm() < 10 * rounding);
    const Eigen::AngleAxisd turn(relative);
    const Vector3d d = q.segment<3>(6) - tip;
    VectorXd deflection(6), rate(6), k(6);
    k << 3, 5, 7, 2, 4, 6;
    deflection << T.transpose() * d, turn.angle() * turn.axis();
    rate << T.transpose() * (v.segment<3>(6) - v_tip - omega.cross(d)), T.transpose() * spin;
    CHECK((show("rubber") - k.asDiagonal() * (deflection + 0.1 * rate)).norm() < 100 * rounding);

    // Multipliers: ball 0–2, hinge 3–7, turn 8, drive 9.
    CHECK((show("on_P") + lambda.head<3>()).norm() < rounding);
    CHECK((show("on_tip") - lambda.head<3>()).norm() < rounding);
    CHECK((show("on_P_in_B") + B.transpose() * lambda.head<3>()).norm() < rounding);
    // the derivatives of −y_a·z_b and x_a·z_b by a turn of b
    const Vector3d moment = -lambda[6] * T.col(1).cross(B.col(2)) + lambda[7] * T.col(0).cross(B.col(2));
    VectorXd on_B(6), on_A_side(6);
    on_B << -lambda.segment<3>(3), moment;
    CHECK((show("hinge_on_B") - on_B).norm() < 10 * rounding);
    // The other end feels the opposite force, and about itself also its moment.
    on_A_side << T.transpose() * lambda.segment<3>(3), T.transpose() * (-moment);
    CHECK((show("hinge_on_tip") - on_A_side).norm() < 10 * rounding);
    CHECK((show("turned") - one(-lambda[8])).norm() < rounding);
    CHECK((show("servo") - one(-lambda[9])).norm() < rounding);
  }
}

TEST_CASE("outputs: at a state without rates and multipliers they are at rest, and without reactions") {
  const Model model = read_model_text(space_file, "test.yaml");
  const State guess = model.initial_state();
  for (const char* name : {"speed", "jerked", "spin", "drag", "on_P", "hinge_on_B", "turning", "servo"}) {
    CAPTURE(name);
    CHECK(shown(model, guess, name).isZero(0));
  }
  CHECK(shown(model, guess, "height") == one(0.5));
  CHECK(shown(model, guess, "push") == one(-7.5));
}

// ---------------------------------------------------------------------------------------------------------------------
// Derivatives

namespace {

/// All derivatives, at many states; `constant` outputs depend on nothing.
void compare_outputs_with_differences(const Model& model, State (*random_state_of)(const Model&, Random&),
                                      int constant) {
  Random random(3);
  Matrix largest[5];
  for (int i = 0; i < seeds / 2; ++i) {
    const State state = random_state_of(model, random);
    const OutputValues at = observe(model, state);
    const auto y = [&](const State& s) { return observe(model, s).y; };
    const Matrix exact[] = {at.Hq, at.Hv, at.Ha, at.Hl, at.Hu};
    const Matrix difference[] = {chart_derivative(model, state, [&](const State& s, const VectorXd&) { return y(s); }),
                                 derivative_by(&State::v, state, y), derivative_by(&State::a, state, y),
                                 derivative_by(&State::lambda, state, y), derivative_by(&State::u, state, y)};
    for (int k = 0; k < 5; ++k) {
      CAPTURE(k);
      for (Eigen::Index row = 0; row < exact[k].rows(); ++row) {
        CAPTURE(model.output_name(static_cast<Index>(row)));
        CHECK(relative_difference(exact[k].row(row), difference[k].row(row)) < like_differences);
      }
      if (i == 0) largest[k] = exact[k].cwiseAbs();
      else largest[k] = largest[k].cwiseMax(exact[k].cwiseAbs());
    }
  }
  // Something depends on everything, and but for the constant ones every output on something.
  VectorXd seen = VectorXd::Zero(model.outputs());
  for (const Matrix& H : largest) {
    CHECK(H.maxCoeff() > 0.1);
    seen = seen.cwiseMax(H.rowwise().maxCoeff());
  }
  CHECK((seen.array() < 0.1).count() == constant);
}

}  // namespace

TEST_CASE("outputs in the plane: Hq, Hv, Ha, Hλ and Hu equal central differences at moving states") {
  compare_outputs_with_differences(read_model_text(plane_file, "test.yaml"), plane_state, 1);  // no force along a rail
}

TEST_CASE("outputs in space: Hq, Hv, Ha, Hλ and Hu equal central differences along the chart at moving states") {
  compare_outputs_with_differences(read_model_text(space_file, "test.yaml"), space_state, 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reactions

TEST_CASE("reactions on a body that two joints hold balance its weight, about any point; on the ground they carry it") {
  Random random(4);
  for (int i = 0; i < seeds; ++i) {
    const Vec3<double> at = random_vector(random), hinge_at = random_vector(random), stop_at = random_vector(random),
                       centre = random_vector(random);
    const Rotation<double> R = random_rotation(random), R_hinge = random_rotation(random),
                           R_stop = random_rotation(random);
    ModelBuilder build;
    build.gravity({1, -9, 3});
    const space::Place body =
        build.space_body("b", at, {.rotation = R, .mass = 2, .inertia = {1, 1, 1}, .centre = centre});
    const space::Place hinge_a = build.space_fixed("hinge_a", hinge_at, R_hinge);
    const space::Place hinge_b = build.space_marker_posed("hinge_b", body, {hinge_at, R_hinge});
    const space::Place stop_a = build.space_fixed("stop_a", stop_at, R_stop);
    const space::Place stop_b = build.space_marker_posed("stop_b", body, {stop_at, {}});
    build.add("hinge", space::Revolute{.a = hinge_a, .b = hinge_b});
    build.add("stop", space::PointOnPlane{.plane = stop_a, .point = stop_b});
    build.output_reaction("hinge_on_b", build.constraint_ref("hinge"), 2, space::ground);
    build.output_reaction("hinge_on_a", build.constraint_ref("hinge"), 1, space::ground);
    build.output_reaction("stop_on_b", build.constraint_ref("stop"), 2, space::ground);
    build.output_reaction("stop_on_a", build.constraint_ref("stop"), 1, space::ground);
    build.output_reaction("hinge_own", build.constraint_ref("hinge"), 2, hinge_b);
    const Model model = build.model();
    State rest = model.initial_state();
    CHECK(constraint_residual(model, rest).norm() < rounding);
    rest.lambda = dense::multipliers(model, rest);

    const VectorXd hinge = shown(model, rest, "hinge_on_b"), stop = shown(model, rest, "stop_on_b");
    REQUIRE(hinge.size() == 6);
    REQUIRE(stop.size() == 3);
    const Vector3d weight(2, -18, 6), c = eigen(at) + matrix(R) * eigen(centre);
    const double scale = hinge.cwiseAbs().maxCoeff() + 1;  // a stop near the axis of the hinge takes large forces
    CHECK((hinge.head<3>() + stop + weight).norm() < rounding * scale);
    for (int j = 0; j < 3; ++j) {
      const Vector3d about = 3 * Vector3d::Unit(j);
      const Vector3d moment = hinge.tail<3>() + (eigen(hinge_at) - about).cross(hinge.head<3>()) +
                              (eigen(stop_at) - about).cross(stop.head<3>()) + (c - about).cross(weight);
      CHECK(moment.norm() < 10 * rounding * scale);
    }
    // Both sides are at the same points here: what one feels, the other feels reversed.
    CHECK((hinge + shown(model, rest, "hinge_on_a")).norm() < rounding * scale);
    const VectorXd on_plane = shown(model, rest, "stop_on_a");
    CHECK((stop + on_plane.head<3>()).norm() < rounding * scale);
    CHECK(on_plane.tail<3>().norm() < rounding * scale);
    // The hinge takes no moment about its own axis.
    const VectorXd own = shown(model, rest, "hinge_own");
    CHECK((own.head<3>() - matrix(R_hinge).transpose() * hinge.head<3>()).norm() < rounding * scale);
    CHECK((own.tail<3>() - matrix(R_hinge).transpose() * hinge.tail<3>()).norm() < rounding * scale);
    CHECK(std::abs(own[5]) < rounding * scale);
    CHECK(hinge.tail<3>().norm() > 0.1);
  }
}

namespace {

struct PlaceOf {
  FieldKind kind;
  Index reference;  ///< a marker or a coordinate
};

/// What an element refers to, in the order of its places.
std::vector<PlaceOf> places_of(const ElementArrayBase& elements) {
  std::vector<PlaceOf> places;
  for (const Field& field : elements.info().fields) {
    if (field.kind == FieldKind::numbers || field.kind == FieldKind::flag || field.kind == FieldKind::input) continue;
    const FieldValue value = field.load(elements.element(0));
    for (std::size_t i = 0; i < value.count; ++i) places.push_back({field.kind, value.references[i]});
  }
  return places;
}

bool is_on_node(const Model& model, const PlaceOf& place) {
  if (place.kind != FieldKind::position && place.kind != FieldKind::frame) return false;
  const Index block = model.markers()[static_cast<std::size_t>(place.reference)].block;
  return block != on_ground && model.blocks()[static_cast<std::size_t>(block)].kind == BlockKind::node;
}

/// The same at a place on a node; the node itself is moved in its frame only.
VectorXd variation_at_node(const Model& model, const State& state, const PlaceOf& place, const VectorXd& dq) {
  const Context context = model.context(state);
  const Marker& marker = model.markers()[static_cast<std::size_t>(place.reference)];
  const Block& node = model.blocks()[static_cast<std::size_t>(marker.block)];
  const Index f = model.blocks()[static_cast<std::size_t>(node.carrier)].first, x = node.first;
  const double phi = state.q[f + 2];
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(phi).toRotationMatrix(), quarter{{0, -1}, {1, 0}};
  const Eigen::Vector2d du = R * dq.segment<2>(x);
  if (place.kind == FieldKind::node) return Vector3d(du[0], du[1], dq[x + 2]);
  const Eigen::Vector2d arm = R * (state.q.segment<2>(x) + Eigen::Vector2d(node.rest.x, node.rest.y));
  const Vec2<double> p = lift<double>(context, PositionOf{place.reference}, {});
  const Eigen::Vector2d off = Eigen::Vector2d(p.x, p.y) - state.q.segment<2>(f) - arm;
  const double turned = dq[f + 2] + dq[x + 2];
  const Eigen::Vector2d moved = dq.segment<2>(f) + dq[f + 2] * (quarter * arm) + du + turned * (quarter * off);
  const VectorXd all = Vector3d(moved[0], moved[1], turned);
  return place.kind == FieldKind::position ? all.head(2).eval() : all;
}

/// How a place is moved and turned when the coordinates change by dq; as many numbers as its reaction has.
VectorXd variation(const Model& model, const State& state, const PlaceOf& place, const VectorXd& dq) {
  const Context context = model.context(state);
  const auto block_at = [&](Index index) { return model.blocks()[static_cast<std::size_t>(index)]; };
  if (place.kind == FieldKind::coordinate) return dq.segment<1>(place.reference);
  if (place.kind == FieldKind::angle) {
    const Dependence on = dependence(context, AngleOf{place.reference});
    double turned = 0;
    for (int k = 0; k < on.count; ++k) turned += dq[on.coordinate[static_cast<std::size_t>(k)]];
    return one(turned);
  }
  if (place.kind == FieldKind::node || is_on_node(model, place)) return variation_at_node(model, state, place, dq);
  if (!is_in_space(place.kind)) {
    const PositionOf at{place.reference};
    VectorXd moved = Vector3d::Zero();
    if (block_of(context, at) != on_ground) {
      const Block block = block_at(block_of(context, at));
      const Vec2<double> p = lift<double>(context, at, {});
      const double turned = block.kind == BlockKind::body ? dq[block.first + 2] : 0;
      moved << dq[block.first] - turned * (p.y - state.q[block.first + 1]),
          dq[block.first + 1] + turned * (p.x - state.q[block.first]), turned;
    }
    return place.kind == FieldKind::position ? moved.head(2).eval() : moved;
  }
  const space::PositionOf at{place.reference};
  VectorXd moved = VectorXd::Zero(6);
  if (block_of(context, at) != on_ground) {
    const Block block = block_at(block_of(context, at));
    moved.head(3) = dq.segment<3>(block.first);
    if (block.kind == BlockKind::space_body) {
      moved.tail(3) =
          matrix(state.orientations[static_cast<std::size_t>(block.orientation)]) * dq.segment<3>(block.first + 3);
      const Vector3d arm = eigen(lift<double>(context, at, {})) - state.q.segment<3>(block.first);
      moved.head<3>() += moved.tail<3>().cross(arm);
    }
  }
  if (place.kind == FieldKind::space_position) return moved.head(3).eval();
  if (place.kind == FieldKind::space_orientation) return moved.tail(3).eval();
  return moved;
}

/// −λᵀJ δq is the work of all reactions, whichever block moves.
void check_virtual_work(const Specimen& specimen, const State& state, Random& random) {
  const Model& model = specimen.model;
  const ElementArrayBase& elements = *model.arrays().back().elements;
  REQUIRE(elements.rows() == model.constraints());
  const std::vector<PlaceOf> places = places_of(elements);
  const VectorXd push = -dense::matrices_at(model, state).J.transpose() * state.lambda;
  for (const Block& block : model.blocks()) {
    VectorXd dq = VectorXd::Zero(model.coordinates());
    const Index size = coordinates_of(block.kind);
    dq.segment(block.first, size) = random.vector(size, -1, 1);
    double work = 0, parts = 1;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const VectorXd wrench =
          elements.reaction(model.context(state), 0, static_cast<int>(k), state.lambda.data()).value;
      const VectorXd moved = variation(model, state, places[k], dq);
      REQUIRE(wrench.size() == moved.size());
      work += wrench.dot(moved);
      parts += wrench.cwiseAbs().dot(moved.cwiseAbs());
    }
    CHECK(std::abs(work - push.dot(dq)) < rounding * parts);
  }
}

/// The derivatives of the reaction at every place.
void check_reaction_derivatives(const Specimen& specimen, const State& state) {
  const Model& model = specimen.model;
  const ElementArrayBase& elements = *model.arrays().back().elements;
  for (int k = 0; k < static_cast<int>(places_of(elements).size()); ++k) {
    const auto wrench = [&](const State& at) {
      return elements.reaction(model.context(at), 0, k, at.lambda.data()).value;
    };
    const Observed seen = elements.reaction(model.context(state), 0, k, state.lambda.data());
    Matrix by_q = Matrix::Zero(seen.value.size(), model.coordinates());
    for (std::size_t j = 0; j < seen.coordinates.size(); ++j) {
      by_q.col(seen.coordinates[j]) += seen.by_q.col(static_cast<Eigen::Index>(j));
    }
    const Matrix expected =
        chart_derivative(model, state, [&](const State& at, const VectorXd&) { return wrench(at); });
    CHECK(relative_difference(by_q, expected) < 1e-7);                                 // of twists in large rotations
    CHECK(relative_difference(seen.by_lambda * state.lambda, seen.value) < rounding);  // it is linear in them
  }
}

template <class States>
int check_all(const std::vector<ElementCase>& cases,
              const std::function<std::vector<Specimen>(const ElementCase&)>& make, const States& state_of) {
  int count = 0;
  for (const ElementCase& element : cases) {
    if (element.at_rest.find('J') == std::string::npos) continue;
    ++count;
    for (const Specimen& specimen : make(element)) {
      CAPTURE(specimen.name);
      Random random(5);
      for (int i = 0; i < 3; ++i) {
        const State state = state_of(specimen.model, random);
        check_virtual_work(specimen, state, random);
        if (i == 0) check_reaction_derivatives(specimen, state);
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every constraint in the plane: its reactions do the work of −Jᵀλ, and change as their derivatives say") {
  const auto make = [](const ElementCase& element) { return specimens(element, {0, 0}); };
  const auto state_of = [](const Model& model, Random& random) {
    return random_state(model, random, Assembly::Motion::at_rest);
  };
  CHECK(check_all(element_cases(), make, state_of) == 10);
}

TEST_CASE("every constraint in space: its reactions do the work of −Jᵀλ, and change as their derivatives say") {
  const auto make = [](const ElementCase& element) { return space_specimens(element, {0, 0, 0}); };
  const auto state_of = [](const Model& model, Random& random) {
    return random_space_state(model, random, Assembly::Motion::at_rest);
  };
  CHECK(check_all(space_element_cases(), make, state_of) == 16);
}
