// Vectors in the plane over any scalar type.
#pragma once

#include <cmath>

#include "stillpoint/authoring/dual.h"

namespace stillpoint {

template <class T>
struct Vec2 {
  using Scalar = T;

  T x{};
  T y{};

  Vec2& operator+=(const Vec2& other) {
    x += other.x;
    y += other.y;
    return *this;
  }
};

/// The scalar type of a vector in the plane or in space.
template <class Vector>
using ScalarOf = typename Vector::Scalar;

template <class T>
Vec2<T> operator+(const Vec2<T>& a, const Vec2<T>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class T>
Vec2<T> operator-(const Vec2<T>& a, const Vec2<T>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class T>
Vec2<T> operator-(const Vec2<T>& a) {
  return {-a.x, -a.y};
}
template <class S, class T>
Vec2<T> operator*(const S& factor, const Vec2<T>& a) {
  return {factor * a.x, factor * a.y};
}

template <class S, class T>
T dot(const Vec2<S>& a, const Vec2<T>& b) {
  return a.x * b.x + a.y * b.y;
}
/// Returns the component of a × b along z.
template <class S, class T>
T cross(const Vec2<S>& a, const Vec2<T>& b) {
  return a.x * b.y - a.y * b.x;
}
/// Returns a rotated by +90°.
template <class T>
Vec2<T> perpendicular(const Vec2<T>& a) {
  return {-a.y, a.x};
}

template <class T>
T length(const Vec2<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// Returns the unit vector at an angle from the x axis.
template <class T>
Vec2<T> direction(const T& angle) {
  using std::cos, std::sin;
  return {cos(angle), sin(angle)};
}

/// Returns an angle reduced to [−π, π]: the logarithm of the rotation, whose derivative is one except at ±π.
template <class T>
T wrap_angle(const T& angle) {
  constexpr double turn = 6.283185307179586476925286766559;
  return angle - turn * std::nearbyint(value_of(angle) / turn);
}

}  // namespace stillpoint
