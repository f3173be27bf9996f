#include "read/expression.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "support/read/provoke.h"

using namespace stillpoint;

namespace {

double value_of(const std::string& text, const Scope& scope = {}) { return Expression(text, scope).value(); }

std::string refusal_of(const std::string& text, const Scope& scope = {}) {
  return refusal([&] { Expression(text, scope); });
}

}  // namespace

TEST_CASE("expression: a plain number is the nearest double, to the last bit") {
  CHECK(value_of("0.1") == 0.1);
  CHECK(value_of("-9.81") == -9.81);
  CHECK(value_of("+2.5e-3") == 2.5e-3);
  CHECK(value_of("1E5") == 1e5);
  CHECK(value_of("2.2250738585072014e-308") == std::numeric_limits<double>::min());
  CHECK(value_of("0.30000000000000004") == 0.1 + 0.2);
  CHECK(std::signbit(value_of("-0")));
}

TEST_CASE("expression: operators bind as in mathematics") {
  CHECK(value_of("1+2*3") == 7);
  CHECK(value_of("(1+2)*3") == 9);
  CHECK(value_of("7/2 - 1") == 2.5);
  CHECK(value_of("-2^2") == -4);
  CHECK(value_of("2^3^2") == 512);
  CHECK(value_of("2^-1") == 0.5);
}

TEST_CASE("expression: comparisons are 1 or 0, and choose") {
  CHECK(value_of("1 < 2") == 1);
  CHECK(value_of("2 <= 1") == 0);
  CHECK(value_of("2 == 2") == 1);
  CHECK(value_of("2 != 2") == 0);
  CHECK(value_of("2 >= 2 && 3 > 4 || 1 == 1") == 1);
  CHECK(value_of("2 > 1 ? 10 : 20") == 10);
  CHECK(value_of("2 < 1 ? 10 : 1 == 1 ? 30 : 40") == 30);
}

TEST_CASE("expression: pi and deg are known, and nothing else without being told") {
  CHECK(value_of("pi") == std::numbers::pi);
  CHECK(value_of("90*deg") == 90 * (std::numbers::pi / 180));
  CHECK(refusal_of("_pi") == "'_pi' is unknown (did you mean 'pi'?)");
  CHECK(refusal_of("_e") == "'_e' is unknown");
  CHECK(refusal_of("e") == "'e' is unknown");
}

TEST_CASE("expression: every function of the manual computes what its name says") {
  const double x = 0.3;
  const std::pair<const char*, double> known[]{{"sin(x)", std::sin(x)},
                                               {"cos(x)", std::cos(x)},
                                               {"tan(x)", std::tan(x)},
                                               {"asin(x)", std::asin(x)},
                                               {"acos(x)", std::acos(x)},
                                               {"atan(x)", std::atan(x)},
                                               {"sinh(x)", std::sinh(x)},
                                               {"cosh(x)", std::cosh(x)},
                                               {"tanh(x)", std::tanh(x)},
                                               {"asinh(x)", std::asinh(x)},
                                               {"acosh(2)", std::acosh(2.0)},
                                               {"atanh(x)", std::atanh(x)},
                                               {"exp(x)", std::exp(x)},
                                               {"log(x)", std::log(x)},
                                               {"log2(x)", std::log2(x)},
                                               {"log10(x)", std::log10(x)},
                                               {"ln(x)", std::log(x)},
                                               {"sqrt(x)", std::sqrt(x)},
                                               {"abs(-x)", x},
                                               {"atan2(-x, -1)", std::atan2(-x, -1.0)},
                                               {"sign(-x)", -1},
                                               {"rint(2.6)", 3},
                                               {"min(3, x, 1)", x},
                                               {"max(3, x, 1)", 3},
                                               {"sum(1, 2, 3)", 6},
                                               {"avg(1, 2, 3)", 2}};
  Scope scope;
  scope.define("x", x);
  for (const auto& entry : known) {
    const auto& text = entry.first;
    const double value = entry.second;
    CAPTURE(text);
    // The library may take another route to the same function: log(x) as ln(x), say.
    CHECK(value_of(text, scope) == doctest::Approx(value).epsilon(4e-16));
  }

  std::istringstream manual(expression_functions);
  for (std::string word; manual >> word;) {
    const bool is_covered = std::any_of(std::begin(known), std::end(known), [&](const auto& pair) {
      return std::string(pair.first).starts_with(word + "(");
    });
    CHECK_MESSAGE(is_covered, word);
    CHECK_MESSAGE(!scope.is_free(word), word);
  }
}

