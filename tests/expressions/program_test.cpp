// Compiled expressions: values, rates with respect to parameters, and second derivatives are exact.
#include "expressions/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>

#include "expressions/parse_expression.h"

using namespace stillpoint;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The variables are x and y.
ExpressionProgram compiled(const std::string& text) {
  return parse_expression(text, [](const std::string& name, ExpressionProgram& program) {
    if (name == "x" || name == "y") program.push_variable(name == "x" ? 0 : 1);
    return name == "x" || name == "y";
  });
}

double value_of(const std::string& text, double x = 0, double y = 0) {
  const double* const variables[] = {&x, &y};
  return compiled(text).value(variables);
}

// The rates with respect to x and y.
RatedNumber rated(const std::string& text, double x, double y = 0) {
  const RatedNumber numbers[] = {{x, {{1, true}, {}}}, {y, {{}, {1, true}}}};
  const RatedNumber* const variables[] = {&numbers[0], &numbers[1]};
  return compiled(text).value_with_rates(variables, 2);
}

SecondOrderSeries series_of(const std::string& text, const SecondOrderSeries& x, const SecondOrderSeries& y = {}) {
  const SecondOrderSeries variables[] = {x, y};
  return compiled(text).series(variables);
}

using Formula = std::function<double(double)>;

struct OneArgument {
  std::string text;
  Formula value, first, second;  ///< closed forms
  std::vector<double> at;
};

