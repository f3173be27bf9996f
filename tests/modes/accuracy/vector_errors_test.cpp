// Errors of eigenvalues by those of their vectors: the bound holds, and is not far above them.

#include "modes/accuracy/vector_errors.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::VectorXcd;

namespace {

VectorXcd disturbed(Random& random, const VectorXcd& x, double part, const Eigen::MatrixXd& R) {
  VectorXcd noise(R.cols());
  noise.real() = random.vector(R.cols(), -1, 1);
  noise.imag() = random.vector(R.cols(), -1, 1);
  return x + part * x.norm() * (R * noise).normalized();
}

}  // namespace

TEST_CASE("conjugates: of each pair the upper member is chosen, and results spread to both") {
  const std::vector<Complex> s{{-1, -2}, {-1, 2}, {-3, 0}, {-1, 5}, {-1, -5}};
  const ConjugatePairs found = find_conjugates(s);
  REQUIRE(found.chosen.size() == 3);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Complex chosen = s[found.chosen[found.of[i]]];
    CHECK(chosen.imag() >= 0);
    CHECK((chosen == s[i] || chosen == std::conj(s[i])));
  }
  Eigen::VectorXd errors(3);
  for (std::size_t k = 0; k < 3; ++k) errors[static_cast<Eigen::Index>(k)] = s[found.chosen[k]].imag();
  CHECK(spread(errors, found) == Eigen::VectorXd{{2, 2, 0, 5, 5}});
}

TEST_CASE("vector errors: exact vectors cause none, beyond rounding") {
  std::mt19937 engine(1);
  const LinearSystem system = testing::random_system({.coordinates = 7, .constraints = 2, .dampers = 2}, engine);
  const BorderedProblem problem(system);
  std::vector<BorderedVector> x, y;
  std::vector<BorderedPair> pairs;
  const auto exact = testing::exact_pairs(system);
  for (const testing::ExactPair& pair : exact) {
    x.push_back(problem.with_multipliers(pair.s, pair.x));
    y.push_back(problem.with_left_multipliers(pair.s, pair.y));
  }
  for (std::size_t i = 0; i < exact.size(); ++i) pairs.push_back({exact[i].s, &x[i], &y[i]});
  const Eigen::VectorXd errors = errors_of_vectors(problem, pairs);
  for (std::size_t i = 0; i < exact.size(); ++i)
    CHECK(errors[static_cast<Eigen::Index>(i)] < 1e-12 * std::abs(exact.back().s));
}

TEST_CASE("vector errors: the Rayleigh quotient of disturbed vectors is wrong by no more than the bound") {
  int tight = 0, all = 0;
  for (const unsigned seed : {1, 2, 3, 4}) {
    std::mt19937 engine(seed);
    const LinearSystem system =
        testing::random_system({.coordinates = 7, .constraints = 2, .dampers = 3, .follower_forces = true}, engine);
    const BorderedProblem problem(system);
    const Eigen::MatrixXd R = dense::null_space(system.J.toDense());
    const auto exact = testing::exact_pairs(system);
    Random random(seed);
    for (const double part : {1e-6, 1e-4}) {
      std::vector<BorderedVector> x, y;
      std::vector<Complex> s;
      for (const testing::ExactPair& pair : exact) {
        x.push_back(problem.with_multipliers(pair.s, disturbed(random, pair.x, part, R)));
        y.push_back(problem.with_left_multipliers(pair.s, disturbed(random, pair.y, part, R)));
        s.push_back(rayleigh_value(problem.modal_coefficients(x.back(), y.back()), pair.s).s);
      }
      // Conjugates share results, so the members below the axis get the vectors of those above it.
      std::vector<BorderedPair> pairs;
      std::vector<std::size_t> which;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        if (exact[i].s.imag() < 0) continue;
        pairs.push_back({s[i], &x[i], &y[i]});
        which.push_back(i);
      }
      const Eigen::VectorXd bounds = errors_of_vectors(problem, pairs);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        CAPTURE(seed);
        CAPTURE(part);
        CAPTURE(k);
        const double error = std::abs(s[which[k]] - exact[which[k]].s), bound = bounds[static_cast<Eigen::Index>(k)];
        CHECK(error <= bound + 1e-11 * std::abs(exact.back().s));
        tight += error > 1e-4 * bound;
        ++all;
      }
    }
  }
  CHECK(tight > all / 2);  // most bounds are within four decades of the error: it is one of first order in both
}
