// The matrices of whole models: those of a model that is already linear, and those of one with everything in it.

#include "stillpoint/assembly.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "stillpoint/elements/all.h"
#include "support/elements/element_harness.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int states = 100;
// Differences are good to about 1e-11 (see central_difference); a missing term shows at 1e-2 or more.
constexpr double like_differences = 1e-7;

/// Numbers that no binary fraction equals, so that equality is not luck.
constexpr double m1 = 0.1, m2 = 1.0 / 3, k1 = 7.7, k2 = 0.3, k3 = 12.1, c1 = 0.7, c2 = 1.9;

/// A chain of three coordinates between walls: springs, dampers, a gear and a motor between them.
Model affine_model() {
  ModelBuilder build;
  const Place a = build.scalar("a", 0.2, {.mass = m1}), b = build.scalar("b", -0.4, {.mass = m2}),
              c = build.scalar("c", 1.1);
  const CoordinateOf qa = build.coordinate("a"), qb = build.coordinate("b"), qc = build.coordinate("c");
  build.add("e1", TorsionSpring{.a = ground, .b = a, .stiffness = k1, .free_angle = 0.3, .damping = c1});
  build.add("e2", TorsionSpring{.a = a, .b = b, .stiffness = k2, .free_angle = -0.6});
  build.add("e3", TorsionSpring{.a = b, .b = c, .stiffness = k3});
  build.add("e4", TorsionDamper{.a = c, .b = a, .damping = c2});
  build.add("gear", Coupling{.coordinates = {qa, qc}, .factors = {1.7, -0.9}, .value = 0.4});
  build.add("base", Prescribed{.coordinate = qb, .input = build.input("u")});
  build.add("motor", Torque{.on = c, .against = b, .magnitude = 2.3, .input = build.input("w")});
  return build.model();
}

}  // namespace

TEST_CASE("an affine model gives back its own M, C, K, J, F and G exactly, at every state") {
  MatrixXd M(3, 3), C(3, 3), K(3, 3), J(2, 3), F(3, 2), G(2, 2);
  M << m1, 0, 0,  //
      0, m2, 0,   //
      0, 0, 0;
  C << c1 + c2, 0, -c2,  //
      0, 0, 0,           //
      -c2, 0, c2;
  K << k1 + k2, -k2, 0,   //
      -k2, k2 + k3, -k3,  //
      0, -k3, k3;
  J << 1.7, 0, -0.9,  //
      0, 1, 0;
  F << 0, 0,    //
      0, -2.3,  //
      0, 2.3;
  G << 0, 0,  //
      1, 0;
  const Model model = affine_model();
  for (const auto motion : {Assembly::Motion::at_rest, Assembly::Motion::moving}) {
    Assembly assembly(model, motion);
    Random random(1);
    for (int i = 0; i < states; ++i) {
      const DenseMatrices found = exact_matrices(assembly.at(random_state(model, random, motion)));
      CHECK(found.M == M);
      CHECK(found.C == C);
      CHECK(found.K == K);
      CHECK(found.J == J);
      CHECK(found.F == F);
      CHECK(found.G == G);
    }
    const Matrices& sparse = assembly.at(model.initial_state());
    CHECK(sparse.M.nonZeros() == 2);  // as many as are not zero
    CHECK(sparse.C.nonZeros() == 4);
    CHECK(sparse.K.nonZeros() == 7);
    CHECK(sparse.J.nonZeros() == 3);
    CHECK(sparse.F.nonZeros() == 2);
    CHECK(sparse.G.nonZeros() == 1);
  }
}

TEST_CASE("an affine model in the plane, points on springs of free length zero, gives back its own M and K exactly") {
  ModelBuilder build;
  build.gravity({0.3, -9.81});
  const Place wall = build.fixed("wall", {0.7, -1.3});
  const Place a = build.point("a", {0.1, 0.2}, {.mass = m1}), b = build.point("b", {0.1, 0.2}, {.mass = m2});
  build.add("e1", Spring{.a = wall, .b = a, .stiffness = k1, .free_length = 0});
  build.add("e2", Spring{.a = a, .b = b, .stiffness = k2, .free_length = 0});
  build.add("e3", Spring{.a = b, .b = ground, .stiffness = k3, .free_length = 0});
  build.add("load", Force{.at = b, .vector = {3.3, -0.1}, .input = build.input("u")});
  build.add("pin", Revolute{.a = a, .b = b});
  const Model model = build.model();

  const MatrixXd I = MatrixXd::Identity(2, 2);
  MatrixXd M(4, 4), K(4, 4), J(2, 4), F(4, 1);
  M << m1 * I, 0 * I, 0 * I, m2 * I;
  K << (k1 + k2) * I, -k2 * I, -k2 * I, (k2 + k3) * I;
  J << -I, I;
  F << 0, 0, 3.3, -0.1;
  Assembly assembly(model);
  Random random(1);
  for (int i = 0; i < states; ++i) {
    State state = model.initial_state();
    state.q = random.vector(4, -2, 2);
    state.lambda = random.vector(2, -2, 2);
    const Matrices& sparse = assembly.at(state);
    const DenseMatrices found = exact_matrices(sparse);
    CHECK(found.M == M);
    CHECK(found.K == K);
    CHECK(found.J == J);
    CHECK(found.F == F);
    CHECK(found.C == MatrixXd::Zero(4, 4));
    CHECK(sparse.K.nonZeros() == 8);
    CHECK(sparse.C.nonZeros() == 0);
  }
}

