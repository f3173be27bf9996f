// A corotational beam element in the plane, between two frames whose x axes lie along the beam [Crisfield & Moita
// 1996]. Displacements and rotations may be large; relative to the chord, the line between its ends, the element is a
// slender beam with small deflections and strains.
//
//   θ_a, θ_b     rotations of the ends relative to the chord,     Φ = 12 EI / (GA l²)
//   w(ξ)/l = N_a(ξ) θ_a + N_b(ξ) θ_b                         deflection from the chord, cubic; exact for Φ
//   ε = (|p_b − p_a| − l) / l + ½ ∫ w'² dξ                   mean strain, with the elongation by bending
//   V = ½ EA l ε² + EI / 2l [(θ_b − θ_a)² + 3 / (1 + Φ) (θ_a + θ_b)²]
//
//   p(ξ) = p_a + ξ d + N_a (l x_a − d) + N_b (l x_b − d)     line of the mass: d = p_b − p_a, x the axes of the ends
//
// The mass is distributed along the bent line, with the same shape functions for stretching and bending; the sections
// rotate with a rotary inertia, if there is one. With Φ = 0 and no rotary inertia the element is an Euler–Bernoulli
// beam. Under refinement the element converges to the geometrically exact beam [Reissner 1972] for small strains; ε
// contains the stiffening of bending by tension, and buckling. Warping and large strains are not included.
#pragma once

#include "stillpoint/authoring/element.h"
#include "stillpoint/elements/beam_shape.h"
#include "stillpoint/elements/rayleigh.h"

namespace stillpoint {

struct Beam {
  FrameOf a, b;
  double length = unset;             ///< l (m), unstrained
  double axial_stiffness = unset;    ///< EA (N)
  double bending_stiffness = unset;  ///< EI (N m²)
  double shear_stiffness = 0;        ///< GA, reduced to the shear area (N); 0: rigid in shear
  double mass_per_length = 0;        ///< ρA (kg/m)
  double rotary_inertia = 0;         ///< ρI (kg m)
  Rayleigh damping{};                ///< α and β

  static constexpr unsigned laws = Law::energy | Law::inertia | Law::weight | Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  bool uses(unsigned law) const { return beam_uses(law, damping, mass_per_length != 0, rotary_inertia != 0); }

  static constexpr int strain_count = 3;
  template <class T>
  std::array<Strain<T>, strain_count> strains(const Frame<T>& at_a, const Frame<T>& at_b) const {
    const Bent<T> bent(at_a, at_b);
    const BeamBending bending(shear_number());
    const double by = bending_stiffness / length;
    return {Strain<T>{axial_stiffness * length,
                      (bent.chord - length) / length + bending.lengthening.value(bent.turn_a, bent.turn_b)},
            {by * bending.curvature.of_difference(), bent.turn_b - bent.turn_a},
            {by * bending.curvature.of_sum(), bent.turn_a + bent.turn_b}};
  }

  template <class T>
  T weight(const Frame<T>& at_a, const Frame<T>& at_b, const Vec2<double>& gravity) const {
    const Vec2<T> bow = direction(at_a.angle) - direction(at_b.angle);
    return (-mass_per_length * length) * dot(gravity, 0.5 * (at_a.p + at_b.p) + (length / 12) * bow);
  }

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const;

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> forces(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const;

 private:
  /// The chord, and the rotations of the ends relative to it.
  template <class T>
  struct Bent {
    Vec2<T> along;
    T chord, turn_a, turn_b;

    Bent(const Frame<T>& at_a, const Frame<T>& at_b) : along(at_b.p - at_a.p), chord(stillpoint::length(along)) {
      using std::atan2;
      const auto turn = [&](const T& angle) {
        const Vec2<T> e = direction(angle);
        return atan2(cross(along, e), dot(along, e));
      };
      turn_a = turn(at_a.angle);
      turn_b = turn(at_b.angle);
    }
  };

  double shear_number() const { return stillpoint::shear_number(bending_stiffness, shear_stiffness, length); }
};

// The line p(ξ) is linear in the places and axes of the ends. The sections rotate by ψ + turn_a θ_a + turn_b θ_b, where
// ψ is the angle of d. Virtual work gives the forces at the ends.
template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  const auto end = [](const MovingFrame<T>& at) -> BeamEnd<Vec2<T>> {
    const Vec2<T> axis = direction(at.angle.value);
    return {at.a, axis, at.angle.acceleration * perpendicular(axis) - (at.angle.rate * at.angle.rate) * axis};
  };
  Wrench<T> on_a{}, on_b{};
  add_mass_of_line(length, mass_per_length, shear_number(), end(at_a), end(at_b), on_a, on_b);
  if (rotary_inertia == 0) return {on_a, on_b};

  const Vec2<T> d = at_b.p - at_a.p, rate = at_b.v - at_a.v, change = at_b.a - at_a.a;
  const T square = dot(d, d), spin = cross(d, rate) / square;  // ψ̇
  const T spin_change = (cross(d, change) - 2.0 * dot(d, rate) * spin) / square;
  T on_line(0);  // moment conjugate to the rotation of the chord
  for (const GaussPoint& point : gauss_points) {
    const BeamShape s(point.xi, shear_number());
    const double with_line = 1 - s.turn_a - s.turn_b;
    const T moment =
        (point.weight * length * rotary_inertia) *
        (with_line * spin_change + s.turn_a * at_a.angle.acceleration + s.turn_b * at_b.angle.acceleration);
    on_a.torque += s.turn_a * moment;
    on_b.torque += s.turn_b * moment;
    on_line += with_line * moment;
  }
  const Vec2<T> couple = (on_line / square) * perpendicular(d);
  on_a.force += -couple;
  on_b.force += couple;
  return {on_a, on_b};
}

// Damping forces of the rates of ε, θ_a and θ_b; virtual work transfers them to the ends.
template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::forces(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  auto [on_a, on_b] = drag_on(*this, at_a, at_b);
  if (damping.stiffness == 0) return {on_a, on_b};

  const Bent<T> bent({at_a.p, at_a.angle.value}, {at_b.p, at_b.angle.value});
  const Vec2<T> e = (1.0 / bent.chord) * bent.along, n = perpendicular(e), rate = at_b.v - at_a.v;
  const T spin = dot(n, rate) / bent.chord;
  const BeamBending bending(shear_number());
  const T rate_a = at_a.angle.rate - spin, rate_b = at_b.angle.rate - spin;
  const auto moments = bending.curvature.slopes(rate_a, rate_b);
  const auto longer = bending.lengthening.slopes(bent.turn_a, bent.turn_b);
  const T strain_rate = dot(e, rate) / length + longer[0] * rate_a + longer[1] * rate_b;
  const T tension = (damping.stiffness * axial_stiffness) * strain_rate;
  const double by = damping.stiffness * bending_stiffness / length;
  const T moment_a = by * moments[0] + length * tension * longer[0];
  const T moment_b = by * moments[1] + length * tension * longer[1];
  const Vec2<T> pull = tension * e - ((moment_a + moment_b) / bent.chord) * n;
  subtract(on_a, {-pull, moment_a});
  subtract(on_b, {pull, moment_b});
  return {on_a, on_b};
}

}  // namespace stillpoint
