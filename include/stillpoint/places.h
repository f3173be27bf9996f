// Where elements hold on to the mechanism, and how a law's variables follow from the coordinates.
//
// Blocks own coordinates; markers are fixed on a block or on the ground; an element refers to markers through a handle
// whose type says what it needs there: a position, a direction and position, an angle, or one raw coordinate. The
// handle alone decides on which coordinates the element depends, what its law is given, and how the law's forces come
// back:
//
//   handle         law of position gets   law of motion gets              force of the law
//   PositionOf     Vec2<T>                MovingPoint<T>  p, v, a         Vec2<T>
//   FrameOf        Frame<T>               MovingFrame<T>  also the angle  Wrench<T>
//   AngleOf        T                      Moving<T>       value, rate …   T (a torque)
//   CoordinateOf   T                      Moving<T>                       T
//
// Everything here is for the plane; bodies in space add their own blocks and handles beside these.
#pragma once

#include <array>
#include <cstdint>

#include "stillpoint/sparse.h"
#include "stillpoint/vec2.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// What owns coordinates, and what sits on it

enum class BlockKind : std::uint8_t {
  scalar,  ///< one coordinate: an angle, a displacement
  point,   ///< x, y
  body     ///< x, y of the body's origin, and its angle φ
};

constexpr Index coordinates_of(BlockKind kind) {
  return kind == BlockKind::scalar ? 1 : kind == BlockKind::point ? 2 : 3;
}

/// What distinguishes a coordinate from its siblings on the same block, as in "crank.phi".
constexpr const char* component_of(BlockKind kind, Index component) {
  constexpr const char* names[] = {"x", "y", "phi"};
  return kind == BlockKind::scalar ? "" : names[component];
}

struct Block {
  BlockKind kind = BlockKind::scalar;
  Index first = 0;   ///< its first coordinate
  Index marker = 0;  ///< the marker at its origin
};

constexpr Index on_ground = -1;

struct Marker {
  Index block = on_ground;
  Vec2<double> position;  ///< in the axes of the block (m)
  double angle = 0;       ///< from the axes of the block (rad)
};

/// The state in which laws are evaluated: plain pointers, valid for one evaluation.
struct Context {
  const Block* blocks = nullptr;
  const Marker* markers = nullptr;
  const double* q = nullptr;  ///< coordinates
  const double* v = nullptr;  ///< their rates; null at rest
  const double* a = nullptr;  ///< their accelerations; null at rest
  const double* u = nullptr;  ///< inputs
  Vec2<double> gravity;
};

// ---------------------------------------------------------------------------------------------------------------------
// Handles

constexpr Index ground_marker = 0;  ///< every model's first marker: the origin of the ground
constexpr Index nothing = -1;

struct PositionOf {
  Index marker = nothing;
};
struct FrameOf {
  Index marker = nothing;
};
struct AngleOf {
  Index marker = nothing;
};
struct CoordinateOf {
  Index coordinate = nothing;  ///< `nothing`: absent, and zero
};
struct InputRef {
  Index input = nothing;  ///< `nothing`: the constant one
};

/// The coordinates on which a handle depends. Two handles with the same code have the same sparsity.
struct Dependence {
  static constexpr int codes = 5;
  int count = 0;
  std::array<Index, 3> coordinate{};
  int code = 0;
};

constexpr int max_coordinates(PositionOf) { return 3; }
constexpr int max_coordinates(FrameOf) { return 3; }
constexpr int max_coordinates(AngleOf) { return 1; }
constexpr int max_coordinates(CoordinateOf) { return 1; }

inline bool at_origin(const Marker& marker) { return marker.position.x == 0 && marker.position.y == 0; }

inline Dependence dependence(const Context& context, PositionOf place) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {};
  const Block& block = context.blocks[marker.block];
  const Index x = block.first;
  if (block.kind == BlockKind::point) return {2, {x, x + 1}, 1};
  if (at_origin(marker)) return {2, {x, x + 1}, 2};
  return {3, {x, x + 1, x + 2}, 3};
}

inline Dependence dependence(const Context& context, FrameOf place) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {};
  const Index x = context.blocks[marker.block].first;
  return {3, {x, x + 1, x + 2}, at_origin(marker) ? 1 : 2};
}

