#include "stillpoint/authoring/vec3.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "stillpoint/authoring/dual.h"
#include "support/as_eigen.h"

using namespace stillpoint;

namespace {

constexpr double rounding = 1e-14;
constexpr double pi = std::numbers::pi;

double difference(const Vec3<double>& a, const Vec3<double>& b) { return length(a - b); }

/// Seeded vectors with components between −2 and 2.
Vec3<double> next(std::mt19937_64& engine) {
  const auto number = [&] { return static_cast<double>(engine() >> 11) * 0x1p-51 - 2; };
  const double x = number(), y = number();
  return {x, y, number()};
}

}  // namespace

TEST_CASE("Rotation: turns vectors, chains and inverts as Eigen's quaternions do") {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 100; ++i) {
    const Rotation<double> a = rotation_about(next(engine)), b = rotation_about(next(engine));
    const Vec3<double> v = next(engine);
    CHECK((eigen(turned(a, v)) - eigen(a) * eigen(v)).norm() < rounding * 10);
    CHECK((eigen(turned(a * b, v)) - eigen(a) * (eigen(b) * eigen(v))).norm() < rounding * 10);
    CHECK(difference(turned_back(a, turned(a, v)), v) < rounding * 10);
    CHECK(difference(turned(inverse(a), v), turned_back(a, v)) < rounding * 10);
    CHECK(difference(turned(a, Vec3<double>{1, 0, 0}), x_axis(a)) == 0);
    CHECK(difference(turned(a, Vec3<double>{0, 1, 0}), y_axis(a)) == 0);
    CHECK(difference(turned(a, Vec3<double>{0, 0, 1}), z_axis(a)) == 0);
  }
}

TEST_CASE("rotation_vector: is the inverse of rotation_about up to half a turn, at zero and near it too") {
  std::mt19937_64 engine(2);
  for (const double angle : {0.0, 1e-300, 1e-9, 0.01, 0.19, 0.2001, 0.2005, 0.3, 1.0, 3.0, 3.141592}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3<double> direction = next(engine);
      const Vec3<double> v = (angle / length(direction)) * direction;
      CHECK(difference(rotation_vector(rotation_about(v)), v) <= rounding * 10 * angle);
    }
  }
  // Beyond half a turn the shorter way is meant.
  CHECK(difference(rotation_vector(rotation_about({0, 0, 1.5 * pi})), {0, 0, -0.5 * pi}) < rounding * 10);
}

TEST_CASE("rotation_vector_of: its derivatives are exact where the series ends and the arc tangent begins") {
  // Along one axis the rotation vector is the angle itself: first derivative one, second zero.
  for (const double angle : {0.0, 1e-8, 0.1, 0.19999, 0.2004, 0.20034, 1.0, 3.0}) {
    using T = Dual2<1>;
    const T phi = T::variable(angle, 0);
    const Rotation<T> r{cos(0.5 * phi), T(0), sin(0.5 * phi), T(0)};
    const Vec3<T> v = rotation_vector_of(r);
    CAPTURE(angle);
    CHECK(v.y.value == doctest::Approx(angle).epsilon(1e-14));
    CHECK(v.y.gradient[0] == doctest::Approx(1).epsilon(1e-13));
    CHECK(std::abs(v.y.hessian(0, 0)) < 1e-12);
    CHECK(v.x.value == 0);
  }
}

TEST_CASE("rotation_with: its z axis is as given, its x axis as near as can be") {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> z = next(engine), x = next(engine);
    const Rotation<double> r = rotation_with(z, x);
    CHECK(difference(z_axis(r), (1 / length(z)) * z) < rounding * 10);
    CHECK(std::abs(dot(y_axis(r), x)) < rounding * 10);
    CHECK(dot(x_axis(r), x) > 0);
    CHECK(std::abs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < rounding);
    CHECK(difference(z_axis(rotation_with(z)), (1 / length(z)) * z) < rounding * 10);
  }
  // Half turns, where the quaternion of a matrix is found from another component each time.
  for (const Vec3<double>& z : {Vec3<double>{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
    CHECK(difference(z_axis(rotation_with(z)), z) < rounding);
  }
  CHECK(difference(x_axis(rotation_with({0, 0, -1}, {-1, 0, 0})), {-1, 0, 0}) < rounding);
  CHECK(difference(x_axis(rotation_with({0, 0, -1}, {1, 0, 0})), {1, 0, 0}) < rounding);
}

TEST_CASE("twist: is the angle about z, whatever the tilt, and r and −r have the same") {
  for (const double angle : {-3.1, -1.0, 0.0, 0.4, 2.0, 3.1}) {
    const Rotation<double> about_z = rotation_about({0, 0, angle});
    CHECK(twist(about_z) == doctest::Approx(angle));
    const Rotation<double> tilted = rotation_about({0.8, -0.5, 0}) * about_z;
    CHECK(twist(tilted) == doctest::Approx(angle));
    CHECK(twist(Rotation<double>{-tilted.w, -tilted.x, -tilted.y, -tilted.z}) == doctest::Approx(angle));
  }
}

TEST_CASE("half_sine_vector: grows up to half a turn, so that a lock has no second solution") {
  double before = -1;
  for (double angle = 0; angle <= pi; angle += 0.01) {
    const double size = length(half_sine_vector(rotation_about({0, angle, 0})));
    CHECK(size == doctest::Approx(2 * std::sin(angle / 2)));
    CHECK(size > before);
    before = size;
  }
}
