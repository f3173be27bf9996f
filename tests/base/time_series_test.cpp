// Power series with derivatives, against series of fixed length and against differences of their derivatives.
#include "stillpoint/authoring/time_series.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "stillpoint/authoring/series.h"

using namespace stillpoint;

namespace {

constexpr int terms = 6;
using Fixed = Series<terms - 1>;

constexpr std::array<double, terms> of_x{1.3, -0.7, 0.4, 0, -1.1, 0.2}, of_y{0.6, 2, 0, 0.3, 0, 0};

/// The coefficients of series, which follow each other here, where a tape reads them.
std::vector<double> in_places(std::span<const double> coefficients) {
  const auto series = static_cast<std::ptrdiff_t>(coefficients.size()) / terms;
  std::vector<double> places(SeriesPlaces::room(series, terms));
  for (std::ptrdiff_t i = 0; i < series; ++i) {
    for (std::ptrdiff_t k = 0; k < terms; ++k)
      places[static_cast<std::size_t>(SeriesPlaces::first(i, terms) + SeriesPlaces::step * k)] =
          coefficients[static_cast<std::size_t>(i * terms + k)];
  }
  return places;
}

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
  constexpr double unknown = 1e9;
  std::vector<double> x(SeriesPlaces::room(1, terms), unknown), y = x;
  x[0] = of_x[0];
  y[0] = of_y[0];
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  tape.begin(terms);
  const TimeSeries z = f(TimeSeries::variable(x.data(), 0), TimeSeries::variable(y.data(), 2));
  const std::array<SeriesTerm, 3> results{z.value, z.varied > 0 ? z.gradient[0] : SeriesTerm{},
                                          z.varied > 2 ? z.gradient[2] : SeriesTerm{}};
  if (z.varied > 1) CHECK(z.gradient[1].is_zero());
  for (int i = 0; i < 3; ++i) tape.add_to_force(i, results[static_cast<std::size_t>(i)], 1);
  tape.finish_element();
  Found found;
  for (std::size_t k = 0; k < terms; ++k) {
    x[SeriesPlaces::step * k] = of_x[k];
    y[SeriesPlaces::step * k] = of_y[k];
    std::array<double, 3> sums{};
    tape.compute(static_cast<int>(k), {.forces = sums.data()});
    if (k == 0) {
      for (std::size_t i = 0; i < 3; ++i) CHECK(sums[i] == doctest::Approx(results[i].value()).epsilon(1e-15));
    }
    for (std::size_t i = 0; i < 3; ++i) (i == 0 ? found.value : i == 1 ? found.by_x : found.by_y)[k] = sums[i];
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
  tape.begin(terms);
  const TimeSeries x = TimeSeries::variable(0.3, 1);
  const TimeSeries z = sin(x) / sqrt(x);
  CHECK(value_of(z) == doctest::Approx(std::sin(0.3) / std::sqrt(0.3)));
  CHECK(z.gradient[1].is_constant());
  CHECK(z.gradient[1].value() ==
        doctest::Approx(std::cos(0.3) / std::sqrt(0.3) - 0.5 * std::sin(0.3) / std::pow(0.3, 1.5)));
  CHECK(z.gradient[0].is_zero());
}

TEST_CASE("time series: a tape keeps the operations on which something depends, and no others") {
  const std::vector<double> x = in_places(of_x);
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  tape.begin(terms);
  const auto kept = [&](const SeriesTerm& term) {
    const std::size_t before = tape.operations();
    tape.add_to_force(0, term, 1);
    tape.finish_element();
    return tape.operations() - before;
  };
  const auto variable = [&] { return TimeSeries::variable(x.data(), 0); };
  CHECK(kept((variable() * 0.0).value) == 0);
  CHECK(kept((sin(variable()) * variable()).value) == 3);             // the circle, the product and the sum
  CHECK(kept((sin(variable()) - sin(variable()) + 2.0).value) == 4);  // two circles are two results
  CHECK(kept((variable() * variable()).gradient[0]) == 1);            // 2 x is no result, and x² is not needed
  CHECK(kept((0.0 * sqrt(variable() * variable())).value) == 0);
  tape.begin(terms);
  CHECK(tape.operations() == 0);
}

TEST_CASE("time series: sums and products are noted once for all states; what depends on a value is not") {
  const auto polynomial = [](const TimeSeries& x, const TimeSeries& y) { return x * y * y + 2.0 * x - y / 3.0 + 1.0; };
  std::vector<double> x = in_places(of_x), y = in_places(of_y);
  SeriesTape tape, anew;
  CHECK(!tape.serves_again(terms));
  const auto note = [&](SeriesTape& on, const auto& f) {
    const SeriesTape::Use use(on);
    on.begin(terms);
    const TimeSeries z = f(TimeSeries::variable(x.data(), 0), TimeSeries::variable(y.data(), 1));
    on.add_to_force(0, z.value, 1);
    on.add_to_force(1, z.gradient[1], -2);
    on.finish_element();
  };
  note(tape, polynomial);
  CHECK(tape.serves_again(terms));
  CHECK(!tape.serves_again(terms - 1));
  std::swap_ranges(x.begin(), x.end(), y.begin());  // another state in the same places
  note(anew, polynomial);
  for (int k = 0; k < terms; ++k) {
    CAPTURE(k);
    std::array<double, 2> sums{}, expected{};
    tape.compute(k, {.forces = sums.data()});
    anew.compute(k, {.forces = expected.data()});
    CHECK(sums == expected);
    CHECK(sums[0] != 0);
  }
  note(tape, [](const TimeSeries& a, const TimeSeries& b) { return a / b; });
  CHECK(!tape.serves_again(terms));
  note(tape, [](const TimeSeries& a, const TimeSeries& b) { return a * b + 0.0 * (a / b); });  // nothing depends on it
  CHECK(tape.serves_again(terms));
  note(tape, [](const TimeSeries& a, const TimeSeries& b) { return value_of(a) < 0 ? a * b : b; });
  CHECK(!tape.serves_again(terms));
}

TEST_CASE("time series: results are completed when late coefficients become known") {
  const auto completed = [](const auto& f) {
    std::vector<double> x(SeriesPlaces::room(1, terms)), y = x;
    x[0] = of_x[0];
    y[0] = of_y[0];
    const auto note = [&](SeriesTape& on) {
      const SeriesTape::Use use(on);
      on.begin(terms);
      TimeSeries late = TimeSeries::variable(y.data(), 1);
      late.value.is_late = true;
      const TimeSeries z = f(TimeSeries::variable(x.data(), 0), late);
      on.add_to_force(0, z.value, 1);
      on.add_to_force(1, z.gradient[0], 1);
      on.finish_element();
    };
    SeriesTape tape, anew;
    note(tape);
    note(anew);
    for (std::size_t k = 1; k < terms; ++k) {
      CAPTURE(k);
      const std::size_t at_k = SeriesPlaces::step * k;
      x[at_k] = of_x[k];
      y[at_k] = 0;
      std::array<double, 2> sums{}, expected{};
      tape.compute(static_cast<int>(k), {.forces = sums.data()});
      anew.compute(static_cast<int>(k), {.forces = expected.data()});
      for (std::size_t i = 0; i < 2; ++i) CHECK(sums[i] == doctest::Approx(expected[i]).epsilon(1e-13));
      y[at_k] = of_y[k] + 0.1;
      tape.complete(static_cast<int>(k));
      anew.compute(static_cast<int>(k), {});
    }
  };
  completed([](const auto& x, const auto& y) { return x * (x + 1.0) * (2.0 - y) * y + 2.0 * x - y / 3.0; });
  completed([](const auto& x, const auto& y) { return x / y + y / x; });
  completed([](const auto& x, const auto& y) { return x * sqrt(x + y * y); });
  completed([](const auto& x, const auto& y) { return sin(x * y) * cos(x - y) * x; });
  completed([](const auto& x, const auto& y) { return x * atan2(x * y, x - y) * atan(y); });
}

TEST_CASE("time series: rows add their products with rates and multipliers") {
  // Two rows with the entries 3 x and −x of J, in the columns of two coordinates with the rates v and w.
  constexpr std::size_t count = terms;
  std::array<double, count> x = of_x, v{2, 1, 0.5, 0, 0.25, 1}, w{1, -1, 3, 0, 0, 2};
  std::array<double, 2 * count> lambda{0.3, 0.1, -2, 1, 0.7, 0, 5, 0, 1, 0, 2, 0};
  SeriesTape tape;
  const SeriesTape::Use use(tape);
  tape.begin(terms);
  const std::vector<double> x_places = in_places(x), v_places = in_places(v), w_places = in_places(w),
                            lambda_places = in_places(lambda);
  const TimeSeries entry = TimeSeries::variable(x_places.data(), 0);
  tape.add_to_row(0, 0, (3.0 * entry).value, v_places.data());
  tape.add_to_row(0, 1, (1.0 - entry).value, w_places.data());
  tape.add_to_row(1, 1, (-entry).value, w_places.data());
  tape.finish_element();
  for (std::size_t k = 1; k < count; ++k) {
    std::array<double, 2> forces{}, residual{}, expected_forces{}, expected{};
    tape.compute(static_cast<int>(k),
                 {.forces = forces.data(), .residual = residual.data(), .lambda = lambda_places.data()});
    for (std::size_t i = 1; i <= k; ++i) {
      expected[0] += static_cast<double>(k) * (3 * x[i] * v[k - i] - x[i] * w[k - i]);
      expected[1] -= static_cast<double>(k) * x[i] * w[k - i];
      if (i == k) continue;
      expected_forces[0] += 3 * x[i] * lambda[k - 1 - i];
      expected_forces[1] -= x[i] * (lambda[k - 1 - i] + lambda[count + k - 1 - i]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(residual[i] == doctest::Approx(expected[i]));
      CHECK(forces[i] == doctest::Approx(expected_forces[i]));
    }
  }
}
