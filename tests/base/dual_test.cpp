// The scalars that carry derivatives, against derivatives written down by hand.

#include "stillpoint/authoring/dual.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "stillpoint/authoring/vec2.h"
#include "stillpoint/detail/trace.h"

using namespace stillpoint;
using doctest::Approx;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;  // relative; a handful of operations

/// A function of two variables with its derivatives.
struct Expected {
  double f, x, y, xx, xy, yy;
};

/// Evaluates g with both scalars at (x, y) and compares; they must agree with each other to the last bit.
template <class G>
void check_at(double x, double y, G g, const Expected& expected) {
  CAPTURE(x);
  CAPTURE(y);
  const auto first = g(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
  const auto second = g(Dual2<2>::variable(x, 0), Dual2<2>::variable(y, 1));
  const auto close = [](double a, double b) { return a == Approx(b).epsilon(rounding).scale(1); };
  CHECK(close(first.value, expected.f));
  CHECK(close(first.gradient[0], expected.x));
  CHECK(close(first.gradient[1], expected.y));
  CHECK(second.value == first.value);
  CHECK(second.gradient == first.gradient);
  CHECK(close(second.hessian(0, 0), expected.xx));
  CHECK(close(second.hessian(1, 0), expected.xy));
  CHECK(close(second.hessian(0, 1), expected.xy));
  CHECK(close(second.hessian(1, 1), expected.yy));
}

/// Points in all quadrants and on the axes.
const std::vector<Vec2<double>> around = [] {
  std::vector<Vec2<double>> points;
  for (int k = 0; k < 16; ++k) points.push_back(1.5 * direction(k * pi / 8));
  for (const double x : {-2.0, 0.0, 2.0}) {
    for (const double y : {-2.0, 0.0, 2.0}) {
      if (x != 0 || y != 0) points.push_back({x, y});
    }
  }
  return points;
}();

const std::vector<Vec2<double>> off_the_axes{{1.3, 0.7}, {-0.4, 2.1}, {-1.7, -0.6}, {0.2, -3.0}};

}  // namespace

TEST_CASE("Dual, Dual2: sums, differences and products with constants follow the rules") {
  for (const auto& [x, y] : off_the_axes) {
    check_at(x, y, [](auto a, auto b) { return a + b; }, {x + y, 1, 1, 0, 0, 0});
    check_at(x, y, [](auto a, auto b) { return a - b; }, {x - y, 1, -1, 0, 0, 0});
    check_at(x, y, [](auto a, auto b) { return 3.0 - a + 2.0 * b - 1.0; }, {2 - x + 2 * y, -1, 2, 0, 0, 0});
    check_at(x, y, [](auto a, auto b) { return -(a * 4.0) + b / 2.0 + 5.0; }, {5 - 4 * x + y / 2, -4, 0.5, 0, 0, 0});
    check_at(x, y,
             [](auto a, auto b) {
               a += b;
               a -= 2.0 * b;
               a *= 3.0;
               return a;
             },
             {3 * (x - y), 3, -3, 0, 0, 0});
  }
}

TEST_CASE("Dual, Dual2: products and quotients follow the rules") {
  for (const auto& [x, y] : off_the_axes) {
    check_at(x, y, [](auto a, auto b) { return a * b; }, {x * y, y, x, 0, 1, 0});
    check_at(x, y, [](auto a, auto) { return a * a * a; }, {x * x * x, 3 * x * x, 0, 6 * x, 0, 0});
    check_at(x, y, [](auto a, auto b) { return a / b; },
             {x / y, 1 / y, -x / (y * y), 0, -1 / (y * y), 2 * x / (y * y * y)});
    check_at(x, y, [](auto a, auto) { return 2.0 / a; }, {2 / x, -2 / (x * x), 0, 4 / (x * x * x), 0, 0});
    const double sum = x + y, sum3 = sum * sum * sum;
    check_at(x, y, [](auto a, auto b) { return (a * b) / (a + b); },
             {x * y / sum, y * y / (sum * sum), x * x / (sum * sum), -2 * y * y / sum3, 2 * x * y / sum3,
              -2 * x * x / sum3});
  }
}

