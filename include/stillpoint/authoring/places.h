// Attachment of elements to a mechanism in the plane, and the kinematics from coordinates to the variables of a law.
//
// Blocks own coordinates; markers are fixed on a block or on the ground. An element refers to a marker through a handle
// whose type states what the element needs there: a position, a position and direction, an angle, or one coordinate.
// The handle alone determines on which coordinates the element depends, what is passed to its law, and how the forces
// of the law are mapped to generalised forces:
//
//   handle         law of position gets   law of motion gets              force of the law
//   PositionOf     Vec2<T>                MovingPoint<T>  p, v, a         Vec2<T>
//   FrameOf        Frame<T>               MovingFrame<T>  also the angle  Wrench<T>
//   AngleOf        T                      Moving<T>       value, rate …   T (a torque)
//   CoordinateOf   T                      Moving<T>                       T
//   NodeOf         Displacement<T>        —                               —
//   SegmentOf      Segment<T>             MovingSegment<T>                SegmentForce<T>
//
// A node belongs to a flexible body. Its coordinates are a small displacement and rotation, ux, uy and theta, in the
// axes of the floating frame of that body. Positions, frames and angles at a node therefore depend on the frame and on
// the node. The last two handles describe nodes relative to the floating frame.
//
// The corresponding handles in space, of the same names, are in space.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "stillpoint/authoring/time_series.h"
#include "stillpoint/authoring/vec2.h"
#include "stillpoint/authoring/vec3.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Blocks and markers

enum class BlockKind : std::uint8_t {
  scalar,       ///< one coordinate: an angle, a displacement
  point,        ///< x, y
  body,         ///< x, y of the body's origin, and its angle φ
  node,         ///< ux, uy, theta: displacement and rotation of a node in the floating frame of its body
  space_point,  ///< x, y, z
  space_body    ///< x, y, z of the body's origin, and the increment (rx, ry, rz) of its orientation (space.h)
};

constexpr bool in_space(BlockKind kind) { return kind >= BlockKind::space_point; }
constexpr bool is_point(BlockKind kind) { return kind == BlockKind::point || kind == BlockKind::space_point; }
constexpr bool is_body(BlockKind kind) { return kind == BlockKind::body || kind == BlockKind::space_body; }

/// Returns the word for users, the same in the plane and in space.
constexpr const char* word_of(BlockKind kind) {
  return is_body(kind) ? "body" : is_point(kind) ? "point" : kind == BlockKind::node ? "node" : "scalar";
}

constexpr Index coordinates_of(BlockKind kind) {
  constexpr Index counts[] = {1, 2, 3, 3, 3, 6};
  return counts[static_cast<int>(kind)];
}

/// Returns the component that distinguishes a coordinate on its block, as in "crank.phi".
constexpr const char* component_of(BlockKind kind, Index component) {
  constexpr const char* in_plane[] = {"x", "y", "phi"};
  constexpr const char* of_node[] = {"ux", "uy", "theta"};
  constexpr const char* anywhere[] = {"x", "y", "z", "rx", "ry", "rz"};
  if (kind == BlockKind::scalar) return "";
  return in_space(kind) ? anywhere[component] : kind == BlockKind::node ? of_node[component] : in_plane[component];
}

struct Block {
  BlockKind kind = BlockKind::scalar;
  Index first = 0;        ///< its first coordinate
  Index marker = 0;       ///< the marker at its origin
  Index orientation = 0;  ///< body in space: index of its orientation in the state
  Index carrier = -1;     ///< node: block of its floating frame
  Vec2<double> rest{};    ///< node: undeformed position in that frame (m)
};

/// Returns the block that owns a coordinate; the blocks must be in the order of their coordinates.
Index owner_of(std::span<const Block> blocks, Index coordinate);

constexpr Index on_ground = -1;

struct Marker {
  Index block = on_ground;
  Vec2<double> position;  ///< in the axes of the block (m)
  double angle = 0;       ///< rotation relative to the axes of the block (rad)
};

namespace space {
struct Marker;
}  // namespace space

/// A motion as power series in time, with so many coefficients of each variable.
struct Expansion {
  Index terms = 0;
  const double *q = nullptr, *v = nullptr, *a = nullptr;  ///< coordinates, rates, accelerations
  const double* orientations = nullptr;                   ///< four components of each

