// Scales of plots.
#include "formats/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace stillpoint;
using namespace stillpoint::plot;

TEST_CASE("plot: steps are round and few") {
  CHECK(round_step({0, 7}, 8) == 1);
  CHECK(round_step({0, 9}, 8) == 2);
  CHECK(round_step({-0.03, 0.01}, 8) == doctest::Approx(0.005));
  CHECK(round_step({0, 4100}, 8) == doctest::Approx(1000));
  CHECK(round_step({3, 3}, 8) == 1);
}

TEST_CASE("plot: a constant, also one that differs by rounding, has a scale with few lines") {
  for (const double value : {0.0, 0.5, -3e8, 1e-300}) {
    CAPTURE(value);
    Range range;
    range.take({value, value * (1 + 2 * std::numeric_limits<double>::epsilon()), std::nan("")});
    const Range open = range.opened();
    CHECK(open.least < value);
    CHECK(open.most > value);
    Svg svg;
    const Axis axis = add_scale(svg, 0, 100, open, round_step(open, 6), "");
    CHECK(axis.place(value) > 0);
    CHECK(axis.place(value) < 100);
    CHECK(svg.finish(1, 1, "").size() < 5000);
  }
  const Range wide = Range{1, 2}.opened();
  CHECK(wide.least == 1);
  CHECK(wide.most == 2);
  CHECK(Range().opened().least < Range().opened().most);
}
