// Searches with TOAR around a centre, with a count: on a damped row, and on systems of any kind.

#include "modes/damped/toar_search.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/damped_row.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr double rounding = 1e-10;  // of s, relative to the frequency scale

struct Problem {
  explicit Problem(LinearSystem of) : system(std::move(of)), problem(system), pencil(problem) {
    for (const testing::ExactPair& pair : testing::exact_pairs(system)) s.push_back(pair.s / problem.frequency_scale());
  }
  QuadraticPairs around(const QuadraticRequest& request) const { return find_around(problem, pencil, request); }
  /// Those with Im s ≥ 0 in the order of their distance from the centre.
  std::vector<Complex> nearest(Complex centre) const {
    std::vector<Complex> upper;
    for (const Complex value : s) {
      if (value.imag() >= 0) upper.push_back(value);
    }
    std::sort(upper.begin(), upper.end(),
              [&](Complex a, Complex b) { return std::abs(a - centre) < std::abs(b - centre); });
    return upper;
  }
  double residual(Complex value, const Eigen::VectorXcd& x) const {
    return (pencil.matrix(value) * x).norm() / x.norm();
  }

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
  std::vector<Complex> s;
};

void check_nearest(const Problem& problem, const QuadraticPairs& found, const QuadraticRequest& request) {
  CHECK(found.is_converged);
  CHECK(found.uncertainty.empty());
  CHECK(found.missing == 0);
  REQUIRE(found.size() >= request.count);
  const std::vector<Complex> exact = problem.nearest(request.centre);
  for (Index k = 0; k < found.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(found.s[k] - exact[static_cast<std::size_t>(k)]) < rounding);
    CHECK(std::abs(found.s[k] - request.centre) < found.radius);
    CHECK(problem.residual(found.s[k], found.x.col(k)) < rounding);
  }
}

}  // namespace

TEST_CASE("TOAR search: those nearest to zero, counted") {
  const Problem problem(damped_row(30, 0.05, 0.04));
  for (const Index count : {1, 4, 12}) {
    CAPTURE(count);
    const QuadraticRequest request{.count = count};
    const QuadraticPairs found = problem.around(request);
    check_nearest(problem, found, request);
    REQUIRE(found.inside);
    CHECK(*found.inside == 2 * found.size());
    for (Index k = 0; k < count; ++k)
      CHECK(std::abs(found.s[k] - damped_root(30, k + 1, 0.05, 0.04) / problem.problem.frequency_scale()) < rounding);
  }
}

TEST_CASE("TOAR search: those nearest to a point off the axis") {
  const Problem problem(damped_row(30, 0.05, 0.04, 0.1));
  for (const Complex centre : {Complex(0, 0.5), Complex(-0.1, 0.8), Complex(0.2, 0.3)}) {
    const QuadraticRequest request{.centre = centre, .count = 3};
    check_nearest(problem, problem.around(request), request);
  }
}

TEST_CASE("TOAR search: all within a distance, and no others") {
  const Problem problem(damped_row(30, 0.05, 0.04));
  constexpr double distance = 0.6;
  const QuadraticPairs found = problem.around({.distance = distance, .most = 100});
  CHECK(found.uncertainty.empty());
  std::size_t within = 0;
  for (const Complex s : problem.nearest(0)) within += std::abs(s) < distance;
  CHECK(within > 3);
  REQUIRE(found.size() >= static_cast<Index>(within));
  CHECK(found.radius > distance);
  const QuadraticPairs too_many = problem.around({.distance = distance, .most = 2});
  CHECK(!too_many.uncertainty.empty());
}

TEST_CASE("TOAR search: without a count nothing is proved") {
  const Problem problem(damped_row(30, 0.05, 0.04));
  const QuadraticPairs found = problem.around({.count = 3, .counts = false});
  CHECK(!found.inside);
  CHECK(found.size() >= 3);
  CHECK(std::abs(found.s[0] - problem.nearest(0)[0]) < rounding);
}

TEST_CASE("TOAR search: systems of any kind with constraints") {
  for (const unsigned seed : {1, 2, 3, 4, 5}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Problem problem(testing::random_system(
        {.coordinates = 20, .constraints = 5, .redundant = 2, .dampers = 4, .follower_forces = seed % 2 == 0}, random));
    const QuadraticRequest request{.count = 4};
    check_nearest(problem, problem.around(request), request);
  }
}

TEST_CASE("TOAR search: all copies of multiple eigenvalues, which one start vector does not show") {
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(12, 12);
  Eigen::VectorXd k = Eigen::VectorXd::LinSpaced(12, 5, 16);
  k.head(4).setConstant(1);
  const LinearSystem system = system_of(unit, k.asDiagonal().toDenseMatrix(), {}, 0.1 * unit);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const QuadraticPairs found = find_around(problem, pencil, {.count = 1});
  CHECK(found.uncertainty.empty());
  REQUIRE(found.size() == 4);
  const Complex exact = Complex(-0.05, std::sqrt(1 - 0.0025)) / problem.frequency_scale();
  for (Index j = 0; j < 4; ++j) CHECK(std::abs(found.s[j] - exact) < 1e-7);  // half of the digits
}

TEST_CASE("TOAR search: the regularised mass is definite where M is not") {
  const SparseMatrix M = Eigen::MatrixXd(Eigen::Vector2d(1, 0).asDiagonal()).sparseView();
  const Eigen::MatrixXd N = with_regularized_mass(M).toDense();
  CHECK(N(0, 0) == doctest::Approx(1));
  CHECK(N(1, 1) > 0);
  CHECK(N(1, 1) < 1e-6);
}
