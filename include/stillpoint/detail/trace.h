// A scalar type for sparsity detection by operator overloading ([Griewank & Walther 2008], chapter 7): it records on
// which variables a value depends, and which pairs of them have a nonzero second derivative.
//
// The trace of a law gives the sparsity of its gradient and Hessian as the formula has it, independently of the state.
// A pattern therefore does not change with the state, and contains zeros only where the data cause them (the factor 0
// of a coupling) or the state of rest does (the stiffness of a damper).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace stillpoint {

struct Trace {
  static constexpr int directions = 32;

  std::uint32_t gradient = 0;  ///< bit i: depends on variable i
  std::array<std::uint32_t, directions>
      hessian{};  ///< bit j of row i: the second derivative with respect to i and j may be nonzero

  Trace() = default;
  Trace(double /*constant*/) {}  // NOLINT: constants mix freely with variables

  static Trace variable(double /*value*/, int direction) {
    Trace x;
    x.gradient = std::uint32_t{1} << direction;
    return x;
  }

  bool depends_on(int i) const { return (gradient >> i) & 1U; }
  bool couples(int i, int j) const { return (hessian[static_cast<std::size_t>(i)] >> j) & 1U; }

  /// Whether any second derivative may be nonzero.
  bool bends() const {
    return std::any_of(hessian.begin(), hessian.end(), [](std::uint32_t row) { return row != 0; });
  }

  /// Returns the union of both: the sparsity of a linear combination.
  Trace& operator+=(const Trace& other) {
    gradient |= other.gradient;
    for (std::size_t i = 0; i < hessian.size(); ++i) hessian[i] |= other.hessian[i];
    return *this;
  }

  /// Adds the coupling of every variable in the set x with every variable in the set y.
  void couple(std::uint32_t x, std::uint32_t y) {
    for (std::size_t i = 0; i < hessian.size(); ++i) {
      if ((x >> i) & 1U) hessian[i] |= y;
      if ((y >> i) & 1U) hessian[i] |= x;
    }
  }
};

inline Trace operator+(Trace x, const Trace& y) { return x += y; }
inline Trace operator-(Trace x, const Trace& y) { return x += y; }
inline Trace operator-(const Trace& x) { return x; }
inline Trace operator*(Trace x, const Trace& y) {
  const std::uint32_t mine = x.gradient;
  x += y;
  x.couple(mine, y.gradient);
  return x;
}

/// A nonlinear function couples all variables on which its argument depends.
inline Trace curved(Trace x) {
  x.couple(x.gradient, x.gradient);
  return x;
}
inline Trace operator/(const Trace& x, const Trace& y) { return x * curved(y); }
inline Trace sqrt(const Trace& x) { return curved(x); }
inline Trace sin(const Trace& x) { return curved(x); }
inline Trace cos(const Trace& x) { return curved(x); }
inline Trace atan2(const Trace& y, const Trace& x) { return curved(x + y); }

// Overloads for constants avoid the conversion of a double to a Trace of more than 128 bytes.
inline Trace operator+(const Trace& x, double) { return x; }
inline Trace operator+(double, const Trace& x) { return x; }
inline Trace operator-(const Trace& x, double) { return x; }
inline Trace operator-(double, const Trace& x) { return x; }
inline Trace operator*(double, const Trace& x) { return x; }
inline Trace operator*(const Trace& x, double) { return x; }
inline Trace operator/(const Trace& x, double) { return x; }
inline Trace operator/(double, const Trace& x) { return curved(x); }

inline double value_of(const Trace&) { return 0; }

}  // namespace stillpoint