  TimeSeries coordinate(Index i, int direction) const { return series(q, i, direction); }
  TimeSeries rate(Index i) const { return series(v, i); }
  TimeSeries acceleration(Index i) const {
    TimeSeries found = series(a, i);
    found.value.is_late = true;
    return found;
  }
  const double* rates(Index i) const { return v + SeriesPlaces::first(i, terms); }
  Rotation<TimeSeries> orientation(Index i) const {
    return {series(orientations, 4 * i), series(orientations, 4 * i + 1), series(orientations, 4 * i + 2),
            series(orientations, 4 * i + 3)};
  }

 private:
  TimeSeries series(const double* from, Index i, int direction = -1) const {
    return TimeSeries::variable(from + SeriesPlaces::first(i, terms), direction);
  }
};

/// The state in which laws are evaluated: plain pointers, valid during one evaluation.
struct Context {
  const Block* blocks = nullptr;
  Index block_count = 0;
  const Marker* markers = nullptr;
  const space::Marker* space_markers = nullptr;
  const double* q = nullptr;                       ///< coordinates
  const Rotation<double>* orientations = nullptr;  ///< of the bodies in space
  const double* v = nullptr;                       ///< time derivatives of the coordinates; null at rest
  const double* a = nullptr;                       ///< second time derivatives of the coordinates; null at rest
  const double* u = nullptr;                       ///< inputs
  Vec3<double> gravity;
  const Expansion* expansion = nullptr;  ///< of the motion that evaluations over TimeSeries follow
};

// ---------------------------------------------------------------------------------------------------------------------
// Handles

constexpr Index ground_marker = 0;  ///< the first marker of every model: the origin of the ground
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
  Index coordinate = nothing;  ///< `nothing`: absent, with the value zero
};
struct NodeOf {
  Index marker = nothing;
};
/// Two nodes of one flexible body.
struct SegmentOf {
  Index a = nothing, b = nothing;
};
struct InputRef {
  Index input = nothing;  ///< `nothing`: the constant one
};

/// The coordinates on which a handle depends. Two handles with equal codes have the same sparsity.
struct Dependence {
  static constexpr int codes = 6;
  int count = 0;
  std::array<Index, 9> coordinate{};
  int code = 0;
};

/// The possible numbers of these coordinates, as a set of bits.
constexpr std::uint64_t possible_coordinates(PositionOf) { return 0b1101101; }
constexpr std::uint64_t possible_coordinates(FrameOf) { return 0b1001001; }
constexpr std::uint64_t possible_coordinates(AngleOf) { return 0b111; }
constexpr std::uint64_t possible_coordinates(CoordinateOf) { return 0b11; }
constexpr std::uint64_t possible_coordinates(NodeOf) { return 0b10000; }
constexpr std::uint64_t possible_coordinates(SegmentOf) { return 0b1000000000; }

/// The possible numbers without flexible bodies.
constexpr std::uint64_t rigid_coordinates(PositionOf) { return 0b1101; }
constexpr std::uint64_t rigid_coordinates(FrameOf) { return 0b1001; }
constexpr std::uint64_t rigid_coordinates(AngleOf) { return 0b11; }
template <class Place>
constexpr std::uint64_t rigid_coordinates(Place place) {
  return possible_coordinates(place);
}

/// The vector of gravity in the dimensions of a place.
inline Vec2<double> gravity_at(const Context& context, PositionOf) { return {context.gravity.x, context.gravity.y}; }
inline Vec2<double> gravity_at(const Context& context, FrameOf) { return {context.gravity.x, context.gravity.y}; }
inline Vec2<double> gravity_at(const Context& context, SegmentOf) { return {context.gravity.x, context.gravity.y}; }

inline bool at_origin(const Marker& marker) { return marker.position.x == 0 && marker.position.y == 0; }

inline const Block& carrier_of(const Context& context, const Block& node) { return context.blocks[node.carrier]; }

inline Dependence dependence(const Context& context, PositionOf place) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {};
  const Block& block = context.blocks[marker.block];
  const Index x = block.first;
  if (block.kind == BlockKind::point) return {2, {x, x + 1}, 1};
  if (block.kind == BlockKind::node) {
    const Index f = carrier_of(context, block).first;
    return {at_origin(marker) ? 5 : 6, {f, f + 1, f + 2, x, x + 1, x + 2}, at_origin(marker) ? 4 : 5};
  }
  if (at_origin(marker)) return {2, {x, x + 1}, 2};
  return {3, {x, x + 1, x + 2}, 3};
}

