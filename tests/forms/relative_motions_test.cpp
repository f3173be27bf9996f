// Tangents along a tree of joints: what is carried, what the joints leave, and what closes loops.
#include "forms/relative_motions.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "linearize/joint_tree.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/linearize.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

LinearSystem system_of_model(const Model& model) { return linearize(model, find_equilibrium(model)); }

MinimalForm in_joint_coordinates(const LinearSystem& system) {
  return minimal_form(system, {.basis = NullSpaceBasis::topological});
}

/// An arm of two bodies on a horizontal plane, with springs in no joint: it rests anywhere.
struct Arm {
  double l1 = 0.7, c1 = 0.3, m1 = 2, I1 = 0.1, c2 = 0.25, m2 = 1.5, I2 = 0.07, q1 = 0.4, q2 = 1.1;

  ModelBuilder builder() const {
    ModelBuilder build("arm");
    const Place upper = build.body("upper", {0, 0}, {.angle = q1, .mass = m1, .inertia = I1, .centre = {c1, 0}});
    const Place lower = build.body("lower", {l1 * std::cos(q1), l1 * std::sin(q1)},
                                   {.angle = q1 + q2, .mass = m2, .inertia = I2, .centre = {c2, 0}});
    build.add("shoulder", Revolute{.a = ground, .b = upper});
    build.add("elbow", Revolute{.a = build.marker("end", upper, {l1, 0}), .b = lower});
    return build;
  }
};

/// Pairs of bodies that are welded together in oblique poses, the second to the ground by nothing.
Model welded_in_plane() {
  ModelBuilder build;
  const Place a = build.body("a", {0.3, -0.2}, {.angle = 0.7, .mass = 1, .inertia = 1});
  const Place b = build.body("b", {1.1, 0.5}, {.angle = -1.9, .mass = 1, .inertia = 1});
  const double turn = -1.9 - 0.7, c = std::cos(0.7), s = std::sin(0.7);
  build.add("hinge", Revolute{.a = ground, .b = build.marker("foot", a, {-c * 0.3 + s * 0.2, s * 0.3 + c * 0.2})});
  build.add("weld", Weld{.a = build.marker("on_a", a, {c * 0.8 + s * 0.7, -s * 0.8 + c * 0.7}, turn), .b = b});
  return build.model();
}

Model welded_in_space() {
  ModelBuilder build;
  const auto a = build.space_body("a", {0.3, -0.2, 0.1}, {.rotation = rotation_about({0.4, -0.3, 0.9}), .mass = 1});
  const auto b = build.space_body("b", {1.1, 0.5, -0.6}, {.rotation = rotation_about({-1.1, 0.2, 0.5}), .mass = 1});
  const auto there = build.pose(b);
  build.add("ball", space::Spherical{.a = build.space_fixed({}, {0.3, -0.2, 0.1}), .b = a});
  build.add("weld", space::Weld{.a = build.space_marker_posed({}, a, there), .b = b});
  return build.model();
}

Eigen::VectorXd part(const MatrixXd& A, std::size_t column, const JointTree::Block& block) {
  return A.block(block.first, static_cast<Index>(column), block.size, 1);
}

}  // namespace

TEST_CASE("relative motions: what is carried keeps its weld") {
  for (const Model& model : {welded_in_plane(), welded_in_space()}) {
    const State state = model.initial_state();
    const JointTree tree = joint_tree(model, state);
    REQUIRE(tree.blocks.size() == 2);
    REQUIRE(tree.blocks[1].parent == 0);
    Assembly assembly(model);
    const MatrixXd J = assembly.at(state).J;
    const JointTree::Block &a = tree.blocks[0], &b = tree.blocks[1];
    CHECK(b.rows == b.size);
    MatrixXd moved = MatrixXd::Zero(model.coordinates(), a.size);  // the first body by its own, the second carried
    moved.middleRows(a.first, a.size).setIdentity();
    moved.middleRows(b.first, b.size) = MatrixXd(tree.carried).block(b.first, a.first, b.size, a.size);
    CHECK((J * moved).middleRows(b.first_row, b.rows).norm() < 1e-14);
    CHECK(moved.middleRows(b.first, b.size).norm() > 1);
  }
}

