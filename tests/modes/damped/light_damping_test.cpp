// Corrected undamped modes: the eigenvalues under light damping, or no result.

#include "modes/damped/light_damping.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <vector>

#include "modes/undamped/spectrum_slicing.h"
#include "support/forms/systems.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr double rounding = 1e-11;  // eigenvalues are wrong by the square of the last correction
constexpr Index N = 60;

struct Row {
  explicit Row(double a, double b, double g = 0) : system(damped_row(N, a, b, g)), problem(system), pencil(problem) {}
  std::optional<QuadraticPairs> find(const QuadraticRequest& request) const {
    return find_lightly_damped(problem, pencil, request);
  }

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
};

}  // namespace

TEST_CASE("light damping: the lowest of a row with its closed form, counted, with vectors that solve") {
  constexpr double a = 1e-4, b = 1e-4;
  const Row row(a, b);
  const auto found = row.find({.count = 6});
  REQUIRE(found);
  CHECK(found->uncertainty.empty());
  CHECK(found->missing == 0);
  REQUIRE(found->size() >= 6);
  for (Index j = 0; j < found->size(); ++j) {
    CAPTURE(j);
    CHECK(std::abs(found->s[j] * row.problem.frequency_scale() - damped_root(N, j + 1, a, b)) < rounding);
    const Eigen::VectorXcd x = found->x.col(j);
    CHECK((row.pencil.matrix(found->s[j]) * x).norm() < 1e-7 * x.norm());  // the largest correction that is left
  }
}

TEST_CASE("light damping: strong damping that couples no modes needs no correction either") {
  const Row row(0.5, 1);
  const auto found = row.find({.count = 3});
  REQUIRE(found);
  for (Index j = 0; j < 3; ++j) {  // overdamped: the slower root of each mode
    const Complex s = damped_root(N, j + 1, 0.5, 1) / row.problem.frequency_scale();
    CHECK((found->s.array() - s).abs().minCoeff() < rounding);
  }
}

TEST_CASE("light damping: dampers between other places couple the modes, and are corrected for") {
  LinearSystem system = damped_row(N, 0, 0);
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(N, N);
  C(10, 10) = 2e-3;
  C(30, 30) = C(31, 31) = 5e-3;
  C(30, 31) = C(31, 30) = -5e-3;
  system.C = C.sparseView();
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const auto found = find_lightly_damped(problem, pencil, {.count = 5});
  REQUIRE(found);
  const QuadraticPairs krylov = find_around(problem, pencil, {.count = 5});
  for (Index j = 0; j < 5; ++j) {
    CHECK(std::abs(found->s[j] - krylov.s[j]) < rounding);
    CHECK(found->s[j].real() < -1e-7);
  }
}

// Rounding of K − σM, whose terms differ by many digits, changes the lengths of corrected vectors by more than any
// correction may be. A change of length says nothing about an eigenvalue.
TEST_CASE("light damping: of a row with springs 1 and 10⁶ in turn rounding changes no more than lengths") {
  constexpr Index masses = 1000, count = 8;
  constexpr double b = 1e-3;
  LinearSystem system = damped_row(masses, 0, 0);
  std::vector<Eigen::Triplet<double, Index>> K;
  for (Index i = 0; i <= masses; ++i) {  // the spring before mass i
    const double stiffness = i % 2 == 0 ? 1 : 1e6;
    if (i > 0) K.emplace_back(i - 1, i - 1, stiffness);
    if (i < masses) K.emplace_back(i, i, stiffness);
    if (i > 0 && i < masses) K.emplace_back(i - 1, i, -stiffness), K.emplace_back(i, i - 1, -stiffness);
  }
  system.K.setFromTriplets(K.begin(), K.end());
  system.C = b * system.K;
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const auto found = find_lightly_damped(problem, pencil, {.count = count});
  REQUIRE(found);
  CHECK(found->uncertainty.empty());
  CHECK(found->missing == 0);

  ConservativePencil undamped(problem);
  const ConservativePairs pairs = find_lowest(undamped, count);
  const double gamma = problem.frequency_scale();
  for (Index j = 0; j < count; ++j) {
    CAPTURE(j);
    const double mu = gamma * gamma * pairs.mu[j], half = b * mu / 2;
    const Complex exact(-half, std::sqrt(mu - half * half));
    CHECK(std::abs(gamma * found->s[j] - exact) < 1e-7 * std::abs(exact));
  }
}

