// The count under light damping by two inertias: right where it is given, and not given elsewhere.

#include "modes/count/damped_inertia.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "support/forms/systems.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

constexpr Index N = 10;

/// Frequencies of the row without damping.
double omega(Index j) { return 2 * std::sin(j * std::numbers::pi / (2 * N + 2)); }

std::optional<Index> count(const LinearSystem& system, double from, double to, const UndampedBelow& undamped = {}) {
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double unit = problem.frequency_scale();
  return count_weakly_damped(problem, pencil, {from / unit, to / unit}, undamped);
}

}  // namespace

TEST_CASE("count under light damping: two eigenvalues for each frequency below the gap") {
  for (const double damping : {0.0, 1e-6, 1e-3}) {
    const LinearSystem system = damped_row(N, damping, damping);
    for (Index inside = 1; inside < N; ++inside) {
      CAPTURE(damping);
      CAPTURE(inside);
      CHECK(count(system, omega(inside), omega(inside + 1)) == 2 * inside);
    }
  }
}

TEST_CASE("count under light damping: none is given where damping may carry an eigenvalue across the edge") {
  const LinearSystem row = damped_row(N, 0, 0.5);
  CHECK(!count(row, omega(4), omega(5)));
  // A gap a hundred times as narrow bears a hundredth of the damping, about.
  const LinearSystem light = damped_row(N, 0, 0.02);
  CHECK(count(light, omega(4), omega(5)) == 8);
  const double middle = 0.5 * (omega(4) + omega(5)), half = 0.005 * (omega(5) - omega(4));
  CHECK(!count(light, middle - half, middle + half));
}

TEST_CASE("count under light damping: an overdamped oscillator below a wide gap is not counted as oscillating") {
  // s = −0.13 and −7.9 of the first; the second oscillates at 100.
  const LinearSystem system = system_of(MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 1e4).asDiagonal().toDenseMatrix(),
                                        {}, Eigen::Vector2d(8, 0).asDiagonal().toDenseMatrix());
  const auto found = count(system, 2, 6);  // one of its two values is inside
  CHECK(!found);
}

TEST_CASE("count under light damping: only symmetric systems whose damping takes energy have one") {
  CHECK(!count(damped_row(N, 1e-6, 0, 0.1), omega(3), omega(4)));  // gyroscopic
  CHECK(!count(damped_row(N, -1e-6, 0), omega(3), omega(4)));
}

TEST_CASE("count under light damping: counts that are known already are taken, and must agree on both ends") {
  const LinearSystem system = damped_row(N, 1e-4, 0);
  using Known = std::optional<Index>;
  const auto count_with = [&](const std::function<Known(double)>& exactly) {
    return count(system, omega(3), omega(4), {.exactly = exactly, .at_least = {}});
  };
  int asked = 0;
  CHECK(count_with([&](double) -> Known {
          ++asked;
          return 3;
        }) == 6);
  CHECK(asked == 2);
  Index grows = 3;
  CHECK(!count_with([&](double) -> Known { return grows++; }));
  CHECK(count_with([](double) -> Known { return {}; }) == 6);
}

TEST_CASE("count under light damping: what lies below the gap at least is enough where no more lies below its end") {
  const LinearSystem system = damped_row(N, 1e-4, 0);
  const double unit = BorderedProblem(system).frequency_scale();
  std::vector<double> asked;
  const auto count_with = [&](Index at_least, Index wanted) {
    asked.clear();
    return count(system, omega(wanted), omega(wanted + 1), {.exactly = {}, .at_least = [&, at_least](double mu) {
                                                              asked.push_back(unit * std::sqrt(mu));
                                                              return at_least;
                                                            }});
  };
  for (const Index at_least : {0, 2, 3}) CHECK(count_with(at_least, 3) == 6);
  REQUIRE(asked.size() == 1);
  CHECK(asked[0] > omega(3));
  CHECK(asked[0] < omega(4));
  // Here another one lies between the ends, and only a true bound shows it.
  CHECK(!count(system, omega(3), omega(5), {.exactly = {}, .at_least = [](double) { return 3; }}));
}

TEST_CASE("gap: its middle") { CHECK(Gap{1, 4}.middle() == 2.5); }
