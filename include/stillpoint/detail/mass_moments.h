// The total mass and its moments, from the resultant of the inertia forces of all elements in rigid-body accelerations
// of the whole model, ground included. Only the inertia law of an element is needed.
#pragma once

#include "stillpoint/authoring/space.h"
#include "stillpoint/detail/evaluation.h"

namespace stillpoint {

/// The mass Σm, its first moment Σm (p − c) about a point c, and the inertia tensor about c by columns. In the plane
/// only the last entry of the tensor is meaningful.
struct MassMoments {
  double mass = 0;
  Vec3<double> first;
  std::array<Vec3<double>, 3> second;
};

namespace detail {

/// The field of accelerations a + α × (p − c) of a rigid motion that starts from rest.
struct RigidAcceleration {
  Vec3<double> centre;
  Vec3<double> linear;
  Vec3<double> angular;
};

using Resultant = space::Wrench<double>;

// ----- in the plane

inline MovingPoint<double> moved(const Context& context, PositionOf place, const RigidAcceleration& world) {
  const Vec2<double> p = lift<double>(context, place, {});
  const Vec2<double> arm = p - Vec2<double>{world.centre.x, world.centre.y};
  return {p, {}, Vec2<double>{world.linear.x, world.linear.y} + world.angular.z * perpendicular(arm)};
}
inline Moving<double> moved(const Context& context, AngleOf place, const RigidAcceleration& world) {
  const Index block = context.markers[place.marker].block;
  const bool turns = block == on_ground || context.blocks[block].kind != BlockKind::scalar;
  return {lift<double>(context, place, {}), 0, turns ? world.angular.z : 0};
}
inline MovingFrame<double> moved(const Context& context, FrameOf place, const RigidAcceleration& world) {
  const MovingPoint<double> point = moved(context, PositionOf{place.marker}, world);
  return {point.p, point.v, point.a, moved(context, AngleOf{place.marker}, world)};
}
inline Moving<double> moved(const Context& context, CoordinateOf place, const RigidAcceleration&) {
  return {lift<double>(context, place, {}), 0, 0};  // of an unknown kind; it has no mass
}

// Flexible bodies move as rigid bodies: their nodes do not move in the floating frame.
inline Index frame_marker(const Context& context, SegmentOf place) {
  return carrier_of(context, block_of_node(context, place.a)).marker;
}
inline MovingSegment<double> moved(const Context& context, SegmentOf place, const RigidAcceleration& world) {
  const auto still = [&](const Block& node) {
    const Frame<double> u = lift_three<double>(context, node.first, {});
    return MovingFrame<double>{u.p, {}, {}, {u.angle, 0, 0}};
  };
  const Block &a = block_of_node(context, place.a), &b = block_of_node(context, place.b);
  return {moved(context, FrameOf{frame_marker(context, place)}, world), a.rest, b.rest, still(a), still(b)};
}

inline Resultant at_centre(const Context& context, PositionOf place, const RigidAcceleration& world,
                           const Vec2<double>& force) {
  const Vec2<double> arm = lift<double>(context, place, {}) - Vec2<double>{world.centre.x, world.centre.y};
  return {{force.x, force.y, 0}, {0, 0, cross(arm, force)}};
}
inline Resultant at_centre(const Context& context, FrameOf place, const RigidAcceleration& world,
                           const Wrench<double>& wrench) {
  Resultant total = at_centre(context, PositionOf{place.marker}, world, wrench.force);
  total.torque.z += wrench.torque;
  return total;
}
inline Resultant at_centre(const Context& context, SegmentOf place, const RigidAcceleration& world,
                           const SegmentForce<double>& on) {
  return at_centre(context, FrameOf{frame_marker(context, place)}, world, on.frame);
}
inline Resultant at_centre(const Context&, AngleOf, const RigidAcceleration&, double torque) {
  return {{}, {0, 0, torque}};
}
inline Resultant at_centre(const Context&, CoordinateOf, const RigidAcceleration&, double) { return {}; }

// ----- in space

inline space::MovingPoint<double> moved(const Context& context, space::PositionOf place,
                                        const RigidAcceleration& world) {
  const Vec3<double> p = lift<double>(context, place, {});
  return {p, {}, world.linear + cross(world.angular, p - world.centre)};
}
inline space::MovingOrientation<double> moved(const Context& context, space::OrientationOf place,
                                              const RigidAcceleration& world) {
  return {lift<double>(context, place, {}), {}, world.angular};
}
inline space::MovingFrame<double> moved(const Context& context, space::FrameOf place, const RigidAcceleration& world) {
  const auto point = moved(context, space::PositionOf{place.marker}, world);
  const auto turning = moved(context, space::OrientationOf{place.marker}, world);
  return {point.p, point.v, point.a, turning.R, turning.omega, turning.alpha};
}

inline Resultant at_centre(const Context& context, space::PositionOf place, const RigidAcceleration& world,
                           const Vec3<double>& force) {
  return {force, cross(lift<double>(context, place, {}) - world.centre, force)};
}
inline Resultant at_centre(const Context& context, space::FrameOf place, const RigidAcceleration& world,
                           const space::Wrench<double>& wrench) {
  Resultant total = at_centre(context, space::PositionOf{place.marker}, world, wrench.force);
  total.torque += wrench.torque;
  return total;
}
inline Resultant at_centre(const Context&, space::OrientationOf, const RigidAcceleration&, const Vec3<double>& torque) {
  return {{}, torque};
}

/// Returns the resultant, about the centre, of the inertia forces of an element in a rigid acceleration of the model.
template <class E>
Resultant inertia_resultant(const Context& context, const E& e, const RigidAcceleration& world) {
  const auto places = e.places();
  const auto forces = std::apply([&](auto... place) { return e.inertia(moved(context, place, world)...); }, places);
  Resultant total;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    for (const Resultant& part : {at_centre(context, std::get<k>(places), world, std::get<k>(forces))...}) {
      total.force += part.force;
      total.torque += part.torque;
    }
  }
  (std::make_index_sequence<place_count<E>>());
  return total;
}

/// Adds the contribution of an element. A unit acceleration along x requires the force m; a unit angular acceleration
/// about an axis e requires the force Σ m e × (p − c), and as torque a column of the inertia tensor. In the plane there
/// is no rotation about x or y.
template <class E>
void add_mass_moments(const Context& context, const E& e, const Vec3<double>& about, MassMoments& total) {
  const auto push = [&](const Vec3<double>& linear, const Vec3<double>& angular) {
    return inertia_resultant(context, e, {about, linear, angular});
  };
  total.mass += push({1, 0, 0}, {}).force.x;
  const Resultant about_z = push({}, {0, 0, 1});
  total.first += Vec3<double>{about_z.force.y, -about_z.force.x, 0};
  total.second[2] += about_z.torque;
  if constexpr (has_place_in_space<E>) {
    const Resultant about_x = push({}, {1, 0, 0}), about_y = push({}, {0, 1, 0});
    total.first.z -= about_x.force.y;
    total.second[0] += about_x.torque;
    total.second[1] += about_y.torque;
  }
}

}  // namespace detail

}  // namespace stillpoint
