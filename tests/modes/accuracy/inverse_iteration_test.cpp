// Two-sided inverse iteration: to the eigenvalue nearby, with an error that holds it.

#include "modes/accuracy/inverse_iteration.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::VectorXcd;

namespace {

VectorXcd disturbed(Random& random, const VectorXcd& x, double part) {
  VectorXcd noise(x.size());
  noise.real() = random.vector(x.size(), -1, 1);
  noise.imag() = random.vector(x.size(), -1, 1);
  return x + part * noise;
}

}  // namespace

// An even seed makes an undamped system, of which one real matrix is factored for each step.
TEST_CASE("inverse iteration: rough values and vectors, which break the constraints too, become exact") {
  for (const unsigned seed : {1, 2, 3, 4, 6}) {
    std::mt19937 engine(seed);
    const bool is_undamped = seed % 2 == 0;
    const LinearSystem system = testing::random_system(
        {.coordinates = 9, .constraints = 3, .dampers = is_undamped ? 0 : 3, .follower_forces = !is_undamped}, engine);
    const BorderedProblem problem(system);
    const InverseIteration iteration(problem);
    const auto exact = testing::exact_pairs(system);
    std::vector<Complex> values;
    for (const testing::ExactPair& pair : exact) values.push_back(pair.s);
    const VectorXcd none = VectorXcd::Zero(3);
    Random random(seed);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      CAPTURE(seed);
      CAPTURE(i);
      const auto& [s, x, y] = exact[i];
      const auto refined = iteration.refine(s * Complex(1 + 1e-6, 1e-6), {disturbed(random, x, 1e-4), none},
                                            {disturbed(random, y, 1e-4), none});
      REQUIRE(refined);
      CHECK(refined->is_converged);
      CHECK(std::abs(refined->s - s) <= refined->error + 1e-11 * std::abs(s));  // the reference has its own error
      CHECK(refined->error < 1e-9 * std::abs(s));
      CHECK(is_same_root(*refined, values, i));
    }
  }
}

TEST_CASE("inverse iteration: it ends at the eigenvalue nearest to a value far from all") {
  const LinearSystem system =
      system_of(Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 9).asDiagonal().toDenseMatrix());
  const BorderedProblem problem(system);
  const InverseIteration iteration(problem);
  const VectorXcd ones = VectorXcd::Ones(2), none(0);
  const auto refined = iteration.refine({0.1, 1.3}, {ones, none}, {ones, none});
  REQUIRE(refined);
  CHECK(std::abs(refined->s - Complex(0, 1)) < 1e-6);
}

TEST_CASE("same root: only converged values that moved less than half way to the next one") {
  const std::vector<Complex> values{{0, 1}, {0, 2}, {0, 1 + 1e-12}};  // the last is a copy of the first
  CHECK(is_same_root({{0, 1.4}, 0, true}, values, 0));
  CHECK(!is_same_root({{0, 1.6}, 0, true}, values, 0));
  CHECK(!is_same_root({{0, 1}, 0, false}, values, 0));
}

TEST_CASE("inverse iteration: several threads pay for many values of large systems only") {
  const LinearSystem system = system_of(Eigen::MatrixXd::Identity(10, 10), Eigen::MatrixXd::Identity(10, 10));
  const BorderedProblem problem(system);
  const InverseIteration iteration(problem);
  CHECK(!iteration.pays_in_parallel(10));
  CHECK(iteration.pays_in_parallel(100000));
}
