// Claims that hold for every element type in space, whatever it holds on to and however it is turned.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/elements/claims.h"
#include "support/elements/space_harness.h"

using namespace stillpoint;
using Motion = Assembly::Motion;

namespace {

constexpr int states_each = 30;
constexpr std::uint64_t seed_of_states = 20260303;
constexpr Vec3<double> gravity{0.6, -9.81, 1.3};

bool has_axes(const ElementCase& element) {
  for (const EntryType& type : entry_types(Dimension::space)) {
    if (type.info->keyword != element.keyword) continue;
    for (const Field& field : type.info->fields) {
      if (field.kind == FieldKind::space_frame || field.kind == FieldKind::space_orientation) return true;
    }
  }
  return false;
}

/// Where the pattern is known to be larger than the matrix:
/// - both ends on one body: the law sees only what is between them, which does not know that it cancels;
/// - a damper at rest: K = ∂(c l̇ e)/∂q vanishes with l̇;
/// - the frame is that of the body itself: its z axis, say, does not move when the body turns about it, and lies there
///   in the axes in which the increments are (patterns do not depend on where a marker's axes point);
/// - a rotor: its C is skew, so that it has no diagonal, and at rest its torque vanishes with all that changes it;
/// - a moment m that turns with its body: K(θ, θ) = ½[m]× has no diagonal, and nothing at all for a force at the
/// origin.
bool may_have_structural_zeros(const ElementCase& element, const Specimen& specimen, char letter, Motion motion) {
  const std::string& keyword = element.keyword;
  const bool is_damper = keyword == "damper" || keyword == "torsion_damper";
  const bool is_follower = keyword == "follower_force" || keyword == "follower_torque";
  return specimen.shares_body || (is_damper && letter == 'K' && motion == Motion::at_rest) ||
         (is_follower && letter == 'K') || (keyword == "rotor" && (letter == 'C' || motion == Motion::at_rest)) ||
         (has_axes(element) && specimen.holds_on_to(Hold::body));
}

/// Translations along the axes and rotations about them.
Eigen::MatrixXd rigid_motions(const Model& model, const State& state) {
  Eigen::MatrixXd rates(model.coordinates(), 6);
  for (int k = 0; k < 6; ++k) {
    const auto one = [k](int which) { return k == which ? 1.0 : 0.0; };
    rates.col(k) = rigid_velocity(model, state, {one(0), one(1), one(2)}, {one(3), one(4), one(5)});
  }
  return rates;
}

const World& space_world() {
  static const World world{.cases = space_element_cases(),
                           .specimens = [](const ElementCase& element) { return space_specimens(element, gravity); },
                           .random_state = random_space_state,
                           .seed = seed_of_states,
                           .states = states_each,
                           .states_unmoved = 5,
                           .states_connected = 10,
                           .may_have_structural_zeros = may_have_structural_zeros,
                           .rigid_motions = rigid_motions};
  return world;
}

}  // namespace

TEST_CASE("every element type in space has a case") {
  std::set<std::string> cases, types;
  for (const ElementCase& element : space_element_cases()) cases.insert(element.keyword);
  for (const EntryType& type : entry_types(Dimension::space)) {
    if (type.stage == EntryType::Stage::elements) types.insert(std::string(type.info->keyword));
  }
  CHECK(types.erase("flexible_body") == 1);  // needs matrices: flexible_body_test.cpp
  CHECK(types.erase("draw") == 1);           // has no law: draw_test.cpp in tests/read
  CHECK(types.size() >= 30);
  CHECK(cases == types);
}

TEST_CASE("every element type in space: all matrices equal central differences along the chart, at rest") {
  check_matrices(space_world(), Motion::at_rest);
}

TEST_CASE("every element type in space: in motion, too, all matrices equal central differences along the chart") {
  check_matrices(space_world(), Motion::moving);
}

// ---------------------------------------------------------------------------------------------------------------------
// The chart itself, without which the claims above would say little

TEST_CASE("every element type in space: its power series along a motion sum to its laws at a later time") {
  check_series(space_world());
}

TEST_CASE("the chart of the differences: it is the library's retraction, to rounding and at any size") {
  ModelBuilder build;
  build.space_body("b", {0, 0, 0});
  build.space_point("p", {1, 2, 3});
  const Model model = build.model();
  Random random(seed_of_states);
  for (int i = 0; i < states_each; ++i) {
    const State state = random_space_state(model, random, Motion::at_rest);
    const Eigen::VectorXd along = random.vector(9, -2, 2);
    const State mine = in_chart(model, state, along), theirs = model.displaced(state, along);
    CHECK(mine.q == theirs.q);
    CHECK(length(rotation_vector(inverse(mine.orientations[0]) * theirs.orientations[0])) < 1e-14);
  }
}