/// The coordinate that is the angle (for a scalar: the value) of a marker, or `nothing` on the ground.
inline Index angle_coordinate(const Context& context, Index marker) {
  const Index block = context.markers[marker].block;
  if (block == on_ground) return nothing;
  const Block& owner = context.blocks[block];
  return owner.kind == BlockKind::body ? owner.first + 2 : owner.first;
}

inline Dependence dependence(const Context& context, AngleOf place) {
  const Index coordinate = angle_coordinate(context, place.marker);
  if (coordinate == nothing) return {};
  return {1, {coordinate}, 1};
}

inline Dependence dependence(const Context&, CoordinateOf place) {
  if (place.coordinate == nothing) return {};
  return {1, {place.coordinate}, 1};
}

// ---------------------------------------------------------------------------------------------------------------------
// What a law is given

template <class T>
struct Frame {
  Vec2<T> p;
  T angle{};
};

template <class T>
struct Moving {
  T value{};
  T rate{};
  T acceleration{};
};

template <class T>
struct MovingPoint {
  Vec2<T> p, v, a;
};

template <class T>
struct MovingFrame {
  Vec2<T> p, v, a;
  Moving<T> angle;
};

template <class T>
struct Wrench {
  Vec2<T> force;
  T torque{};
};

// ---------------------------------------------------------------------------------------------------------------------
// Lifting: from coordinates to what a law is given, with derivatives in the directions asked for

/// The first direction in which coordinates, rates and accelerations are varied; negative: held constant.
struct Seeds {
  int q = -1;
  int v = -1;
  int a = -1;

  /// The seeds of the handle whose coordinates come `count` later.
  Seeds after(int count) const { return {q < 0 ? q : q + count, v < 0 ? v : v + count, a < 0 ? a : a + count}; }
};

template <class T>
T seed(double value, int direction) {
  if constexpr (requires { T::variable(value, direction); }) {
    if (0 <= direction && direction < T::directions) return T::variable(value, direction);
  }
  return T(value);
}

/// Coordinate i of the model as the k-th variable of an element.
template <class T>
Moving<T> moving_coordinate(const Context& context, Index i, const Seeds& seeds, int k = 0) {
  const Seeds mine = seeds.after(k);
  return {seed<T>(context.q[i], mine.q), seed<T>(context.v ? context.v[i] : 0, mine.v),
          seed<T>(context.a ? context.a[i] : 0, mine.a)};
}

template <class T>
Frame<T> lift(const Context& context, FrameOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  const Vec2<double>& r = marker.position;
  if (marker.block == on_ground) return {{T(r.x), T(r.y)}, T(marker.angle)};
  const Index i = context.blocks[marker.block].first;
  const T x = seed<T>(context.q[i], seeds.q);
  const T y = seed<T>(context.q[i + 1], seeds.after(1).q);
  const T phi = seed<T>(context.q[i + 2], seeds.after(2).q);
  if (at_origin(marker)) return {{x, y}, phi + marker.angle};
  const Vec2<T> e = direction(phi);
  return {{x + r.x * e.x - r.y * e.y, y + r.x * e.y + r.y * e.x}, phi + marker.angle};
}

template <class T>
Vec2<T> lift(const Context& context, PositionOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {T(marker.position.x), T(marker.position.y)};
  const Block& block = context.blocks[marker.block];
  if (block.kind == BlockKind::body && !at_origin(marker)) {
    return lift<T>(context, FrameOf{place.marker}, seeds).p;
  }
  return {seed<T>(context.q[block.first], seeds.q), seed<T>(context.q[block.first + 1], seeds.after(1).q)};
}

template <class T>
T lift(const Context& context, AngleOf place, const Seeds& seeds) {
  const double offset = context.markers[place.marker].angle;
  const Index i = angle_coordinate(context, place.marker);
  if (i == nothing) return T(offset);
  return seed<T>(context.q[i], seeds.q) + offset;
}

template <class T>
T lift(const Context& context, CoordinateOf place, const Seeds& seeds) {
  if (place.coordinate == nothing) return T(0);
  return seed<T>(context.q[place.coordinate], seeds.q);
}

// ---------------------------------------------------------------------------------------------------------------------
// The same in motion

