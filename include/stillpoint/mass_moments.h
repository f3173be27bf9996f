// The mass that the inertia forces of elements amount to: their resultant in rigid motions of the whole world, ground
// included. It needs nothing from an element but its law.
#pragma once

#include "stillpoint/evaluation.h"

namespace stillpoint {

/// Mass and its moments about a point c: Σm, Σm (p − c), Σ(I + m |p − c|²).
struct MassMoments {
  double mass = 0;
  Vec2<double> first;
  double second = 0;
};

namespace detail {

/// Accelerations a + α × (p − c), everything being at rest.
struct RigidAcceleration {
  Vec2<double> centre;
  Vec2<double> linear;
  double angular = 0;
};

inline MovingPoint<double> moved(const Context& context, PositionOf place, const RigidAcceleration& world) {
  const Vec2<double> p = lift<double>(context, place, {});
  return {p, {}, world.linear + world.angular * perpendicular(p - world.centre)};
}
inline Moving<double> moved(const Context& context, AngleOf place, const RigidAcceleration& world) {
  const Index block = context.markers[place.marker].block;
  const bool in_space = block == on_ground || context.blocks[block].kind == BlockKind::body;
  return {lift<double>(context, place, {}), 0, in_space ? world.angular : 0};
}
inline MovingFrame<double> moved(const Context& context, FrameOf place, const RigidAcceleration& world) {
  const MovingPoint<double> point = moved(context, PositionOf{place.marker}, world);
  return {point.p, point.v, point.a, moved(context, AngleOf{place.marker}, world)};
}
inline Moving<double> moved(const Context& context, CoordinateOf place, const RigidAcceleration&) {
  return {lift<double>(context, place, {}), 0, 0};  // of a kind unknown here: has no mass to speak of
}

inline Wrench<double> at_centre(const Context& context, PositionOf place, const RigidAcceleration& world,
                                const Vec2<double>& force) {
  return {force, cross(lift<double>(context, place, {}) - world.centre, force)};
}
inline Wrench<double> at_centre(const Context& context, FrameOf place, const RigidAcceleration& world,
                                const Wrench<double>& wrench) {
  const Wrench<double> moment = at_centre(context, PositionOf{place.marker}, world, wrench.force);
  return {wrench.force, moment.torque + wrench.torque};
}
inline Wrench<double> at_centre(const Context&, AngleOf, const RigidAcceleration&, double torque) {
  return {{}, torque};
}
inline Wrench<double> at_centre(const Context&, CoordinateOf, const RigidAcceleration&, double) { return {}; }

/// The resultant, at the centre, of an element's inertia forces in a rigid acceleration of the world.
template <class E>
Wrench<double> inertia_resultant(const Context& context, const E& e, const RigidAcceleration& world) {
  const auto places = e.places();
  const auto forces = std::apply([&](auto... place) { return e.inertia(moved(context, place, world)...); }, places);
  Wrench<double> total;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    for (const Wrench<double>& part : {at_centre(context, std::get<k>(places), world, std::get<k>(forces))...}) {
      total.force += part.force;
      total.torque += part.torque;
    }
  }
  (std::make_index_sequence<place_count<E>>());
  return total;
}

}  // namespace detail

}  // namespace stillpoint
