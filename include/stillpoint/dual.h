// Forward automatic differentiation over the few coordinates that an element touches.
//
// Dual<N> carries a value and its gradient; Dual2<N> also the Hessian, of which only the lower triangle is stored.
// Both follow the chain rule  f(x)' = f'(x) x',  f(x)'' = f'(x) x'' + f''(x) x' x'ᵀ.
// Why our own: docs/automatic-differentiation.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace stillpoint {

template <int N>
struct Dual {
  static constexpr int directions = N;

  double value = 0;
  std::array<double, N> gradient{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: constants mix freely with variables

  /// A variable: its derivative is one in its own direction.
  static Dual variable(double value, int direction) {
    Dual x(value);
    x.gradient[static_cast<std::size_t>(direction)] = 1;
    return x;
  }

  /// f(x), given f(x), f'(x) and (not needed here) f''(x).
  Dual chain(double f, double df, double /*ddf*/) const {
    Dual y(f);
    for (std::size_t i = 0; i < N; ++i) y.gradient[i] = df * gradient[i];
    return y;
  }

  Dual& operator+=(const Dual& other) {
    value += other.value;
    for (std::size_t i = 0; i < N; ++i) gradient[i] += other.gradient[i];
    return *this;
  }
  Dual& operator-=(const Dual& other) {
    value -= other.value;
    for (std::size_t i = 0; i < N; ++i) gradient[i] -= other.gradient[i];
    return *this;
  }
  Dual& operator*=(double factor) {
    value *= factor;
    for (std::size_t i = 0; i < N; ++i) gradient[i] *= factor;
    return *this;
  }

  friend Dual operator*(const Dual& x, const Dual& y) {
    Dual z(x.value * y.value);
    for (std::size_t i = 0; i < N; ++i) z.gradient[i] = x.value * y.gradient[i] + y.value * x.gradient[i];
    return z;
  }
};

template <int N>
struct Dual2 {
  static constexpr int directions = N;

  double value = 0;
  std::array<double, N> gradient{};
  std::array<double, N*(N + 1) / 2> lower{};  ///< Hessian, lower triangle by rows: (0,0) (1,0) (1,1) (2,0) …

  Dual2() = default;
  Dual2(double constant) : value(constant) {}  // NOLINT: constants mix freely with variables

  static Dual2 variable(double value, int direction) {
    Dual2 x(value);
    x.gradient[static_cast<std::size_t>(direction)] = 1;
    return x;
  }

  double hessian(int i, int j) const {
    if (i < j) return hessian(j, i);
    return lower[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
  }

  Dual2 chain(double f, double df, double ddf) const {
    Dual2 y(f);
    for (std::size_t i = 0, k = 0; i < N; ++i) {
      y.gradient[i] = df * gradient[i];
      const double curved = ddf * gradient[i];
      for (std::size_t j = 0; j <= i; ++j, ++k) y.lower[k] = df * lower[k] + curved * gradient[j];
    }
    return y;
  }

  Dual2& operator+=(const Dual2& other) {
    value += other.value;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other.gradient[i];
    for (std::size_t k = 0; k < lower.size(); ++k) lower[k] += other.lower[k];
    return *this;
  }
  Dual2& operator-=(const Dual2& other) {
    value -= other.value;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] -= other.gradient[i];
    for (std::size_t k = 0; k < lower.size(); ++k) lower[k] -= other.lower[k];
    return *this;
  }
  Dual2& operator*=(double factor) {
    value *= factor;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= factor;
    for (std::size_t k = 0; k < lower.size(); ++k) lower[k] *= factor;
    return *this;
  }

  friend Dual2 operator*(const Dual2& x, const Dual2& y) {
    Dual2 z(x.value * y.value);
    for (std::size_t i = 0, k = 0; i < N; ++i) {
      z.gradient[i] = x.value * y.gradient[i] + y.value * x.gradient[i];
      for (std::size_t j = 0; j <= i; ++j, ++k) {
        z.lower[k] = x.value * y.lower[k] + y.value * x.lower[k] + x.gradient[i] * y.gradient[j] +
                     y.gradient[i] * x.gradient[j];
      }
    }
    return z;
  }
};

/// Dual and Dual2; the operations below are written once for both.
template <class T>
concept DualNumber = requires(const T& x) {
  T::directions;
  x.chain(0.0, 0.0, 0.0);
};

template <DualNumber T> T operator+(T x, const T& y) { return x += y; }
template <DualNumber T> T operator-(T x, const T& y) { return x -= y; }
template <DualNumber T> T operator*(double factor, T x) { return x *= factor; }
template <DualNumber T> T operator*(T x, double factor) { return x *= factor; }
template <DualNumber T> T operator-(T x) { return x *= -1.0; }

template <DualNumber T>
T operator+(T x, double constant) {
  x.value += constant;
  return x;
}
template <DualNumber T> T operator+(double constant, const T& x) { return x + constant; }
template <DualNumber T> T operator-(const T& x, double constant) { return x + (-constant); }
template <DualNumber T> T operator-(double constant, const T& x) { return -x + constant; }

template <DualNumber T>
T inverse(const T& x) {
  const double f = 1 / x.value;
  return x.chain(f, -f * f, 2 * f * f * f);
}
template <DualNumber T> T operator/(const T& x, const T& y) { return x * inverse(y); }
template <DualNumber T> T operator/(double x, const T& y) { return x * inverse(y); }
template <DualNumber T> T operator/(const T& x, double y) { return x * (1 / y); }

template <DualNumber T>
T sqrt(const T& x) {
  const double f = std::sqrt(x.value);
  return x.chain(f, 0.5 / f, -0.25 / (f * x.value));
}
template <DualNumber T>
T sin(const T& x) {
  const double s = std::sin(x.value);
  return x.chain(s, std::cos(x.value), -s);
}
template <DualNumber T>
T cos(const T& x) {
  const double c = std::cos(x.value);
  return x.chain(c, -std::sin(x.value), -c);
}
template <DualNumber T>
T atan(const T& x) {
  const double d = 1 / (1 + x.value * x.value);
  return x.chain(std::atan(x.value), d, -2 * x.value * d * d);
}

/// The angle of the direction (x, y). It differs from atan2's value at this point by atan of the cross product over the
/// dot product with the direction itself, which is smooth, zero here, and carries all derivatives.
template <DualNumber T>
T atan2(const T& y, const T& x) {
  T turn = atan((y * x.value - x * y.value) / (x * x.value + y * y.value));
  turn.value += std::atan2(y.value, x.value);
  return turn;
}

/// The value without its derivatives.
inline double value_of(double x) { return x; }
template <DualNumber T> double value_of(const T& x) { return x.value; }

}  // namespace stillpoint
