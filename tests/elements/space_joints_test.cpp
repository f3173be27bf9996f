// Joints in space in closed form: the freedom they leave, the forces they exert, and that in the plane they are the
// joints of the plane.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "stillpoint/elements/all.h"
#include "support/as_eigen.h"
#include "support/dense_reference.h"
#include "support/elements/space_harness.h"

using namespace stillpoint;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int seeds = 20;

// Residuals and forces of the order of one to ten, after some ten operations.
constexpr double rounding = 1e-13;

using Pose = space::Frame<double>;
using Vector = Vec3<double>;

Pose operator*(const Pose& a, const Pose& b) { return {a.p + turned(a.R, b.p), a.R * b.R}; }
Pose inverse_of(const Pose& a) { return {-turned_back(a.R, a.p), inverse(a.R)}; }

Pose random_pose(Random& random) { return {random_vector(random), random_rotation(random)}; }

Rotation<double> about_x(double angle) { return rotation_about({angle, 0, 0}); }
Rotation<double> about_y(double angle) { return rotation_about({0, angle, 0}); }
Rotation<double> about_z(double angle) { return rotation_about({0, 0, angle}); }

// ---------------------------------------------------------------------------------------------------------------------
// What is claimed about each joint

/// What acts on b: a force at its frame's origin and a torque about it, in the axes of the ground.
struct Acts {
  Vector force, torque;
};

struct JointClaim {
  std::string name;
  std::function<void(ModelBuilder&, space::Place a, space::Place b)> add;
  int dofs;                              ///< of b against a
  std::function<Pose(Random&)> allowed;  ///< a pose of frame b in frame a where the joint holds
  std::function<Acts(const Pose& a, const Pose& b, const Eigen::VectorXd& lambda)> exerts;
};

template <class Joint>
std::function<void(ModelBuilder&, space::Place, space::Place)> between_frames() {
  return [](ModelBuilder& build, space::Place a, space::Place b) { build.add("joint", Joint{.a = a, .b = b}); };
}

constexpr double some_length = 1.3;

double any_angle(Random& random) { return random.between(-pi, pi); }
double any_travel(Random& random) { return random.between(-2, 2); }
Vector of(const Eigen::VectorXd& lambda, int first) { return {lambda[first], lambda[first + 1], lambda[first + 2]}; }

const std::vector<JointClaim>& joint_claims() {
  static const std::vector<JointClaim> claims{
      {"spherical", between_frames<space::Spherical>(), 3,
       [](Random& random) {
         return Pose{{}, random_rotation(random)};
       },
       [](const Pose&, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-of(lambda, 0), {}};
       }},
      {"universal", between_frames<space::Universal>(), 2,
       [](Random& random) {
         return Pose{{}, about_x(any_angle(random)) * about_y(any_angle(random))};
       },
       // it turns about the normal of the cross
       [](const Pose& a, const Pose& b, const Eigen::VectorXd& lambda) {
         return Acts{-of(lambda, 0), lambda[3] * cross(x_axis(a.R), y_axis(b.R))};
       }},
      {"constant_velocity", between_frames<space::ConstantVelocity>(), 2,
       [](Random& random) {
         const double way = any_angle(random), bend = random.between(-1.5, 1.5);
         return Pose{{}, rotation_about({bend * std::cos(way), bend * std::sin(way), 0})};
       },
       // it turns about the line that halves the angle between the shafts
       [](const Pose& a, const Pose& b, const Eigen::VectorXd& lambda) {
         return Acts{-of(lambda, 0), (-0.5 * lambda[3]) * (z_axis(a.R) + z_axis(b.R))};
       }},
      {"revolute", between_frames<space::Revolute>(), 1,
       [](Random& random) {
         return Pose{{}, about_z(any_angle(random))};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-of(lambda, 0), -turned(a.R, Vector{lambda[3], lambda[4], 0})};
       }},
      {"cylindrical", between_frames<space::Cylindrical>(), 2,
       [](Random& random) {
         return Pose{{0, 0, any_travel(random)}, about_z(any_angle(random))};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-turned(a.R, Vector{lambda[0], lambda[1], 0}), -turned(a.R, Vector{lambda[2], lambda[3], 0})};
       }},
      {"prismatic", between_frames<space::Prismatic>(), 1,
       [](Random& random) {
         return Pose{{0, 0, any_travel(random)}, {}};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-turned(a.R, Vector{lambda[0], lambda[1], 0}), -turned(a.R, of(lambda, 2))};
       }},
      {"planar", between_frames<space::Planar>(), 3,
       [](Random& random) {
         return Pose{{any_travel(random), any_travel(random), 0}, about_z(any_angle(random))};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-lambda[0] * z_axis(a.R), -turned(a.R, Vector{lambda[1], lambda[2], 0})};
       }},
      {"weld", between_frames<space::Weld>(), 0, [](Random&) { return Pose{}; },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-of(lambda, 0), -turned(a.R, of(lambda, 3))};
       }},
      {"point_on_line",
       [](ModelBuilder& build, space::Place a, space::Place b) {
         build.add("joint", space::PointOnLine{.line = a, .point = b});
       },
       4,
       [](Random& random) {
         return Pose{{0, 0, any_travel(random)}, random_rotation(random)};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-turned(a.R, Vector{lambda[0], lambda[1], 0}), {}};
       }},
      {"point_on_plane",
       [](ModelBuilder& build, space::Place a, space::Place b) {
         build.add("joint", space::PointOnPlane{.plane = a, .point = b});
       },
       5,
       [](Random& random) {
         return Pose{{any_travel(random), any_travel(random), 0}, random_rotation(random)};
       },
       [](const Pose& a, const Pose&, const Eigen::VectorXd& lambda) {
         return Acts{-lambda[0] * z_axis(a.R), {}};
       }},
      {"distance",
       [](ModelBuilder& build, space::Place a, space::Place b) {
         build.add("joint", space::Distance{.a = a, .b = b, .length = some_length});
       },
       5,
       [](Random& random) {
         return Pose{turned(random_rotation(random), Vector{some_length, 0, 0}), random_rotation(random)};
       },
       // twice the multiplier over the length is the tension
       [](const Pose& a, const Pose& b, const Eigen::VectorXd& lambda) {
         return Acts{(-2 * lambda[0]) * (b.p - a.p), {}};
       }},
  };
  return claims;
}

