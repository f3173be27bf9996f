// The operators and functions of expressions: their values, and their first and second derivatives.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace stillpoint {

enum class Operation : unsigned char {
  // What a program does besides computing.
  number,
  variable,
  skip,
  skip_unless,
  // Of one argument.
  negative,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  ln,
  log2,
  log10,
  sqrt,
  abs,
  sign,
  rint,
  // Of two arguments.
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  at_most,
  equal,
  unequal,
  at_least,
  greater,
  both,
  either,
  atan2,
  min,
  max,
};

constexpr bool takes_two(Operation operation) { return operation >= Operation::add; }

/// Steps have no rates, whatever their arguments have.
constexpr bool is_step(Operation operation) {
  return operation == Operation::sign || operation == Operation::rint ||
         (operation >= Operation::less && operation <= Operation::either);
}

/// min and max take one of their arguments as it is.
constexpr bool selects(Operation operation) { return operation >= Operation::min; }

/// Of two equal arguments, and beside one that is undefined, the first is taken.
inline bool takes_second(Operation operation, double x, double y) {
  return operation == Operation::min ? y < x : x < y;
}

/// A function of expressions, by its name.
struct KnownFunction {
  std::string_view name;
  Operation operation = Operation::add;
  int least = 1, most = 1;  ///< numbers of arguments; those of more than two are taken in pairs, from left to right
  bool averages = false;    ///< the result is divided by the number of arguments
};

constexpr int any_number = 1 << 30;

inline constexpr std::array known_functions{
    KnownFunction{"sin", Operation::sin},
    KnownFunction{"cos", Operation::cos},
    KnownFunction{"tan", Operation::tan},
    KnownFunction{"asin", Operation::asin},
    KnownFunction{"acos", Operation::acos},
    KnownFunction{"atan", Operation::atan},
    KnownFunction{"atan2", Operation::atan2, 2, 2},
    KnownFunction{"sinh", Operation::sinh},
    KnownFunction{"cosh", Operation::cosh},
    KnownFunction{"tanh", Operation::tanh},
    KnownFunction{"asinh", Operation::asinh},
    KnownFunction{"acosh", Operation::acosh},
    KnownFunction{"atanh", Operation::atanh},
    KnownFunction{"exp", Operation::exp},
    KnownFunction{"log", Operation::ln},
    KnownFunction{"ln", Operation::ln},
    KnownFunction{"log2", Operation::log2},
    KnownFunction{"log10", Operation::log10},
    KnownFunction{"sqrt", Operation::sqrt},
    KnownFunction{"abs", Operation::abs},
    KnownFunction{"sign", Operation::sign},
    KnownFunction{"rint", Operation::rint},
    KnownFunction{"min", Operation::min, 1, any_number},
    KnownFunction{"max", Operation::max, 1, any_number},
    KnownFunction{"sum", Operation::add, 1, any_number},
    KnownFunction{"avg", Operation::add, 1, any_number, true},
};

inline double sign_of(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

/// A square is a product, which is faster than the general power and as exact.
inline double power_of(double x, double p) { return p == 2 ? x * x : std::pow(x, p); }

inline double value_of(Operation operation, double x) {
  switch (operation) {
    case Operation::negative:
      return -x;
    case Operation::sin:
      return std::sin(x);
    case Operation::cos:
      return std::cos(x);
    case Operation::tan:
      return std::tan(x);
    case Operation::asin:
      return std::asin(x);
    case Operation::acos:
      return std::acos(x);
    case Operation::atan:
      return std::atan(x);
    case Operation::sinh:
      return std::sinh(x);
    case Operation::cosh:
      return std::cosh(x);
    case Operation::tanh:
      return std::tanh(x);
    case Operation::asinh:
      return std::asinh(x);
    case Operation::acosh:
      return std::acosh(x);
    case Operation::atanh:
      return std::atanh(x);
    case Operation::exp:
      return std::exp(x);
    case Operation::ln:
      return std::log(x);
    case Operation::log2:
      return std::log2(x);
    case Operation::log10:
      return std::log10(x);
    case Operation::sqrt:
      return std::sqrt(x);
    case Operation::abs:
      return std::abs(x);
    case Operation::sign:
      return sign_of(x);
    case Operation::rint:
      return std::floor(x + 0.5);
    default:
      return x;
  }
}

inline double value_of(Operation operation, double x, double y) {
  switch (operation) {
    case Operation::add:
      return x + y;
    case Operation::subtract:
      return x - y;
    case Operation::multiply:
      return x * y;
    case Operation::divide:
      return x / y;
    case Operation::power:
      return power_of(x, y);
    case Operation::less:
      return x < y ? 1 : 0;
    case Operation::at_most:
      return x <= y ? 1 : 0;
    case Operation::equal:
      return x == y ? 1 : 0;
    case Operation::unequal:
      return x != y ? 1 : 0;
    case Operation::at_least:
      return x >= y ? 1 : 0;
    case Operation::greater:
      return x > y ? 1 : 0;
    case Operation::both:
      return x != 0 && y != 0 ? 1 : 0;
    case Operation::either:
      return x != 0 || y != 0 ? 1 : 0;
    case Operation::atan2:
      return std::atan2(x, y);
    default:
      return takes_second(operation, x, y) ? y : x;
  }
}

struct UnaryDerivatives {
  double first = 0, second = 0;
};

/// The derivatives of a function at x, where its value is f; those of |x| are zero at 0.
UnaryDerivatives derivatives_of(Operation operation, double x, double f);

struct BinaryDerivatives {
  double x = 0, y = 0;            ///< first derivatives
  double xx = 0, xy = 0, yy = 0;  ///< second derivatives
};

/// Those of a function of two arguments that is no step and does not select.
BinaryDerivatives derivatives_of(Operation operation, double x, double y, double f);

}  // namespace stillpoint