inline Dependence dependence(const Context& context, FrameOf place) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {};
  const Block& block = context.blocks[marker.block];
  const Index x = block.first;
  if (block.kind == BlockKind::node) {
    const Index f = carrier_of(context, block).first;
    return {6, {f, f + 1, f + 2, x, x + 1, x + 2}, at_origin(marker) ? 3 : 4};
  }
  return {3, {x, x + 1, x + 2}, at_origin(marker) ? 1 : 2};
}

/// Returns the coordinates whose sum is the angle of a marker (for a scalar: its value).
inline Dependence dependence(const Context& context, AngleOf place) {
  const Index block = context.markers[place.marker].block;
  if (block == on_ground) return {};
  const Block& owner = context.blocks[block];
  if (owner.kind == BlockKind::node) return {2, {carrier_of(context, owner).first + 2, owner.first + 2}, 2};
  return {1, {owner.kind == BlockKind::body ? owner.first + 2 : owner.first}, 1};
}

inline const Block& block_of_node(const Context& context, Index marker) {
  return context.blocks[context.markers[marker].block];
}

inline Dependence dependence(const Context& context, NodeOf place) {
  const Block& node = block_of_node(context, place.marker);
  const Index x = node.first;
  return {4, {carrier_of(context, node).first + 2, x, x + 1, x + 2}, 1};
}

inline Dependence dependence(const Context& context, SegmentOf place) {
  const Block &a = block_of_node(context, place.a), &b = block_of_node(context, place.b);
  const Index f = carrier_of(context, a).first;
  return {9, {f, f + 1, f + 2, a.first, a.first + 1, a.first + 2, b.first, b.first + 1, b.first + 2}, 1};
}

inline Dependence dependence(const Context&, CoordinateOf place) {
  if (place.coordinate == nothing) return {};
  return {1, {place.coordinate}, 1};
}

// ---------------------------------------------------------------------------------------------------------------------
// Arguments of laws

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

/// The displacement and rotation of a node in its floating frame, and the angle of the frame.
template <class T>
struct Displacement {
  Vec2<T> u;
  T turn{};
  T frame_angle{};
};

/// Two nodes relative to their floating frame: their undeformed positions, and their displacements and rotations.
template <class T>
struct Segment {
  Frame<T> frame;
  Vec2<double> rest_a, rest_b;
  Frame<T> a, b;  ///< displacement and rotation
};

template <class T>
struct MovingSegment {
  MovingFrame<T> frame;
  Vec2<double> rest_a, rest_b;
  MovingFrame<T> a, b;
};

/// The force on the frame is given in the axes of the ground, the forces on the nodes in those of the frame.
template <class T>
struct SegmentForce {
  Wrench<T> frame, a, b;
};

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics: from coordinates to the arguments of a law, with derivatives in the requested directions

/// The first direction in which coordinates, rates and accelerations are varied; negative: constant.
struct Seeds {
  int q = -1;
  int v = -1;
  int a = -1;

  /// Returns the seeds of a handle whose coordinates come `count` later.
  Seeds after(int count) const { return {q < 0 ? q : q + count, v < 0 ? v : v + count, a < 0 ? a : a + count}; }
};

template <class T>
T seed(double value, int direction) {
  if constexpr (requires { T::variable(value, direction); }) {
    if (0 <= direction && direction < T::directions) return T::variable(value, direction);
  }
  return T(value);
}

/// Returns coordinate i of the model as a variable; of a series, whose variable is time, with its rate.
template <class T>
T coordinate(const Context& context, Index i, int direction) {
  if constexpr (FollowsMotion<T>) return context.expansion->coordinate(i, direction);
  else if constexpr (requires { T::order; }) return direction < 0 ? T(context.q[i]) : T(context.q[i], context.v[i]);
  else return seed<T>(context.q[i], direction);
}

/// Returns the rate of coordinate i, and its second time derivative.
template <class T>
T rate(const Context& context, Index i, int direction) {
  if constexpr (FollowsMotion<T>) return context.expansion->rate(i);
  else return seed<T>(context.v ? context.v[i] : 0, direction);
}
template <class T>
T acceleration(const Context& context, Index i, int direction) {
  if constexpr (FollowsMotion<T>) return context.expansion->acceleration(i);
  else return seed<T>(context.a ? context.a[i] : 0, direction);
}

/// Returns coordinate i of the model as variable k of an element.
template <class T>
Moving<T> moving_coordinate(const Context& context, Index i, const Seeds& seeds, int k = 0) {
  const Seeds mine = seeds.after(k);
  return {coordinate<T>(context, i, mine.q), rate<T>(context, i, mine.v), acceleration<T>(context, i, mine.a)};
}