/// Two bodies anywhere, with a frame anywhere on each, that stand so that frame b has the given pose in frame a.
struct Pair {
  Model model;
  Pose a, b;

  Pair(Random& random, const JointClaim& joint, const Pose& relative) : model(ModelBuilder().model()) {
    const Pose body_a = random_pose(random), on_a = random_pose(random), on_b = random_pose(random);
    a = body_a * on_a;
    b = a * relative;
    const Pose body_b = b * inverse_of(on_b);
    ModelBuilder build;
    const space::Place A = build.space_body("A", body_a.p, {.rotation = body_a.R});
    const space::Place B = build.space_body("B", body_b.p, {.rotation = body_b.R});
    joint.add(build, build.space_marker({}, A, on_a.p, on_a.R), build.space_marker({}, B, on_b.p, on_b.R));
    model = build.model();
  }
};

double residual_of(const Model& model, const State& state) {
  return constraint_residual(model, state).cwiseAbs().maxCoeff();
}

/// The force and the torque about a point that generalised forces on a body amount to.
Acts wrench_on(const Model& model, const State& state, const Eigen::VectorXd& f, std::size_t body,
               const Vector& about) {
  const Index x = model.blocks()[body].first;
  const Vector force{f[x], f[x + 1], f[x + 2]}, own{f[x + 3], f[x + 4], f[x + 5]};
  const Vector origin{state.q[x], state.q[x + 1], state.q[x + 2]};
  return {force, turned(state.orientations[body], own) + cross(origin - about, force)};
}

}  // namespace

TEST_CASE("every joint in space: leaves as many freedoms as its name promises, in any pose that it allows") {
  for (const JointClaim& joint : joint_claims()) {
    CAPTURE(joint.name);
    Random random(1);
    for (int i = 0; i < seeds; ++i) {
      const Pair pair(random, joint, joint.allowed(random));
      const Eigen::MatrixXd J = dense::matrices_at(pair.model, pair.model.initial_state()).J;
      CHECK(dense::null_space(J).cols() == 6 + joint.dofs);
      CHECK(J.rows() == 6 - joint.dofs);  // and says nothing twice
    }
  }
}

TEST_CASE("every joint in space: holds in every pose that it allows, and not in others") {
  for (const JointClaim& joint : joint_claims()) {
    CAPTURE(joint.name);
    Random random(2);
    for (int i = 0; i < seeds; ++i) {
      const Pair pair(random, joint, joint.allowed(random));
      CHECK(residual_of(pair.model, pair.model.initial_state()) < rounding);
      const Pair other(random, joint, random_pose(random));
      CHECK(residual_of(other.model, other.model.initial_state()) > 1e-3);  // chance comes no nearer
    }
  }
}