TEST_CASE("Dual, Dual2: sqrt, sin, cos and atan of a product have the chain rule's derivatives") {
  for (const auto& [x, y] : off_the_axes) {
    const double s = std::sin(x * y), c = std::cos(x * y);
    check_at(x, y, [](auto a, auto b) { return sin(a * b); }, {s, c * y, c * x, -s * y * y, c - s * x * y, -s * x * x});
    check_at(x, y, [](auto a, auto b) { return cos(a * b); },
             {c, -s * y, -s * x, -c * y * y, -s - c * x * y, -c * x * x});
    const double l = std::sqrt(x * x + y * y), l3 = l * l * l;
    check_at(x, y, [](auto a, auto b) { return sqrt(a * a + b * b); },
             {l, x / l, y / l, y * y / l3, -x * y / l3, x * x / l3});
    const double d = 1 / (1 + x * x * y * y), dd = -2 * x * y * d * d;
    check_at(x, y, [](auto a, auto b) { return atan(a * b); },
             {std::atan(x * y), d * y, d * x, dd * y * y, d + dd * x * y, dd * x * x});
  }
}

TEST_CASE("atan2: has the value of std::atan2 to the bit, and its derivatives, in all quadrants and on the axes") {
  for (const auto& [x, y] : around) {
    const double l2 = x * x + y * y, l4 = l2 * l2;
    check_at(x, y, [](auto a, auto b) { return atan2(b, a); },
             {std::atan2(y, x), -y / l2, x / l2, 2 * x * y / l4, (y * y - x * x) / l4, -2 * x * y / l4});
    CHECK(atan2(Dual<1>(y), Dual<1>(x)).value == std::atan2(y, x));
  }
}

TEST_CASE("atan2: of a direction gives back the angle with derivative one and no second") {
  for (int k = -12; k <= 12; ++k) {
    const double angle = k * pi / 12 + 0.01;
    const auto e = direction(Dual2<1>::variable(angle, 0));
    const auto back = atan2(e.y, e.x);
    CHECK(std::remainder(back.value - angle, 2 * pi) == Approx(0).scale(1).epsilon(rounding));
    CHECK(back.gradient[0] == Approx(1).epsilon(rounding));
    CHECK(back.hessian(0, 0) == Approx(0).scale(1).epsilon(rounding));
  }
}