/// Returns three coordinates as a frame: those of a body, or the displacement of a node.
template <class T>
Frame<T> lift_three(const Context& context, Index first, const Seeds& seeds) {
  return {{coordinate<T>(context, first, seeds.q), coordinate<T>(context, first + 1, seeds.after(1).q)},
          coordinate<T>(context, first + 2, seeds.after(2).q)};
}

/// Rotates by an angle a vector r that is given in rotated axes: its components in the original axes.
template <class T, class R>
Vec2<T> turned(const T& angle, const Vec2<R>& r) {
  const Vec2<T> e = direction(angle);
  return {r.x * e.x - r.y * e.y, r.x * e.y + r.y * e.x};
}

/// Applies the inverse rotation: from the original axes to the rotated ones.
template <class T>
Vec2<T> turned_back(const T& angle, const Vec2<T>& r) {
  const Vec2<T> e = direction(angle);
  return {dot(e, r), cross(e, r)};
}

template <class T>
Vec2<T> lifted(const Vec2<double>& r) {
  return {T(r.x), T(r.y)};
}

/// Returns the frame of a body or of a node.
template <class T>
Frame<T> lift_owner(const Context& context, const Block& owner, const Seeds& seeds) {
  if (owner.kind != BlockKind::node) return lift_three<T>(context, owner.first, seeds);
  const Frame<T> frame = lift_three<T>(context, carrier_of(context, owner).first, seeds);
  const Frame<T> u = lift_three<T>(context, owner.first, seeds.after(3));
  return {frame.p + turned(frame.angle, u.p + lifted<T>(owner.rest)), frame.angle + u.angle};
}

template <class T>
Frame<T> lift(const Context& context, FrameOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  const Vec2<double>& r = marker.position;
  if (marker.block == on_ground) return {{T(r.x), T(r.y)}, T(marker.angle)};
  const Frame<T> owner = lift_owner<T>(context, context.blocks[marker.block], seeds);
  if (at_origin(marker)) return {owner.p, owner.angle + marker.angle};
  return {owner.p + turned(owner.angle, r), owner.angle + marker.angle};
}

template <class T>
Vec2<T> lift(const Context& context, PositionOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) return {T(marker.position.x), T(marker.position.y)};
  const Block& block = context.blocks[marker.block];
  if (block.kind == BlockKind::node || (block.kind == BlockKind::body && !at_origin(marker))) {
    return lift<T>(context, FrameOf{place.marker}, seeds).p;
  }
  return {coordinate<T>(context, block.first, seeds.q), coordinate<T>(context, block.first + 1, seeds.after(1).q)};
}

template <class T>
T lift(const Context& context, AngleOf place, const Seeds& seeds) {
  const Dependence on = dependence(context, place);
  T angle(context.markers[place.marker].angle);
  for (int k = 0; k < on.count; ++k)
    angle += coordinate<T>(context, on.coordinate[static_cast<std::size_t>(k)], seeds.after(k).q);
  return angle;
}

template <class T>
Displacement<T> lift(const Context& context, NodeOf place, const Seeds& seeds) {
  const Block& node = block_of_node(context, place.marker);
  const Frame<T> u = lift_three<T>(context, node.first, seeds.after(1));
  return {u.p, u.angle, coordinate<T>(context, carrier_of(context, node).first + 2, seeds.q)};
}

template <class T>
Segment<T> lift(const Context& context, SegmentOf place, const Seeds& seeds) {
  const Block &a = block_of_node(context, place.a), &b = block_of_node(context, place.b);
  return {lift_three<T>(context, carrier_of(context, a).first, seeds), a.rest, b.rest,
          lift_three<T>(context, a.first, seeds.after(3)), lift_three<T>(context, b.first, seeds.after(6))};
}

template <class T>
T lift(const Context& context, CoordinateOf place, const Seeds& seeds) {
  if (place.coordinate == nothing) return T(0);
  return coordinate<T>(context, place.coordinate, seeds.q);
}

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics of motion

template <class T>
MovingFrame<T> moving_three(const Context& context, Index first, const Seeds& seeds) {
  const Moving<T> x = moving_coordinate<T>(context, first, seeds);
  const Moving<T> y = moving_coordinate<T>(context, first + 1, seeds, 1);
  return {{x.value, y.value},
          {x.rate, y.rate},
          {x.acceleration, y.acceleration},
          moving_coordinate<T>(context, first + 2, seeds, 2)};
}

