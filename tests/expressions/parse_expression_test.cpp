// The grammar of expressions, and what is said of texts that are none.
#include "expressions/parse_expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace stillpoint;

namespace {

constexpr double a = 0.75;

ExpressionProgram parsed(const std::string& text) {
  return parse_expression(text, [](const std::string& name, ExpressionProgram& program) {
    if (name == "a") program.push_variable(0);
    return name == "a";
  });
}

double value_of(const std::string& text) {
  const double* const variables[] = {&a};
  return parsed(text).value(variables);
}

std::string refused(const std::string& text) {
  try {
    parsed(text);
  } catch (const ExpressionFault& fault) {
    return fault.what();
  }
  return "accepted";
}

double decimal(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CHECK(read_decimal(text.data(), text.data() + text.size(), value) == text.data() + text.size());
  return value;
}

}  // namespace

TEST_CASE("expression grammar: operators bind as in mathematics, from left to right except for powers and choices") {
  CHECK(value_of("1 - 2 - 3") == -4);
  CHECK(value_of("8/4/2") == 1);
  CHECK(value_of("8/4*2") == 4);
  CHECK(value_of("2 + 3*4^2/8 - 1") == 7);
  CHECK(value_of("2^3^2") == 512);
  CHECK(value_of("-2^2") == -4);
  CHECK(value_of("2^-1^2") == 0.5);
  CHECK(value_of("2^-3*4") == 0.5);
  CHECK(value_of("-2*-3") == 6);
  CHECK(value_of("1 - -2") == 3);
  CHECK(value_of("--2") == 2);
  CHECK(value_of("-+2") == -2);
  CHECK(value_of("(-2)^2") == 4);
}

TEST_CASE("expression grammar: comparisons bind less tightly than sums, then &&, then ||, then the choice") {
  CHECK(value_of("1 + 1 < 3") == 1);
  CHECK(value_of("3 > 2 > 1") == 0);  // from left to right: 1 > 1
  CHECK(value_of("2 < 1 == 0") == 1);
  CHECK(value_of("0 && 0 || 1") == 1);
  CHECK(value_of("1 || 0 && 0") == 1);
  CHECK(value_of("1 == 2 || 3 == 3 && 1 < 2") == 1);
  CHECK(value_of("0.5 && 0.25") == 1);  // true is what is not zero
  CHECK(value_of("0.5 || 0") == 1);
  CHECK(value_of("0 || 1 ? 2 : 3") == 2);
  CHECK(value_of("0 ? 1 : 0 ? 2 : 3 + 4") == 7);
  CHECK(value_of("1 ? 0 ? 1 : 2 : 3") == 2);
  CHECK(value_of("1 ? 2 : 1/0") == 2);
}