TEST_CASE("relative motions: of an arm they are its joint angles, and M_r is what robotics books print") {
  const Arm arm;
  const LinearSystem system = system_of_model(arm.builder().model());
  const MinimalForm form = in_joint_coordinates(system);
  CHECK(form.names == std::vector<std::string>{"upper.phi", "lower.phi/upper"});
  CHECK(form.independent.empty());
  const double both = arm.I2 + arm.m2 * arm.c2 * (arm.c2 + arm.l1 * std::cos(arm.q2));
  MatrixXd expected(2, 2);
  expected << arm.I1 + arm.m1 * arm.c1 * arm.c1 + arm.m2 * arm.l1 * (arm.l1 + arm.c2 * std::cos(arm.q2)) + both, both,
      both, arm.I2 + arm.m2 * arm.c2 * arm.c2;
  CHECK((MatrixXd(form.M) - expected).norm() < 1e-14 * expected.norm());
}

TEST_CASE("relative motions: each moves the bodies above its joint, and these as one") {
  for (const NamedSystem& named : all_systems()) {
    if (!named.system.joint_tree) continue;
    CAPTURE(named.name);
    const JointTree tree = named.system.joint_tree();
    const ScaledConstraints constraints = scale_constraints(named.system);
    const RelativeMotions motions = relative_motions(tree, constraints, named.system.G, 1'000'000);
    const MatrixXd R = motions.R, carried = MatrixXd(tree.carried) * R;
    for (std::size_t j = 0; j < motions.motions.size(); ++j) {
      CAPTURE(j);
      const auto [coordinate, own] = motions.motions[j];
      CHECK(R(coordinate, static_cast<Index>(j)) == 1);
      std::vector<char> is_above(tree.blocks.size(), 0);
      is_above[static_cast<std::size_t>(own)] = 1;
      for (std::size_t b = 0; b < tree.blocks.size(); ++b) {
        const JointTree::Block& block = tree.blocks[b];
        if (block.parent >= 0 && is_above[static_cast<std::size_t>(block.parent)]) is_above[b] = 1;
        const Eigen::VectorXd moves = part(R, j, block);
        if (!is_above[b]) CHECK(moves.isZero(0));
        else if (static_cast<Index>(b) != own) CHECK((moves - part(carried, j, block)).norm() <= 1e-13 * moves.norm());
      }
    }
  }
}

TEST_CASE("relative motions: joints of a tree leave nothing to close, those of loops do") {
  const auto closing = [](const std::string& name) {
    const LinearSystem system = system_of_case(name);
    return relative_motions(system.joint_tree(), scale_constraints(system), system.G, 1'000'000).closing.size();
  };
  CHECK(closing("n_pendulum") == 0);
  CHECK(closing("universal_chain") == 0);
  CHECK(closing("spatial_double_pendulum") == 0);
  CHECK(closing("cart_pole") == 0);
  CHECK(closing("slider_crank") > 0);
  CHECK(closing("slider_crank_spatial") > 0);
}

TEST_CASE("relative motions: prescribed motion is met on top of them") {
  const Arm arm;
  ModelBuilder build = arm.builder();
  build.add("servo", Prescribed{.coordinate = build.coordinate("upper", "phi"), .input = build.input("angle", arm.q1)});
  const LinearSystem system = system_of_model(build.model());
  const MinimalForm form = in_joint_coordinates(system);
  CHECK(form.names == std::vector<std::string>{"lower.phi/upper"});
  CHECK((MatrixXd(system.J) * MatrixXd(form.S) - MatrixXd(system.G)).norm() < 1e-14);
  CHECK((MatrixXd(system.J) * MatrixXd(form.R)).norm() < 1e-14);
  CHECK(MatrixXd(form.S)(2, 0) == doctest::Approx(1));  // the upper arm turns as told,
  CHECK(MatrixXd(form.S)(5, 0) == doctest::Approx(1));  // and carries the lower one
}

TEST_CASE("relative motions: refused where bodies are not known, and where R would be too large") {
  CHECK(contains(error_of([] { in_joint_coordinates(rigid_pendulum(1, 1, 1, 1)); }), "needs a model"));
  const LinearSystem chain = system_of_case("n_pendulum", {{"N", 30}});
  CHECK(contains(error_of([&] { minimal_form(chain, {.basis = NullSpaceBasis::topological, .largest_dense = 20}); }),
                 "more than 400 entries: choose a partition"));
}

}  // namespace stillpoint