TEST_CASE("expression: variables have the values of their scope") {
  Scope scope;
  scope.define("l", 2);
  scope.define("phi_0", 0.5);
  CHECK(value_of("2*l*cos(phi_0)", scope) == 4 * std::cos(0.5));
  CHECK(scope.names() == std::vector<std::string>{"pi", "deg", "l", "phi_0"});
}

TEST_CASE("expression: a loop variable is looked at anew each time, also when it is out of sight") {
  Scope scope;
  Scope::Variable& i = scope.define("i", 1, true);
  const Expression square("i^2", scope);
  const auto kept = scope.release("i");
  CHECK(square.value() == 1);
  i.value = 7;
  CHECK(square.value() == 49);
  CHECK(refusal_of("i", scope) == "'i' is unknown");
}

TEST_CASE("expression: what depends on parameters alone is evaluated once for each of their values") {
  Scope scope;
  Scope::Variable& k = scope.define("k", 2);
  const Expression square("k^2", scope);
  CHECK(square.value() == 4);
  k.value = 7;  // the scope does not know of it
  CHECK(square.value() == 4);
  scope.set("k", {5, {}});
  CHECK(square.value() == 25);
}

TEST_CASE(
    "expression: in a repetition the values of parameters are those that were set last, loop variables the present") {
  Scope scope;
  scope.define("k", 2);
  scope.define("l", 10);
  Scope::Variable& i = scope.define("i", 3, true);
  const Expression chosen("i > k ? l*k + i : -l/i", scope), both("sqrt(k^2 + 5) + max(i, l)", scope);
  CHECK(chosen.value() == 23);
  CHECK(both.value() == 13);
  i.value = 2;
  CHECK(chosen.value() == -5);
  scope.set("k", {1, {}});
  CHECK(chosen.value() == 12);
  CHECK(both.value() == std::sqrt(6.0) + 10);
  scope.set("l", {-4, {}});
  i.value = 1;
  CHECK(chosen.value() == 4);
  CHECK(both.value() == std::sqrt(6.0) + 1);
}

TEST_CASE("expression: a parameter that is set keeps its rate with respect to itself") {
  Scope scope;
  scope.choose({"k"});
  scope.define("k", 2);
  const Expression square("k^2", scope);
  scope.set("k", {5, {}});
  CHECK(square.value_with_rates().value == 25);
  CHECK(square.value_with_rates().rates[0].value == 10);
}

namespace {

// A scope with rates with respect to k and l, in which further parameters follow from these.
Scope with_rates(double k, double l) {
  Scope scope;
  scope.choose({"k", "l"});
  scope.define("k", k);
  scope.define("l", l);
  for (const auto& [name, text] : {std::pair{"area", "k*l^2"}, {"root", "sqrt(area) + l"}, {"other", "3"}}) {
    scope.define(name, Expression(text, scope).value_with_rates());
  }
  return scope;
}

}  // namespace