// By sines, cosines, exponentials, logarithms and roots only, where the library has functions of its own.
const std::vector<OneArgument> functions_of_one{
    {"sin(x)",
     [](double x) { return std::sin(x); },
     [](double x) { return std::cos(x); },
     [](double x) { return -std::sin(x); },
     {-2, 0.3, 4}},
    {"cos(x)",
     [](double x) { return std::cos(x); },
     [](double x) { return -std::sin(x); },
     [](double x) { return -std::cos(x); },
     {-2, 0.3, 4}},
    {"tan(x)",
     [](double x) { return std::sin(x) / std::cos(x); },
     [](double x) { return std::pow(std::cos(x), -2); },
     [](double x) { return 2 * std::sin(x) * std::pow(std::cos(x), -3); },
     {-1.2, 0.3, 3}},
    {"asin(x)",
     [](double x) { return std::asin(x); },
     [](double x) { return std::pow(1 - x * x, -0.5); },
     [](double x) { return x * std::pow(1 - x * x, -1.5); },
     {-0.7, 0.1, 0.9}},
    {"acos(x)",
     [](double x) { return std::acos(x); },
     [](double x) { return -std::pow(1 - x * x, -0.5); },
     [](double x) { return -x * std::pow(1 - x * x, -1.5); },
     {-0.7, 0.1, 0.9}},
    {"atan(x)",
     [](double x) { return std::atan(x); },
     [](double x) { return 1 / (1 + x * x); },
     [](double x) { return -2 * x * std::pow(1 + x * x, -2); },
     {-3, 0.1, 5}},
    {"sinh(x)",
     [](double x) { return (std::exp(x) - std::exp(-x)) / 2; },
     [](double x) { return (std::exp(x) + std::exp(-x)) / 2; },
     [](double x) { return (std::exp(x) - std::exp(-x)) / 2; },
     {-2, 0.7, 3}},
    {"cosh(x)",
     [](double x) { return (std::exp(x) + std::exp(-x)) / 2; },
     [](double x) { return (std::exp(x) - std::exp(-x)) / 2; },
     [](double x) { return (std::exp(x) + std::exp(-x)) / 2; },
     {-2, 0.7, 3}},
    {"tanh(x)",
     [](double x) { return std::tanh(x); },
     [](double x) { return 4 / std::pow(std::exp(x) + std::exp(-x), 2); },
     [](double x) { return -8 * (std::exp(x) - std::exp(-x)) / std::pow(std::exp(x) + std::exp(-x), 3); },
     {-2, 0.7, 20}},
    {"asinh(x)",
     [](double x) { return std::asinh(x); },
     [](double x) { return std::pow(x * x + 1, -0.5); },
     [](double x) { return -x * std::pow(x * x + 1, -1.5); },
     {-2, 0.7, 30}},
    {"acosh(x)",
     [](double x) { return std::acosh(x); },
     [](double x) { return std::pow(x * x - 1, -0.5); },
     [](double x) { return -x * std::pow(x * x - 1, -1.5); },
     {1.25, 3, 40}},
    {"atanh(x)",
     [](double x) { return std::atanh(x); },
     [](double x) { return 1 / (1 - x * x); },
     [](double x) { return 2 * x * std::pow(1 - x * x, -2); },
     {-0.7, 0.1, 0.9}},
    {"exp(x)",
     [](double x) { return std::exp(x); },
     [](double x) { return std::exp(x); },
     [](double x) { return std::exp(x); },
     {-2, 0.1, 5}},
    {"log(x)",
     [](double x) { return std::log(x); },
     [](double x) { return 1 / x; },
     [](double x) { return -1 / (x * x); },
     {0.01, 1, 30}},
    {"ln(x)",
     [](double x) { return std::log(x); },
     [](double x) { return 1 / x; },
     [](double x) { return -1 / (x * x); },
     {0.01, 1, 30}},
    {"log2(x)",
     [](double x) { return std::log(x) / std::log(2); },
     [](double x) { return 1 / (x * std::log(2)); },
     [](double x) { return -1 / (x * x * std::log(2)); },
     {0.01, 1, 30}},
    {"log10(x)",
     [](double x) { return std::log(x) / std::log(10); },
     [](double x) { return 1 / (x * std::log(10)); },
     [](double x) { return -1 / (x * x * std::log(10)); },
     {0.01, 1, 30}},
    {"sqrt(x)",
     [](double x) { return std::sqrt(x); },
     [](double x) { return 0.5 * std::pow(x, -0.5); },
     [](double x) { return -0.25 * std::pow(x, -1.5); },
     {0.01, 2, 30}},
    {"abs(x)",
     [](double x) { return x > 0 ? x : -x; },
     [](double x) { return x > 0 ? 1 : -1; },
     [](double) { return 0; },
     {-2, 0.1}},
    {"-x", [](double x) { return -x; }, [](double) { return -1; }, [](double) { return 0; }, {-2, 0.1}},
    {"x^3",
     [](double x) { return x * x * x; },
     [](double x) { return 3 * x * x; },
     [](double x) { return 6 * x; },
     {-2, 0, 0.1}},
    {"x^2", [](double x) { return x * x; }, [](double x) { return 2 * x; }, [](double) { return 2; }, {-2, 0, 0.1}},
    {"x^0.5",
     [](double x) { return std::sqrt(x); },
     [](double x) { return 0.5 / std::sqrt(x); },
     [](double x) { return -0.25 / (x * std::sqrt(x)); },
     {0.01, 2}},
    {"x^-2",
     [](double x) { return 1 / (x * x); },
     [](double x) { return -2 / (x * x * x); },
     [](double x) { return 6 / (x * x * x * x); },
     {-2, 0.1}},
    {"3^x",
     [](double x) { return std::exp(x * std::log(3)); },
     [](double x) { return std::log(3) * std::exp(x * std::log(3)); },
     [](double x) { return std::log(3) * std::log(3) * std::exp(x * std::log(3)); },
     {-2, 0.1, 4}},
    {"x^x",
     [](double x) { return std::exp(x * std::log(x)); },
     [](double x) { return std::exp(x * std::log(x)) * (1 + std::log(x)); },
     [](double x) { return std::exp(x * std::log(x)) * (std::pow(1 + std::log(x), 2) + 1 / x); },
     {0.1, 1, 3}},
    {"sum(x, 2, x^2)",
     [](double x) { return x + 2 + x * x; },
     [](double x) { return 1 + 2 * x; },
     [](double) { return 2; },
     {-2, 0.1}},
    {"avg(x, 2, x^2)",
     [](double x) { return (x + 2 + x * x) / 3; },
     [](double x) { return (1 + 2 * x) / 3; },
     [](double) { return 2.0 / 3; },
     {-2, 0.1}},
};

