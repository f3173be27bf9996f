// The rest position of the penalty system: the violation that carries the load.

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/spring.h"
#include "stillpoint/linearize.h"
#include "support/linearize/claims.h"

using namespace stillpoint;

namespace {

constexpr double omega = 10;

PenaltyEquilibrium penalty_rest(const Model& model, const Equilibrium& rest, double alpha) {
  return find_penalty_equilibrium(model, rest, Eigen::VectorXd::Constant(model.constraints(), alpha), omega);
}

double largest(const Eigen::VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }

/// What rounding of coordinates near 1 leaves in Φ of a rod, a sum of a few squares.
constexpr double rounding_of_gaps = 1e-15;

}  // namespace

TEST_CASE("penalty equilibrium: four-bars of 1 to 20 loops carry their load by Φ = λ/(αω²)") {
  for (int N = 1; N <= 20; ++N) {
    CAPTURE(N);
    const Model model = model_of_case("four_bar", {{"N", N}});
    const Equilibrium rest = find_equilibrium(model);
    const PenaltyEquilibrium penalty = penalty_rest(model, rest, 1e6);
    REQUIRE_MESSAGE(penalty.converged, penalty.message);
    CHECK(penalty.residual < 1e-12);
    CHECK(penalty.iterations <= 3);
    const Eigen::VectorXd phi = constraint_residual(model, penalty.state), lambda = penalty.state.lambda;
    CHECK(penalty.largest_residual == largest(phi));
    CHECK(largest(phi) > 1e-8);  // it is another position than the constrained one
    CHECK(largest(phi - lambda / (1e6 * omega * omega)) < 4 * rounding_of_gaps * N);
    // The forces of the penalty alone hold it, up to what rounding of Φ is when it is multiplied by αω².
    Assembly assembly(model);
    const Eigen::VectorXd held = assembly.at(penalty.state).J.transpose() * (1e6 * omega * omega * phi);
    const Eigen::VectorXd f = applied_forces(model, penalty.state);
    CHECK(largest(f - held) < 1e8 * 16 * rounding_of_gaps * N);
    CHECK(largest(lambda - rest.state.lambda) < 1e-4 * largest(lambda));
  }
}

TEST_CASE("penalty equilibrium: the gap shrinks as the factors grow, and to rounding of the load at any size") {
  const Model model = model_of_case("four_bar", {{"N", 5}});
  const Equilibrium rest = find_equilibrium(model);
  double before = 0;
  for (const double alpha : {1e2, 1e4, 1e6, 1e8, 1e10, 1e14}) {
    CAPTURE(alpha);
    const PenaltyEquilibrium penalty = penalty_rest(model, rest, alpha);
    REQUIRE_MESSAGE(penalty.converged, penalty.message);
    CHECK(penalty.residual < 1e-12);
    if (before > 0 && alpha < 1e9) CHECK(penalty.largest_residual < 0.02 * before);
    before = penalty.largest_residual;
  }
}

TEST_CASE("penalty equilibrium: every constraint may have its own factor") {
  const Model model = model_of_case("slider_crank");
  const Equilibrium rest = find_equilibrium(model);
  Eigen::VectorXd alpha(model.constraints());
  for (Index i = 0; i < alpha.size(); ++i) alpha[i] = std::pow(10.0, 4 + i % 4);
  const PenaltyEquilibrium penalty = find_penalty_equilibrium(model, rest, alpha, omega);
  REQUIRE_MESSAGE(penalty.converged, penalty.message);
  const Eigen::VectorXd phi = constraint_residual(model, penalty.state);
  const Eigen::VectorXd carried = (alpha * (omega * omega)).cwiseProduct(phi);
  const Eigen::VectorXd noise = rounding_of_gaps * alpha * (omega * omega);
  for (Index i = 0; i < phi.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(carried[i] - penalty.state.lambda[i]) < 10 * noise[i]);
  }
}