TEST_CASE("light damping: with a strong damper the result is right, if there is one") {
  for (const double damping : {0.1, 1.0, 50.0}) {
    CAPTURE(damping);
    LinearSystem system = damped_row(N, 0, 0);
    system.C.coeffRef(10, 10) = damping;
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    const auto found = find_lightly_damped(problem, pencil, {.count = 6});
    if (!found) continue;
    const QuadraticPairs krylov = find_around(problem, pencil, {.count = 6});
    for (Index j = 0; j < 6; ++j) CHECK(std::abs(found->s[j] - krylov.s[j]) < 10 * rounding);
  }
}

namespace {

/// The row with two dampers more and with springs that differ from each other by a part of them.
LinearSystem uneven_row(double part) {
  LinearSystem system = damped_row(N, 1e-4, 0);
  for (Index j = 0; j + 1 < N; j += 3) {
    const double more = part * std::cos(1 + j);
    system.K.coeffRef(j, j) += more;
    system.K.coeffRef(j + 1, j + 1) += more;
    system.K.coeffRef(j, j + 1) -= more;
    system.K.coeffRef(j + 1, j) -= more;
  }
  system.C.coeffRef(10, 10) += 2e-3;
  system.C.coeffRef(30, 30) += 1e-3;
  return system;
}

/// Finds six modes and more up to a gap, from the given motions.
QuadraticPairs found_from(MotionsNearby& motions, const LinearSystem& system) {
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const auto found = find_lightly_damped(problem, pencil, {.count = 6, .nearby = &motions});
  REQUIRE(found);
  CHECK(found->uncertainty.empty());
  CHECK(found->missing == 0);
  return *found;
}

void check_same(const QuadraticPairs& a, const QuadraticPairs& b) {
  REQUIRE(a.size() >= 6);
  REQUIRE(b.size() >= 6);
  for (Index j = 0; j < 6; ++j) {
    CAPTURE(j);
    CHECK(std::abs(a.s[j] - b.s[j]) < rounding);
  }
}

}  // namespace

TEST_CASE("light damping: from the motions of a system nearby the same modes are found, from one to the next") {
  MotionsNearby motions;
  found_from(motions, uneven_row(0));
  REQUIRE(motions.x.cols() > 6);
  const double shift = motions.shift;
  for (const double part : {0.01, 0.03, 0.06, 0.1, 0.15}) {
    CAPTURE(part);
    const LinearSystem system = uneven_row(part);
    MotionsNearby none;
    check_same(found_from(motions, system), found_from(none, system));
    CHECK(motions.shift == doctest::Approx(shift).epsilon(1e-15));  // no search for undamped modes has found another
    CHECK(none.shift != doctest::Approx(shift).epsilon(1e-12));
    CHECK(motions.x.cols() > 6);
  }
}

TEST_CASE("light damping: motions that leave out modes are not believed, nor are those of another system") {
  const LinearSystem system = uneven_row(0.1);
  MotionsNearby none, motions;
  const QuadraticPairs cold = found_from(none, system);
  SUBCASE("without the lowest") {
    motions = none;
    motions.x = none.x.rightCols(none.x.cols() - 1).eval();
  }
  SUBCASE("without one amid them") {
    motions = none;
    motions.x.col(3) = none.x.col(2);
  }
  SUBCASE("of no modes") {
    motions = none;
    motions.x.setOnes();
    for (Eigen::Index j = 0; j < motions.x.cols(); ++j) motions.x(j, j) += 10.0;
  }
  SUBCASE("of a smaller system") {
    motions = none;
    motions.x = none.x.topRows(N - 1).eval();
  }
  SUBCASE("with a shift far off") {
    motions = none;
    motions.shift = 1e3;
  }
  check_same(found_from(motions, system), cold);
}

TEST_CASE("light damping: no result for gyroscopic forces, and for more than there are") {
  CHECK(!Row(1e-4, 0, 0.1).find({.count = 6}));
  CHECK(!Row(1e-4, 0).find({.count = N}));
}