// 1/x, x^-1.5 and the like amplify the rounding of their argument a few times.
constexpr double few_roundings = 2e-15;

void check_close(double is, double must) { CHECK(std::abs(is - must) <= few_roundings * std::abs(must)); }

}  // namespace

TEST_CASE("expression program: every function has the value and the derivatives of its closed form") {
  for (const OneArgument& function : functions_of_one) {
    for (const double x : function.at) {
      CAPTURE(function.text);
      CAPTURE(x);
      const RatedNumber number = rated(function.text, x);
      check_close(number.value, function.value(x));
      check_close(number.rates[0].value, function.first(x));
      CHECK(number.rates[0].depends);
      CHECK(!number.rates[1].depends);
      CHECK(value_of(function.text, x) == number.value);

      // Along x(t) = x + 2t + 3t²: f' and f'' appear in the second coefficient both.
      const SecondOrderSeries f = series_of(function.text, [&] {
        SecondOrderSeries of_time(x, 2);
        of_time.c[2] = 3;
        return of_time;
      }());
      CHECK(f.c[0] == number.value);
      check_close(f.c[1], 2 * function.first(x));
      const double slow = 3 * function.first(x), curved = 2 * function.second(x);
      CHECK(std::abs(f.c[2] - slow - curved) <= few_roundings * (std::abs(slow) + std::abs(curved)));
    }
  }
}

TEST_CASE("expression program: every function is among those whose derivatives are tested") {
  for (const KnownFunction& known : known_functions) {
    CAPTURE(known.name);
    const bool is_step_or_pair = is_step(known.operation) || selects(known.operation) || known.name == "atan2";
    const bool is_tested = std::any_of(functions_of_one.begin(), functions_of_one.end(), [&](const OneArgument& one) {
      return one.text.starts_with(std::string(known.name) + "(");
    });
    CHECK(is_tested != is_step_or_pair);
  }
}

TEST_CASE("expression program: the rates are those of central differences") {
  constexpr double h = 1e-3;  // of order 6: their errors are 1e-16/h and h⁶ times the seventh derivative
  for (const OneArgument& function : functions_of_one) {
    for (const double x : function.at) {
      if (std::abs(x) < 0.05) continue;  // too near to a pole, or to 0, where the last digits are lost
      CAPTURE(function.text);
      CAPTURE(x);
      const auto f = [&](double at) { return value_of(function.text, at); };
      const double d =
          (45 * (f(x + h) - f(x - h)) - 9 * (f(x + 2 * h) - f(x - 2 * h)) + f(x + 3 * h) - f(x - 3 * h)) / (60 * h);
      CHECK(rated(function.text, x).rates[0].value == doctest::Approx(d).epsilon(1e-8));
    }
  }
}

TEST_CASE("expression program: operators and functions of two arguments have both rates at once") {
  constexpr double x = 1.7, y = -2.3, r2 = x * x + y * y;
  struct Pair {
    std::string text;
    double by_x, by_y, second;  ///< second derivative along (x + t, y + 2t): f_xx + 4 f_xy + 4 f_yy
  };
  for (const Pair& pair :
       {Pair{"x + y", 1, 1, 0}, Pair{"x - y", 1, -1, 0}, Pair{"x*y", y, x, 4},
        Pair{"x/y", 1 / y, -x / (y * y), -4 / (y * y) + 8 * x / (y * y * y)},
        Pair{"atan2(x, y)", y / r2, -x / r2, (-2 * x * y + 4 * (x * x - y * y) + 8 * x * y) / (r2 * r2)},
        Pair{"x^y", y * std::pow(x, y - 1), std::pow(x, y) * std::log(x),
             y * (y - 1) * std::pow(x, y - 2) + 4 * std::pow(x, y - 1) * (1 + y * std::log(x)) +
                 4 * std::pow(x, y) * std::log(x) * std::log(x)},
        Pair{"min(x, y)", 0, 1, 0}, Pair{"max(x, y)", 1, 0, 0}, Pair{"min(x^2, 9, y^2, x^2)", 2 * x, 0, 2},
        Pair{"sum(x*y, x, y)", y + 1, x + 1, 4}}) {
    CAPTURE(pair.text);
    const RatedNumber number = rated(pair.text, x, y);
    check_close(number.rates[0].value, pair.by_x);
    check_close(number.rates[1].value, pair.by_y);
    const SecondOrderSeries f = series_of(pair.text, {x, 1}, {y, 2});
    CHECK(f.c[0] == number.value);
    CHECK(f.c[1] == doctest::Approx(pair.by_x + 2 * pair.by_y).epsilon(1e-14));
    CHECK(2 * f.c[2] == doctest::Approx(pair.second).epsilon(1e-14));
  }
}