/// Returns the motion of a point that is fixed in a moving frame at r, in the axes of the ground:
/// p = o + r,  v = ȯ + φ̇ r⊥,  a = ö + φ̈ r⊥ − φ̇² r
template <class T, class R>
MovingFrame<T> carried(MovingFrame<T> frame, const Vec2<R>& r) {
  const Vec2<T> arm = turned(frame.angle.value, r);
  const Vec2<T> across = perpendicular(arm);
  const Moving<T>& phi = frame.angle;
  frame.p += arm;
  frame.v += phi.rate * across;
  frame.a += phi.acceleration * across - (phi.rate * phi.rate) * arm;
  return frame;
}

/// Adds a motion relative to the frame: v + u̇,  a + 2φ̇ u̇⊥ + ü; rotations are summed.
template <class T>
MovingFrame<T> carried_moving(const MovingFrame<T>& frame, const MovingFrame<T>& in_frame, const Vec2<double>& rest) {
  MovingFrame<T> sum = carried(frame, in_frame.p + lifted<T>(rest));
  const T& phi = frame.angle.value;
  const Vec2<T> rate = turned(phi, in_frame.v);
  sum.v += rate;
  sum.a += turned(phi, in_frame.a) + 2.0 * (frame.angle.rate * perpendicular(rate));
  sum.angle.value += in_frame.angle.value;
  sum.angle.rate += in_frame.angle.rate;
  sum.angle.acceleration += in_frame.angle.acceleration;
  return sum;
}

template <class T>
MovingFrame<T> moving_owner(const Context& context, const Block& owner, const Seeds& seeds) {
  if (owner.kind != BlockKind::node) return moving_three<T>(context, owner.first, seeds);
  return carried_moving(moving_three<T>(context, carrier_of(context, owner).first, seeds),
                        moving_three<T>(context, owner.first, seeds.after(3)), owner.rest);
}

template <class T>
MovingFrame<T> lift_motion(const Context& context, FrameOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  const Vec2<double>& r = marker.position;
  if (marker.block == on_ground) {
    return {{T(r.x), T(r.y)}, {T(0), T(0)}, {T(0), T(0)}, {T(marker.angle), T(0), T(0)}};
  }
  MovingFrame<T> frame = moving_owner<T>(context, context.blocks[marker.block], seeds);
  if (!at_origin(marker)) frame = carried(frame, r);
  frame.angle.value = frame.angle.value + marker.angle;
  return frame;
}

template <class T>
MovingPoint<T> lift_motion(const Context& context, PositionOf place, const Seeds& seeds) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block == on_ground) {
    return {{T(marker.position.x), T(marker.position.y)}, {T(0), T(0)}, {T(0), T(0)}};
  }
  const Block& block = context.blocks[marker.block];
  if (block.kind == BlockKind::node || (block.kind == BlockKind::body && !at_origin(marker))) {
    const MovingFrame<T> frame = lift_motion<T>(context, FrameOf{place.marker}, seeds);
    return {frame.p, frame.v, frame.a};
  }
  const Moving<T> x = moving_coordinate<T>(context, block.first, seeds);
  const Moving<T> y = moving_coordinate<T>(context, block.first + 1, seeds, 1);
  return {{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}};
}

template <class T>
Moving<T> lift_motion(const Context& context, AngleOf place, const Seeds& seeds) {
  const Dependence on = dependence(context, place);
  Moving<T> angle{T(context.markers[place.marker].angle), T(0), T(0)};
  for (int k = 0; k < on.count; ++k) {
    const Moving<T> part = moving_coordinate<T>(context, on.coordinate[static_cast<std::size_t>(k)], seeds, k);
    angle.value += part.value;
    angle.rate += part.rate;
    angle.acceleration += part.acceleration;
  }
  return angle;
}

template <class T>
MovingSegment<T> lift_motion(const Context& context, SegmentOf place, const Seeds& seeds) {
  const Block &a = block_of_node(context, place.a), &b = block_of_node(context, place.b);
  return {moving_three<T>(context, carrier_of(context, a).first, seeds), a.rest, b.rest,
          moving_three<T>(context, a.first, seeds.after(3)), moving_three<T>(context, b.first, seeds.after(6))};
}

template <class T>
Moving<T> lift_motion(const Context& context, CoordinateOf place, const Seeds& seeds) {
  if (place.coordinate == nothing) return {T(0), T(0), T(0)};
  return moving_coordinate<T>(context, place.coordinate, seeds);
}