namespace {

/// Every element type at least once, on shared bodies, with names, rows and multipliers of many arrays in between.
Model everything() {
  ModelBuilder build;
  build.gravity({0.4, -9.81});
  const Place wall = build.fixed("wall", {-1, 0.5}, 0.4);
  const Place a = build.body("a", {0, 0}, {.mass = 1.1, .inertia = 0.3, .centre = {0.2, 0.1}});
  const Place b = build.body("b", {1, 0}, {.mass = 0.7, .inertia = 0.2});
  const Place p = build.point("p", {0, 1}, {.mass = 0.4}), q = build.point("q", {1, 1});
  const Place s = build.scalar("s", 0, {.mass = 0.6}), t = build.scalar("t", 0);
  const Place a1 = build.marker("a1", a, {0.6, -0.2}, 0.5), a2 = build.marker("a2", a, {-0.7, 0.1}, -0.9);
  const Place b1 = build.marker("b1", b, {0.3, 0.8}, 1.3);
  const InputRef u = build.input("u"), w = build.input("w");
  const CoordinateOf by = build.coordinate("b", "y"), t0 = build.coordinate("t"), s0 = build.coordinate("s"),
                     ax = build.coordinate("a", "x");

  build.add("e1", PointMass{.at = a2, .mass = 0.5});
  build.add("e2", RigidMass{.centre = b1, .mass = 0.9, .moment = 0.1});
  build.add("e3", ScalarMass{.coordinate = t0, .mass = 0.8});
  build.add("r1", Rod{.a = p, .b = a1, .length = 1.2, .mass = 1.5});
  build.add("r2", Rod{.a = q, .b = wall, .length = 0.8, .mass = 0.5});
  build.add("c1", Distance{.a = p, .b = q, .length = 1.1});
  build.add("c2", Angle{.angle = s, .from = p, .to = b1});
  build.add("c3", Revolute{.a = a2, .b = wall});
  build.add("c4", Slider{.slot = a1, .pin = q});
  build.add("c5", Prismatic{.a = wall, .b = b1});
  build.add("c6", Weld{.a = a1, .b = b});
  build.add("c7", Coupling{.coordinates = {by, s0, t0}, .factors = {1, 2, -0.5}, .value = 0.1});
  build.add("c8", Prescribed{.coordinate = ax, .input = w});
  build.add("f1", Spring{.a = p, .b = b1, .stiffness = 11, .free_length = 0.9, .damping = 0.6});
  build.add("f2", Spring{.a = q, .b = a2, .stiffness = 9, .free_length = 0});
  build.add("f3", Damper{.a = a2, .b = wall, .damping = 0.4});
  build.add("f4", TorsionSpring{.a = a, .b = b, .stiffness = 3, .free_angle = 0.2});
  build.add("f5", TorsionDamper{.a = b, .b = t, .damping = 0.7});
  build.add("f6", Force{.at = b1, .vector = {1, -2}});
  build.add("f7", Torque{.on = s, .against = a, .magnitude = 1.4, .input = u});
  build.add("f8", FollowerForce{.at = a1, .vector = {2, 1}, .input = w});
  build.add("f9", Actuator{.a = q, .b = b, .magnitude = 5, .input = u});
  return build.model();
}

/// Starts of columns and rows of entries.
std::vector<Index> pattern_of(const SparseMatrix& matrix) {
  std::vector<Index> pattern(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.outerSize() + 1);
  pattern.insert(pattern.end(), matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  return pattern;
}

}  // namespace

TEST_CASE("all elements together: every matrix equals its central difference at 100 states, at rest and in motion") {
  const Model model = everything();
  REQUIRE(model.arrays().size() == 20);
  CentralDifferences differences(model);
  for (const auto motion : {Assembly::Motion::at_rest, Assembly::Motion::moving}) {
    Assembly assembly(model, motion);
    Random random(2);
    for (int i = 0; i < states; ++i) {
      const State state = random_state(model, random, motion);
      const DenseMatrices exact = exact_matrices(assembly.at(state));
      const DenseMatrices difference = differences.at(state);
      for (const char letter : {'M', 'C', 'K', 'J', 'F', 'G'}) {
        CAPTURE(letter);
        REQUIRE(exact[letter].cwiseAbs().maxCoeff() > 0.1);
        REQUIRE(exact[letter] != difference[letter]);
        REQUIRE(relative_difference(exact[letter], difference[letter]) < like_differences);
      }
    }
  }
}

TEST_CASE("Assembly: patterns are sorted and the same at every state") {
  const Model model = everything();
  for (const auto motion : {Assembly::Motion::at_rest, Assembly::Motion::moving}) {
    Assembly assembly(model, motion);
    Random random(3);
    const auto patterns = [&] {
      const auto& [M, C, K, J, F, G] = assembly.at(random_state(model, random, motion));
      std::vector<std::vector<Index>> all;
      for (const SparseMatrix* matrix : {&M, &C, &K, &J, &F, &G}) {
        REQUIRE(matrix->isCompressed());
        for (Index column = 0; column < matrix->outerSize(); ++column) {
          Index before = -1;
          for (SparseMatrix::InnerIterator entry(*matrix, column); entry; ++entry) {
            REQUIRE(entry.row() > before);
            before = static_cast<Index>(entry.row());
          }
        }
        all.push_back(pattern_of(*matrix));
      }
      return all;
    };
    const auto first = patterns();
    for (int i = 0; i < 10; ++i) CHECK(patterns() == first);
  }
}

TEST_CASE("Assembly: a state has the same matrices, to the bit, whatever was asked before") {
  const Model model = everything();
  Random random(4);
  const State state = random_state(model, random, Assembly::Motion::at_rest);
  Assembly fresh(model), used(model);
  for (int i = 0; i < 5; ++i) used.at(random_state(model, random, Assembly::Motion::at_rest));
  const DenseMatrices one = exact_matrices(fresh.at(state)), other = exact_matrices(used.at(state));
  for (const char letter : {'M', 'C', 'K', 'J', 'F', 'G'}) CHECK(one[letter] == other[letter]);
}

TEST_CASE("Assembly: in motion with v = a = 0 the matrices are those at rest") {
  const Model model = everything();
  Assembly at_rest(model), moving(model, Assembly::Motion::moving);
  Random random(5);
  State state = random_state(model, random, Assembly::Motion::at_rest);
  const DenseMatrices one = exact_matrices(at_rest.at(state));
  const DenseMatrices unset_motion = exact_matrices(moving.at(state));
  state.v = state.a = VectorXd::Zero(model.coordinates());
  const DenseMatrices other = exact_matrices(moving.at(state));
  for (const char letter : {'M', 'C', 'K', 'J', 'F', 'G'}) {
    CHECK(one[letter] == unset_motion[letter]);
    CHECK(one[letter] == other[letter]);
  }
}

TEST_CASE("Assembly: without multipliers K leaves out what the constraints add") {
  ModelBuilder build;
  build.add("d", Distance{.a = ground, .b = build.point("p", {1, 0}), .length = 1});
  const Model model = build.model();
  Assembly assembly(model);
  State state = model.initial_state();
  CHECK(MatrixXd(assembly.at(state).K) == MatrixXd::Zero(2, 2));
  state.lambda = VectorXd::Constant(1, 1.5);
  CHECK(MatrixXd(assembly.at(state).K) == (3 * MatrixXd::Identity(2, 2)).eval());
}

TEST_CASE("Assembly: an assembly at rest refuses a moving state") {
  const Model model = affine_model();
  Assembly assembly(model);
  State state = model.initial_state();
  state.v = VectorXd::Zero(3);
  CHECK_THROWS_WITH_AS(assembly.at(state), "a moving state was given to an assembly at rest", std::invalid_argument);
  state = model.initial_state();
  state.a = VectorXd::Zero(3);
  CHECK_THROWS_WITH_AS(assembly.at(state), "a moving state was given to an assembly at rest", std::invalid_argument);
}

TEST_CASE("a state whose sizes are not the model's is refused, by every function, with the part that is wrong") {
  const Model model = affine_model();  // 3 coordinates, 2 constraints, 2 inputs
  const std::pair<VectorXd State::*, const char*> parts[] = {
      {&State::q, "q"}, {&State::u, "u"}, {&State::v, "v"}, {&State::a, "a"}, {&State::lambda, "lambda"}};
  for (const auto& [part, name] : parts) {
    State state = model.initial_state();
    state.*part = VectorXd::Zero(7);
    const std::string text = "the state's " + std::string(name) + " is not of the model's size";
    CHECK_THROWS_WITH_AS(potential_energy(model, state), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS(applied_forces(model, state), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS(inertia_forces(model, state), text.c_str(), std::invalid_argument);
    CHECK_THROWS_WITH_AS(constraint_residual(model, state), text.c_str(), std::invalid_argument);
    Assembly moving(model, Assembly::Motion::moving);
    CHECK_THROWS_WITH_AS(moving.at(state), text.c_str(), std::invalid_argument);
  }
}

TEST_CASE("Assembly: a model without anything has matrices without anything") {
  const Model model = ModelBuilder().model();
  Assembly assembly(model);
  const Matrices& matrices = assembly.at(model.initial_state());
  CHECK(matrices.M.rows() == 0);
  CHECK(matrices.J.rows() == 0);
  CHECK(matrices.K.nonZeros() == 0);
  CHECK(applied_forces(model, model.initial_state()).size() == 0);
  CHECK(potential_energy(model, model.initial_state()) == 0);
}

TEST_CASE("Assembly: outlives the model it was made of") {
  auto model = std::make_unique<Model>(affine_model());
  Assembly assembly(*model);
  const State state = model->initial_state();
  model.reset();
  CHECK(assembly.at(state).K.coeff(0, 0) == k1 + k2);
}
