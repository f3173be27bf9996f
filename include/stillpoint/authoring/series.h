// Power series in one variable, truncated after the power `order` [Griewank & Walther 2008], chapter 13:
//
//   x(t) = x_0 + x_1 t + … + x_K t^K
//
// A law evaluated over the series of a motion q(t) = q + v t gives its derivatives along the motion: 2 x_2 is the
// second one. That takes a few numbers, where second derivatives in every direction take n²/2.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace stillpoint {

template <int K>
struct Series {
  static constexpr int order = K;
  static constexpr std::size_t count = K + 1;

  std::array<double, count> c{};  ///< coefficients

  Series() = default;
  Series(double constant) { c[0] = constant; }  // NOLINT: constants mix freely with variables
  Series(double value, double slope) {
    c[0] = value;
    c[1] = slope;
  }

  Series& operator+=(const Series& other) {
    for (std::size_t k = 0; k < count; ++k) c[k] += other.c[k];
    return *this;
  }
  Series& operator-=(const Series& other) {
    for (std::size_t k = 0; k < count; ++k) c[k] -= other.c[k];
    return *this;
  }
  Series& operator*=(double factor) {
    for (double& x : c) x *= factor;
    return *this;
  }

  friend Series operator+(Series x, const Series& y) { return x += y; }
  friend Series operator-(Series x, const Series& y) { return x -= y; }
  friend Series operator-(Series x) { return x *= -1.0; }
  friend Series operator+(Series x, double y) {
    x.c[0] += y;
    return x;
  }
  friend Series operator+(double x, const Series& y) { return y + x; }
  friend Series operator-(const Series& x, double y) { return x + (-y); }
  friend Series operator-(double x, const Series& y) { return -y + x; }
  friend Series operator*(double factor, Series x) { return x *= factor; }
  friend Series operator*(Series x, double factor) { return x *= factor; }
  friend Series operator/(const Series& x, double y) { return (1 / y) * x; }

  friend Series operator*(const Series& x, const Series& y) {
    Series z;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i <= k; ++i) z.c[k] += x.c[i] * y.c[k - i];
    }
    return z;
  }

  // x = z y
  friend Series operator/(const Series& x, const Series& y) {
    Series z;
    for (std::size_t k = 0; k < count; ++k) {
      double rest = x.c[k];
      for (std::size_t i = 0; i < k; ++i) rest -= z.c[i] * y.c[k - i];
      z.c[k] = rest / y.c[0];
    }
    return z;
  }
  friend Series operator/(double x, const Series& y) { return Series(x) / y; }

  // x = z²
  friend Series sqrt(const Series& x) {
    Series z(std::sqrt(x.c[0]));
    for (std::size_t k = 1; k < count; ++k) {
      double rest = x.c[k];
      for (std::size_t i = 1; i < k; ++i) rest -= z.c[i] * z.c[k - i];
      z.c[k] = rest / (2 * z.c[0]);
    }
    return z;
  }

  friend Series sin(const Series& x) { return circle(x)[1]; }
  friend Series cos(const Series& x) { return circle(x)[0]; }

  /// The angle of the direction (x, y): its rate is (x ẏ − y ẋ) / (x² + y²).
  friend Series atan2(const Series& y, const Series& x) {
    return integral(std::atan2(y.c[0], x.c[0]), (x * rate(y) - y * rate(x)) / (x * x + y * y));
  }
  friend Series atan(const Series& x) { return integral(std::atan(x.c[0]), rate(x) / (1.0 + x * x)); }

  friend double value_of(const Series& x) { return x.c[0]; }

 private:
  // The derivative, whose last coefficient is not known, and which `integral` does not need.
  static Series rate(const Series& x) {
    Series dx;
    for (std::size_t k = 0; k + 1 < count; ++k) dx.c[k] = static_cast<double>(k + 1) * x.c[k + 1];
    return dx;
  }
  static Series integral(double value, const Series& dx) {
    Series x(value);
    for (std::size_t k = 1; k < count; ++k) x.c[k] = dx.c[k - 1] / static_cast<double>(k);
    return x;
  }

  // cos x and sin x, from (cos x)˙ = −sin x ẋ and (sin x)˙ = cos x ẋ.
  static std::array<Series, 2> circle(const Series& x) {
    Series cosine(std::cos(x.c[0])), sine(std::sin(x.c[0]));
    for (std::size_t k = 1; k < count; ++k) {
      for (std::size_t i = 1; i <= k; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(k) * x.c[i];
        cosine.c[k] -= part * sine.c[k - i];
        sine.c[k] += part * cosine.c[k - i];
      }
    }
    return {cosine, sine};
  }
};

}  // namespace stillpoint
