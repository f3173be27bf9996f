// Expressions of the time: their values are those of model files, and their derivatives are exact.
#include "read/time_expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "read/expression.h"
#include "support/error_texts.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

const Parameters parameters = {{"a", 0.7}, {"omega", 3}};

SecondOrderSeries value_at(double t, const std::string& text) { return TimeExpression(text, parameters).at(t); }

std::string refused(const std::string& text, const Parameters& known = parameters) {
  return error_of([&] { TimeExpression(text, known); });
}

// Smooth ones between 0.1 and 0.9, where every function has a value.
const std::vector<std::string> smooth = {"2*sin(3*t)",
                                         "a*cos(omega*t)^2",
                                         "tan(t/2)",
                                         "asin(t)",
                                         "acos(t)",
                                         "atan(3*t)",
                                         "atan2(sin(t), 2 - t)",
                                         "sinh(t)",
                                         "cosh(2*t)",
                                         "tanh(4*t - 1)",
                                         "asinh(t)",
                                         "acosh(1 + t)",
                                         "atanh(t)",
                                         "exp(-t)*sin(20*t)",
                                         "log(t)",
                                         "ln(1 + t^2)",
                                         "log2(t)",
                                         "log10(t + 1)",
                                         "sqrt(t)",
                                         "abs(t - 2)",
                                         "min(t, 2, 3*t)",
                                         "max(t^2, t)",
                                         "sum(t, t^2, t^3)",
                                         "avg(t, t^3)",
                                         "t^3",
                                         "t^-2",
                                         "t^2.5",
                                         "2^t",
                                         "t^t",
                                         "-t^2",
                                         "2^3^t",
                                         "2^-t",
                                         "t - 1 - 2",
                                         "8/t/2",
                                         "-2*-t",
                                         "1 - -t",
                                         "+t",
                                         "(t)",
                                         " t  *\t2 ",
                                         "90*deg*t + pi",
                                         "t < 0.5 ? sin(t) : cos(t)",
                                         "t >= 0.5 && t != 2 || t == 3 ? t : t < 0.2 ? 2*t : 3*t",
                                         "sign(t - 5)*t",
                                         "rint(2.6)*t",
                                         "1e-3*t + .5 + 2.E+1*t"};

}  // namespace

TEST_CASE("time expression: its values are those of the expressions in model files") {
  for (const std::string& text : smooth) {
    CAPTURE(text);
    for (const double t : {0.11, 0.3, 0.49, 0.51, 0.73, 0.9}) {
      Scope scope;
      for (const auto& [name, value] : parameters) scope.define(name, value);
      scope.define("t", t);
      CHECK(value_at(t, text).c[0] == Expression(text, scope).value());
    }
  }
}

TEST_CASE("time expression: its derivatives are those of its values") {
  constexpr double h = 1e-4;  // differences of fourth order: errors of 1e-16/h² and of h⁴ times the sixth derivative
  for (const std::string& text : smooth) {
    CAPTURE(text);
    const TimeExpression expression(text, parameters);
    const auto f = [&](double t) { return expression.at(t).c[0]; };
    for (const double t : {0.11, 0.3, 0.49, 0.51, 0.73, 0.9}) {
      const SecondOrderSeries x = expression.at(t);
      const double first = (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h);
      const double second = (16 * (f(t + h) + f(t - h)) - (f(t + 2 * h) + f(t - 2 * h)) - 30 * f(t)) / (12 * h * h);
      CHECK(x.c[1] == doctest::Approx(first).epsilon(1e-9).scale(1));
      CHECK(2 * x.c[2] == doctest::Approx(second).epsilon(1e-5).scale(1));
    }
  }
  const SecondOrderSeries x = value_at(0.3, "2*sin(3*t)");
  CHECK(x.c[1] == doctest::Approx(6 * std::cos(0.9)).epsilon(1e-15));
  CHECK(2 * x.c[2] == doctest::Approx(-18 * std::sin(0.9)).epsilon(1e-15));
}