TEST_CASE("expression: rates go through chains of parameters, exactly") {
  constexpr double k = 2.25, l = 0.8;
  const Scope scope = with_rates(k, l);
  const RatedNumber number = Expression("root*other/k", scope).value_with_rates();
  // root = √k l + l
  CHECK(number.value == doctest::Approx(3 * (std::sqrt(k) * l + l) / k).epsilon(1e-15));
  CHECK(number.rates[0].value == doctest::Approx(3 * l * (-0.5 / std::pow(k, 1.5) - 1 / (k * k))).epsilon(1e-15));
  CHECK(number.rates[1].value == doctest::Approx(3 * (std::sqrt(k) + 1) / k).epsilon(1e-15));

  constexpr double h = 1e-3;  // of order 4: errors of 1e-16/h and h⁴
  for (const std::string text : {"root*other/k", "sin(area)^2", "k > 2 ? exp(root) : l", "atan2(area, root) + l"}) {
    CAPTURE(text);
    const auto at = [&](double moved_k, double moved_l) {
      const Scope moved = with_rates(k + moved_k, l + moved_l);
      return Expression(text, moved).value();
    };
    const auto difference = [&](double of_k, double of_l) {
      return (8 * (at(of_k, of_l) - at(-of_k, -of_l)) - at(2 * of_k, 2 * of_l) + at(-2 * of_k, -2 * of_l)) / (12 * h);
    };
    const RatedNumber rated = Expression(text, scope).value_with_rates();
    CHECK(rated.rates[0].value == doctest::Approx(difference(h, 0)).epsilon(1e-9));
    CHECK(rated.rates[1].value == doctest::Approx(difference(0, h)).epsilon(1e-9));
  }
}

TEST_CASE("expression: a chosen parameter that follows from another one has a rate of its own, as --set has") {
  Scope scope;
  scope.choose({"a", "b"});
  scope.define("a", 3);
  scope.define("b", Expression("a^2", scope).value_with_rates());
  const RatedNumber number = Expression("a + 10*b", scope).value_with_rates();
  CHECK(number.rates[0].value == 61);  // 1 + 10 · 2a
  CHECK(number.rates[1].value == 10);
}

TEST_CASE("expression: numbers and loop variables have no rates, and follow nothing") {
  Scope scope;
  scope.choose({"k"});
  scope.define("k", 2);
  Scope::Variable& i = scope.define("i", 3, true);
  const Expression expression("k^i", scope);
  CHECK(expression.value_with_rates().rates[0].value == 12);
  i.value = 4;
  CHECK(expression.value_with_rates().value == 16);
  CHECK(expression.value_with_rates().rates[0].value == 32);
  for (const std::string text : {"7", "2*pi", "i^2"}) {
    CAPTURE(text);
    const RatedNumber number = Expression(text, scope).value_with_rates();
    CHECK(number.rates.size() == 1);
    CHECK(number.rates[0].value == 0);
    CHECK(!number.rates[0].depends);
  }
  CHECK(Expression("k", scope).value_with_rates().rates[0].depends);
}

TEST_CASE("expression: a name is free unless it is a variable, a function or a constant") {
  Scope scope;
  scope.define("k", 1);
  CHECK(!scope.is_free("k"));
  CHECK(!scope.is_free("pi"));
  CHECK(!scope.is_free("deg"));
  CHECK(!scope.is_free("sqrt"));
  CHECK(scope.is_free("K"));
  CHECK(scope.is_free("_pi"));
  scope.define("_pi", 3);
  CHECK(value_of("_pi + 1", scope) == 4);
}

TEST_CASE("expression: results without value come out as such; whoever asked refuses them") {
  CHECK(value_of("1/0") == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(value_of("sqrt(-1)")));
  CHECK(value_of("1e999") == std::numeric_limits<double>::infinity());
  CHECK(show(value_of("-1/0")) == "-inf");
  CHECK(show(value_of("0/0")) == "undefined");
  CHECK(show(0.25) == "0.25");
}

