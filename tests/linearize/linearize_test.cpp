// The linear system of a model, and what is refused.

#include "stillpoint/linearize.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/outputs.h"
#include "support/linearize/claims.h"

using namespace stillpoint;

namespace {

/// Two masses on springs, a third coordinate that a gear ties to the first, and one that moves as told: linear, with
/// nothing in it that is not a product of the numbers below.
Model linear_model() {
  ModelBuilder build("linear");
  build.scalar("x", 0, {.mass = 2});
  build.scalar("y", 0, {.mass = 3});
  build.scalar("z", 0, {.mass = 0.5});
  build.scalar("base", 0);
  const auto at = [&](const char* name) { return build.coordinate(name); };
  const InputRef push = build.input("push"), shake = build.input("shake");
  build.add("left", ScalarSpring{.of = at("x"), .against = at("base"), .stiffness = 10, .damping = 0.25});
  build.add("right", ScalarSpring{.of = at("y"), .against = at("x"), .stiffness = 7});
  Coupling gear{.value = 0};
  gear.coordinates = {at("x"), at("z")};
  gear.factors[0] = 3;
  gear.factors[1] = -1;
  build.add("gear", gear);
  build.add("base", Prescribed{.coordinate = at("base"), .input = shake});
  build.add("push", ScalarForce{.on = at("y"), .magnitude = 4, .input = push});
  return build.model();
}

Eigen::MatrixXd dense(const SparseMatrix& A) { return A.toDense(); }

/// M = K = 1, J as given.
LinearSystem with_constraints(const Eigen::MatrixXd& J) {
  LinearSystem system;
  const auto n = J.cols();
  system.M = Eigen::MatrixXd::Identity(n, n).sparseView();
  system.K = system.M;
  system.J = J.sparseView();
  return system;
}

}  // namespace

TEST_CASE("linearize: a linear model gives back its own matrices") {
  const Model model = linear_model();
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  const Eigen::Matrix4d M = Eigen::Vector4d(2, 3, 0.5, 0).asDiagonal();
  const Eigen::Matrix4d K{{17, -7, 0, -10}, {-7, 7, 0, 0}, {0, 0, 0, 0}, {-10, 0, 0, 10}};
  const Eigen::Matrix4d C{{0.25, 0, 0, -0.25}, {0, 0, 0, 0}, {0, 0, 0, 0}, {-0.25, 0, 0, 0.25}};
  CHECK(dense(system.M) == M);
  CHECK(dense(system.C) == C);
  CHECK(dense(system.K) == K);
  CHECK(dense(system.J) == Eigen::MatrixXd{{3, 0, -1, 0}, {0, 0, 0, 1}});
  CHECK(dense(system.F) == Eigen::MatrixXd{{0, 0}, {4, 0}, {0, 0}, {0, 0}});
  CHECK(dense(system.G) == Eigen::MatrixXd{{0, 0}, {0, 1}});
  CHECK(system.rank() == 2);
  CHECK(system.dof() == 2);
  CHECK(system.rows.dependent.empty());
  CHECK(system.rows.null_vectors.rows() == 2);
  CHECK(system.rows.null_vectors.cols() == 0);
  CHECK(!system.singular);
  CHECK(system.free_stiffness.empty());
}

TEST_CASE("linearize: names, operating point and outputs are those of the model, and outlive it") {
  const auto system = [] {
    const Model model = model_of_case("slider_crank");
    return linearize(model, find_equilibrium(model));
  }();
  const Model model = model_of_case("slider_crank");
  const Equilibrium rest = find_equilibrium(model);
  CHECK(system.name == model.name());
  REQUIRE(system.coordinates() == model.coordinates());
  REQUIRE(system.constraints() == model.constraints());
  REQUIRE(system.inputs() == model.inputs());
  REQUIRE(system.outputs() == model.outputs());
  for (Index i = 0; i < model.coordinates(); ++i) CHECK(system.coordinate_name(i) == model.coordinate_name(i));
  for (Index i = 0; i < model.constraints(); ++i) CHECK(system.constraint_name(i) == model.constraint_name(i));
  for (Index i = 0; i < model.inputs(); ++i) CHECK(system.input_name(i) == model.input_name(i));
  for (Index i = 0; i < model.outputs(); ++i) CHECK(system.output_name(i) == model.output_name(i));
  CHECK(system.q == rest.state.q);  // in the plane
  CHECK(system.lambda == rest.state.lambda);
  CHECK(system.u == rest.state.u);
  const OutputValues seen = observe(model, rest.state);
  CHECK(system.y == seen.y);
  CHECK(dense(system.Hq) == dense(seen.Hq));
  CHECK(dense(system.Hl) == dense(seen.Hl));
}

