// Forward automatic differentiation by operator overloading [Griewank & Walther 2008], with respect to the few
// coordinates on which an element depends.
//
//   Dual<N>:   x, ∇x          f(x)' = f'(x) x'
//   Dual2<N>:  x, ∇x, ∇²x     f(x)'' = f'(x) x'' + f''(x) x' x'ᵀ      (lower triangle only)
//
// The reasons for an own implementation are in docs/automatic-differentiation.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

// A law is evaluated fast only if all of its operators are inlined. Compilers leave some of them as calls, and many
// loops over directions as loops, which store and load every number; these attributes force both. They are omitted
// where assertions and sanitizers are active, which need calls and would take minutes to compile one element.
#ifdef NDEBUG
#define STILLPOINT_INLINE [[gnu::always_inline]] inline
#define STILLPOINT_EACH(i) [&](auto i) __attribute__((always_inline))
#define STILLPOINT_UNROLL __attribute__((always_inline))
#define STILLPOINT_FLATTEN [[gnu::flatten, gnu::noinline]]
#else
#define STILLPOINT_INLINE inline
#define STILLPOINT_EACH(i) [&](auto i)
#define STILLPOINT_UNROLL
#define STILLPOINT_FLATTEN
#endif

namespace stillpoint {

namespace detail {

/// Up to this number of directions loops are unrolled. Unrolled code for more directions (two bodies in space) would
/// exceed the caches, and the cost of a call is negligible beside the hundreds of numbers that it processes.
constexpr std::size_t most_unrolled = 7;

template <std::size_t n, class F>
[[gnu::noinline]] void looped(const F& f) {
  for (std::size_t i = 0; i < n; ++i) f(i);
}

/// Calls f(0), f(1), … f(n − 1); for small n unrolled, with a compile-time constant in each call.
template <std::size_t n, class F>
STILLPOINT_INLINE void unrolled(const F& f) {
  if constexpr (n <= most_unrolled) {
    [&]<std::size_t... i>(std::index_sequence<i...>) STILLPOINT_UNROLL {
      (f(std::integral_constant<std::size_t, i>()), ...);
    }
    (std::make_index_sequence<n>());
  } else {
    looped<n>(f);
  }
}

/// Returns the row of entry k of a lower triangle stored by rows: (0,0) (1,0) (1,1) (2,0) …
constexpr std::size_t row_of(std::size_t k) {
  std::size_t i = 0;
  while ((i + 1) * (i + 2) / 2 <= k) ++i;
  return i;
}
template <std::size_t k>
struct LowerEntry {
  static constexpr std::size_t row = row_of(k), column = k - row * (row + 1) / 2;
  constexpr operator std::size_t() const { return k; }  // NOLINT: it is entry k
};

struct AnyLowerEntry {
  std::size_t row, column;
  constexpr operator std::size_t() const { return row * (row + 1) / 2 + column; }  // NOLINT
};

template <std::size_t n, class F>
[[gnu::noinline]] void looped_lower(const F& f) {
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) f(AnyLowerEntry{row, column});
  }
}

/// Calls f for all entries of a lower triangle with n rows in the same way.
template <std::size_t n, class F>
STILLPOINT_INLINE void unrolled_lower(const F& f) {
  if constexpr (n <= most_unrolled) {
    [&]<std::size_t... k>(std::index_sequence<k...>) STILLPOINT_UNROLL { (f(LowerEntry<k>()), ...); }
    (std::make_index_sequence<n*(n + 1) / 2>());
  } else {
    looped_lower<n>(f);
  }
}

}  // namespace detail

template <int N>
struct Dual {
  static constexpr int directions = N;