TEST_CASE("expression: a text that is none is refused") {
  CHECK(refusal_of("") == "a number is missing");
  CHECK(refusal_of("1 +").starts_with("'1 +' is not an expression: "));
  CHECK(refusal_of("(1").starts_with("'(1' is not an expression: "));
  CHECK(refusal_of("1 2").starts_with("'1 2' is not an expression: "));
  CHECK(refusal_of("sin()").starts_with("'sin()' is not an expression: "));
  CHECK(refusal_of("\"text\"").starts_with("'\"text\"' is not an expression: "));
  CHECK(refusal_of("0x10").find("0x10") != std::string::npos);
  CHECK(refusal_of("1,5") == "'1,5' holds 2 numbers; one is allowed here (decimals have a point)");
  CHECK(refusal_of("inf") == "'inf' is unknown");
  CHECK(refusal_of("nan") == "'nan' is unknown (did you mean 'tan'?)");
}

TEST_CASE("expression: what people write out of habit is answered with what to write instead") {
  Scope scope;
  scope.define("l", 2);
  const std::string no_unit = " cannot stand behind a number; quantities are in SI units, which are not written";
  CHECK(refusal_of("1500 mm") == "'1500 mm' is not an expression: 'mm'" + no_unit);
  CHECK(refusal_of("-9.81 m/s^2") == "'-9.81 m/s^2' is not an expression: 'm'" + no_unit);
  CHECK(refusal_of("2e3kg") == "'2e3kg' is not an expression: 'kg'" + no_unit);
  CHECK(refusal_of("2l", scope) == "'2l' is not an expression: a product needs its '*', as in 2*l");
  CHECK(refusal_of("40 deg") == "'40 deg' is not an expression: a product needs its '*', as in 2*deg");
  CHECK(refusal_of("1.1 2") == "'1.1 2' is not an expression: two numbers need a ',' between them");
  CHECK(refusal_of("(0, 1)") == "'(0, 1)' is not an expression: several numbers are written 1, 2 or [1, 2]");
  CHECK(refusal_of("−1") ==
        "'−1' is not an expression: '−' (U+2212) cannot stand here; write plain characters, as in -2*l^2 or 90*deg");
  CHECK(refusal_of("90°").find("'°' (U+00B0) cannot stand here") != std::string::npos);
  CHECK(refusal_of("l + 𝑥", scope).find("'𝑥' (U+1D465) cannot stand here") != std::string::npos);
  CHECK(refusal_of("80)") == "'80)' is not an expression: an operator is missing before ')' at character 3");
}

TEST_CASE("expression: what is unknown is named, with the nearest that is known") {
  Scope scope;
  scope.define("length", 1);
  CHECK(refusal_of("2*P.x^3") ==
        "'P.x' in '2*P.x^3' is unknown: expressions know parameters and loop variables, not coordinates or data of "
        "elements");
  CHECK(refusal_of("2*length.x", scope).starts_with("'length.x' in '2*length.x' is unknown: expressions know "));
  CHECK(refusal_of("B[2].phi + 1").starts_with("'B[2].phi' in 'B[2].phi + 1' is unknown: expressions know "));
  CHECK(refusal_of("B[2] + 1") == "'B' in 'B[2] + 1' is unknown");
  CHECK(refusal_of(".inf") == "'.inf' is unknown (did you mean 'sin'?)");
  CHECK(refusal_of("length..2", scope) == "'..2' in 'length..2' is unknown");
  CHECK(refusal_of("2*lenght", scope) == "'lenght' in '2*lenght' is unknown (did you mean 'length'?)");
  CHECK(refusal_of("cosd(30)") == "'cosd' in 'cosd(30)' is unknown (did you mean 'cos'?)");
  CHECK(refusal_of("1 + sqr(2)") == "'sqr' in '1 + sqr(2)' is unknown (did you mean 'sqrt'?)");
  CHECK(refusal_of("length(2)", scope).starts_with("'length(2)' is not an expression: "));
}

TEST_CASE("expression: nothing is assigned, in whatever disguise") {
  Scope scope;
  scope.define("k", 1);
  for (const char* const text : {"k = 2", "k=2", "(k = 2) + 1", "k += 2", "k === 2", "="}) {
    CAPTURE(text);
    CHECK(refusal_of(text, scope).ends_with("'=' assigns, use '==' to compare"));
  }
  CHECK(value_of("k", scope) == 1);
}