TEST_CASE("linearize: off equilibrium it refuses, with residual, coordinate and what is allowed") {
  const Model model = model_of_case("pendulum", {{"phi_guess", -1}});
  const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::check});
  REQUIRE(rest.status == EquilibriumStatus::not_at_rest);
  const std::string text = error_of([&] { linearize(model, rest); });
  CHECK_MESSAGE(contains(text, "'pendulum'"), text);
  CHECK_MESSAGE(contains(text, "force residual"), text);
  CHECK_MESSAGE(contains(text, " > 1.0e-08"), text);
  CHECK_MESSAGE(contains(text, "'" + rest.worst_coordinate + "'"), text);

  const LinearSystem system = linearize(model, rest, {.off_equilibrium = true});
  CHECK(system.q == model.initial_state().q);
  CHECK(system.rank() == 2);
}

TEST_CASE("linearize: with open loops it refuses by the constraint, and decides the rank itself if it is allowed to") {
  ModelBuilder build("open");
  const Place a = build.fixed("A", {0, 0}), b = build.fixed("B", {5, 0}), tip = build.point("P", {2, 0}, {.mass = 1});
  build.add("left", Distance{.a = a, .b = tip, .length = 2});
  build.add("right", Distance{.a = b, .b = tip, .length = 2});
  const Model model = build.model();
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE(rest.status == EquilibriumStatus::not_assembled);
  const std::string text = error_of([&] { linearize(model, rest); });
  CHECK_MESSAGE(contains(text, "'left', 'right'"), text);
  CHECK_MESSAGE(contains(text, "allowed"), text);
  const LinearSystem system = linearize(model, rest, {.off_equilibrium = true});
  CHECK(system.rank() == 1);
  CHECK(system.rows.null_vectors.cols() == 1);
}

TEST_CASE("linearize: an equilibrium made by hand that says nothing is refused with its numbers") {
  const Model model = model_of_case("pendulum");
  Equilibrium rest;
  rest.state = model.initial_state();
  rest.force_residual = 0.5;
  rest.worst_coordinate = "B.x";
  const std::string text = error_of([&] { linearize(model, rest); });
  CHECK_MESSAGE(contains(text, "5.0e-01 at 'B.x'"), text);
}

TEST_CASE("linearize: redundant constraints keep their rows, and independent ones are those of the rest position") {
  const Model model = model_of_case("five_bar_parallelogram");
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  CHECK(system.constraints() == 12);
  CHECK(system.rank() == 11);
  CHECK(system.dof() == 1);
  CHECK(system.rows.independent == rest.independent_rows);
  CHECK(system.rows.independent.size() + system.rows.dependent.size() == 12);
  REQUIRE(system.rows.null_vectors.cols() == 1);
  // A few roundings of sums of a few entries of size one.
  CHECK(dense(system.J.transpose() * system.rows.null_vectors).norm() < 1e-13);
  CHECK(!system.singular);
  const SparseMatrix J = independent_rows(system);
  REQUIRE(J.rows() == 11);
  for (Index i = 0; i < 11; ++i) CHECK(dense(J).row(i) == dense(system.J).row(system.rows.independent[i]));
}

TEST_CASE("linearize: at a singular configuration it knows the branches and the stiffness of free multipliers") {
  const Model model = flat_four_bar();
  const Equilibrium rest = nearest_rest(model);
  REQUIRE(rest.kind == ConfigurationType::singular);
  const LinearSystem system = linearize(model, rest);
  CHECK(system.singular);
  CHECK(system.branches.size() == 2);
  CHECK(system.dof() == 2);
  REQUIRE(system.rows.null_vectors.cols() == 1);
  REQUIRE(system.free_stiffness.size() == 1);

  // Central differences of J(q)ᵀν. J is linear in q here, so only rounding remains, divided by the step.
  const Eigen::VectorXd nu = dense(system.rows.null_vectors).col(0);
  constexpr double h = 1e-3;
  Eigen::MatrixXd differences(model.coordinates(), model.coordinates());
  Assembly assembly(model);
  for (Index j = 0; j < model.coordinates(); ++j) {
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(model.coordinates(), j);
    const Eigen::VectorXd after = assembly.at(model.displaced(rest.state, step)).J.transpose() * nu;
    const Eigen::VectorXd before = assembly.at(model.displaced(rest.state, -step)).J.transpose() * nu;
    differences.col(j) = (after - before) / (2 * h);
  }
  CHECK(differences.norm() > 1);
  CHECK((dense(system.free_stiffness[0]) - differences).norm() < 1e-11);
}

TEST_CASE("linearize: bodies in space are told by rotation vectors") {
  const Model model = model_of_case("dead_torque_body");
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  const LinearSystem system = linearize(model, rest);
  REQUIRE(system.q.size() == model.coordinates());
  const Index rx = coordinate_called(model, model.block_name(0) + ".rx");
  const Vec3<double> turn = rotation_vector(rest.state.orientations[0]);
  CHECK(system.q.segment<3>(rx) == Eigen::Vector3d(turn.x, turn.y, turn.z));
}

// ---------------------------------------------------------------------------------------------------------------------