TEST_CASE("penalty equilibrium: redundant constraints and singular configurations are ordinary") {
  for (const Model& model : {model_of_case("five_bar_parallelogram"), flat_four_bar()}) {
    CAPTURE(model.name());
    const Equilibrium rest = nearest_rest(model);
    REQUIRE(rest.kind != ConfigurationType::regular);
    const PenaltyEquilibrium penalty = penalty_rest(model, rest, 1e6);
    REQUIRE_MESSAGE(penalty.converged, penalty.message);
    CHECK(penalty.residual < 1e-12);
    // Equal factors share the load as the multipliers of least norm do, but for the change of position.
    CHECK(largest(penalty.state.lambda - rest.state.lambda) < 1e-4 * largest(rest.state.lambda));
    const LinearSystem system = linearize(model, rest, penalty);
    CHECK(system.lambda == penalty.state.lambda);
    CHECK(system.rank() == rest.rank.value);
    CHECK(system.singular == (rest.kind == ConfigurationType::singular));
  }
}

TEST_CASE("penalty equilibrium: every case has one near its rest position") {
  for (const std::string& name : case_names()) {
    CAPTURE(name);
    const Model model = model_of_case(name);
    const Equilibrium rest = find_equilibrium(model);
    REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, rest.message);
    const PenaltyEquilibrium penalty = penalty_rest(model, rest, 1e8);
    CHECK_MESSAGE(penalty.converged, penalty.message);
    CHECK(penalty.largest_residual < 1e-4);
  }
}

TEST_CASE("penalty equilibrium: without constraints it is the rest position itself") {
  ModelBuilder build("free");
  const Place tip = build.point("P", {0.5, 0}, {.mass = 1});
  build.add("spring", Spring{.a = build.fixed("A", {0, 0}), .b = tip, .stiffness = 3, .free_length = 0.5});
  const Model model = build.model();
  const Equilibrium rest = find_equilibrium(model);
  const PenaltyEquilibrium penalty = find_penalty_equilibrium(model, rest, Eigen::VectorXd(), omega);
  CHECK(penalty.converged);
  CHECK(penalty.iterations == 0);
  CHECK(penalty.largest_residual == 0);
  CHECK(penalty.state.q == rest.state.q);
}

TEST_CASE("penalty equilibrium: factors so small that the mechanism falls apart are no rest position, and it says so") {
  const Model model = model_of_case("four_bar");
  const Equilibrium rest = find_equilibrium(model);
  const PenaltyEquilibrium penalty = penalty_rest(model, rest, 1e-12);
  CHECK(!penalty.converged);
  CHECK_MESSAGE(contains(penalty.message, "was not balanced after"), penalty.message);
  CHECK_MESSAGE(contains(penalty.message, "largest at '"), penalty.message);
  CHECK(contains(error_of([&] { linearize(model, rest, penalty); }), "was not balanced after"));
}

TEST_CASE("penalty equilibrium: what is no rest position and no factor is refused") {
  const Model model = model_of_case("pendulum", {{"phi_guess", -1}});
  const Equilibrium rest = find_equilibrium(model),
                    guess = find_equilibrium(model, {.rest = EquilibriumRequest::check});
  const auto refusal = [&](const Equilibrium& from, const Eigen::VectorXd& alpha, double w) {
    return error_of([&] { find_penalty_equilibrium(model, from, alpha, w); });
  };
  const Eigen::VectorXd two = Eigen::Vector2d(1e6, 1e6);
  CHECK(contains(refusal(guess, two, omega), "force residual"));
  CHECK(contains(refusal(rest, Eigen::VectorXd::Ones(3), omega), "3 penalty factors were given for 2 constraints"));
  CHECK(
      contains(refusal(rest, Eigen::Vector2d(1, -1), omega), "of constraint '" + model.constraint_name(1) + "' is -1"));
  CHECK(contains(refusal(rest, Eigen::Vector2d(INFINITY, 1), omega), "is inf: it must be positive"));
  CHECK(contains(refusal(rest, two, 0), "omega of the penalty is 0: it must be positive"));
}