template <class T>
MovingFrame<T> lift_motion(const Context& context, FrameOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  const Vec2<double>& r = marker.position;
  if (marker.block == on_ground) {
    return {{T(r.x), T(r.y)}, {T(0), T(0)}, {T(0), T(0)}, {T(marker.angle), T(0), T(0)}};
  }
  const Index i = context.blocks[marker.block].first;
  const Moving<T> x = moving_coordinate<T>(context, i, seeds);
  const Moving<T> y = moving_coordinate<T>(context, i + 1, seeds, 1);
  Moving<T> phi = moving_coordinate<T>(context, i + 2, seeds, 2);
  MovingFrame<T> frame{{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}, phi};
  frame.angle.value = phi.value + marker.angle;
  if (at_origin(marker)) return frame;
  // p = o + r,  v = ȯ + φ̇ r⊥,  a = ö + φ̈ r⊥ − φ̇² r
  const Vec2<T> e = direction(phi.value);
  const Vec2<T> arm{r.x * e.x - r.y * e.y, r.x * e.y + r.y * e.x};
  const Vec2<T> across = perpendicular(arm);
  frame.p += arm;
  frame.v += phi.rate * across;
  frame.a += phi.acceleration * across - (phi.rate * phi.rate) * arm;
  return frame;
}

template <class T>
MovingPoint<T> lift_motion(const Context& context, PositionOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) {
    return {{T(marker.position.x), T(marker.position.y)}, {T(0), T(0)}, {T(0), T(0)}};
  }
  const Block& block = context.blocks[marker.block];
  if (block.kind == BlockKind::body && !at_origin(marker)) {
    const MovingFrame<T> frame = lift_motion<T>(context, FrameOf{place.marker}, seeds);
    return {frame.p, frame.v, frame.a};
  }
  const Moving<T> x = moving_coordinate<T>(context, block.first, seeds);
  const Moving<T> y = moving_coordinate<T>(context, block.first + 1, seeds, 1);
  return {{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}};
}

template <class T>
Moving<T> lift_motion(const Context& context, AngleOf place, const Seeds& seeds) {
  const double offset = context.markers[place.marker].angle;
  const Index i = angle_coordinate(context, place.marker);
  if (i == nothing) return {T(offset), T(0), T(0)};
  Moving<T> angle = moving_coordinate<T>(context, i, seeds);
  angle.value = angle.value + offset;
  return angle;
}

template <class T>
Moving<T> lift_motion(const Context& context, CoordinateOf place, const Seeds& seeds) {
  if (place.coordinate == nothing) return {T(0), T(0), T(0)};
  return moving_coordinate<T>(context, place.coordinate, seeds);
}

// ---------------------------------------------------------------------------------------------------------------------
// Pulling back: from a law's forces to forces on the handle's coordinates, in the order of its dependence.
// The work of the force in any variation of the coordinates is the same on both sides.

template <class T>
std::array<T, 3> pull_back(const Context& context, FrameOf place, const Seeds& seeds, const Wrench<T>& wrench) {
  const Marker& marker = context.markers[place.marker];
  T moment = wrench.torque;
  if (marker.block != on_ground && !at_origin(marker)) {
    const Index i = context.blocks[marker.block].first;
    const Vec2<T> e = direction(seed<T>(context.q[i + 2], seeds.after(2).q));
    const Vec2<double>& r = marker.position;
    moment += cross(Vec2<T>{r.x * e.x - r.y * e.y, r.x * e.y + r.y * e.x}, wrench.force);
  }
  return {wrench.force.x, wrench.force.y, moment};
}

template <class T>
std::array<T, 3> pull_back(const Context& context, PositionOf place, const Seeds& seeds, const Vec2<T>& force) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block != on_ground && context.blocks[marker.block].kind == BlockKind::body) {
    return pull_back<T>(context, FrameOf{place.marker}, seeds, Wrench<T>{force, T(0)});
  }
  return {force.x, force.y, T(0)};
}

template <class T>
std::array<T, 1> pull_back(const Context&, AngleOf, const Seeds&, const T& torque) {
  return {torque};
}

template <class T>
std::array<T, 1> pull_back(const Context&, CoordinateOf, const Seeds&, const T& force) {
  return {force};
}

}  // namespace stillpoint
