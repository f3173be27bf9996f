// Power series with derivatives, against series of fixed length and against differences of their derivatives.
#include "stillpoint/authoring/time_series.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "stillpoint/authoring/series.h"

using namespace stillpoint;

namespace {

constexpr int terms = 6;
using Fixed = Series<terms - 1>;

constexpr std::array<double, terms> of_x{1.3, -0.7, 0.4, 0, -1.1, 0.2}, of_y{0.6, 2, 0, 0.3, 0, 0};

Fixed fixed(const std::array<double, terms>& c) {
  Fixed x;
  x.c = c;
  return x;
}

/// The coefficients of a function of x and y, and of its derivatives in their directions 0 and 2, one power after
/// another.
struct Found {
  std::array<double, terms> value{}, by_x{}, by_y{};
};
template <class F>
Found coefficients(const F& f) {
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  Found found;
  for (int k = 0; k < terms; ++k) {
    auto x = of_x, y = of_y;
    for (int later = k + 1; later < terms; ++later)
      x[static_cast<std::size_t>(later)] = y[static_cast<std::size_t>(later)] = 1e9;
    tape.begin(k);
    const TimeSeries z = f(TimeSeries::variable(x.data(), 0), TimeSeries::variable(y.data(), 2));
    found.value[static_cast<std::size_t>(k)] = z.value[k];
    if (z.varied > 0) found.by_x[static_cast<std::size_t>(k)] = z.gradient[0][k];
    if (z.varied > 1) CHECK(z.gradient[1].is_zero());
    if (z.varied > 2) found.by_y[static_cast<std::size_t>(k)] = z.gradient[2][k];
  }
  return found;
}

/// Compares a function of x and y, and its derivatives with those of the series of fixed length by differences in the
/// constant terms: d/dx_0 of all coefficients is the series of the partial derivative.
template <class F>
void same(const F& f) {
  const Found found = coefficients(f);
  const Fixed expected = f(fixed(of_x), fixed(of_y));
  for (std::size_t k = 0; k < terms; ++k) CHECK(found.value[k] == doctest::Approx(expected.c[k]).epsilon(1e-13));
  constexpr double step = 1e-4;
  for (const bool by_x : {true, false}) {
    const auto moved = [&](double by) {
      auto x = of_x, y = of_y;
      (by_x ? x : y)[0] += by;
      return f(fixed(x), fixed(y));
    };
    const Fixed difference = (8.0 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
    for (std::size_t k = 0; k < terms; ++k) {
      const double slope = difference.c[k];
      CHECK(std::abs((by_x ? found.by_x : found.by_y)[k] - slope) <
            1e-9 * (1 + std::abs(slope)) * std::pow(10, static_cast<double>(k)));
    }
  }
}

}  // namespace

TEST_CASE("time series: values and derivatives of all functions are those of series of fixed length") {
  same([](const auto& x, const auto& y) { return x * y * y + 2.0 * x - y / 3.0 + 1.0; });
  same([](const auto& x, const auto& y) { return 1.0 - x / y; });
  same([](const auto& x, const auto& y) { return 2.0 / (x * x + y); });
  same([](const auto& x, const auto& y) { return sqrt(x + y * y); });
  same([](const auto& x, const auto& y) { return sin(x * y) - cos(x - y); });
  same([](const auto& x, const auto& y) { return atan2(x * y, x - y) + atan(y); });
}

TEST_CASE("time series: functions of constants are constants, with derivatives") {
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  const TimeSeries x = TimeSeries::variable(0.3, 1);
  const TimeSeries z = sin(x) / sqrt(x);
  CHECK(tape.place() == 0);
  CHECK(value_of(z) == doctest::Approx(std::sin(0.3) / std::sqrt(0.3)));
  CHECK(z.gradient[1][0] == doctest::Approx(std::cos(0.3) / std::sqrt(0.3) - 0.5 * std::sin(0.3) / std::pow(0.3, 1.5)));
  CHECK(z.gradient[1][1] == 0);
  CHECK(z.gradient[0].is_zero());
}

TEST_CASE("time series: a tape gives each result its own place, in every evaluation the same one") {
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  tape.begin(0);
  std::vector<double*> places;
  for (int i = 0; i < 10'000; ++i) places.push_back(tape.next());
  tape.begin(1);
  for (int i = 0; i < 10'000; ++i) REQUIRE(tape.next() == places[static_cast<std::size_t>(i)]);
  tape.go_back(17);
  CHECK(tape.next() == places[17]);
}
