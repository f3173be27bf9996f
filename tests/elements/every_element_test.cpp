// Claims that hold for every element type, whatever it holds on to.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/elements/claims.h"
#include "support/elements/element_harness.h"
#include "support/sanitized.h"

using namespace stillpoint;
using Motion = Assembly::Motion;

namespace {

constexpr int states_each = draws(100, 20);
constexpr std::uint64_t seed_of_states = 20260101;
constexpr Vec2<double> gravity{0.6, -9.81};

/// Where the pattern is known to be larger than the matrix:
/// - both ends on one body: the law sees only what is between them, which does not know that it cancels;
/// - a damper at rest: K = ∂(c l̇ e)/∂q vanishes with l̇;
/// - off the origin of a turning body, a moment about the origin that is a sum of two terms which cancel: that of a
///   centrifugal force, which points to the origin, in C(φ, φ); that of a follower force, which turns with its arm, in
///   K(φ, φ);
/// - at a node: its displacements are at right angles, so what sine and cosine make of both cancels between them.
bool may_have_structural_zeros(const ElementCase& element, const Specimen& specimen, char letter, Motion motion) {
  const std::string& keyword = element.keyword;
  const bool is_mass = keyword == "point_mass" || keyword == "rigid_mass" || keyword == "rod";
  const bool on_node = specimen.holds_on_to(Hold::node) || specimen.holds_on_to(Hold::node_marker);
  return specimen.shares_body || on_node || (keyword == "damper" && letter == 'K' && motion == Motion::at_rest) ||
         (is_mass && letter == 'C') || (keyword == "follower_force" && letter == 'K');
}

/// Translations along x and y and a rotation.
Eigen::MatrixXd rigid_motions(const Model& model, const State& state) {
  Eigen::MatrixXd rates(model.coordinates(), 3);
  for (int k = 0; k < 3; ++k) rates.col(k) = rigid_velocity(model, state, k == 0, k == 1, k == 2);
  return rates;
}

const World& plane() {
  static const World world{.cases = element_cases(),
                           .specimens = [](const ElementCase& element) { return specimens(element, gravity); },
                           .random_state = random_state,
                           .seed = seed_of_states,
                           .states = states_each,
                           .states_unmoved = states_each,
                           .states_connected = states_each,
                           .may_have_structural_zeros = may_have_structural_zeros,
                           .rigid_motions = rigid_motions};
  return world;
}

}  // namespace

TEST_CASE("every element type has a case") {
  std::set<std::string> cases, types;
  for (const ElementCase& element : element_cases()) cases.insert(element.keyword);
  for (const EntryType& type : entry_types()) {
    if (type.stage == EntryType::Stage::elements) types.insert(std::string(type.info->keyword));
  }
  CHECK(types.erase("draw") == 1);  // has no law: draw_test.cpp in tests/read
  CHECK(types.size() >= 20);
  for (const std::string& type : types) {
    CAPTURE(type);
    CHECK(cases.count(type) == 1);
  }
}

TEST_CASE(
    "every element type: Jacobian and Hessian equal central differences at 100 states, and so do all other matrices") {
  check_matrices(plane(), Motion::at_rest);
}

TEST_CASE("every element type: in motion, too, all matrices equal central differences at 100 states") {
  check_matrices(plane(), Motion::moving);
}

TEST_CASE("every element type: its power series along a motion sum to its laws at a later time") {
  check_series(plane());
}

TEST_CASE("every conservative element: at rest its forces are minus the gradient of its potential energy") {
  check_potentials(plane());
}

TEST_CASE("every conservative element: at rest, with multipliers, K is symmetric; a follower force's K is not") {
  check_symmetry(plane());
}

TEST_CASE("every element with inertia: it obeys Lagrange's equations for its kinetic energy") {
  check_inertia(plane(), 3);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rigid motions of the whole

namespace {

bool floats(const Specimen& specimen) {
  return !specimen.holds_on_to(Hold::fixed) && !specimen.holds_on_to(Hold::scalar);
}

}  // namespace

// Not among them are: force and follower_force, which somebody outside exerts; weights, in which the Earth takes part;
// and what acts on single coordinates (coupling, prescribed, an angle held in a scalar), for a scalar has no place in
// space, and a coupling of x to x is a wish about the axes of the ground.
TEST_CASE("every element between moving bodies: it does no work in a rigid motion of the whole") {
  const double no_work = 1e-11;  // the sums of random states cancel a digit or two
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    double largest_force = 0;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen) || specimen.shares_body) continue;
      CAPTURE(specimen.name);
      const Work work = most_work(plane(), specimen);
      CHECK(work.of_forces < no_work);
      CHECK(work.of_constraints < no_work);
      CHECK(work.largest_force > 0.1);
      largest_force = std::max(largest_force, work.largest_force);
    }
    CAPTURE(element.keyword);
    CHECK(largest_force > 0.1);
  }
}

TEST_CASE("forces from outside do work in a rigid motion of the whole, so that the claim above can fail") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::outside) continue;
    for (const Specimen& specimen : specimens(element, gravity)) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      CHECK(most_work(plane(), specimen).of_forces > 0.1);
    }
  }
}

TEST_CASE("every element between moving bodies: its forces are those at rest while the whole moves rigidly") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        State state = random_state(specimen.model, random, Motion::at_rest);
        const Eigen::VectorXd at_rest = applied_forces(specimen.model, state);
        state.v = rigid_velocity(specimen.model, state, 1.5, -0.7, 2.3);
        REQUIRE((applied_forces(specimen.model, state) - at_rest).cwiseAbs().maxCoeff() < like_rounding);
      }
    }
  }
}

TEST_CASE("every element between moving bodies: its energy and its constraint do not change when the whole is moved") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        State state = random_state(specimen.model, random, Motion::at_rest);
        const double energy = potential_energy(specimen.model, state);
        const double gap = constraint_residual(specimen.model, state).norm();
        const double turn = random.between(-3, 3), x = random.between(-2, 2), y = random.between(-2, 2);
        for (const Block& block : specimen.model.blocks()) {
          if (block.kind == BlockKind::node) continue;
          double* const q = state.q.data() + block.first;
          const Vec2<double> e = direction(turn);
          const Vec2<double> p = q[0] * e + q[1] * perpendicular(e);
          q[0] = p.x + x;
          q[1] = p.y + y;
          if (block.kind == BlockKind::body) q[2] += turn;
        }
        REQUIRE(potential_energy(specimen.model, state) == doctest::Approx(energy).epsilon(like_rounding));
        REQUIRE(constraint_residual(specimen.model, state).norm() == doctest::Approx(gap).epsilon(like_rounding));
      }
    }
  }
}
