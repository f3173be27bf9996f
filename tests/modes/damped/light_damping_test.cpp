// Corrected undamped modes: the eigenvalues under light damping, or no result.

#include "modes/damped/light_damping.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>

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

TEST_CASE("light damping: no result for gyroscopic forces, and for more than there are") {
  CHECK(!Row(1e-4, 0, 0.1).find({.count = 6}));
  CHECK(!Row(1e-4, 0).find({.count = N}));
}
