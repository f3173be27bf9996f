// The eigenvalues nearest to a point, from as many shifts as that takes.

#include "modes/damped/multiple_shifts.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <vector>

#include "support/modes/damped_row.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr double rounding = 1e-9;
constexpr Index N = 200;

struct Row {
  Row(double a, double b) : system(damped_row(N, a, b)), problem(system), pencil(problem) {
    for (Index j = 1; j <= N; ++j) s.push_back(damped_root(N, j, a, b) / problem.frequency_scale());
  }
  std::vector<Complex> nearest(Complex centre) const {
    std::vector<Complex> sorted = s;
    std::sort(sorted.begin(), sorted.end(),
              [&](Complex x, Complex y) { return std::abs(x - centre) < std::abs(y - centre); });
    return sorted;
  }

  LinearSystem system;
  BorderedProblem problem;
  QuadraticPencil pencil;
  std::vector<Complex> s;
};

void check_nearest(const Row& row, Complex centre, Index count, bool is_certain) {
  CAPTURE(centre.real());
  CAPTURE(centre.imag());
  const QuadraticPairs found = find_nearest(row.problem, row.pencil, {.centre = centre, .count = count});
  REQUIRE(found.size() >= count);
  const Eigen::VectorXcd all = Eigen::Map<const Eigen::VectorXcd>(row.s.data(), N);
  for (Index k = 0; k < count; ++k) CHECK((all.array() - found.s[k]).abs().minCoeff() < rounding);
  if (is_certain) CHECK(found.uncertainty.empty());
  if (!found.uncertainty.empty()) return;
  CHECK(found.missing == 0);
  const std::vector<Complex> exact = row.nearest(centre);
  for (Index k = 0; k < count; ++k) CHECK(std::abs(found.s[k] - exact[static_cast<std::size_t>(k)]) < rounding);
}

}  // namespace

TEST_CASE("multiple shifts: near zero, amid the spectrum, and beyond its end, where eigenvalues are dense") {
  const Row row(0.01, 0.01);
  const double top = std::abs(row.s.back());
  for (const Complex centre : {Complex(0, 0), Complex(0, 0.5 * top), Complex(0, top), Complex(0, 1.5 * top)})
    check_nearest(row, centre, 4, true);
}

TEST_CASE("multiple shifts: far from a dense spectrum all are eigenvalues, and the nearest unless that is uncertain") {
  const Row row(0.01, 0.01);
  const double top = std::abs(row.s.back());
  for (const Complex centre : {Complex(2 * top, top), Complex(-3 * top, 0.5 * top)})
    check_nearest(row, centre, 3, false);
}

TEST_CASE("multiple shifts: under light damping the corrected undamped modes answer") {
  const Row row(1e-5, 1e-5);
  check_nearest(row, 0, 5, true);
  CHECK(find_nearest(row.problem, row.pencil, {.count = 5}).solver !=
        find_around(row.problem, row.pencil, {.count = 5}).solver);
}