TEST_CASE("Dual2: the Hessian of a long formula equals differences of the gradient") {
  const auto g = [](const auto& q) {
    const auto e = direction(q[2]);
    const Vec2<std::decay_t<decltype(q[0])>> d{q[0] + 0.3 * e.x, q[1] - 0.7 * e.y};
    return sqrt(dot(d, d)) / (2.0 + sin(q[3])) + atan2(d.y, d.x) * cos(q[3] * q[0]);
  };
  const auto lift = [](auto& variables, const std::array<double, 4>& at) {
    for (int i = 0; i < 4; ++i) {
      variables[static_cast<std::size_t>(i)] =
          std::decay_t<decltype(variables[0])>::variable(at[static_cast<std::size_t>(i)], i);
    }
  };
  const auto gradient = [&](const std::array<double, 4>& at) {
    std::array<Dual<4>, 4> q;
    lift(q, at);
    return g(q).gradient;
  };
  std::mt19937_64 engine(11);
  constexpr double h = 1e-3;
  for (int state = 0; state < 100; ++state) {
    std::array<double, 4> at{};
    for (double& x : at) x = 1 + static_cast<double>(engine() >> 11) * 0x1p-53;  // from 1 to 2: away from d = 0
    std::array<Dual2<4>, 4> q;
    lift(q, at);
    const auto exact = g(q);
    CHECK(exact.gradient == gradient(at));
    for (std::size_t j = 0; j < 4; ++j) {
      const auto by = [&](double step) {
        auto moved = at;
        moved[j] += step;
        return gradient(moved);
      };
      const auto f1 = by(h), b1 = by(-h), f2 = by(2 * h), b2 = by(-2 * h);
      for (std::size_t i = 0; i < 4; ++i) {
        const double difference = (8 * (f1[i] - b1[i]) - (f2[i] - b2[i])) / (12 * h);
        // Of the order of h⁴ and ε/h: 1e-11
        CHECK(exact.hessian(static_cast<int>(i), static_cast<int>(j)) == Approx(difference).scale(1).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("Dual: without directions it is a number") {
  const Dual<0> x(3.0);
  CHECK((x * x + 1.0).value == 10);
  CHECK(value_of(sqrt(Dual2<0>(16.0))) == 4);
}

TEST_CASE("wrap_angle: brings every angle into [−π, π], a whole number of turns away, with derivative one") {
  for (int k = -500; k <= 500; ++k) {
    const double angle = 0.123 * k;
    const auto wrapped = wrap_angle(Dual2<1>::variable(angle, 0));
    CHECK(std::abs(wrapped.value) <= pi);
    const double turns = (angle - wrapped.value) / (2 * pi);
    CHECK(turns == Approx(std::round(turns)).scale(1).epsilon(rounding));
    CHECK(wrapped.gradient[0] == 1);
    CHECK(wrapped.hessian(0, 0) == 0);
  }
  CHECK(wrap_angle(0.0) == 0);
  CHECK(wrap_angle(3.0) == 3.0);
  CHECK(wrap_angle(-3.0) == -3.0);
  CHECK(wrap_angle(7.0) == Approx(7 - 2 * pi).epsilon(rounding));
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

const Trace x = Trace::variable(0, 0), y = Trace::variable(0, 1), z = Trace::variable(0, 2);

/// "xx xy" for the second derivatives that are not zero, each pair once.
std::string pairs(const Trace& trace) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      CHECK(trace.couples(i, j) == trace.couples(j, i));
      if (trace.couples(i, j)) text += std::string(text.empty() ? "" : " ") + "xyz"[i] + "xyz"[j];
    }
  }
  return text;
}

std::string variables(const Trace& trace) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    if (trace.depends_on(i)) text += "xyz"[i];
  }
  return text;
}

}  // namespace

TEST_CASE("Trace: knows on what a formula depends") {
  CHECK(variables(x) == "x");
  CHECK(variables(x - 2.0 * z) == "xz");
  CHECK(variables(Trace(3.0) * y) == "y");
  CHECK(variables(sqrt(x * y) + 1.0) == "xy");
  CHECK(variables(1.0 / z) == "z");
  CHECK(variables(Trace(4.0)).empty());
}

TEST_CASE("Trace: knows which pairs a formula couples") {
  CHECK(pairs(x + y - z).empty());
  CHECK_FALSE((x + 2.0 * y - 1.0).bends());
  CHECK(pairs(-x / 2.0).empty());
  CHECK(pairs(x * x) == "xx");
  CHECK(pairs(x * y) == "xy");
  CHECK(pairs(x * (y + z)) == "xy xz");
  CHECK(pairs((x + y) * (x + y)) == "xx xy yy");
  CHECK(pairs(x * x + y * y) == "xx yy");
  CHECK(pairs(x / y) == "xy yy");
  CHECK(pairs(2.0 / y) == "yy");
  CHECK(pairs(sin(x)) == "xx");
  CHECK(pairs(cos(x + y)) == "xx xy yy");
  CHECK(pairs(z + sqrt(x * y)) == "xx xy yy");
  CHECK(pairs(atan2(x, y)) == "xx xy yy");
  CHECK(pairs(z * cos(y)) == "yy yz");
  CHECK(pairs(wrap_angle(x)).empty());
  CHECK((x * y).bends());
}

TEST_CASE("Trace: a product of a product couples all three, as its Hessian has it") {
  CHECK(pairs(x * y * z) == "xy xz yz");
  const auto product = Dual2<3>::variable(2, 0) * Dual2<3>::variable(3, 1) * Dual2<3>::variable(5, 2);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) CHECK((product.hessian(i, j) != 0) == (x * y * z).couples(i, j));
  }
}
