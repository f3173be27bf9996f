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
// The handles here are for the plane; those for space, of the same names, are in space.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "stillpoint/sparse.h"
#include "stillpoint/vec2.h"
#include "stillpoint/vec3.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// What owns coordinates, and what sits on it

enum class BlockKind : std::uint8_t {
  scalar,       ///< one coordinate: an angle, a displacement
  point,        ///< x, y
  body,         ///< x, y of the body's origin, and its angle φ
  space_point,  ///< x, y, z
  space_body    ///< x, y, z of the body's origin, and the increment (rx, ry, rz) of its orientation (see space.h)
};

constexpr bool in_space(BlockKind kind) { return kind >= BlockKind::space_point; }
constexpr bool is_point(BlockKind kind) { return kind == BlockKind::point || kind == BlockKind::space_point; }
constexpr bool is_body(BlockKind kind) { return kind == BlockKind::body || kind == BlockKind::space_body; }

/// What users call it, in the plane as in space.
constexpr const char* word_of(BlockKind kind) { return is_body(kind) ? "body" : is_point(kind) ? "point" : "scalar"; }

constexpr Index coordinates_of(BlockKind kind) {
  constexpr Index counts[] = {1, 2, 3, 3, 6};
  return counts[static_cast<int>(kind)];
}

/// What distinguishes a coordinate from its siblings on the same block, as in "crank.phi".
constexpr const char* component_of(BlockKind kind, Index component) {
  constexpr const char* in_plane[] = {"x", "y", "phi"};
  constexpr const char* anywhere[] = {"x", "y", "z", "rx", "ry", "rz"};
  return kind == BlockKind::scalar ? "" : in_space(kind) ? anywhere[component] : in_plane[component];
}

struct Block {
  BlockKind kind = BlockKind::scalar;
  Index first = 0;        ///< its first coordinate
  Index marker = 0;       ///< the marker at its origin
  Index orientation = 0;  ///< of a body in space: which of the state's orientations is its own
};

/// Which of a model's blocks, which are in the order of their coordinates, owns one of them.
Index owner_of(std::span<const Block> blocks, Index coordinate);

constexpr Index on_ground = -1;

struct Marker {
  Index block = on_ground;
  Vec2<double> position;  ///< in the axes of the block (m)
  double angle = 0;       ///< from the axes of the block (rad)
};

namespace space {
struct Marker;
}  // namespace space

/// The state in which laws are evaluated: plain pointers, valid for one evaluation.
struct Context {
  const Block* blocks = nullptr;
  Index block_count = 0;
  const Marker* markers = nullptr;
  const space::Marker* space_markers = nullptr;
  const double* q = nullptr;                       ///< coordinates
  const Rotation<double>* orientations = nullptr;  ///< of the bodies in space
  const double* v = nullptr;                       ///< rates of the coordinates; null at rest
  const double* a = nullptr;                       ///< their accelerations; null at rest
  const double* u = nullptr;                       ///< inputs
  Vec3<double> gravity;
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
  std::array<Index, 6> coordinate{};
  int code = 0;
};

/// How many they may be, as a set of bits.
constexpr std::uint64_t possible_coordinates(PositionOf) { return 0b1101; }
constexpr std::uint64_t possible_coordinates(FrameOf) { return 0b1001; }
constexpr std::uint64_t possible_coordinates(AngleOf) { return 0b11; }
constexpr std::uint64_t possible_coordinates(CoordinateOf) { return 0b11; }

/// Gravity as the laws at a place know it.
inline Vec2<double> gravity_at(const Context& context, PositionOf) { return {context.gravity.x, context.gravity.y}; }
inline Vec2<double> gravity_at(const Context& context, FrameOf) { return {context.gravity.x, context.gravity.y}; }

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

// ---------------------------------------------------------------------------------------------------------------------
// Varying what a law is given, beyond what the coordinates allow: the place is moved and turned, in the axes of the
// ground. What a constraint answers to that is the force it exerts.

enum class WrenchKind {
  plane_force,   ///< fx, fy
  plane_wrench,  ///< fx, fy, mz
  single,        ///< what belongs to an angle or a coordinate
  force,         ///< fx, fy, fz
  torque,        ///< mx, my, mz
  wrench         ///< all six
};

constexpr int size_of(WrenchKind kind) {
  constexpr int sizes[] = {2, 3, 1, 3, 3, 6};
  return sizes[static_cast<int>(kind)];
}

constexpr const char* component_of(WrenchKind kind, int component) {
  constexpr const char* in_plane[] = {".fx", ".fy", ".mz"};
  constexpr const char* anywhere[] = {".fx", ".fy", ".fz", ".mx", ".my", ".mz"};
  if (kind == WrenchKind::single) return "";
  if (kind <= WrenchKind::plane_wrench) return in_plane[component];
  return anywhere[component + (kind == WrenchKind::torque ? 3 : 0)];
}

constexpr WrenchKind wrench_kind(PositionOf) { return WrenchKind::plane_force; }
constexpr WrenchKind wrench_kind(FrameOf) { return WrenchKind::plane_wrench; }
constexpr WrenchKind wrench_kind(AngleOf) { return WrenchKind::single; }
constexpr WrenchKind wrench_kind(CoordinateOf) { return WrenchKind::single; }

template <class T>
T varied(const T& value, int d) {
  return value + seed<T>(0, d);
}
template <class T>
Vec2<T> varied(const Vec2<T>& p, int d) {
  return {varied(p.x, d), varied(p.y, d + 1)};
}
template <class T>
Vec3<T> varied(const Vec3<T>& p, int d) {
  return p + Vec3<T>{seed<T>(0, d), seed<T>(0, d + 1), seed<T>(0, d + 2)};
}
template <class T>
Rotation<T> varied(const Rotation<T>& R, int d) {
  return Rotation<T>{T(1), 0.5 * seed<T>(0, d), 0.5 * seed<T>(0, d + 1), 0.5 * seed<T>(0, d + 2)} * R;
}
template <class T>
Frame<T> varied(const Frame<T>& frame, int d) {
  return {varied(frame.p, d), varied(frame.angle, d + 2)};
}

/// The block that a handle holds on to, or `on_ground`.
inline Index block_of(const Context& context, PositionOf place) { return context.markers[place.marker].block; }
inline Index block_of(const Context& context, FrameOf place) { return context.markers[place.marker].block; }
inline Index block_of(const Context& context, AngleOf place) { return context.markers[place.marker].block; }
Index block_of(const Context& context, CoordinateOf place);

}  // namespace stillpoint
