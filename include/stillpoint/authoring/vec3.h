// Vectors and rotations in space over any scalar type.
#pragma once

#include <cmath>

#include "stillpoint/authoring/dual.h"

namespace stillpoint {

template <class T>
struct Vec3 {
  using Scalar = T;

  T x{};
  T y{};
  T z{};

  Vec3& operator+=(const Vec3& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
};

template <class S, class T>
auto operator+(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S, class T>
auto operator-(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class S, class T>
auto operator*(const S& factor, const Vec3<T>& a) -> Vec3<decltype(factor * a.x)> {
  return {factor * a.x, factor * a.y, factor * a.z};
}

template <class S, class T>
auto dot(const Vec3<S>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S, class T>
auto cross(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.y * b.z)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// A rotation as a unit quaternion: w = cos(α/2), (x, y, z) = axis · sin(α/2). It maps components in the axes of a
/// frame to components in the axes in which the frame is given.
template <class T>
struct Rotation {
  T w{1};
  T x{};
  T y{};
  T z{};
};

/// Returns the composition: b first, then a.
template <class S, class T>
auto operator*(const Rotation<S>& a, const Rotation<T>& b) -> Rotation<decltype(a.w * b.w)> {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}
template <class T>
Rotation<T> inverse(const Rotation<T>& r) {
  return {r.w, -r.x, -r.y, -r.z};
}

/// Return the axes of a frame with this orientation.
template <class T>
Vec3<T> x_axis(const Rotation<T>& r) {
  return {r.w * r.w + r.x * r.x - r.y * r.y - r.z * r.z, 2.0 * (r.x * r.y + r.w * r.z), 2.0 * (r.x * r.z - r.w * r.y)};
}
template <class T>
Vec3<T> y_axis(const Rotation<T>& r) {
  return {2.0 * (r.x * r.y - r.w * r.z), r.w * r.w - r.x * r.x + r.y * r.y - r.z * r.z, 2.0 * (r.y * r.z + r.w * r.x)};
}
template <class T>
Vec3<T> z_axis(const Rotation<T>& r) {
  return {2.0 * (r.x * r.z + r.w * r.y), 2.0 * (r.y * r.z - r.w * r.x), r.w * r.w - r.x * r.x - r.y * r.y + r.z * r.z};
}

/// Returns v, given in the rotated axes, in the original axes.
template <class S, class T>
auto turned(const Rotation<S>& r, const Vec3<T>& v) {
  return v.x * x_axis(r) + v.y * y_axis(r) + v.z * z_axis(r);
}
/// Returns v, given in the original axes, in the rotated axes.
template <class S, class T>
auto turned_back(const Rotation<S>& r, const Vec3<T>& v) -> Vec3<decltype(r.w * v.x)> {
  return {dot(x_axis(r), v), dot(y_axis(r), v), dot(z_axis(r), v)};
}

/// Returns the rotation about a vector, by its length as angle (rad).
Rotation<double> rotation_about(const Vec3<double>& vector);
/// Returns the rotation vector, of length at most π (rad): the inverse of rotation_about().
Vec3<double> rotation_vector(const Rotation<double>& r);
/// Returns the rotation whose z axis has the direction z, and whose x axis is as close to x as possible. The vectors
/// must be neither zero nor parallel.
Rotation<double> rotation_with(const Vec3<double>& z, const Vec3<double>& x);
/// Chooses the x axis closest to the global x axis, or to the global y axis if z is nearly along x.
Rotation<double> rotation_with(const Vec3<double>& z);
/// Returns the same rotation with unit norm, which corrects the rounding of many products.
Rotation<double> normalized(const Rotation<double>& r);

/// Returns the vector of a relative rotation whose direction is the axis and whose length is 2 sin(α/2). It is zero
/// only for α = 0, and increases up to half a revolution.
template <class T>
Vec3<T> half_sine_vector(const Rotation<T>& r) {
  const double two = value_of(r.w) < 0 ? -2 : 2;  // r and −r are the same rotation
  return {two * r.x, two * r.y, two * r.z};
}

/// Returns the angle about z, in [−π, π], that remains of a rotation without the shortest tilt of the z axis.
template <class T>
T twist(const Rotation<T>& r) {
  using std::atan2;
  const double sign = value_of(r.w) < 0 ? -1 : 1;
  return 2.0 * atan2(sign * r.z, sign * r.w);
}

/// Returns the rotation vector: axis times angle, the angle in [0, π).
template <class T>
Vec3<T> rotation_vector_of(const Rotation<T>& r) {
  using std::atan2, std::sqrt;
  const Vec3<T> s = half_sine_vector(r);  // 2 sin(α/2) e
  const T square = 0.25 * dot(s, s);      // sin²(α/2)
  // The factor α / (2 sin(α/2)) is evaluated near zero by the series of arcsin(√x)/√x, which is smooth where the root
  // is not.
  if (value_of(square) < 0.01) {
    T sum(0);
    for (int n = 10; n >= 0; --n) {
      // The coefficients (2n)! / (4ⁿ n!² (2n+1)) are generated by Horner's scheme from the ratio of consecutive ones.
      const double ratio = (2.0 * n + 1) * (2.0 * n + 1) / ((2.0 * n + 2) * (2.0 * n + 3));
      sum = 1.0 + ratio * (square * sum);
    }
    return sum * s;
  }
  const double sign = value_of(r.w) < 0 ? -1 : 1;
  const T sine = sqrt(square);
  return (atan2(sine, sign * r.w) / sine) * s;
}

}  // namespace stillpoint