TEST_CASE(
    "every joint in space: its multipliers are the forces and torques of its formula on b, and the opposite on a") {
  for (const JointClaim& joint : joint_claims()) {
    CAPTURE(joint.name);
    Random random(3);
    for (int i = 0; i < seeds; ++i) {
      const Pair pair(random, joint, joint.allowed(random));
      State state = pair.model.initial_state();
      state.lambda = random.vector(pair.model.constraints(), -2, 2);
      const Eigen::VectorXd f = -dense::matrices_at(pair.model, state).J.transpose() * state.lambda;
      const Acts expected = joint.exerts(pair.a, pair.b, state.lambda);
      const Acts on_b = wrench_on(pair.model, state, f, 1, pair.b.p),
                 on_a = wrench_on(pair.model, state, f, 0, pair.b.p);
      CHECK(length(on_b.force - expected.force) < rounding);
      CHECK(length(on_b.torque - expected.torque) < 10 * rounding);  // with arms of up to ten metres
      CHECK(length(on_a.force + expected.force) < rounding);
      CHECK(length(on_a.torque + expected.torque) < 10 * rounding);
      CHECK(length(expected.force) > 0.01);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Two shafts at an angle

namespace {

/// Two shafts in bearings on the ground that meet in the origin at a bend β in the x-z plane, turned by ψ_a and ψ_b.
template <class Joint>
struct Shafts {
  static constexpr double bend = 40 * pi / 180;
  Model model = [] {
    ModelBuilder build;
    const Rotation<double> bent = about_y(bend);
    const space::Place a = build.space_body("a", {0, 0, -1});
    const space::Place b = build.space_body("b", turned(bent, Vector{0, 0, 1}), {.rotation = bent});
    build.add("bearing_a", space::Revolute{.a = build.space_fixed({}, {0, 0, -1}), .b = a});
    build.add("bearing_b", space::Revolute{.a = build.space_fixed({}, turned(bent, Vector{0, 0, 1}), bent), .b = b});
    build.add("joint", Joint{.a = build.space_marker({}, a, {0, 0, 1}), .b = build.space_marker({}, b, {0, 0, -1})});
    return build.model();
  }();

  State turned_by(double psi_a, double psi_b) const {
    State state = model.initial_state();
    state.orientations = {about_z(psi_a), about_y(bend) * about_z(psi_b)};
    return state;
  }

  double residual(double psi_a, double psi_b) const { return residual_of(model, turned_by(psi_a, psi_b)); }

  /// dψ_b/dψ_a, from the one motion that the constraints allow.
  double ratio(double psi_a, double psi_b) const {
    const Eigen::MatrixXd motion = dense::null_space(dense::matrices_at(model, turned_by(psi_a, psi_b)).J);
    REQUIRE(motion.cols() == 1);
    return motion(11, 0) / motion(5, 0);
  }
};

}  // namespace

TEST_CASE("constant_velocity: at a bend of 40° one shaft turns as the other does, at every angle") {
  const Shafts<space::ConstantVelocity> shafts;
  for (int k = -12; k <= 12; ++k) {
    const double psi = k * pi / 12;
    CHECK(shafts.residual(psi, psi) < rounding);
    CHECK(shafts.residual(psi, psi + 0.1) > 0.05);
    CHECK(shafts.ratio(psi, psi) == Approx(1).epsilon(1e-12));
  }
}

// The bend is about y, where the axis y_b of the cross lies at ψ = 0:  x_a·y_b = cos β cos ψ_a sin ψ_b … vanishes at
// tan ψ_b = tan ψ_a / cos β.
TEST_CASE(
    "universal: at a bend of 40° the shafts turn with tan ψ_a = cos β tan ψ_b, unevenly between cos β and 1/cos β") {
  const Shafts<space::Universal> shafts;
  const double c = std::cos(shafts.bend);
  double least = 10, most = 0;
  for (int k = -12; k <= 12; ++k) {
    const double psi_a = k * pi / 12, psi_b = std::atan2(std::sin(psi_a), c * std::cos(psi_a));
    CHECK(shafts.residual(psi_a, psi_b) < rounding);
    CHECK(shafts.residual(psi_a, psi_b + 0.1) > 0.05);
    const double ratio = shafts.ratio(psi_a, psi_b);
    const double s = std::sin(psi_a) * std::sin(shafts.bend);
    CHECK(ratio == Approx(c / (c * c + s * s)).epsilon(1e-12));
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  CHECK(least == Approx(c).epsilon(1e-12));
  CHECK(most == Approx(1 / c).epsilon(1e-12));
}

// ---------------------------------------------------------------------------------------------------------------------
// Scalars that measure

TEST_CASE("angle: in a hinge anywhere the scalar is the angle about its z axis, over any number of turns") {
  Random random(4);
  for (int i = 0; i < seeds; ++i) {
    const double angle = any_angle(random);
    const JointClaim joint{"angle",
                           [](ModelBuilder& build, space::Place a, space::Place b) {
                             build.scalar("phi", 0);
                             build.add("phi", space::Angle{.angle = build.coordinate("phi"), .a = a, .b = b});
                           },
                           5,
                           {},
                           {}};
    const Pair pair(random, joint, {random_vector(random), about_z(angle)});
    State state = pair.model.initial_state();
    for (int turns = -3; turns <= 3; ++turns) {
      state.q[12] = angle + 2 * pi * turns;
      CHECK(residual_of(pair.model, state) < rounding);
      state.q[12] += 0.3;
      CHECK(constraint_residual(pair.model, state)[0] == Approx(0.3).epsilon(1e-12));
      // δφ is the part of the relative turn along the hinge, on both sides.
      const Eigen::VectorXd J = dense::matrices_at(pair.model, state).J.transpose();
      CHECK(J[12] == 1);
      CHECK(length(turned(state.orientations[1], Vector{J[9], J[10], J[11]}) + z_axis(pair.a.R)) < rounding);
      CHECK(length(turned(state.orientations[0], Vector{J[3], J[4], J[5]}) - z_axis(pair.a.R)) < rounding);
    }
  }
}

TEST_CASE("travel: the scalar is how far the point is along the axis, wherever else it is") {
  Random random(5);
  for (int i = 0; i < seeds; ++i) {
    const Pose relative = random_pose(random);
    const JointClaim joint{"travel",
                           [](ModelBuilder& build, space::Place a, space::Place b) {
                             build.scalar("s", 0);
                             build.add("s", space::Travel{.travel = build.coordinate("s"), .axis = a, .point = b});
                           },
                           5,
                           {},
                           {}};
    const Pair pair(random, joint, relative);
    State state = pair.model.initial_state();
    state.q[12] = relative.p.z;
    CHECK(residual_of(pair.model, state) < rounding);
    state.q[12] += 0.3;
    CHECK(constraint_residual(pair.model, state)[0] == Approx(0.3).epsilon(1e-12));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints in model files that are given as everything stands in the guess

namespace {

/// Two bodies that stand anywhere, and one joint with these lines.
std::string file_with(const std::string& keyword, const std::string& lines) {
  return R"(stillpoint: 1
dimension: 3
mechanism:
  - body: A
    at: 0.3, -0.7, 1.1
    rotation: 0.9, -1.4, 0.6
  - body: B
    at: -1.2, 0.4, 0.5
    rotation: -0.2, 0.8, 2.1
  - fixed: P
    at: 0.5, 0.25, -1
  - fixed: Q
    at: 1.7, -0.15, 0.2
  - scalar: phi
  - )" + keyword +
         ": joint\n    between: A, B\n" + (keyword == "angle" ? "    of: phi\n" : "") + lines;
}

std::string data_of(const std::string& keyword) {
  if (keyword == "bushing") return "    stiffness: 3, 5, 7, 2, 4, 6\n";
  if (keyword == "torsion_spring") return "    stiffness: 4\n";
  return keyword == "torsion_damper" ? "    damping: 4\n" : "";
}

constexpr Vector axis_of_file{1.2, -0.4, 1.2};  // from P to Q
constexpr Vector origin_of_file{0.5, 0.25, -1};

/// The state in which body B has been turned about the file's axis, and A stays.
State turned_about_axis(const Model& model, double angle) {
  const Rotation<double> turn = rotation_about((angle / length(axis_of_file)) * axis_of_file);
  State state = model.initial_state();
  const Vector p{state.q[6], state.q[7], state.q[8]};
  const Vector moved = origin_of_file + turned(turn, p - origin_of_file);
  state.q.segment<3>(6) = eigen(moved);
  state.orientations[1] = turn * state.orientations[1];
  return state;
}

}  // namespace

TEST_CASE("joints given by a point and an axis, or through two points, hold in the guess") {
  const std::string by_axis = "    at: 0.5, 0.25, -1\n    axis: 1.2, -0.4, 1.2\n", through = "    through: P, Q\n";
  for (const std::string keyword : {"revolute", "cylindrical", "prismatic", "planar", "angle", "constant_velocity",
                                    "torsion_spring", "torsion_damper", "motor"}) {
    for (const std::string& lines : {by_axis, through}) {
      CAPTURE(keyword);
      CAPTURE(lines);
      const Model model = read_model_text(file_with(keyword, lines + data_of(keyword)), "test.yaml");
      const State guess = model.initial_state();
      if (model.constraints() > 0) CHECK(residual_of(model, guess) < rounding);
      if (keyword == "torsion_spring") CHECK(potential_energy(model, guess) < rounding);
      // At 1 rad about the axis: what is a hinge still holds, what measures the angle sees it, the rest objects.
      const State later = turned_about_axis(model, 1);
      if (keyword == "revolute" || keyword == "cylindrical" || keyword == "planar")
        CHECK(residual_of(model, later) < rounding);
      if (keyword == "prismatic" || keyword == "constant_velocity") CHECK(residual_of(model, later) > 0.1);
      if (keyword == "angle") CHECK(constraint_residual(model, later)[0] == Approx(-1).epsilon(rounding));
      if (keyword == "torsion_spring") CHECK(potential_energy(model, later) == Approx(0.5 * 4).epsilon(rounding));
      if (keyword == "motor") CHECK(potential_energy(model, later) == Approx(-1).epsilon(rounding));
      if (keyword == "torsion_damper") {
        State turning = guess;
        const Vector omega = (3 / length(axis_of_file)) * axis_of_file;
        turning.v = Eigen::VectorXd::Zero(model.coordinates());
        turning.v.segment<3>(9) = eigen(turned_back(guess.orientations[1], omega));
        CHECK(applied_forces(model, turning).dot(turning.v) == Approx(-4 * 3 * 3).epsilon(rounding));
      }
    }
  }
}

TEST_CASE("joints without an axis, given by a point, hold in the guess, at that point") {
  for (const std::string keyword : {"weld", "bushing"}) {
    CAPTURE(keyword);
    const Model model = read_model_text(file_with(keyword, "    at: 0.5, 0.25, -1\n" + data_of(keyword)), "test.yaml");
    const State guess = model.initial_state();
    const State later = turned_about_axis(model, 1);  // the point stays, and only the rotation is resisted
    if (keyword == "weld") {
      CHECK(residual_of(model, guess) < rounding);
      const Eigen::VectorXd phi = constraint_residual(model, later);
      CHECK(phi.head(3).norm() < rounding);
      CHECK(phi.tail(3).norm() == Approx(2 * std::sin(0.5)).epsilon(rounding));
    } else {
      CHECK(potential_energy(model, guess) < rounding);
      CHECK(potential_energy(model, later) > 0.5);
    }
  }
}

TEST_CASE("universal and constant_velocity, given by two axes, hold in the guess") {
  const std::string lines = "    at: 0.5, 0.25, -1\n    axis: 1.2, -0.4, 1.2\n    second_axis: 1, 3, 0\n";
  for (const std::string keyword : {"universal", "constant_velocity"}) {
    CAPTURE(keyword);
    const Model model = read_model_text(file_with(keyword, lines), "test.yaml");
    CHECK(residual_of(model, model.initial_state()) < rounding);
    // Turned about the first axis a cross still holds; two shafts do not.
    for (const double angle : {1.0, -2.0}) {
      const double residual = residual_of(model, turned_about_axis(model, angle));
      if (keyword == "universal") CHECK(residual < rounding);
      else CHECK(residual > 0.1);
    }
  }
}

TEST_CASE("universal, given by axes that are not perpendicular: its residual in the guess is their cosine") {
  const std::string lines = "    at: 0.5, 0.25, -1\n    axis: 1.2, -0.4, 1.2\n    second_axis: 0.3, 1.1, -0.2\n";
  const Model model = read_model_text(file_with("universal", lines), "test.yaml");
  const Vector second{0.3, 1.1, -0.2};
  const double cosine = dot(axis_of_file, second) / (length(axis_of_file) * length(second));
  const Eigen::VectorXd phi = constraint_residual(model, model.initial_state());
  CHECK(phi.head(3).norm() < rounding);
  CHECK(phi[3] == Approx(cosine).epsilon(rounding));
}

// ---------------------------------------------------------------------------------------------------------------------
// The plane in space

namespace {

/// How a plane mechanism is built in the plane, …
struct PlaneWorld {
  using Place = stillpoint::Place;
  using Handle = PositionOf;
  ModelBuilder build;

  Place fixed(double x, double y) { return build.fixed({}, {x, y}); }
  Place point(const Name& name, double x, double y, double mass) { return build.point(name, {x, y}, {.mass = mass}); }
  Place body(const Name& name, double x, double y, double angle, double mass, double inertia) {
    return build.body(name, {x, y}, {.angle = angle, .mass = mass, .inertia = inertia, .centre = {0.2, -0.1}});
  }
  Place marker(Place on, double x, double y, double angle) { return build.marker({}, on, {x, y}, angle); }
  static constexpr Place origin = ground;

  void turning(Place a, Place b, InputRef u) {
    build.add("torsion", TorsionSpring{.a = a, .b = b, .stiffness = 7, .free_angle = 0.2, .damping = 0.4});
    build.add("brake", TorsionDamper{.a = ground, .b = b, .damping = 0.9});
    build.add("motor", Torque{.on = b, .against = a, .magnitude = 3, .input = u});
    build.add("torque", Torque{.on = a, .magnitude = 2, .input = u});
  }
  void pushing(Place a, Place b, InputRef u) {
    build.add("dead", Force{.at = a, .vector = {3, -2}, .input = u});
    build.add("thrust", FollowerForce{.at = b, .vector = {-1, 4}, .input = u});
  }
  void joint(const std::string& kind, Place a, Place b) {
    if (kind == "revolute") build.add("joint", Revolute{.a = a, .b = b});
    if (kind == "prismatic") build.add("joint", Prismatic{.a = a, .b = b});
    if (kind == "weld") build.add("joint", Weld{.a = a, .b = b});
    if (kind.starts_with("slider")) build.add("joint", Slider{.slot = a, .pin = b});
    if (kind == "distance") build.add("joint", Distance{.a = a, .b = b, .length = 0.9});
    if (kind == "angle") {  // the direction of the x axis of b
      build.add("joint", Angle{.angle = build.scalar("s", 0.3, {.mass = 0.7}), .from = b, .to = marker(b, 1, 0, 0)});
      build.add("wound", TorsionSpring{.a = ground, .b = build.place("s"), .stiffness = 4});
    }
  }
};

/// … and in space, where it lies in the x-y plane and frames turn about z.
struct SpaceWorld {
  using Place = space::Place;
  using Handle = space::PositionOf;
  ModelBuilder build;

  Place fixed(double x, double y) { return build.space_fixed({}, {x, y, 0}); }
  Place point(const Name& name, double x, double y, double mass) {
    return build.space_point(name, {x, y, 0}, {.mass = mass});
  }
  Place body(const Name& name, double x, double y, double angle, double mass, double inertia) {
    return build.space_body(name, {x, y, 0},
                            {.rotation = about_z(angle),
                             .mass = mass,
                             .inertia = {1.5, 1.1, inertia, 0.1, 0.2, -0.3},
                             .centre = {0.2, -0.1, 0.4}});
  }
  Place marker(Place on, double x, double y, double angle) {
    return build.space_marker({}, on, {x, y, 0}, about_z(angle));
  }
  static constexpr Place origin = space::ground;

  void turning(Place a, Place b, InputRef u) {
    build.add("torsion", space::TorsionSpring{.a = a, .b = b, .stiffness = 7, .free_angle = 0.2, .damping = 0.4});
    build.add("brake", space::TorsionDamper{.a = space::ground, .b = b, .damping = 0.9});
    build.add("motor", space::Motor{.a = a, .b = b, .magnitude = 3, .input = u});
    build.add("torque", space::Torque{.at = a, .vector = {0, 0, 2}, .input = u});
  }
  void pushing(Place a, Place b, InputRef u) {
    build.add("dead", space::Force{.at = a, .vector = {3, -2, 0}, .input = u});
    build.add("thrust", space::FollowerForce{.at = b, .vector = {-1, 4, 0}, .input = u});
  }
  void joint(const std::string& kind, Place a, Place b) {
    // the frame whose z axis is the x axis of one in the plane, or its y axis
    const auto along_x = [&](Place on) { return build.space_marker({}, on, {}, rotation_with({1, 0, 0}, {0, 1, 0})); };
    const auto along_y = [&](Place on) { return build.space_marker({}, on, {}, rotation_with({0, 1, 0}, {1, 0, 0})); };
    if (kind == "revolute") build.add("joint", space::Revolute{.a = a, .b = b});
    if (kind == "prismatic") build.add("joint", space::Prismatic{.a = along_x(a), .b = along_x(b)});
    if (kind == "weld") build.add("joint", space::Weld{.a = a, .b = b});
    if (kind == "slider in a line") build.add("joint", space::PointOnLine{.line = along_x(a), .point = b});
    if (kind == "slider in a plane") build.add("joint", space::PointOnPlane{.plane = along_y(a), .point = b});
    if (kind == "distance") build.add("joint", space::Distance{.a = a, .b = b, .length = 0.9});
    if (kind == "angle") {
      const stillpoint::Place s = build.scalar("s", 0.3, {.mass = 0.7});
      build.add("joint", space::Angle{.angle = build.coordinate("s"), .a = space::ground, .b = b});
      build.add("wound", TorsionSpring{.a = ground, .b = s, .stiffness = 4});
    }
  }
};

/// Two bodies and a point, with every kind of force between them, and the joint.
template <class World>
Model plane_mechanism(const std::string& kind) {
  using Place = typename World::Place;
  using Handle = typename World::Handle;
  World world;
  ModelBuilder& build = world.build;
  build.gravity({1.1, -9.81, 0});
  const InputRef u = build.input("u", 1.2), push = build.input("push", 0.8);
  const Place A = world.body("A", 0.1, 0.2, 0.4, 2.0, 0.7), B = world.body("B", 1.3, 0.5, -0.6, 1.4, 0.5);
  const Place P = world.point("P", 0.8, 1.6, 0.9);
  const Place on_A = world.marker(A, 0.6, 0.1, 0.5), on_B = world.marker(B, -0.5, 0.2, 0.3);
  world.joint(kind, on_A, on_B);
  build.add("rod", BasicRod<Handle>{.a = on_A, .b = P, .length = 1.1, .mass = 0.6});
  build.add("string", BasicDistance<Handle>{.a = B, .b = P, .length = 1.2});
  build.add("spring", BasicSpring<Handle>{
                          .a = world.fixed(-1, -1), .b = on_A, .stiffness = 30, .free_length = 0.7, .damping = 0.8});
  build.add("damper", BasicDamper<Handle>{.a = world.origin, .b = on_B, .damping = 2});
  build.add("actuator", BasicActuator<Handle>{.a = world.fixed(2, 2), .b = P, .magnitude = 5, .input = push});
  world.turning(on_A, on_B, u);
  world.pushing(on_A, on_B, u);
  return build.model();
}

/// The columns are the motions in the plane among all motions of a model in space.
Eigen::MatrixXd motions_in_plane(const Model& plane, const Model& space) {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(space.coordinates(), plane.coordinates());
  REQUIRE(plane.blocks().size() == space.blocks().size());
  for (std::size_t k = 0; k < plane.blocks().size(); ++k) {
    const Block &p = plane.blocks()[k], &s = space.blocks()[k];
    E(s.first, p.first) = 1;
    if (p.kind != BlockKind::scalar) E(s.first + 1, p.first + 1) = 1;
    if (p.kind == BlockKind::body) E(s.first + 5, p.first + 2) = 1;
  }
  return E;
}

State lifted(const Model& plane, const Model& space, const State& state) {
  const Eigen::MatrixXd E = motions_in_plane(plane, space);
  State made = space.initial_state();
  made.q = E * state.q;
  for (std::size_t k = 0; k < plane.blocks().size(); ++k) {
    const Block &p = plane.blocks()[k], &s = space.blocks()[k];
    if (p.kind != BlockKind::body) continue;
    made.orientations[static_cast<std::size_t>(s.orientation)] = about_z(state.q[p.first + 2]);
    made.q[s.first + 5] = 0;
  }
  made.u = state.u;
  if (state.v.size() > 0) made.v = E * state.v;
  if (state.a.size() > 0) made.a = E * state.a;
  return made;
}

void compare_plane_with_space(const std::string& kind, Assembly::Motion motion) {
  const Model plane = plane_mechanism<PlaneWorld>(kind), space = plane_mechanism<SpaceWorld>(kind);
  const Eigen::MatrixXd E = motions_in_plane(plane, space);
  Random random(6);
  for (int i = 0; i < seeds; ++i) {
    State in_plane = plane.initial_state();
    in_plane.q += random.vector(plane.coordinates(), -0.2, 0.2);
    in_plane = dense::close_loops(plane, in_plane);
    in_plane.lambda = random.vector(plane.constraints(), -5, 5);
    in_plane.u = random.vector(plane.inputs(), -2, 2);
    if (motion == Assembly::Motion::moving) {
      in_plane.v = random.vector(plane.coordinates(), -2, 2);
      in_plane.a = random.vector(plane.coordinates(), -2, 2);
    }
    State in_space = lifted(plane, space, in_plane);
    CHECK(residual_of(space, in_space) < 1e-12);  // as well as the loops were closed

    // The multipliers in space that make the same generalised forces, and none out of the plane.
    Assembly plane_assembly(plane, motion), space_assembly(space, motion);
    const DenseMatrices p = exact_matrices(plane_assembly.at(in_plane));
    const Eigen::MatrixXd J = space_assembly.at(in_space).J;
    const Eigen::VectorXd pull = E * (p.J.transpose() * in_plane.lambda);
    in_space.lambda = dense::least_norm_solution(J.transpose(), pull);
    CHECK((J.transpose() * in_space.lambda - pull).norm() < 1e-12 * pull.norm());

    const DenseMatrices s = exact_matrices(space_assembly.at(in_space));
    const Eigen::MatrixXd R = dense::null_space(p.J);
    CHECK((J * E * R).norm() < 1e-12);
    CHECK(dense::null_space(J * E).cols() == R.cols());
    const Eigen::MatrixXd ER = E * R;
    const double like_rounding = 1e-11;  // of the errors of closed loops and multipliers
    CHECK(relative_difference(ER.transpose() * s.M * ER, R.transpose() * p.M * R) < like_rounding);
    CHECK(relative_difference(ER.transpose() * s.C * ER, R.transpose() * p.C * R) < like_rounding);
    CHECK(relative_difference(ER.transpose() * s.K * ER, R.transpose() * p.K * R) < like_rounding);
    CHECK(relative_difference(ER.transpose() * s.F, R.transpose() * p.F) < like_rounding);
    CHECK((R.transpose() * p.K * R).norm() > 1);
    CHECK((R.transpose() * p.C * R).norm() > 0.1);
  }
}

}  // namespace

TEST_CASE("every plane joint equals its counterpart in space: the same reduced M, C, K and F of a plane mechanism") {
  for (const std::string kind :
       {"none", "revolute", "prismatic", "weld", "slider in a line", "slider in a plane", "distance", "angle"}) {
    for (const auto motion : {Assembly::Motion::at_rest, Assembly::Motion::moving}) {
      CAPTURE(kind);
      compare_plane_with_space(kind, motion);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// One pendulum in three sets of coordinates: a uniform rod that hangs (or stands) from the origin, with a damper from
// its tip to a fixed point.

namespace {

constexpr double rod_length = 1.3, rod_mass = 2.1, g = 9.81, damping = 0.8;
constexpr Vec2<double> anchor{0.7, -0.4};

/// What is left of a model on its one degree of freedom, which is scaled so that the rod turns by one.
struct OneDof {
  double M, C, K;
};

/// `measure` gives the angle by which the rod turns in a motion.
OneDof reduced(const Model& model, const std::function<double(const Eigen::VectorXd&)>& measure) {
  State rest = model.initial_state();
  CHECK(residual_of(model, rest) < rounding);
  rest.lambda = dense::multipliers(model, rest);
  const dense::Matrices at = dense::matrices_at(model, rest);
  Eigen::VectorXd motion = dense::null_space(at.J).col(0);
  CHECK(dense::null_space(at.J).cols() == 1);
  CHECK(std::abs(motion.dot(applied_forces(model, rest))) < rounding);  // it is at rest indeed
  motion /= measure(motion);
  return {motion.dot(at.M * motion), motion.dot(at.C * motion), motion.dot(at.K * motion)};
}

/// The tip at (0, up ℓ); up is −1 where the rod hangs and 1 where it stands.
OneDof natural_pendulum(double up) {
  ModelBuilder build;
  build.gravity({0, -g});
  const Place tip = build.point("tip", {0, up * rod_length});
  build.add("rod", Rod{.a = ground, .b = tip, .length = rod_length, .mass = rod_mass});
  build.add("damper", Damper{.a = build.fixed({}, anchor), .b = tip, .damping = damping});
  return reduced(build.model(), [&](const Eigen::VectorXd& motion) { return -up * motion[0] / rod_length; });
}

OneDof plane_pendulum(double up) {
  ModelBuilder build;
  build.gravity({0, -g});
  const double inertia = rod_mass * rod_length * rod_length / 12;
  const Place rod =
      build.body("rod", {0, up * rod_length / 2}, {.angle = up > 0 ? pi : 0, .mass = rod_mass, .inertia = inertia});
  const Place tip = build.marker("tip", rod, {0, -rod_length / 2});
  build.add("pin", Revolute{.a = ground, .b = build.marker("top", rod, {0, rod_length / 2})});
  build.add("damper", Damper{.a = build.fixed({}, anchor), .b = tip, .damping = damping});
  return reduced(build.model(), [](const Eigen::VectorXd& motion) { return motion[2]; });
}

/// The same, with everything turned as a whole, and the axes of the body turned against the rod.
OneDof space_pendulum(double up, const Rotation<double>& whole, const Rotation<double>& axes) {
  ModelBuilder build;
  const auto in = [&](const Vector& v) { return turned(whole, v); };
  const auto on_rod = [&](const Vector& v) { return turned_back(axes, v); };
  build.gravity(in({0, -g, 0}));
  // I (1 − e eᵀ), e along the rod as the body's axes see it
  const double I = rod_mass * rod_length * rod_length / 12;
  const Vector e = on_rod({0, 1, 0});
  const Inertia inertia{I * (1 - e.x * e.x), I * (1 - e.y * e.y), I * (1 - e.z * e.z),
                        -I * e.x * e.y,      -I * e.x * e.z,      -I * e.y * e.z};
  const Rotation<double> stands = whole * about_z(up > 0 ? pi : 0) * axes;
  const space::Place rod = build.space_body("rod", in({0, up * rod_length / 2, 0}),
                                            {.rotation = stands, .mass = rod_mass, .inertia = inertia});
  const space::Place tip = build.space_marker("tip", rod, on_rod({0, -rod_length / 2, 0}));
  const space::Place top = build.space_marker("top", rod, on_rod({0, rod_length / 2, 0}), inverse(axes));
  build.add("pin", space::Revolute{.a = build.space_fixed("pivot", {0, 0, 0}, whole), .b = top});
  build.add("damper",
            space::Damper{.a = build.space_fixed({}, in({anchor.x, anchor.y, 0})), .b = tip, .damping = damping});
  const Vector axis = turned_back(stands, in({0, 0, 1}));
  return reduced(build.model(), [axis](const Eigen::VectorXd& motion) { return eigen(axis).dot(motion.tail<3>()); });
}

void check_pendulum(const OneDof& pendulum, double up) {
  const double like_rounding = 1e-13;
  const Vec2<double> to_tip{0 - anchor.x, up * rod_length - anchor.y};
  const double arm = to_tip.x / length(to_tip) * rod_length;  // ∂(length of the damper)/∂φ, up to its sign
  CHECK(pendulum.M == Approx(rod_mass * rod_length * rod_length / 3).epsilon(like_rounding));
  CHECK(pendulum.C == Approx(damping * arm * arm).epsilon(like_rounding));
  CHECK(pendulum.K == Approx(-up * rod_mass * g * rod_length / 2).epsilon(like_rounding));
}

}  // namespace

TEST_CASE("the same pendulum in natural, plane and spatial coordinates: the same M, C and K, hanging and standing") {
  for (const double up : {-1.0, 1.0}) {
    CAPTURE(up);
    check_pendulum(natural_pendulum(up), up);
    check_pendulum(plane_pendulum(up), up);
    check_pendulum(space_pendulum(up, {}, {}), up);
    Random random(7);
    for (int i = 0; i < seeds; ++i) {
      const Rotation<double> whole = random_rotation(random), axes = random_rotation(random);
      check_pendulum(space_pendulum(up, whole, axes), up);
    }
  }
}
