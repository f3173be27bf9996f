// The eigenvalue count by the argument principle, on a damped row whose eigenvalues are known.

#include "modes/count/argument_principle.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr Index N = 8;

/// A damped row with its pencil and all its eigenvalues, scaled.
struct Row {
  explicit Row(double a = 0.1, double b = 0.05, double g = 0)
      : system(damped_row(N, a, b, g)), problem(system), pencil(problem) {
    for (const testing::ExactPair& pair : testing::exact_pairs(system)) s.push_back(pair.s / problem.frequency_scale());
  }
  /// The middle between the magnitudes of pair j and the next, as seen from a centre.
  double edge(std::size_t inside, Complex centre = 0) const {
    std::vector<double> distances;
    for (const Complex value : s) distances.push_back(std::abs(value - centre));
    std::sort(distances.begin(), distances.end());
    return 0.5 * (distances[inside - 1] + distances[inside]);
  }
  std::vector<Complex> within(double radius, Complex centre = 0) const {
    std::vector<Complex> values;
    for (const Complex value : s) {
      if (std::abs(value - centre) < radius) values.push_back(value);
    }
    return values;
  }

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
  std::vector<Complex> s;
};

}  // namespace

TEST_CASE("argument principle: the reference is the closed form") {
  const Row row;
  for (Index j = 1; j <= N; ++j) {
    const Complex exact = damped_root(N, j, 0.1, 0.05) / row.problem.frequency_scale();
    double nearest = 1;
    for (const Complex s : row.s) nearest = std::min(nearest, std::abs(s - exact));
    CHECK(nearest < 1e-12);
  }
}

TEST_CASE("argument principle: all eigenvalues in a disc around zero are counted, also beside gyroscopic forces") {
  for (const double g : {0.0, 0.4}) {
    const Row row(0.1, 0.05, g);
    for (std::size_t inside = 2; inside < 2 * N; inside += 2) {
      CAPTURE(g);
      CAPTURE(inside);
      const double radius = row.edge(inside);
      ArgumentCount count(row.pencil, 0, radius, 0.05);
      const auto found = count.unknown({});
      REQUIRE(found);
      CHECK(*found == static_cast<Index>(inside));
    }
  }
}

TEST_CASE("argument principle: what is known is left out, and what is known falsely is missing") {
  const Row row;
  const double radius = row.edge(6);
  ArgumentCount count(row.pencil, 0, radius, 0.1);
  const std::vector<Complex> known = row.within(radius);
  REQUIRE(known.size() == 6);
  CHECK(count.unknown(known) == 0);
  CHECK(count.unknown(row.s) == 0);  // those outside do not matter
  const std::vector<Complex> four(row.s.begin(), row.s.begin() + 4);
  CHECK(count.unknown(four) == 2);
  std::vector<Complex> too_many = row.within(radius);
  too_many.insert(too_many.end(), {Complex(-0.1, 0.2), Complex(-0.1, -0.2)});
  CHECK(count.unknown(too_many) == -2);
}

TEST_CASE("argument principle: a disc around a point off the axis holds those of one sign only") {
  const Row row;
  for (const Complex centre : {row.s[6] + Complex(0.02, 0.01), Complex(-0.05, 0.3), Complex(0, 1)}) {
    for (std::size_t inside = 1; inside < 4; ++inside) {
      CAPTURE(inside);
      const double radius = row.edge(inside, centre);
      ArgumentCount count(row.pencil, centre, radius, 0.05);
      CHECK(count.unknown({}) == static_cast<Index>(inside));
      CHECK(count.unknown(row.within(radius, centre)) == 0);
    }
  }
}

TEST_CASE("argument principle: multiple eigenvalues count as often as they are there, constraints not at all") {
  // Three equal oscillators, of which a constraint ties the second half of each to the ground.
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(6, 6), K = 4 * M, C = 0.2 * M;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, 6);
  J(0, 3) = J(1, 4) = J(2, 5) = 1;
  const LinearSystem system = system_of(M, K, J, C);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  ArgumentCount around_all(pencil, 0, 4 / problem.frequency_scale());
  CHECK(around_all.unknown({}) == 6);
  ArgumentCount around_none(pencil, 0, 1 / problem.frequency_scale());
  CHECK(around_none.unknown({}) == 0);
}

TEST_CASE("argument principle: an edge through an eigenvalue gives no count, unless that one is known") {
  const Row row;
  const double radius = std::abs(row.s[4]);
  ArgumentCount count(row.pencil, 0, radius, 1e-3);
  CHECK(!count.unknown({}));
}

TEST_CASE(
    "argument principle: two equal eigenvalues close to the edge, which turn the phase by 2π, are not overlooked") {
  int given = 0;
  for (const double damping : {0.05, 0.6, 1.3, 1.9}) {  // at different angles
    Eigen::MatrixXd K = Eigen::Vector4d(4, 4, 400, 900).asDiagonal(), C = Eigen::Matrix4d::Zero();
    C.diagonal().head(2).setConstant(2 * damping);
    const LinearSystem system = system_of(Eigen::MatrixXd::Identity(4, 4), K, {}, C);
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    for (const double off : {0.1, 0.01, 1e-3, 1e-4, -1e-4, -1e-3, -0.01, -0.1}) {
      CAPTURE(damping);
      CAPTURE(off);
      ArgumentCount count(pencil, 0, 2 * (1 + off) / problem.frequency_scale(), std::abs(off));
      const auto found = count.unknown({});
      given += found.has_value();
      if (found) CHECK(*found == (off > 0 ? 4 : 0));
    }
  }
  CHECK(given >= 16);  // those that are not very close at least
}

TEST_CASE("argument principle: known eigenvalues make the work small, and values are not computed twice") {
  const Row row;
  const double radius = row.edge(8);
  ArgumentCount count(row.pencil, 0, radius, 0.1);
  CHECK(count.unknown(row.s) == 0);
  const int evaluations = count.evaluations();
  CHECK(evaluations < 100);
  CHECK(count.unknown(row.s) == 0);
  CHECK(count.evaluations() == evaluations);
}