  double value = 0;
  std::array<double, N> gradient{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: constants mix freely with variables

  /// Returns a variable: its derivative is one in its own direction. A direction that does not exist gives a constant.
  STILLPOINT_INLINE static Dual variable(double value, int direction) {
    Dual x(value);
    each(STILLPOINT_EACH(i) { x.gradient[i] = i == static_cast<std::size_t>(direction) ? 1 : 0; });
    return x;
  }

  /// Returns a function of the three variables from `first` on, given its derivatives; the second ones are not needed
  /// here.
  static Dual quadratic(double value, const std::array<double, 3>& slope, const std::array<double, 6>& /*curvature*/,
                        int first) {
    Dual x(value);
    if constexpr (N >= 3) {
      if (first > N - 3) return x;  // directions that do not exist give a constant
      const auto f = static_cast<std::size_t>(first);
      for (std::size_t i = 0; i < 3; ++i) x.gradient[f + i] = slope[i];
    }
    return x;
  }

  /// Returns f(x), given f(x), f'(x) and f''(x); the last is not needed here.
  STILLPOINT_INLINE Dual chain(double f, double df, double /*ddf*/) const {
    Dual y(f);
    each(STILLPOINT_EACH(i) { y.gradient[i] = df * gradient[i]; });
    return y;
  }

  STILLPOINT_INLINE Dual& operator+=(const Dual& other) {
    value += other.value;
    each(STILLPOINT_EACH(i) { gradient[i] += other.gradient[i]; });
    return *this;
  }
  STILLPOINT_INLINE Dual& operator-=(const Dual& other) {
    value -= other.value;
    each(STILLPOINT_EACH(i) { gradient[i] -= other.gradient[i]; });
    return *this;
  }
  STILLPOINT_INLINE Dual& operator*=(double factor) {
    value *= factor;
    each(STILLPOINT_EACH(i) { gradient[i] *= factor; });
    return *this;
  }

  STILLPOINT_INLINE friend Dual operator*(const Dual& x, const Dual& y) {
    Dual z(x.value * y.value);
    each(STILLPOINT_EACH(i) { z.gradient[i] = x.value * y.gradient[i] + y.value * x.gradient[i]; });
    return z;
  }

  // z = x/y:  z' = (x' − z y') / y
  STILLPOINT_INLINE friend Dual operator/(const Dual& x, const Dual& y) {
    const double inverse = 1 / y.value;
    Dual z(x.value * inverse);
    each(STILLPOINT_EACH(i) { z.gradient[i] = (x.gradient[i] - z.value * y.gradient[i]) * inverse; });
    return z;
  }

 private:
  template <class F>
  STILLPOINT_INLINE static void each(const F& f) {
    detail::unrolled<N>(f);
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

  STILLPOINT_INLINE static Dual2 variable(double value, int direction) {
    Dual2 x(value);
    each(STILLPOINT_EACH(i) { x.gradient[i] = i == static_cast<std::size_t>(direction) ? 1 : 0; });
    return x;
  }

  /// Returns a function of the three variables from `first` on, given its derivatives; the second ones are a lower
  /// triangle.
  static Dual2 quadratic(double value, const std::array<double, 3>& slope, const std::array<double, 6>& curvature,
                         int first) {
    Dual2 x(value);
    if constexpr (N >= 3) {
      if (first > N - 3) return x;
      const auto f = static_cast<std::size_t>(first);
      for (std::size_t i = 0, k = 0; i < 3; ++i) {
        x.gradient[f + i] = slope[i];
        for (std::size_t j = 0; j <= i; ++j) x.lower[(f + i) * (f + i + 1) / 2 + f + j] = curvature[k++];
      }
    }
    return x;
  }

  STILLPOINT_INLINE double hessian(int i, int j) const {
    return lower[static_cast<std::size_t>(i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j)];
  }

  STILLPOINT_INLINE Dual2 chain(double f, double df, double ddf) const {
    Dual2 y(f);
    each(STILLPOINT_EACH(i) { y.gradient[i] = df * gradient[i]; });
    each_pair(STILLPOINT_EACH(k) { y.lower[k] = df * lower[k] + ddf * gradient[k.row] * gradient[k.column]; });
    return y;
  }

  STILLPOINT_INLINE Dual2& operator+=(const Dual2& other) {
    value += other.value;
    each(STILLPOINT_EACH(i) { gradient[i] += other.gradient[i]; });
    each_pair(STILLPOINT_EACH(k) { lower[k] += other.lower[k]; });
    return *this;
  }
  STILLPOINT_INLINE Dual2& operator-=(const Dual2& other) {
    value -= other.value;
    each(STILLPOINT_EACH(i) { gradient[i] -= other.gradient[i]; });
    each_pair(STILLPOINT_EACH(k) { lower[k] -= other.lower[k]; });
    return *this;
  }
  STILLPOINT_INLINE Dual2& operator*=(double factor) {
    value *= factor;
    each(STILLPOINT_EACH(i) { gradient[i] *= factor; });
    each_pair(STILLPOINT_EACH(k) { lower[k] *= factor; });
    return *this;
  }

  // z = x y:  z'' = x y'' + y x'' + x' y'ᵀ + y' x'ᵀ
  STILLPOINT_INLINE friend Dual2 operator*(const Dual2& x, const Dual2& y) {
    Dual2 z(x.value * y.value);
    each(STILLPOINT_EACH(i) { z.gradient[i] = x.value * y.gradient[i] + y.value * x.gradient[i]; });
    each_pair(STILLPOINT_EACH(k) {
      z.lower[k] = x.value * y.lower[k] + y.value * x.lower[k] + x.gradient[k.row] * y.gradient[k.column] +
                   y.gradient[k.row] * x.gradient[k.column];
    });
    return z;
  }

  // z = x/y:  z'' = (x'' − z y'' − z' y'ᵀ − y' z'ᵀ) / y
  STILLPOINT_INLINE friend Dual2 operator/(const Dual2& x, const Dual2& y) {
    const double inverse = 1 / y.value;
    Dual2 z(x.value * inverse);
    each(STILLPOINT_EACH(i) { z.gradient[i] = (x.gradient[i] - z.value * y.gradient[i]) * inverse; });
    each_pair(STILLPOINT_EACH(k) {
      z.lower[k] = (x.lower[k] - z.value * y.lower[k] - z.gradient[k.row] * y.gradient[k.column] -
                    y.gradient[k.row] * z.gradient[k.column]) *
                   inverse;
    });
    return z;
  }

 private:
  template <class F>
  STILLPOINT_INLINE static void each(const F& f) {
    detail::unrolled<N>(f);
  }
  template <class F>
  STILLPOINT_INLINE static void each_pair(const F& f) {
    detail::unrolled_lower<N>(f);
  }
};

/// Matches Dual and Dual2; the operations below are written once for both.
template <class T>
concept DualNumber = requires(const T& x) {
  T::directions;
  x.chain(0.0, 0.0, 0.0);
};

template <DualNumber T>
STILLPOINT_INLINE T operator+(T x, const T& y) {
  return x += y;
}
template <DualNumber T>
STILLPOINT_INLINE T operator-(T x, const T& y) {
  return x -= y;
}
template <DualNumber T>
STILLPOINT_INLINE T operator*(double factor, T x) {
  return x *= factor;
}
template <DualNumber T>
STILLPOINT_INLINE T operator*(T x, double factor) {
  return x *= factor;
}
template <DualNumber T>
STILLPOINT_INLINE T operator-(T x) {
  return x *= -1.0;
}

template <DualNumber T>
STILLPOINT_INLINE T operator+(T x, double constant) {
  x.value += constant;
  return x;
}
template <DualNumber T>
STILLPOINT_INLINE T operator+(double constant, const T& x) {
  return x + constant;
}
template <DualNumber T>
STILLPOINT_INLINE T operator-(const T& x, double constant) {
  return x + (-constant);
}
template <DualNumber T>
STILLPOINT_INLINE T operator-(double constant, const T& x) {
  return -x + constant;
}

template <DualNumber T>
STILLPOINT_INLINE T operator/(double x, const T& y) {
  const double f = 1 / y.value;
  return x * y.chain(f, -f * f, 2 * f * f * f);
}
template <DualNumber T>
STILLPOINT_INLINE T operator/(const T& x, double y) {
  return (1 / y) * x;
}

template <DualNumber T>
STILLPOINT_INLINE T sqrt(const T& x) {
  const double f = std::sqrt(x.value), df = 0.5 / f;
  return x.chain(f, df, -2 * df * df * df);
}
template <DualNumber T>
STILLPOINT_INLINE T sin(const T& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return x.chain(s, c, -s);
}
template <DualNumber T>
STILLPOINT_INLINE T cos(const T& x) {
  const double s = std::sin(x.value), c = std::cos(x.value);
  return x.chain(c, -s, -c);
}
template <DualNumber T>
STILLPOINT_INLINE T atan(const T& x) {
  const double d = 1 / (1 + x.value * x.value);
  return x.chain(std::atan(x.value), d, -2 * x.value * d * d);
}

/// Returns the angle of the direction (x, y). Relative to the value of atan2 it is the arctangent of cross product over
/// dot product with the current direction, which is smooth, zero here, and carries all derivatives.
template <DualNumber T>
STILLPOINT_INLINE T atan2(const T& y, const T& x) {
  T turn = atan((y * x.value - x * y.value) / (x * x.value + y * y.value));
  turn.value += std::atan2(y.value, x.value);
  return turn;
}

/// Returns the value without its derivatives.
STILLPOINT_INLINE double value_of(double x) { return x; }
template <DualNumber T>
STILLPOINT_INLINE double value_of(const T& x) {
  return x.value;
}

}  // namespace stillpoint
