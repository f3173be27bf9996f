// Truncated power series against derivatives that are known.
#include "stillpoint/authoring/series.h"

#include <doctest/doctest.h>

using namespace stillpoint;

namespace {

/// Coefficients of f(x(t)) by differences of high order would lose digits: compositions whose result is known instead.
template <int K>
void same(const Series<K>& x, const Series<K>& y) {
  for (std::size_t k = 0; k < Series<K>::count; ++k) CHECK(x.c[k] == doctest::Approx(y.c[k]).epsilon(1e-13));
}

Series<6> some() {
  Series<6> x(1.3, -0.7);
  x.c[2] = 0.4;
  x.c[4] = -1.1;
  x.c[6] = 0.2;
  return x;
}

}  // namespace

TEST_CASE("series: the functions of t are their Taylor series") {
  const Series<5> t(0, 1);
  same(sin(t), [] {
    Series<5> x;
    x.c = {0, 1, 0, -1.0 / 6, 0, 1.0 / 120};
    return x;
  }());
  same(cos(t), [] {
    Series<5> x;
    x.c = {1, 0, -0.5, 0, 1.0 / 24, 0};
    return x;
  }());
  same(1.0 / (1.0 - t), [] {
    Series<5> x;
    x.c = {1, 1, 1, 1, 1, 1};
    return x;
  }());
  same(sqrt(1.0 + t), [] {
    Series<5> x;
    x.c = {1, 0.5, -0.125, 0.0625, -5.0 / 128, 7.0 / 256};
    return x;
  }());
  same(atan(t), [] {
    Series<5> x;
    x.c = {0, 1, 0, -1.0 / 3, 0, 0.2};
    return x;
  }());
}

TEST_CASE("series: identities hold to every order") {
  const Series<6> x = some(), y(0.6, 2);
  same(sin(x) * sin(x) + cos(x) * cos(x), Series<6>(1));
  same(sqrt(x) * sqrt(x), x);
  same((x * y) / y, x);
  same(atan2(sin(y), cos(y)), y);
  same(atan2(2.5 * sin(y), 2.5 * cos(y)), y);
  same(sin(x + y), sin(x) * cos(y) + cos(x) * sin(y));
  same(-x + x - 3.0 + 3.0, Series<6>(0));
  CHECK(value_of(x) == 1.3);
}