// ---------------------------------------------------------------------------------------------------------------------
// Generalised forces: from the forces of a law to forces on the coordinates of the handle, in the order of its
// dependence. By the principle of virtual work both do the same work in any variation of the coordinates.

template <class T>
std::array<T, 6> pull_back(const Context& context, FrameOf place, const Seeds& seeds, const Wrench<T>& wrench) {
  const Marker& marker = context.markers[place.marker];
  const Vec2<T>& force = wrench.force;
  if (marker.block == on_ground) return {force.x, force.y, wrench.torque};
  const Block& owner = context.blocks[marker.block];
  const bool on_node = owner.kind == BlockKind::node;
  T moment = wrench.torque;
  if (!at_origin(marker)) {
    const T angle = on_node ? lift_owner<T>(context, owner, seeds).angle
                            : coordinate<T>(context, owner.first + 2, seeds.after(2).q);
    moment += cross(turned(angle, marker.position), force);
  }
  if (!on_node) return {force.x, force.y, moment};
  const T phi = coordinate<T>(context, carrier_of(context, owner).first + 2, seeds.after(2).q);
  const Vec2<T> from_origin = lift_three<T>(context, owner.first, seeds.after(3)).p + lifted<T>(owner.rest);
  const Vec2<T> in_frame = turned_back(phi, force);
  return {force.x, force.y, moment + cross(turned(phi, from_origin), force), in_frame.x, in_frame.y, moment};
}

template <class T>
std::array<T, 6> pull_back(const Context& context, PositionOf place, const Seeds& seeds, const Vec2<T>& force) {
  const Marker& marker = context.markers[place.marker];
  if (marker.block != on_ground && context.blocks[marker.block].kind != BlockKind::point) {
    return pull_back<T>(context, FrameOf{place.marker}, seeds, Wrench<T>{force, T(0)});
  }
  return {force.x, force.y};
}

template <class T>
std::array<T, 2> pull_back(const Context&, AngleOf, const Seeds&, const T& torque) {
  return {torque, torque};
}

template <class T>
std::array<T, 9> pull_back(const Context&, SegmentOf, const Seeds&, const SegmentForce<T>& on) {
  return {on.frame.force.x, on.frame.force.y, on.frame.torque, on.a.force.x, on.a.force.y,
          on.a.torque,      on.b.force.x,     on.b.force.y,    on.b.torque};
}

template <class T>
std::array<T, 1> pull_back(const Context&, CoordinateOf, const Seeds&, const T& force) {
  return {force};
}

// ---------------------------------------------------------------------------------------------------------------------
// Variations of the arguments of a law beyond those of the coordinates: the place is displaced and rotated, in the axes
// of the ground. The derivative of a constraint with respect to them gives the force that it exerts.

enum class WrenchKind {
  plane_force,   ///< fx, fy
  plane_wrench,  ///< fx, fy, mz
  single,        ///< conjugate to an angle or a coordinate
  force,         ///< fx, fy, fz
  torque,        ///< mx, my, mz
  wrench         ///< all six components
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
constexpr WrenchKind wrench_kind(NodeOf) { return WrenchKind::plane_wrench; }
constexpr WrenchKind wrench_kind(SegmentOf) { return WrenchKind::plane_wrench; }

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
template <class T>
Displacement<T> varied(const Displacement<T>& node, int d) {
  const Vec2<T> moved = varied(Vec2<T>{T(0), T(0)}, d);
  return {node.u + turned_back(node.frame_angle, moved), varied(node.turn, d + 2), node.frame_angle};
}

/// Returns the block to which a handle is attached, or `on_ground`; for a node, the block of its floating frame.
inline Index block_at(const Context& context, Index marker) {
  const Index block = context.markers[marker].block;
  if (block == on_ground || context.blocks[block].kind != BlockKind::node) return block;
  return context.blocks[block].carrier;
}
inline Index block_of(const Context& context, PositionOf place) { return block_at(context, place.marker); }
inline Index block_of(const Context& context, FrameOf place) { return block_at(context, place.marker); }
inline Index block_of(const Context& context, AngleOf place) { return block_at(context, place.marker); }
inline Index block_of(const Context& context, NodeOf place) { return block_at(context, place.marker); }
inline Index block_of(const Context& context, SegmentOf place) { return block_at(context, place.a); }
Index block_of(const Context& context, CoordinateOf place);

}  // namespace stillpoint