TEST_CASE("time expression: a power has the derivatives it has at zero, and a constant has none") {
  struct Case {
    std::string text;
    double first, second;
  };
  for (const Case& one :
       {Case{"t", 1, 0}, Case{"t^1", 1, 0}, Case{"t^2", 0, 2}, Case{"t^0", 0, 0}, Case{"sqrt(0)*t", 0, 0},
        Case{"asin(1)*t", std::numbers::pi / 2, 0}, Case{"atan2(0, 0) + t", 1, 0}, Case{"abs(t)", 0, 0}}) {
    CAPTURE(one.text);
    const SecondOrderSeries x = value_at(0, one.text);
    CHECK(x.c[1] == one.first);
    CHECK(2 * x.c[2] == one.second);
  }
  CHECK(std::isinf(value_at(0, "sqrt(t)").c[1]));
  CHECK(std::isinf(value_at(0, "1/t").c[0]));
}

TEST_CASE("time expression: every function of model files is known") {
  std::istringstream manual(expression_functions);
  for (std::string word; manual >> word;) {
    CAPTURE(word);
    CHECK(refused(word + (word == "atan2" ? "(t, 1)" : "(t)")) == "");
    CHECK(contains(refused(word), "a '(' is missing after '" + word + "' at its end"));
  }
  CHECK(contains(refused("sin(t, 1)"), "'sin' takes 1 argument, not 2"));
  CHECK(contains(refused("atan2(t)"), "'atan2' takes 2 arguments, not 1"));
  CHECK(contains(refused("max()"), "'max' takes at least 1 argument, not 0"));
}

TEST_CASE("time expression: what is wrong is named, with its position") {
  CHECK(refused("") == "'' is not an expression of the time: an expression is missing");
  CHECK(
      refused("2*sin(3*q)") ==
      "'2*sin(3*q)' is not an expression of the time: 'q' at character 9 is unknown; known are t, pi, deg, a, omega, "
      "and the functions sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log ln log2 log10 sqrt "
      "abs sign rint min max sum avg");
  CHECK(contains(refused("omga*t"), "'omga' at character 1 is unknown (did you mean 'omega'?)"));
  CHECK(contains(refused("2*sin(3*t"), "a ')' is missing at its end"));
  CHECK(contains(refused("2*sin(3*t))"), "an operator is missing before ')' at character 11"));
  CHECK(contains(refused("2 t"), "an operator is missing before 't' at character 3"));
  CHECK(contains(refused("2t"), "an operator is missing before 't' at character 2"));
  CHECK(contains(refused("1.2.3"), "an operator is missing before '.' at character 4"));
  CHECK(contains(refused("2*"), "a number, a name or a bracket is missing at its end"));
  CHECK(contains(refused("*2"), "a number, a name or a bracket is missing before '*' at character 1"));
  CHECK(contains(refused("t = 2"), "an operator is missing before '=' at character 3; '==' compares"));
  CHECK(contains(refused("t ? 1"), "a ':' is missing at its end"));
  CHECK(contains(refused("1, 2"), "before ',' at character 2"));
  CHECK(contains(refused("0x10"), "before 'x10' at character 2"));
  CHECK(contains(refused("1e999"), "a number cannot be '1e999' at character 1"));
  CHECK(contains(refused("α*t"), "before 'α' at character 1"));
  CHECK(contains(refused("2*α"), "before 'α' at character 3"));
  CHECK(contains(refused("B.x"), "'B' at character 1 is unknown"));
  CHECK(contains(refused("2*t", {{"t", 1}}), "'t' is the time here, and a parameter"));
  CHECK(refused("2*a", {{"t", 1}, {"a", 2}}) == "");
}

TEST_CASE("time expression: neither depth nor length exhausts the stack") {
  for (const std::string part : {"(", "-", "sin(", "t^", "1?"}) {
    std::string text;
    for (int k = 0; k < 100'000; ++k) text += part;
    CHECK(contains(refused(text), "nested more than 200 levels deep"));
  }
  std::string sum = "t";
  for (int k = 1; k < 100'000; ++k) sum += "+t";
  CHECK(value_at(2, sum).c[0] == 200'000);
}
