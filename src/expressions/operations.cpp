#include "expressions/operations.h"

#include <numbers>

namespace stillpoint {

namespace {

UnaryDerivatives derivatives_of_logarithm(double x, double of_base) {
  const double slope = 1 / (x * of_base);
  return {slope, -slope / x};
}

/// Those of asin (sign +1) and acos (−1).
UnaryDerivatives derivatives_of_arc(double x, double sign) {
  const double square = (1 - x) * (1 + x), slope = sign / std::sqrt(square);
  return {slope, slope * x / square};
}

UnaryDerivatives derivatives_of_asinh(double x) {
  const double root = std::hypot(x, 1.0);
  return {1 / root, -x / root / root / root};
}

UnaryDerivatives derivatives_of_acosh(double x) {
  const double root = std::sqrt(x - 1) * std::sqrt(x + 1);  // as one square root it would overflow
  return {1 / root, -x / root / root / root};
}

UnaryDerivatives derivatives_of_atan(double x) {
  const double root = std::hypot(x, 1.0);
  return {1 / root / root, -2 * x / root / root / root / root};
}

/// x^p. A derivative whose factor vanishes is zero also where the power of x has none; so is that of 0^p by p.
BinaryDerivatives derivatives_of_power(double x, double p, double f) {
  const double logarithm = std::log(x), lower = power_of(x, p - 1);
  BinaryDerivatives d;
  d.x = p == 0 ? 0 : p * lower;
  d.y = x == 0 && p > 0 ? 0 : f * logarithm;
  d.xx = p == 0 || p == 1 ? 0 : p * (p - 1) * power_of(x, p - 2);
  d.xy = x == 0 && p > 1 ? 0 : lower * (1 + p * logarithm);
  d.yy = x == 0 && p > 0 ? 0 : f * logarithm * logarithm;
  return d;
}

/// The angle of the direction (x, y), with the ratios of a unit vector: squares would overflow.
BinaryDerivatives derivatives_of_angle(double y, double x) {
  const double r = std::hypot(x, y), c = x / r, s = y / r;
  BinaryDerivatives d;  // its first argument is y
  d.x = c / r;
  d.y = -s / r;
  d.xx = -2 * c * s / r / r;
  d.xy = (s - c) * (s + c) / r / r;
  d.yy = 2 * c * s / r / r;
  return d;
}

}  // namespace

UnaryDerivatives derivatives_of(Operation operation, double x, double f) {
  switch (operation) {
    case Operation::negative:
      return {-1, 0};
    case Operation::sin:
      return {std::cos(x), -f};
    case Operation::cos:
      return {-std::sin(x), -f};
    case Operation::tan:
      return {1 + f * f, 2 * f * (1 + f * f)};
    case Operation::asin:
      return derivatives_of_arc(x, 1);
    case Operation::acos:
      return derivatives_of_arc(x, -1);
    case Operation::atan:
      return derivatives_of_atan(x);
    case Operation::sinh:
      return {std::cosh(x), f};
    case Operation::cosh:
      return {std::sinh(x), f};
    case Operation::tanh: {
      const double slope = 1 / std::cosh(x) / std::cosh(x);
      return {slope, -2 * f * slope};
    }
    case Operation::asinh:
      return derivatives_of_asinh(x);
    case Operation::acosh:
      return derivatives_of_acosh(x);
    case Operation::atanh: {
      const double slope = 1 / ((1 - x) * (1 + x));
      return {slope, 2 * x * slope * slope};
    }
    case Operation::exp:
      return {f, f};
    case Operation::ln:
      return derivatives_of_logarithm(x, 1);
    case Operation::log2:
      return derivatives_of_logarithm(x, std::numbers::ln2);
    case Operation::log10:
      return derivatives_of_logarithm(x, std::numbers::ln10);
    case Operation::sqrt:
      return {1 / (2 * f), -1 / (4 * f * x)};
    case Operation::abs:
      return {sign_of(x), 0};
    default:
      return {};
  }
}

BinaryDerivatives derivatives_of(Operation operation, double x, double y, double f) {
  switch (operation) {
    case Operation::add:
      return {1, 1, 0, 0, 0};
    case Operation::subtract:
      return {1, -1, 0, 0, 0};
    case Operation::multiply:
      return {y, x, 0, 1, 0};
    case Operation::divide:
      return {1 / y, -f / y, 0, -1 / y / y, 2 * f / y / y};
    case Operation::power:
      return derivatives_of_power(x, y, f);
    case Operation::atan2:
      return derivatives_of_angle(x, y);
    default:
      return {};
  }
}

}  // namespace stillpoint
