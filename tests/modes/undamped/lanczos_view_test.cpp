// What a Lanczos basis shows around its shift: regions with gaps at their ends, and the next shift.

#include "modes/undamped/lanczos_view.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "modes/tolerances.h"

using namespace stillpoint;
using Eigen::VectorXd;

namespace {

struct Seen {
  double mu = 0, residual = 0;  ///< the residual relative to θ; zero: converged
};

LanczosView view_of(double shift, std::vector<Seen> values, bool is_complete = false) {
  std::sort(values.begin(), values.end(),
            [&](const Seen& a, const Seen& b) { return std::abs(a.mu - shift) < std::abs(b.mu - shift); });
  RitzPairs pairs;
  pairs.values.resize(static_cast<Eigen::Index>(values.size()));
  pairs.residuals.resize(pairs.values.size());
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    const Seen& value = values[static_cast<std::size_t>(k)];
    pairs.values[k] = 1 / (value.mu - shift);
    pairs.residuals[k] = value.residual * std::abs(pairs.values[k]);
  }
  return {pairs, is_complete, shift, 10};
}

constexpr double open = 0.1;  // the residual of a value that has not converged

}  // namespace

TEST_CASE("Lanczos view: the tolerance of vectors grows with the system, between 1e-12 and 1e-9") {
  CHECK(vector_tolerance(3) == 1e-12);
  CHECK(vector_tolerance(100000) == doctest::Approx(2e-10).epsilon(1e-3).scale(0));
  CHECK(vector_tolerance(100000000) == 1e-9);
}

TEST_CASE("Lanczos view: values, their distances, and how many have converged") {
  const LanczosView view = view_of(2, {{1, 0}, {2.5, 0}, {5, open}, {-3, 0}});
  CHECK(view.size() == 4);
  CHECK(view.converged() == 2);  // 2.5 and 1; what lies beyond the first open one does not count
  CHECK(view.mu(0) == doctest::Approx(2.5));
  CHECK(view.mu(1) == doctest::Approx(1));
  CHECK(view.distance(1) == doctest::Approx(1));
  CHECK(view.is_distant(3, 1e-3));
  CHECK(!view.is_distant(3, 0.1));
}

TEST_CASE("Lanczos view: the error of a value is its residual, or its square where others are far") {
  const LanczosView close = view_of(0, {{1, 1e-3}, {1.001, 1e-3}}), apart = view_of(0, {{1, 1e-3}, {2, 1e-3}});
  CHECK(close.error(0, 1, 1e-3) == doctest::Approx(1e-3).epsilon(1e-6).scale(0));
  CHECK(apart.error(0, 1, 1e-3) == doctest::Approx(1e-6 / (0.5 - 0.5e-3)).epsilon(1e-3).scale(0));
}

TEST_CASE("Lanczos view: everything has converged as far as the nearest one that has not may be") {
  const LanczosView view = view_of(2, {{1, 0}, {2.5, 0}, {6, open}});
  CHECK(view.clear_radius(2) == doctest::Approx(4 / 1.1));
  CHECK(view.clear_radius(0) == doctest::Approx(4 / 1.1 - 2));
  CHECK(view_of(2, {{1, 0}, {2.5, 0}}).clear_radius(2) == doctest::Approx(1));
  CHECK(std::isinf(view_of(2, {{1, 0}, {2.5, 0}}, true).clear_radius(2)));
}

TEST_CASE("Lanczos view: the region of the lowest ends in a gap, beyond all copies of the last one") {
  const std::vector<Seen> values{{1, 0}, {2, 0}, {2 + 1e-9, 0}, {3, 0}, {11, open}};
  const LanczosView view = view_of(0, values);
  const auto one = view.region_of_lowest(1), two = view.region_of_lowest(2), four = view.region_of_lowest(4);
  REQUIRE(one);
  REQUIRE(two);
  REQUIRE(four);
  CHECK(one->radius == doctest::Approx(1.5));
  CHECK(two->radius == doctest::Approx(2.5));
  CHECK(four->radius == doctest::Approx(6.5));
  CHECK(two->holds(2 + 1e-9));
  CHECK(!two->holds(3));
  CHECK(!view.region_of_lowest(5));  // the next one has not converged
  const auto all = view_of(0, {{1, 0}, {2, 0}}, true).region_of_lowest(7);
  REQUIRE(all);
  CHECK(all->radius > 2);
}

TEST_CASE("Lanczos view: an end beyond so many values lies in the widest gap on the way") {
  const LanczosView view = view_of(5, {{4, 0}, {5.5, 0}, {6, 0}, {7.9, 0}, {8, 0}, {13.8, open}});
  const auto up = view.end_beyond(2, 1), down = view.end_beyond(1, -1);
  REQUIRE(up);
  CHECK(*up == doctest::Approx(5 + 0.5 * (1 + 2.9)));  // between 6 and 7.9: relative to the distance from the shift
  REQUIRE(down);
  CHECK(*down == doctest::Approx(5 - 0.5 * (1 + 8.0)));
  CHECK(!view.end_beyond(5, 1));
  CHECK(!view_of(5, {{4, 0}}, true).end_beyond(0, 1));  // nothing is left to end at
}

TEST_CASE("Lanczos view: the next shift stands before the next value that has not converged") {
  const LanczosView view = view_of(0, {{1, 0}, {10, 0.01}, {11, open}, {-20, open}});
  const auto before = view.shift_before_next(1);
  REQUIRE(before);
  CHECK(*before == doctest::Approx(8));  // twice the distance of the two estimates the error of the first
  CHECK(!view.shift_before_next(-1));    // a single one does not tell how far it may be off
}

TEST_CASE("Lanczos view: a shift at zero where K is singular moves beside it, one that separates poorly comes nearer") {
  const LanczosView singular = view_of(0, {{1e-15, 0}, {1, 0}, {2, 0}});
  REQUIRE(singular.better_shift(2, false));
  CHECK(*singular.better_shift(2, false) == shift_beside_zero);
  CHECK(!view_of(0, {{1, 0}, {2, 0}}).better_shift(2, false));
  // Seen from −1, values near 10⁻³ have the same distance; a shift of their own size separates them.
  const LanczosView far = view_of(-1, {{1e-3, 0}, {2e-3, 0}, {1, 0}});
  const auto nearer = far.better_shift(2, false);
  REQUIRE(nearer);
  CHECK(*nearer < 0);
  CHECK(*nearer > -1e-3);
}

TEST_CASE("Lanczos view: a search in which nothing converges should come nearer, unless little is gained") {
  CHECK(view_of(0, {{100, 1e-6}, {101, open}}).should_come_nearer());
  CHECK(!view_of(0, {{100, 0}, {101, open}}).should_come_nearer());     // something has converged
  CHECK(!view_of(0, {{100, open}, {180, open}}).should_come_nearer());  // nobody knows where the next one is
}
