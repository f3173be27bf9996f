// The bordered matrix of equilibrium is solved with by LDLᵀ or by LU, of few unknowns and of many, and a matrix that is
// singular, or has entries that are no numbers, is told.

#include "equilibrium/bordered_analysis.h"

#include <doctest/doctest.h>

#include <limits>

#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::VectorXd;

namespace {

/// K and J of a chain at its guess, with multipliers that look random.
struct Chain {
  explicit Chain(double rods) : model(read_model(STILLPOINT_SOURCE_DIR "/cases/n_pendulum", {{"N", rods}})) {
    Random random(1);
    State state = model.initial_state();
    state.lambda = random.vector(model.constraints(), -1, 1);
    Assembly assembly(model);
    at = assembly.at(state);
  }

  void put_into(BorderedAnalysis& analysis, double shift = 1e-3) const {
    const Scaling none{VectorXd::Ones(model.coordinates()), VectorXd::Ones(model.constraints())};
    analysis.bordered().set(at.K, at.J, none, 1, {shift, 0});
  }

  Model model;
  Matrices at;
};

double residual_of_solution(BorderedAnalysis& analysis) {
  Random random(2);
  const SparseMatrix& A = analysis.bordered().matrix();
  const VectorXd b = random.vector(A.cols(), -1, 1), x = analysis.solve(b);
  return (A * x - b).norm() / (A.norm() * x.norm() + b.norm());
}

constexpr double rounding = 1e-15;

}  // namespace

TEST_CASE("bordered matrix: symmetric ones of few and of many unknowns, and others, are solved with") {
  for (const double rods : {20.0, 500.0}) {
    CAPTURE(rods);
    Chain chain(rods);
    BorderedAnalysis analysis(chain.at.K, chain.at.J);
    chain.put_into(analysis);
    REQUIRE(analysis.factor());
    CHECK(residual_of_solution(analysis) < rounding);

    // Forces of the third coordinate on the first, but not the other way round; then the symmetric matrix again.
    const double symmetric = chain.at.K.coeff(0, 2);
    chain.at.K.coeffRef(0, 2) += 1;
    chain.put_into(analysis);
    REQUIRE(analysis.factor());
    CHECK(residual_of_solution(analysis) < rounding);
    chain.at.K.coeffRef(0, 2) = symmetric;
    chain.put_into(analysis);
    REQUIRE(analysis.factor());
    CHECK(residual_of_solution(analysis) < rounding);
  }
}

TEST_CASE("bordered matrix: singular matrices, and those with entries that are no numbers, are told") {
  for (const double rods : {20.0, 500.0}) {
    CAPTURE(rods);
    Chain chain(rods);
    BorderedAnalysis analysis(chain.at.K, chain.at.J);
    chain.at.K.coeffs().setZero();  // the constraints leave free motions
    chain.put_into(analysis, 0);
    CHECK_FALSE(analysis.factor());
    chain.put_into(analysis);
    REQUIRE(analysis.factor());
    CHECK(residual_of_solution(analysis) < rounding);
    chain.at.J.coeffs()[0] = std::numeric_limits<double>::quiet_NaN();
    chain.put_into(analysis);
    CHECK_FALSE(analysis.factor());
  }
}
