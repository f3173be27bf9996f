// A beam element in a floating frame of reference ([González 2017] §4.2, [Shabana 2013]): two nodes of one body. The
// frame may move and rotate without limit, while displacements in its axes are small. The theory is linear in these
// displacements, that of the Euler–Bernoulli beam:
//
//   u(ξ) linear, w(ξ) cubic between the nodes, along and across the line between their undeformed places
//   ε = (u_b − u_a) / l,   s, t = θ_a, θ_b − (w_b − w_a) / l
//   V = ½ EA l ε² + EI / 2l [(t − s)² + 3 (s + t)²]
//
// The mass is distributed along the displaced line, so that M couples the frame and both nodes exactly. The stiffening
// of bending by tension, and with it buckling, is not included: `beam` has it.
#pragma once

#include "stillpoint/authoring/element.h"
#include "stillpoint/elements/beam_shape.h"
#include "stillpoint/elements/rayleigh.h"

namespace stillpoint {

struct FloatingBeam {
  SegmentOf nodes;
  double axial_stiffness = unset;    ///< EA (N)
  double bending_stiffness = unset;  ///< EI (N m²)
  double mass_per_length = 0;        ///< ρA (kg/m)
  double rotary_inertia = 0;         ///< ρI (kg m)
  Rayleigh damping{};                ///< α and β

  static constexpr unsigned laws = Law::energy | Law::inertia | Law::weight | Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(nodes); }
  bool uses(unsigned law) const { return beam_uses(law, damping, mass_per_length != 0, rotary_inertia != 0); }

  static constexpr int strain_count = 3;
  template <class T>
  std::array<Strain<T>, strain_count> strains(const Segment<T>& at) const {
    const Line line(at.rest_a, at.rest_b);
    const Vec2<T> d = at.b.p - at.a.p;
    const T stretch = dot(line.along, d) / line.length, chord = dot(line.across, d) / line.length;
    const BeamBending bending = rigid_in_shear();
    const double by = bending_stiffness / line.length;
    return {Strain<T>{axial_stiffness * line.length, stretch},
            {by * bending.curvature.of_difference(), at.b.angle - at.a.angle},
            {by * bending.curvature.of_sum(), at.a.angle + at.b.angle - 2.0 * chord}};
  }

  template <class T>
  T weight(const Segment<T>& at, const Vec2<double>& gravity) const {
    const Line line(at.rest_a, at.rest_b);
    const Vec2<T> displaced = 0.5 * (at.a.p + at.b.p);
    const Vec2<double> middle = 0.5 * (at.rest_a + at.rest_b);
    const T sag = (line.length / 12) * (at.a.angle - at.b.angle);
    const Vec2<T> centre{middle.x + displaced.x + sag * line.across.x, middle.y + displaced.y + sag * line.across.y};
    return (-mass_per_length * line.length) * dot(gravity, at.frame.p + turned(at.frame.angle, centre));
  }

  template <class T>
  std::tuple<SegmentForce<T>> inertia(const MovingSegment<T>& at) const;

  template <class T>
  std::tuple<SegmentForce<T>> forces(const MovingSegment<T>& at) const;

  /// The axial force, positive in tension (N).
  double axial_force(const Segment<double>& at) const {
    const Line line(at.rest_a, at.rest_b);
    return axial_stiffness / line.length * dot(line.along, at.b.p - at.a.p);
  }

 private:
  /// The line between the undeformed places of the nodes.
  struct Line {
    double length;
    Vec2<double> along, across;

    Line(const Vec2<double>& a, const Vec2<double>& b)
        : length(stillpoint::length(b - a)), along((1 / length) * (b - a)), across(perpendicular(along)) {}
  };

  /// Shape functions of a point of the line for one node: of its displacements along and across the line and of its
  /// rotation; and of both for the rotation of the section.
  struct Share {
    double along, across, turn, angle_of_across, angle_of_turn;
  };
  static std::array<Share, 2> shares(double xi, double l) {
    const BeamShape s(xi, 0);
    const double across_b = xi - s.w_a - s.w_b, angle_b = (1 - s.turn_a - s.turn_b) / l;
    return {Share{1 - xi, 1 - across_b, l * s.w_a, -angle_b, s.turn_a},
            Share{xi, across_b, l * s.w_b, angle_b, s.turn_b}};
  }