TEST_CASE("the chart of the differences: ω and α are the rates of the rotation that exp[θ(t)]× makes") {
  ModelBuilder build;
  build.space_body("b", {0, 0, 0});
  const Model model = build.model();
  Random random(seed_of_states);
  for (int i = 0; i < states_each; ++i) {
    State state = random_space_state(model, random, Motion::moving);
    const Eigen::VectorXd along = random.vector(6, -1.5, 1.5);
    const State here = in_chart(model, state, along);
    // θ(t) = θ + θ̇ t + ½ θ̈ t²: where it turns from `here`, as a rotation vector, has the derivative ω at t = 0, …
    const auto displaced = [&](double t) {
      return in_chart(model, state, along + t * state.v + (t * t / 2) * state.a);
    };
    const Eigen::VectorXd omega = central_difference([&](double t) {
      const Vec3<double> turn = rotation_vector(inverse(here.orientations[0]) * displaced(t).orientations[0]);
      return Eigen::Vector3d(turn.x, turn.y, turn.z).eval();
    });
    CHECK(relative_difference(omega, here.v.tail<3>()) < like_differences);
    // … and ω(t) the derivative α.
    const Eigen::VectorXd alpha = central_difference([&](double t) {
      State moving = state;
      moving.v += t * state.a;
      return in_chart(model, moving, along + t * state.v + (t * t / 2) * state.a).v.tail<3>().eval();
    });
    CHECK(relative_difference(alpha, here.a.tail<3>()) < like_differences);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Forces, potentials and symmetry

TEST_CASE("every conservative element in space: at rest its forces are minus the gradient of its potential energy") {
  check_potentials(space_world());
}

TEST_CASE(
    "every conservative element in space: with multipliers K is symmetric at any state; that of the others is not") {
  check_symmetry(space_world());
}

TEST_CASE("every element in space with inertia: it obeys Lagrange's equations for its kinetic energy") {
  check_inertia(space_world(), 3);
}

TEST_CASE("every element in space between places on the ground: it does nothing to a body beside it") {
  int count = 0;
  for (const ElementCase& element : space_element_cases()) {
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      const bool all_fixed = std::all_of(specimen.holds.begin(), specimen.holds.end(), [](Hold hold) {
        return hold == Hold::fixed || hold == Hold::input || hold == Hold::none;
      });
      if (!all_fixed) continue;
      CAPTURE(specimen.name);
      REQUIRE(specimen.model.coordinates() == 6);
      ++count;
      Random random(seed_of_states);
      const State state = random_space_state(specimen.model, random, Motion::moving);
      CHECK(applied_forces(specimen.model, state).isZero(0));
      CHECK(inertia_forces(specimen.model, state).isZero(0));
      Assembly assembly(specimen.model, Motion::moving);
      const Matrices& at = assembly.at(state);
      CHECK(at.M.nonZeros() + at.C.nonZeros() + at.K.nonZeros() + at.J.nonZeros() + at.F.nonZeros() == 0);
    }
  }
  CHECK(count >= 29);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rigid motions of the whole

namespace {

/// Calls claim(specimen) for everything that acts between moving bodies and nowhere else.
template <class Claim>
void for_each_inside(const Claim& claim) {
  std::set<std::string> met;
  for (const ElementCase& element : space_element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : space_specimens(element, {0, 0, 0})) {
      if (!floats_in_space(specimen)) continue;
      CAPTURE(specimen.name);
      met.insert(element.keyword);
      claim(specimen);
    }
  }
  CHECK(met.size() >= 21);
}

}  // namespace

// Not among them are: forces and torques which somebody outside exerts; weights, in which the Earth takes part; and
// what acts on single coordinates (coupling, prescribed), for a coupling of x to x is a wish about the axes of the
// ground.
TEST_CASE("every element in space between moving bodies: it does no work in a rigid motion of the whole") {
  const double no_work = 1e-11;  // the sums of random states cancel a digit or two
  for_each_inside([&](const Specimen& specimen) {
    if (specimen.shares_body) return;  // there forces may be nothing but what rounding leaves of zero
    const Work work = most_work(space_world(), specimen);
    CHECK(work.of_forces < no_work);
    CHECK(work.of_constraints < no_work);
    CHECK(work.largest_force > 0.1);
  });
}

TEST_CASE("in space forces from outside do work in a rigid motion of the whole, so that the claim above can fail") {
  for (const ElementCase& element : space_element_cases()) {
    if (element.reacts != Reacts::outside) continue;
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      if (!floats_in_space(specimen)) continue;
      CAPTURE(specimen.name);
      CHECK(most_work(space_world(), specimen).of_forces > 0.1);
    }
  }
}

TEST_CASE("every element in space between moving bodies: its forces are those at rest while the whole moves rigidly") {
  for_each_inside([](const Specimen& specimen) {
    Random random(seed_of_states);
    for (int i = 0; i < states_each; ++i) {
      State state = random_space_state(specimen.model, random, Motion::at_rest);
      const Eigen::VectorXd at_rest = applied_forces(specimen.model, state);
      state.v = rigid_velocity(specimen.model, state, {1.5, -0.7, 0.4}, {2.3, 0.8, -1.1});
      const Eigen::VectorXd change = applied_forces(specimen.model, state) - at_rest;
      REQUIRE(change.cwiseAbs().maxCoeff() < 1e-11);  // of forces of up to 100
    }
  });
}

TEST_CASE(
    "every element in space between moving bodies: its energy and its constraint do not change when the whole is "
    "moved") {
  for_each_inside([](const Specimen& specimen) {
    const Model& model = specimen.model;
    Random random(seed_of_states);
    for (int i = 0; i < states_each; ++i) {
      const State state = random_space_state(model, random, Motion::at_rest);
      const Rotation<double> turn = random_rotation(random);
      const Vec3<double> by{random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)};
      const State moved = moved_rigidly(model, state, turn, by);
      const double energy = potential_energy(model, state), gap = constraint_residual(model, state).norm();
      REQUIRE(potential_energy(model, moved) == doctest::Approx(energy).epsilon(like_rounding));
      REQUIRE(constraint_residual(model, moved).norm() == doctest::Approx(gap).epsilon(like_rounding));
    }
  });
}