TEST_CASE("expression grammar: numbers, names, functions and blanks") {
  CHECK(value_of(".5 + 5. + 2.E+1 + 1e-3") == 0.5 + 5 + 20 + 1e-3);
  CHECK(value_of(" \t2\n* a\r") == 1.5);
  CHECK(value_of("sin ( pi / 2 )") == 1);
  CHECK(value_of("180*deg") == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  CHECK(value_of("min(3, 1, 2)") == 1);
  CHECK(value_of("max(a)") == a);
  CHECK(value_of("avg(1, 2, 6)") == 3);
  CHECK(value_of("sum(1, 2, 3, 4)") == 10);
  CHECK(value_of("atan2(1, -1)") == doctest::Approx(0.75 * std::numbers::pi).epsilon(1e-15));
  CHECK(value_of("log2(8)") == 3);
  CHECK(value_of("rint(-2.5)") == -2);
  CHECK(value_of("sign(-3) + sign(0)") == -1);
  CHECK(std::signbit(value_of("-0")));
}

TEST_CASE("expression grammar: of undefined arguments min and max keep the first only") {
  CHECK(std::isnan(value_of("min(0/0, 1)")));
  CHECK(value_of("min(1, 0/0)") == 1);
  CHECK(value_of("max(1, 0/0)") == 1);
}

TEST_CASE("expression grammar: a decimal is the nearest double, and beyond their range infinite or zero") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(decimal("0.30000000000000004") == 0.1 + 0.2);
  CHECK(decimal("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(decimal("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(decimal("1e999") == infinity);
  CHECK(decimal("1e+999") == infinity);
  CHECK(decimal("1e-999") == 0);
  CHECK(decimal("1e99999999999999999999") == infinity);
  CHECK(decimal("1e-99999999999999999999") == 0);
  CHECK(decimal("0.0e999") == 0);
  CHECK(decimal("1" + std::string(400, '0')) == infinity);
  CHECK(decimal("1" + std::string(400, '0') + "e-400") == 1);
  CHECK(decimal("1" + std::string(400, '0') + "e-1") == infinity);
  CHECK(decimal("." + std::string(400, '0') + "1") == 0);
  CHECK(decimal("0." + std::string(400, '0') + "1e1") == 0);
  double value = 7;
  for (const std::string text : {"inf", "nan", "-1", "+1", "x", "", ".", "e5"}) {
    CAPTURE(text);
    CHECK(read_decimal(text.data(), text.data() + text.size(), value) == text.data());
    CHECK(value == 7);
  }
  const std::string hexadecimal = "0x10";
  CHECK(read_decimal(hexadecimal.data(), hexadecimal.data() + 4, value) == hexadecimal.data() + 1);
}

TEST_CASE("expression grammar: what is wrong is told with its character") {
  CHECK(refused(" ") == "an expression is missing");
  CHECK(refused("1 +") == "a number, a name or a bracket is missing at its end");
  CHECK(refused("a**2") == "a number, a name or a bracket is missing before '*' at character 3");
  CHECK(refused("(1") == "a ')' is missing at its end");
  CHECK(refused("80)") == "an operator is missing before ')' at character 3");
  CHECK(refused("a 0.04") == "an operator is missing before '0' at character 3");
  CHECK(refused("()") == "a number, a name or a bracket is missing before ')' at character 2");
  CHECK(refused("1:3") == "an operator is missing before ':' at character 2");
  CHECK(refused("?") == "a number, a name or a bracket is missing before '?' at character 1");
  CHECK(refused("a ? 1") == "a ':' is missing at its end");
  CHECK(refused("sin") == "a '(' is missing after 'sin' at its end");
  CHECK(refused("sin 1") == "a '(' is missing after 'sin', before '1' at character 5");
  CHECK(refused("sin()") == "'sin' takes 1 argument, not 0");
  CHECK(refused("sqrt(60, 2)") == "'sqrt' takes 1 argument, not 2");
  CHECK(refused("atan2(1)") == "'atan2' takes 2 arguments, not 1");
  CHECK(refused("atan2(1, 2, 3)") == "'atan2' takes 2 arguments, not 3");
  CHECK(refused("min()") == "'min' takes at least 1 argument, not 0");
  CHECK(refused("min(1,)") == "a number, a name or a bracket is missing before ')' at character 7");
  CHECK(refused("(1, 2)") == "a ')' is missing before ',' at character 3");
  CHECK(refused("a(2)") == "an operator is missing before '(' at character 2");
  CHECK(refused("1.2.3") == "an operator is missing before '.' at character 4");
  CHECK(refused(".") == "a number cannot be '.' at character 1");
  CHECK(refused("1e999") == "a number cannot be '1e999' at character 1, which is beyond the range of numbers");
  CHECK(refused("a < = 2") == "a number, a name or a bracket is missing before '=' at character 5; '==' compares");
  CHECK(refused("a & 1") == "an operator is missing before '&' at character 3");
  CHECK(refused("2*α") == "a number, a name or a bracket is missing before 'α' at character 3");
  CHECK(refused("B + 1") == "'B' at character 1 is unknown");
  CHECK(refused("1 + sinn(1)") == "'sinn' at character 5 is unknown");
}

TEST_CASE("expression grammar: several expressions are counted") {
  const auto count_of = [](const std::string& text) {
    try {
      parsed(text);
    } catch (const ExpressionFault& fault) {
      return fault.kind == ExpressionFault::Kind::several ? fault.count : 0;
    }
    return 1;
  };
  CHECK(count_of("min(1, 2)") == 1);
  CHECK(count_of("1, 2") == 2);
  CHECK(count_of("1, min(2, 3), a") == 3);
  CHECK(count_of("1,") == 0);
  CHECK(count_of("1, 2)") == 0);
}

TEST_CASE("expression grammar: neither depth nor length exhausts the stack") {
  for (const std::string part : {"(", "-", "+", "sin(", "a^", "a?", "a?1:", "max(1,"}) {
    CAPTURE(part);
    std::string text;
    for (int k = 0; k < 100'000; ++k) text += part;
    CHECK(refused(text) == "it is nested more than 200 levels deep");
  }
  const std::string open(200, '('), close(200, ')');
  CHECK(value_of(open + "a" + close) == a);
  CHECK(refused("(" + open + "a" + close + ")") == "it is nested more than 200 levels deep");
  std::string sum = "a", arguments = "sum(a";
  for (int k = 1; k < 100'000; ++k) sum += "+a", arguments += ",a";
  CHECK(value_of(sum) == 75'000);
  CHECK(value_of(arguments + ")") == 75'000);
}