  static BeamBending rigid_in_shear() { return BeamBending(0); }
};

// A point of the line moves in the frame by the shape functions of the nodes; the inertia force of its mass acts on the
// frame and, in the axes of the frame, on the nodes.
template <class T>
std::tuple<SegmentForce<T>> FloatingBeam::inertia(const MovingSegment<T>& at) const {
  const Line line(at.rest_a, at.rest_b);
  const std::array<const MovingFrame<T>*, 2> node_at{&at.a, &at.b};
  SegmentForce<T> on{};
  const std::array<Wrench<T>*, 2> on_node{&on.a, &on.b};
  for (const auto& [xi, weight] : gauss_points) {
    const std::array<Share, 2> take = shares(xi, line.length);
    MovingFrame<T> point{};
    for (std::size_t k = 0; k < 2; ++k) {
      const Share& share = take[k];
      const MovingFrame<T>& node = *node_at[k];
      const auto displacement = [&](const Vec2<T>& u, const T& turn) {
        const T across = share.across * dot(line.across, u) + share.turn * turn;
        return (share.along * dot(line.along, u)) * lifted<T>(line.along) + across * lifted<T>(line.across);
      };
      const auto angle = [&](const Vec2<T>& u, const T& turn) {
        return share.angle_of_across * dot(line.across, u) + share.angle_of_turn * turn;
      };
      point.p += displacement(node.p, node.angle.value);
      point.v += displacement(node.v, node.angle.rate);
      point.a += displacement(node.a, node.angle.acceleration);
      point.angle.acceleration += angle(node.a, node.angle.acceleration);
    }
    const Vec2<double> rest = (1 - xi) * at.rest_a + xi * at.rest_b;
    const MovingFrame<T> moving = carried_moving(at.frame, point, rest);
    const Vec2<T> force = (weight * line.length * mass_per_length) * moving.a;
    const T moment = (weight * line.length * rotary_inertia) * moving.angle.acceleration;
    on.frame.force += force;
    on.frame.torque += moment + cross(moving.p - at.frame.p, force);
    const Vec2<T> in_frame = turned_back(at.frame.angle.value, force);
    const T along = dot(line.along, in_frame), across = dot(line.across, in_frame);
    for (std::size_t k = 0; k < 2; ++k) {
      const Share& share = take[k];
      on_node[k]->force += (share.along * along) * lifted<T>(line.along) +
                           (share.across * across + share.angle_of_across * moment) * lifted<T>(line.across);
      on_node[k]->torque += share.turn * across + share.angle_of_turn * moment;
    }
  }
  return {on};
}

// The damping forces are the derivatives of the energy with rates in place of displacements.
template <class T>
std::tuple<SegmentForce<T>> FloatingBeam::forces(const MovingSegment<T>& at) const {
  auto [on] = drag_on(*this, at);
  if (damping.stiffness == 0) return {on};

  const Line line(at.rest_a, at.rest_b);
  const Vec2<T> d = at.b.v - at.a.v;
  const T chord = dot(line.across, d) / line.length;
  const auto moments = rigid_in_shear().curvature.slopes(at.a.angle.rate - chord, at.b.angle.rate - chord);
  const double axial = damping.stiffness * axial_stiffness / line.length;
  const double bending = damping.stiffness * bending_stiffness / line.length;
  const T at_a = bending * moments[0], at_b = bending * moments[1];
  const Vec2<T> pull = (axial * dot(line.along, d)) * lifted<T>(line.along) +
                       ((-1 / line.length) * (at_a + at_b)) * lifted<T>(line.across);
  subtract(on, {{}, {-pull, at_a}, {pull, at_b}});
  return {on};
}

}  // namespace stillpoint
