// Measures of places and coordinates for outputs: elements whose only law is a measure. Components are in the axes of a
// chosen frame, or of the ground.
//
//   point       p, v or a of a point
//   angle       the angle of one frame relative to another (in space about the z axis of the latter)
//   rate        the angular velocity of a frame
//   distance    |p_b − p_a|
//   coordinate  the value of a coordinate
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

// --- Components in chosen axes

template <class T>
std::array<T, 2> components(const Moving<T>& axes, const Vec2<T>& v) {
  const Vec2<T> e = direction(axes.value);
  return {dot(e, v), cross(e, v)};
}
template <class T>
std::array<T, 3> components(const space::MovingOrientation<T>& axes, const Vec3<T>& v) {
  const Vec3<T> turned = turned_back(axes.R, v);
  return {turned.x, turned.y, turned.z};
}

enum class PointMotion { position, velocity, acceleration };

template <class Place, class Axes>
struct BasicPointMeasure {
  Place at;
  Axes axes{ground_marker};
  PointMotion what = PointMotion::position;

  static constexpr unsigned laws = 0;
  static constexpr auto measure_names = [] {
    if constexpr (std::is_same_v<Place, PositionOf>) return std::array{".x", ".y"};
    else return std::array{".x", ".y", ".z"};
  }();
  static const ElementInfo& info();
  auto places() const { return std::tuple(at, axes); }
  std::string measure_unit(const UnitBook&) const {
    return what == PointMotion::position ? "m" : what == PointMotion::velocity ? "m/s" : "m/s²";
  }

  auto measure(const auto& point, const auto& in) const {
    return components(in, what == PointMotion::position ? point.p : what == PointMotion::velocity ? point.v : point.a);
  }
};

template <class Place>
struct BasicDistanceMeasure {
  Place a, b;

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook&) const { return "m"; }

  auto measure(const auto& at_a, const auto& at_b) const { return std::array{length(at_b.p - at_a.p)}; }
};

struct AngleMeasure {
  AngleOf against{ground_marker}, of;

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(against, of); }
  std::string measure_unit(const UnitBook& book) const {
    return book.is_angle(of) && book.is_angle(against) ? "rad" : "";
  }

  template <class T>
  std::array<T, 1> measure(const Moving<T>& from, const Moving<T>& to) const {
    return {to.value - from.value};
  }
};

struct RateMeasure {
  AngleOf of;

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(of); }
  std::string measure_unit(const UnitBook& book) const { return book.is_angle(of) ? "rad/s" : ""; }

  template <class T>
  std::array<T, 1> measure(const Moving<T>& angle) const {
    return {angle.rate};
  }
};

struct CoordinateMeasure {
  CoordinateOf coordinate;

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(coordinate); }
  std::string measure_unit(const UnitBook& book) const { return book.of(coordinate); }

  template <class T>
  std::array<T, 1> measure(const Moving<T>& q) const {
    return {q.value};
  }
};

using PointMeasure = BasicPointMeasure<PositionOf, AngleOf>;
using DistanceMeasure = BasicDistanceMeasure<PositionOf>;

namespace space {

using PointMeasure = BasicPointMeasure<PositionOf, OrientationOf>;
using DistanceMeasure = BasicDistanceMeasure<PositionOf>;

struct AngleMeasure {
  OrientationOf against{ground_marker}, of;

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(against, of); }
  std::string measure_unit(const UnitBook&) const { return "rad"; }

  template <class T>
  std::array<T, 1> measure(const MovingOrientation<T>& from, const MovingOrientation<T>& to) const {
    return {twist(inverse(from.R) * to.R)};
  }
};

struct RateMeasure {
  OrientationOf of;
  OrientationOf axes{ground_marker};

  static constexpr unsigned laws = 0;
  static constexpr std::array measure_names{".x", ".y", ".z"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(of, axes); }
  std::string measure_unit(const UnitBook&) const { return "rad/s"; }

  template <class T>
  std::array<T, 3> measure(const MovingOrientation<T>& turning, const MovingOrientation<T>& in) const {
    return components(in, turning.omega);
  }
};

}  // namespace space

}  // namespace stillpoint
