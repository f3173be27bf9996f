// The count in a disc by whichever way is open, and what cannot be.

#include "modes/count/disc_count.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "support/forms/systems.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr Index N = 8;

struct Row {
  explicit Row(double damping, double g = 0)
      : system(damped_row(N, 0, damping, g)), problem(system), pencil(problem), upper(N) {
    for (Index j = 1; j <= N; ++j) upper[j - 1] = damped_root(N, j, 0, damping) / problem.frequency_scale();
  }
  Gap gap_after(Index pairs) const { return {std::abs(upper[pairs - 1]), std::abs(upper[pairs])}; }
  std::vector<Complex> known(Index pairs) const { return with_conjugates(upper.head(pairs)); }

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
  Eigen::VectorXcd upper;
};

}  // namespace

TEST_CASE("disc count: each value is followed by its conjugate, a real one is not repeated") {
  const std::vector<Complex> both = with_conjugates(Eigen::VectorXcd{{Complex(-1, 2), Complex(-3, 0), Complex(0, 1)}});
  CHECK(both == std::vector<Complex>{{-1, 2}, {-1, -2}, {-3, 0}, {0, 1}, {0, -1}});
}

TEST_CASE("disc count: what is not known is counted, with light damping by inertia, with more by the determinant") {
  for (const double damping : {1e-4, 0.2}) {
    const Row row(damping);
    for (const Index inside : {1, 3, 6}) {
      CAPTURE(damping);
      CAPTURE(inside);
      DiscCount count(row.problem, row.pencil, 0, row.gap_after(inside));
      CHECK(count.unknown({}) == 2 * inside);
      CHECK(count.unknown(row.known(inside)) == 0);
      CHECK(count.unknown(row.known(inside - 1)) == 2);
      CHECK(count.unknown(row.known(N)) == 0);  // those outside do not matter
    }
  }
}

TEST_CASE("disc count: inertia shows that nothing grows beyond the disc, and only that does") {
  const Row damped(0.2), light(1e-4);
  CHECK(DiscCount(light.problem, light.pencil, 0, light.gap_after(2)).nothing_grows_beyond());
  CHECK(!DiscCount(damped.problem, damped.pencil, 0, damped.gap_after(2)).nothing_grows_beyond());
  CHECK(!DiscCount(light.problem, light.pencil, light.upper[3], {0, 0.01}).nothing_grows_beyond());
  // One of the two falls away from its place faster than the other one swings.
  const LinearSystem falling =
      system_of(Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d(1, -9).asDiagonal().toDenseMatrix(), {},
                1e-4 * Eigen::MatrixXd::Identity(2, 2));
  const BorderedProblem problem(falling);
  const QuadraticPencil pencil(problem);
  const double gamma = problem.frequency_scale();
  CHECK(!DiscCount(problem, pencil, 0, {1 / gamma, 2 / gamma}).nothing_grows_beyond());
}

TEST_CASE("disc count: more known than are counted is no count") {
  for (const double damping : {1e-4, 0.2}) {
    const Row row(damping);
    DiscCount count(row.problem, row.pencil, 0, row.gap_after(2));
    std::vector<Complex> known = row.known(2);
    known.insert(known.end(), {Complex(0, 0.01), Complex(0, -0.01)});
    CHECK(!count.unknown(known));
  }
}

TEST_CASE("disc count: around a point off the axis") {
  const Row row(0.01);
  const Complex centre = row.upper[3];
  const double first = std::min(std::abs(row.upper[2] - centre), std::abs(row.upper[4] - centre));
  DiscCount count(row.problem, row.pencil, centre, {0, first});
  CHECK(count.unknown({}) == 1);
  CHECK(count.unknown({centre}) == 0);
}