TEST_CASE("expression program: rates of what is far from 1 neither overflow nor vanish") {
  CHECK(rated("atan2(x, y)", 1e200, 1e200).rates[0].value == doctest::Approx(0.5e-200).epsilon(1e-14));
  CHECK(rated("asinh(x)", 1e200).rates[0].value == doctest::Approx(1e-200).epsilon(1e-14));
  CHECK(rated("acosh(x)", 1e200).rates[0].value == doctest::Approx(1e-200).epsilon(1e-14));
  CHECK(rated("tanh(x)", 30).rates[0].value == doctest::Approx(4 * std::exp(-60.0)).epsilon(1e-13));
  CHECK(rated("acosh(x)", 1 + 0x1p-40).rates[0].value == doctest::Approx(0x1p+19 * std::sqrt(2.0)).epsilon(1e-11));
}

TEST_CASE("expression program: a step has no rate, and does not depend on anything") {
  for (const char* const text : {"sign(x)", "rint(x)", "x < y", "x <= y", "x == y", "x != y", "x >= y", "x > y",
                                 "x && y", "x || y", "sqrt(x) > 1"}) {
    CAPTURE(text);
    for (const double x : {0.0, 0.4, 2.0}) {
      const RatedNumber number = rated(text, x, 0.4);
      for (const ParameterRate& rate : number.rates) {
        CHECK(rate.value == 0);
        CHECK(!rate.depends);
      }
      const SecondOrderSeries f = series_of(text, {x, 1}, {0.4, 1});
      CHECK(f.c[1] == 0);
      CHECK(f.c[2] == 0);
    }
  }
}

TEST_CASE("expression program: a choice has the rates of the branch that holds") {
  CHECK(rated("x > 1 ? x^2 : y", 3, 5).rates[0].value == 6);
  CHECK(rated("x > 1 ? x^2 : y", 3, 5).rates[1].value == 0);
  CHECK(rated("x > 1 ? x^2 : y", 1, 5).rates[1].value == 1);
  CHECK(rated("x > 0 ? sqrt(x) : 0", 0).is_finite());  // the branch that is not taken is not computed
  CHECK(rated("max(sqrt(x), 1)", 0).is_finite());
  CHECK(rated("max(x, 2*x)", 0).rates[0].value == 1);  // the first of two that are equal
}

TEST_CASE("expression program: where there is no finite rate, the result says so") {
  CHECK(rated("sqrt(x)", 0).rates[0].value == infinity);
  for (const char* const text :
       {"sqrt(x)", "sqrt(x^2)", "sqrt(x^2 + y^2)", "atan2(x, y)", "0*sqrt(x)", "1/(1 + sqrt(x))", "sqrt(x) - sqrt(x)",
        "sqrt(x)^2", "x^0.5", "exp(sqrt(x))", "sqrt(x^3)"}) {
    CAPTURE(text);
    const RatedNumber number = rated(text, 0, 0);
    CHECK(std::isfinite(number.value));
    CHECK(!number.is_finite());
    const SecondOrderSeries f = series_of(text, {0, 1}, {0, 1});
    CHECK(!(std::isfinite(f.c[1]) && std::isfinite(f.c[2])));
  }
  CHECK(!rated("log(x)", -1).is_finite());
  CHECK(!rated("x^y", -2, 2).is_finite());  // (−2)^y exists at whole y only
}

