// Symmetric problems over many decades: the slow motions among themselves, as exactly as their entries say.
#include "modes/dense/graded_symmetric.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/at.h"
#include "support/modes/graded_chain.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using namespace stillpoint::testing;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd stiffness_of(const GradedChain& chain) {
  MatrixXd K = chain.stiffness.asDiagonal();
  K.diagonal(1) = K.diagonal(-1) = chain.coupling_stiffness;
  return K;
}

// Returns the exact frequencies of an undamped chain in ascending order.
std::vector<double> exact_frequencies(const GradedChain& chain) {
  const auto roots = exact_roots(chain, {});
  REQUIRE(roots);
  std::vector<double> result;
  for (const ExactRoot& root : *roots) {
    if (root.s.imag() > 0) result.push_back(static_cast<double>(root.s.imag()));
  }
  std::sort(result.begin(), result.end());
  return result;
}

GradedChain floating_chain() {
  GradedChain chain;
  chain.mass = VectorXd{{1, 2, 1e-3, 4}};
  chain.stiffness = VectorXd{{0x1p-30, 0x1p-30 + 1, 1 + 0x1p-29, 0x1p-29}};
  chain.coupling_stiffness = VectorXd{{-0x1p-30, -1, -0x1p-29}};
  return chain;
}

}  // namespace

// The solver alone takes the mean for two of its frequencies, 1.4786e-4 and 1.4827e-4 rad/s.
TEST_CASE("graded symmetric problems: slow motions that are near to each other are not mixed") {
  Random random(19810);
  const GradedChain chain = random_chain(random);
  const auto found = solve_graded(stiffness_of(chain), chain.mass.asDiagonal(), MatrixXd(chain.size(), 0));
  REQUIRE(found);
  const std::vector<double> exact = exact_frequencies(chain);
  REQUIRE(exact.size() == at(chain.size()));
  for (Eigen::Index k = 0; k < found->values.size(); ++k)
    CHECK(std::sqrt(found->values[k]) == doctest::Approx(exact[at(k)]).epsilon(1e-10));
}

TEST_CASE("graded symmetric problems: all motions are orthogonal to the free ones, which come first") {
  const GradedChain chain = floating_chain();
  const MatrixXd K = stiffness_of(chain), M = chain.mass.asDiagonal();
  const auto found = solve_graded(K, M, MatrixXd::Ones(4, 1));
  REQUIRE(found);
  CHECK(std::abs(found->values[0]) < 1e-15);  // rounding of the stiff spring, of size one
  CHECK(found->vectors.col(0).isApprox(VectorXd::Constant(4, found->vectors(0, 0)), 1e-15));
  CHECK((found->vectors.transpose() * M * found->vectors).isApprox(MatrixXd::Identity(4, 4), 1e-13));
  // Both ends swing on soft springs against the middle: this is what is left when the stiff spring is rigid.
  const double m = 2.001, a = 0x1p-30, b = 0x1p-29;
  const double trace = a / 1 + (a + b) / m + b / 4, product = a * b * (1 + m + 4) / (m * 4);
  const double fast = (trace + std::sqrt(trace * trace - 4 * product)) / 2;
  CHECK(found->values[1] == doctest::Approx(product / fast).epsilon(1e-5));
  CHECK(found->values[2] == doctest::Approx(fast).epsilon(1e-5));
}

TEST_CASE("graded symmetric problems: unstable motions are as slow as stable ones of their magnitude") {
  const VectorXd values{{-1e-12, 1e-9, 1e12}};
  const auto found = solve_graded(values.asDiagonal(), MatrixXd::Identity(3, 3), MatrixXd(3, 0));
  REQUIRE(found);
  CHECK(found->values.isApprox(values, 1e-15));
}

TEST_CASE("graded symmetric problems: nothing without positive masses") {
  CHECK_FALSE(solve_graded(MatrixXd::Identity(2, 2), VectorXd{{1, -1}}.asDiagonal(), MatrixXd(2, 0)));
}
