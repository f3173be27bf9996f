// One element of a beam between two frames whose x axes lie along it, in the plane. It may move and turn as far as it
// likes; seen from the line between its ends it is a slender, slightly bent beam, so strains are small.
//
//   θ_a, θ_b     how far the ends are turned against the line between them,     Φ = 12 EI / (GA l²)
//   w(ξ)/l = N_a(ξ) θ_a + N_b(ξ) θ_b                         deflection from that line, cubic; exact for Φ
//   ε = (|p_b − p_a| − l) / l + ½ ∫ w'² dξ                   mean strain: lengthened by bending as well
//   V = ½ EA l ε² + EI / (2 l (1 + Φ)) [(4 + Φ)(θ_a² + θ_b²) + 2 (2 − Φ) θ_a θ_b]
//
// Mass is spread along the bent line, and turns with the sections if there is a rotary inertia. Sections that are rigid
// in shear (Φ = 0) and turn without inertia make the beam of Euler and Bernoulli. With more elements all of this tends
// to the geometrically exact beam of small strain; ε holds the stiffening of bending by tension, and buckling.
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Beam {
  FrameOf a, b;
  double length = unset;             ///< l (m), unstrained
  double axial_stiffness = unset;    ///< EA (N)
  double bending_stiffness = unset;  ///< EI (N m²)
  double shear_stiffness = 0;        ///< GA, reduced to the shear area (N); 0: rigid in shear
  double mass_per_length = 0;        ///< ρA (kg/m)
  double rotary_inertia = 0;         ///< ρI (kg m)

  static constexpr unsigned laws = Law::energy | Law::inertia | Law::weight;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  bool uses(unsigned law) const {
    return law == Law::energy || mass_per_length != 0 || (law == Law::inertia && rotary_inertia != 0);
  }

  template <class T>
  T energy(const Frame<T>& at_a, const Frame<T>& at_b) const {
    const Bent<T> bent(at_a, at_b);
    const T &s = bent.turn_a, &t = bent.turn_b;
    const T squares = s * s + t * t, product = s * t;
    const double phi = shear_number(), by = 1 / (1 + phi);
    const double same = 2.0 / 15 + phi / 6 + phi * phi / 12, mixed = -1.0 / 30 - phi / 6 - phi * phi / 12;
    const T strain = (bent.chord - length) / length + (by * by) * (0.5 * same * squares + mixed * product);
    return (0.5 * axial_stiffness * length) * (strain * strain) +
           (0.5 * bending_stiffness / length * by) * ((4 + phi) * squares + 2 * (2 - phi) * product);
  }

  template <class T>
  T weight(const Frame<T>& at_a, const Frame<T>& at_b, const Vec2<double>& gravity) const {
    const Bent<T> bent(at_a, at_b);
    const Vec2<T> middle = 0.5 * (at_a.p + at_b.p) + (length / 12 * (bent.turn_a - bent.turn_b)) * bent.across;
    return (-mass_per_length * length) * dot(gravity, middle);
  }

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const;

 private:
  /// The line between the ends, and how they are turned against it.
  template <class T>
  struct Bent {
    Vec2<T> along, across;
    T chord, turn_a, turn_b;

    Bent(const Frame<T>& at_a, const Frame<T>& at_b) : Bent(at_a.p, at_a.angle, at_b.p, at_b.angle) {}
    Bent(const Vec2<T>& p_a, const T& angle_a, const Vec2<T>& p_b, const T& angle_b)
        : along(p_b - p_a), chord(stillpoint::length(along)) {
      using std::atan2;
      const auto turn = [&](const T& angle) {
        const Vec2<T> e = direction(angle);
        return atan2(cross(along, e), dot(along, e));
      };
      turn_a = turn(angle_a);
      turn_b = turn(angle_b);
      along = {along.x / chord, along.y / chord};
      across = perpendicular(along);
    }
  };

  double shear_number() const {
    return shear_stiffness > 0 ? 12 * bending_stiffness / (shear_stiffness * length * length) : 0;
  }

  /// Values at ξ, a point of Gauss' rule: of the deflection over l, and of the turning of the section against the line.
  struct Shape {
    double xi, weight, w_a, w_b, turn_a, turn_b;
  };
  Shape shape(int point) const;
};

inline Beam::Shape Beam::shape(int point) const {
  // Four points: exact for what is linear in the bending, and its square.
  constexpr double at[] = {0.069431844202973714, 0.330009478207571868, 0.669990521792428132, 0.930568155797026286};
  constexpr double weight[] = {0.173927422568726929, 0.326072577431273071, 0.326072577431273071, 0.173927422568726929};
  const double xi = at[point], phi = shear_number(), by = 1 / (1 + phi), shear = 0.5 * phi * (xi - xi * xi);
  return {xi,
          weight[point],
          by * (xi - 2 * xi * xi + xi * xi * xi + shear),
          by * (xi * xi * xi - xi * xi - shear),
          by * (1 - 4 * xi + 3 * xi * xi + phi * (1 - xi)),
          by * (3 * xi * xi - 2 * xi + phi * xi)};
}

// At ξ:  p = p_a + ξ d + w n,  d = p_b − p_a, n across it; sections turn by ψ + turn_a θ_a + turn_b θ_b, with ψ the
// angle of d and θ = φ − ψ. Virtual work gives what acts on the ends.
template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  const Bent<T> bent(at_a.p, at_a.angle.value, at_b.p, at_b.angle.value);
  const Vec2<T>&e = bent.along, &n = bent.across;
  const Vec2<T> rate = at_b.v - at_a.v, change = at_b.a - at_a.a;  // of d
  const T spin = dot(n, rate) / bent.chord;                        // ψ̇
  const T spin_change = (dot(n, change) - 2.0 * dot(e, rate) * spin) / bent.chord;
  const T rate_a = at_a.angle.rate - spin, rate_b = at_b.angle.rate - spin;
  const T change_a = at_a.angle.acceleration - spin_change, change_b = at_b.angle.acceleration - spin_change;

  Wrench<T> on_a{}, on_b{};
  T on_line(0);  // work per turn of the line between the ends
  for (int point = 0; point < 4; ++point) {
    const Shape s = shape(point);
    const T w = length * (s.w_a * bent.turn_a + s.w_b * bent.turn_b);
    const T w_rate = length * (s.w_a * rate_a + s.w_b * rate_b);
    const T w_change = length * (s.w_a * change_a + s.w_b * change_b);
    const double mass = s.weight * length * mass_per_length;
    const Vec2<T> of_line = (1 - s.xi) * at_a.a + s.xi * at_b.a;
    const T across = mass * (dot(n, of_line) + w_change - w * spin * spin);
    const T along = mass * (dot(e, of_line) - w * spin_change - 2.0 * w_rate * spin);
    const Vec2<T> force = across * n + along * e;
    const T moment = (s.weight * length * rotary_inertia) *
                     ((1 - s.turn_a - s.turn_b) * spin_change + s.turn_a * at_a.angle.acceleration +
                      s.turn_b * at_b.angle.acceleration);
    on_a.force += (1 - s.xi) * force;
    on_b.force += s.xi * force;
    on_a.torque += (length * s.w_a) * across + s.turn_a * moment;
    on_b.torque += (length * s.w_b) * across + s.turn_b * moment;
    on_line += (1 - s.turn_a - s.turn_b) * moment - (length * (s.w_a + s.w_b)) * across - w * along;
  }
  const Vec2<T> couple = (on_line / bent.chord) * n;
  on_a.force += -couple;
  on_b.force += couple;
  return {on_a, on_b};
}

extern template class ElementArray<Beam>;

}  // namespace stillpoint