TEST_CASE("expression program: an infinite derivative does not matter to what does not depend on it") {
  const RatedNumber number = rated("sqrt(x)*y", 0, 3);
  CHECK(number.rates[0].value == infinity);
  CHECK(number.rates[1].value == 0);
  for (const char* const text : {"sqrt(0)*x", "asin(1) + x", "atan2(0, 0) + x", "x^1", "x^0 + x"}) {
    CAPTURE(text);
    CHECK(rated(text, 0).is_finite());
  }
  CHECK(rated("sqrt(y) + x", 0, 0).rates[0].value == 1);
  CHECK(rated("x^y", 0, 3).rates[1].value == 0);  // 0^y is 0 for all y near 3
  CHECK(!rated("3*x - x", 2).rates[1].depends);
  CHECK(rated("x - x", 2).rates[0].depends);
}

TEST_CASE("expression program: numbers are combined when it is written, but not across a choice") {
  CHECK(value_of("(x ? 1 : 2) + 3", 0) == 5);
  CHECK(value_of("(x ? 1 : 2) + 3", 1) == 4);
  CHECK(value_of("2*(x ? 1 : -2)", 0) == -4);
  CHECK(value_of("-(x ? 1 : 2)", 1) == -1);
  CHECK(value_of("min(x ? 1 : 2, 5)", 1) == 1);
  CHECK(value_of("x ? y ? 1 : 2 : y ? 3 : 4", 0, 1) == 3);
  CHECK(value_of("x ? y ? 1 : 2 : y ? 3 : 4", 1, 0) == 2);
  CHECK(!compiled("2*(3 + min(4, pi))^2").has_variables());
  CHECK(compiled("0*x").has_variables());
}

TEST_CASE("program: with numbers for some variables the values are the same, to the last bit") {
  const std::string texts[] = {"x",
                               "y",
                               "x*sin(y)^2 - 3/x",
                               "sqrt(x^2 + 1)*y + exp(-x)/(x + 0.1)",
                               "x > 1 ? y : x/3",
                               "y > x ? (x > 0.5 ? y*x : -x) : (y < -1 ? x^y : 2)",
                               "(x > y ? 1 : x) + (y > 0 ? x > 1 ? 3*x : 4*y : 5)*x",
                               "x*2 + 3*2",
                               "max(x, y, 2*x) + min(y, 1/x)"};
  for (const std::string& text : texts) {
    const ExpressionProgram program = compiled(text);
    for (const double x : {0.3, 0.7, 1.1, 2.9}) {
      const double* const with_x[] = {&x, nullptr};
      const ExpressionProgram of_y = program.with_numbers(with_x, {true, false});
      for (const double y : {-2.3, 0.0, 0.9, 1.7, 5.1}) {
        CAPTURE(text);
        CAPTURE(x);
        CAPTURE(y);
        const double* const variables[] = {&x, &y};
        const double* const only_y[] = {nullptr, &y};
        const double wanted = program.value(variables);
        CHECK(std::bit_cast<std::uint64_t>(of_y.value(only_y)) == std::bit_cast<std::uint64_t>(wanted));
        const ExpressionProgram number = program.with_numbers(variables, {true, true});
        CHECK(!number.has_variables());
        CHECK(std::bit_cast<std::uint64_t>(number.value(nullptr)) == std::bit_cast<std::uint64_t>(wanted));
      }
    }
  }
}

TEST_CASE("expression program: a stack deeper than usual is computed as any other") {
  std::string deep, brackets;
  for (int k = 0; k < 150; ++k) deep += "y + (", brackets += ")";
  CHECK(value_of(deep + "x" + brackets, 1, 2) == 301);
  CHECK(rated(deep + "x" + brackets, 1, 2).rates[1].value == 150);
}