TEST_CASE("linear system: what is left out becomes zeros and names") {
  LinearSystem bare;
  bare.M = Eigen::Matrix2d::Identity().sparseView();
  bare.K = bare.M;
  const LinearSystem system = checked(bare);
  CHECK(system.C.rows() == 2);
  CHECK(system.J.rows() == 0);
  CHECK(system.J.cols() == 2);
  CHECK(system.F.rows() == 2);
  CHECK(system.F.cols() == 0);
  CHECK(system.Hq.rows() == 0);
  CHECK(system.rank() == 0);
  CHECK(system.dof() == 2);
  CHECK(system.rows.rank.outcome == RankOutcome::full);
  CHECK(system.coordinate_name(1) == "q[2]");
  CHECK(system.constraint_name(0) == "constraint[1]");
  CHECK(system.input_name(0) == "u[1]");
  CHECK(system.output_name(4) == "y[5]");
}

TEST_CASE("linear system: the rank is decided unless it is known, and a known one is kept") {
  const Eigen::MatrixXd J{{1, 2, 0}, {2, 4, 0}, {0, 0, 1}};
  const LinearSystem decided = checked(with_constraints(J));
  CHECK(decided.rank() == 2);
  CHECK(decided.rows.rank.outcome == RankOutcome::deficient);
  CHECK(independent_rows(decided).rows() == 2);

  LinearSystem known = with_constraints(J);
  known.rows.rank = decided.rows.rank;
  known.rows.rank.method = "by hand";
  known.rows.independent = {1, 2};
  known.rows.dependent = {0};
  const LinearSystem kept = checked(known);
  CHECK(kept.rows.independent == std::vector<Index>{1, 2});
  CHECK(kept.rows.rank.method == "by hand");
  REQUIRE(kept.rows.null_vectors.cols() == 1);
  CHECK(dense(kept.J.transpose() * kept.rows.null_vectors).norm() < 1e-15);

  const LinearSystem given = checked(with_constraints(Eigen::MatrixXd{{1, 2, 0}, {1, 3, 0}}), {.rank = 1});
  CHECK(given.rank() == 1);
  CHECK(given.rows.rank.outcome == RankOutcome::given);
}

TEST_CASE("linear system: what does not fit is refused, by the matrix and the number") {
  const auto refusal = [](const auto& change) {
    LinearSystem system = with_constraints(Eigen::MatrixXd{{1, 0, 0}, {0, 1, 0}});
    change(system);
    return error_of([&] { checked(system); });
  };
  const auto check = [&](const std::string& expected, const auto& change) {
    const std::string text = refusal(change);
    CHECK_MESSAGE(contains(text, expected), text);
  };
  check("M is 3 x 3 and C is 2 x 2: these are 3 and 2 coordinates", [](LinearSystem& s) { s.C.resize(2, 2); });
  check("M is 3 x 2 and M is 3 x 2: these are 3 and 2 coordinates", [](LinearSystem& s) { s.M.resize(3, 2); });
  check("F is 3 x 1 and G is 2 x 4: these are 1 and 4 inputs", [](LinearSystem& s) {
    s.F.resize(3, 1);
    s.G.resize(2, 4);
  });
  check("Hq is 2 x 3 and Hl is 1 x 2: these are 2 and 1 outputs", [](LinearSystem& s) {
    s.Hq.resize(2, 3);
    s.Hl.resize(1, 2);
  });
  check("K(2, 2) is nan", [](LinearSystem& s) { s.K.coeffRef(1, 1) = std::nan(""); });
  check("M(1, 3) is inf", [](LinearSystem& s) { s.M.coeffRef(0, 2) = std::numeric_limits<double>::infinity(); });
  check("has 2 numbers in q, and there are 3 coordinates", [](LinearSystem& s) { s.q.setZero(2); });
  check("lambda(1) of the operating point is nan", [](LinearSystem& s) { s.lambda.setConstant(2, std::nan("")); });
  check("row 1 of J is out of order or listed twice", [](LinearSystem& s) {
    s.rows.independent = {1, 0};
    s.rows.rank.value = 2;
  });
  check("the rank of J is given as 1, with 2 independent rows", [](LinearSystem& s) {
    s.rows.independent = {0, 1};
    s.rows.rank.value = 1;
  });
  check("the tangents of branch 'b'", [](LinearSystem& s) {
    s.branches.push_back({"b", Eigen::MatrixXd::Zero(2, 1)});
  });
  check("there are 1 matrices of free stiffness: there must be one of 3 x 3 for each of the 0 left null vectors",
        [](LinearSystem& s) { s.free_stiffness.emplace_back(3, 3); });
  CHECK(contains(error_of([] {
                   checked(with_constraints(Eigen::MatrixXd{{1, 0}}), {.rank = 2});
                 }),
                 "a rank of 2 was given; J is 1 x 2, so it must be 0 to 1"));
}
