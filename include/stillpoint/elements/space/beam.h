// A corotational beam element between two frames in space whose x axes lie along the beam [Crisfield & Moita 1996]: the
// beam of the plane with bending in two planes and torsion. Displacements and rotations may be large; relative to the
// chord, the line between its ends, the element is a slender beam with small deflections, twist and strains. Under
// refinement it converges to the geometrically exact beam [Simo 1985] for small strains.
//
//   e₁ along d = p_b − p_a, e₂ across it as the mean of the ends' y axes, e₃ = e₁ × e₂
//   θ_y, θ_z: rotations of the x axes of the ends from e₁, about y and z;  θ_x: rotations of their y axes from e₂
//
//   ε = (|d| − l) / l + ½ ∫ (w_y'² + w_z'²) dξ
//
//   V = ½ EA l ε² + GJ / 2l (θ_xb − θ_xa)² + bending about y and about z, each as in the plane
//
// The mass is distributed along the bent line p(ξ) = p_a + ξ d + N_a (l x_a − d) + N_b (l x_b − d), and its sections
// rotate with a rotary inertia; both use the shape functions of the mean of the two shear numbers. Warping is not
// included.
#pragma once

#include "stillpoint/authoring/element.h"
#include "stillpoint/elements/beam_shape.h"
#include "stillpoint/elements/rayleigh.h"

namespace stillpoint {

namespace space {

struct Beam {
  FrameOf a, b;
  double length = unset;                        ///< l (m), unstrained
  double axial_stiffness = unset;               ///< EA (N)
  double torsion_stiffness = unset;             ///< GJ (N m²)
  double bending_y = unset, bending_z = unset;  ///< EI about y, about z (N m²)
  double shear_y = 0, shear_z = 0;              ///< GA along y, along z, reduced (N); 0: rigid in shear
  double mass_per_length = 0;                   ///< ρA (kg/m)
  Vec3<double> rotary_inertia{0, 0, 0};         ///< ρI about x, y and z (kg m)
  Rayleigh damping{};                           ///< α and β

  static constexpr unsigned laws = Law::energy | Law::inertia | Law::weight | Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  bool turns() const { return rotary_inertia.x != 0 || rotary_inertia.y != 0 || rotary_inertia.z != 0; }
  bool uses(unsigned law) const { return beam_uses(law, damping, mass_per_length != 0, turns()); }

  static constexpr int strain_count = 6;
  template <class T>
  std::array<Strain<T>, strain_count> strains(const Frame<T>& at_a, const Frame<T>& at_b) const {
    const Axes<T> axes(at_b.p - at_a.p, at_a.R, at_b.R);
    const Vec3<T> turn_a = axes.turn_of(at_a.R), turn_b = axes.turn_of(at_b.R);
    const BeamBending about_y(shear_number_y()), about_z(shear_number_z());
    const double by_y = bending_y / length, by_z = bending_z / length;
    return {Strain<T>{axial_stiffness * length, (axes.chord - length) / length +
                                                    about_y.lengthening.value(turn_a.y, turn_b.y) +
                                                    about_z.lengthening.value(turn_a.z, turn_b.z)},
            {torsion_stiffness / length, turn_b.x - turn_a.x},
            {by_y * about_y.curvature.of_difference(), turn_b.y - turn_a.y},
            {by_y * about_y.curvature.of_sum(), turn_a.y + turn_b.y},
            {by_z * about_z.curvature.of_difference(), turn_b.z - turn_a.z},
            {by_z * about_z.curvature.of_sum(), turn_a.z + turn_b.z}};
  }

  template <class T>
  T weight(const Frame<T>& at_a, const Frame<T>& at_b, const Vec3<double>& gravity) const {
    const Vec3<T> bow = x_axis(at_a.R) - x_axis(at_b.R);
    return (-mass_per_length * length) * dot(gravity, 0.5 * (at_a.p + at_b.p) + (length / 12) * bow);
  }

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const;

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> forces(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const;

 private:
  /// Axes that follow a line d, with e₂ as near as may be to a vector q.
  template <class T>
  struct Axes {
    Vec3<T> e1, e2, e3;
    T chord, across;  ///< |d|, e₂·q

    Axes(const Vec3<T>& d, const Vec3<T>& q) : chord(stillpoint::length(d)) {
      e1 = (1.0 / chord) * d;
      const Vec3<T> third = cross(e1, q);
      across = stillpoint::length(third);
      e3 = (1.0 / across) * third;
      e2 = cross(e3, e1);
    }
    /// The corotational axes: they follow the chord and, about it, the mean rotation of the ends.
    Axes(const Vec3<T>& d, const Rotation<T>& R_a, const Rotation<T>& R_b) : Axes(d, y_axis(R_a) + y_axis(R_b)) {}

    Vec3<T> turn_of(const Rotation<T>& R) const {
      using std::atan2;
      const Vec3<T> x = x_axis(R), y = y_axis(R);
      return {atan2(dot(e3, y), dot(e2, y)), -atan2(dot(e3, x), dot(e1, x)), atan2(dot(e2, x), dot(e1, x))};
    }

    /// The derivatives of these rotations with respect to the angular velocity relative to the axes.
    std::array<Vec3<T>, 3> slopes_of_turn(const Rotation<T>& R) const {
      const Vec3<T> x = x_axis(R), y = y_axis(R);
      const T x1 = dot(e1, x), x2 = dot(e2, x), x3 = dot(e3, x), y1 = dot(e1, y), y2 = dot(e2, y), y3 = dot(e3, y);
      const T about_x = 1.0 / (y2 * y2 + y3 * y3), about_y = 1.0 / (x1 * x1 + x3 * x3);
      const T about_z = 1.0 / (x1 * x1 + x2 * x2);
      return {e1 - (about_x * y1) * (y2 * e2 + y3 * e3), e2 - (about_y * x2) * (x1 * e1 + x3 * e3),
              e3 - (about_z * x3) * (x1 * e1 + x2 * e2)};
    }
  };

  /// How such axes rotate, from the rates and accelerations of d and q:
  ///
  ///   ω = e₁ × ḋ / |d| + w e₁,   (e₂·q) w = e₃·q̇ + (e₁·q) e₂·ω
  ///
  /// as e₃·q stays zero. Its second derivative, and that of d = |d| e₁, give the angular acceleration.
  template <class T>
  struct TurningAxes : Axes<T> {
    using Axes<T>::e1, Axes<T>::e2, Axes<T>::e3, Axes<T>::across;
    T per_chord, lean;  ///< 1/|d|, e₁·q

    TurningAxes(const Vec3<T>& d, const Vec3<T>& q) : Axes<T>(d, q), per_chord(1.0 / this->chord), lean(dot(e1, q)) {}

    Vec3<T> omega(const Vec3<T>& d1, const Vec3<T>& q1) const {
      const Vec3<T> of_line = per_chord * cross(e1, d1);
      return of_line + ((dot(e3, q1) + lean * dot(e2, of_line)) / across) * e1;
    }
    Vec3<T> alpha(const Vec3<T>& omega, const Vec3<T>& d1, const Vec3<T>& q1, const Vec3<T>& d2,
                  const Vec3<T>& q2) const {
      const T w1 = dot(omega, e1), w2 = dot(omega, e2), w3 = dot(omega, e3);
      const Vec3<T> of_line =
          per_chord * (cross(e1, d2) - (2.0 * dot(e1, d1)) * (omega - w1 * e1)) - w1 * cross(e1, omega);
      const T along =
          lean * dot(e2, of_line) + w3 * (lean * w1 + across * w2) + 2.0 * dot(omega, cross(e3, q1)) + dot(e3, q2);
      return of_line + (along / across) * e1;
    }

    /// What a moment on the axes does on d and q.
    struct Conjugate {
      Vec3<T> on_d, on_q;
    };
    Conjugate conjugate(const Vec3<T>& moment) const {
      const T along = dot(e1, moment) / across;
      return {per_chord * cross(moment + (along * lean) * e2, e1), along * e3};
    }
  };

  // Bending about y involves shear along z, and bending about z shear along y.
  double shear_number_y() const { return stillpoint::shear_number(bending_y, shear_z, length); }
  double shear_number_z() const { return stillpoint::shear_number(bending_z, shear_y, length); }

  double mean_shear_number() const { return 0.5 * (shear_number_y() + shear_number_z()); }

  template <class T>
  void add_strain_damping(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a,
                          Wrench<T>& on_b) const;
  template <class T>
  void add_rotary(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a, Wrench<T>& on_b) const;
};

template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::inertia(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  const auto end = [](const MovingFrame<T>& at) -> BeamEnd<Vec3<T>> {
    const Vec3<T> axis = x_axis(at.R);
    return {at.a, axis, cross(at.alpha, axis) + cross(at.omega, cross(at.omega, axis))};
  };
  Wrench<T> on_a{}, on_b{};
  add_mass_of_line(length, mass_per_length, mean_shear_number(), end(at_a), end(at_b), on_a, on_b);
  if (turns()) add_rotary(at_a, at_b, on_a, on_b);
  return {on_a, on_b};
}

// The axes of a section follow  x(ξ) = c e₁ + t_a x_a + t_b x_b  and, about that,  y(ξ) = c e₂ + t_a y_a + t_b y_b,
// c = 1 − t_a − t_b. Relative to the chord it is rotated by t_a θ_a + t_b θ_b, and its twist is linear in ξ. It rotates
// as a rigid body does: the moment of its inertia is I α + ω × I ω.
template <class T>
void Beam::add_rotary(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a, Wrench<T>& on_b) const {
  struct Axis {
    Vec3<T> value, rate, change;

    Axis(const Vec3<T>& axis, const Vec3<T>& omega, const Vec3<T>& alpha) : value(axis), rate(cross(omega, axis)) {
      change = cross(alpha, axis) + cross(omega, rate);
    }
  };
  const Axis x_a(x_axis(at_a.R), at_a.omega, at_a.alpha), x_b(x_axis(at_b.R), at_b.omega, at_b.alpha);
  const Axis y_a(y_axis(at_a.R), at_a.omega, at_a.alpha), y_b(y_axis(at_b.R), at_b.omega, at_b.alpha);
  const TurningAxes<T> line(at_b.p - at_a.p, y_a.value + y_b.value);
  const Vec3<T> rate = at_b.v - at_a.v, q_rate = y_a.rate + y_b.rate, turning = line.omega(rate, q_rate);
  const Vec3<T> turning_change = line.alpha(turning, rate, q_rate, at_b.a - at_a.a, y_a.change + y_b.change);
  const Axis e1(line.e1, turning, turning_change), e2(line.e2, turning, turning_change);

  Vec3<T> on_line{};
  for (const GaussPoint& point : gauss_points) {
    const BeamShape s(point.xi, mean_shear_number());
    const double with_line = 1 - s.turn_a - s.turn_b;
    const auto blended = [&](Vec3<T> Axis::*of, const Axis& of_line, const Axis& of_a, const Axis& of_b) {
      return with_line * of_line.*of + s.turn_a * of_a.*of + s.turn_b * of_b.*of;
    };
    const TurningAxes<T> section(blended(&Axis::value, e1, x_a, x_b), blended(&Axis::value, e2, y_a, y_b));
    const Vec3<T> x_rate = blended(&Axis::rate, e1, x_a, x_b), y_rate = blended(&Axis::rate, e2, y_a, y_b);
    const Vec3<T> omega = section.omega(x_rate, y_rate);
    const Vec3<T> alpha = section.alpha(omega, x_rate, y_rate, blended(&Axis::change, e1, x_a, x_b),
                                        blended(&Axis::change, e2, y_a, y_b));
    const auto times_inertia = [&](const Vec3<T>& v) {
      return (rotary_inertia.x * dot(section.e1, v)) * section.e1 +
             (rotary_inertia.y * dot(section.e2, v)) * section.e2 +
             (rotary_inertia.z * dot(section.e3, v)) * section.e3;
    };
    const auto [on_x, on_y] =
        section.conjugate((point.weight * length) * (times_inertia(alpha) + cross(omega, times_inertia(omega))));
    on_line += with_line * (cross(e1.value, on_x) + cross(e2.value, on_y));
    on_a.torque += s.turn_a * (cross(x_a.value, on_x) + cross(y_a.value, on_y));
    on_b.torque += s.turn_b * (cross(x_b.value, on_x) + cross(y_b.value, on_y));
  }
  const auto [on_d, on_q] = line.conjugate(on_line);
  on_a.force += -on_d;
  on_b.force += on_d;
  on_a.torque += cross(y_a.value, on_q);
  on_b.torque += cross(y_b.value, on_q);
}

template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::forces(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  auto [on_a, on_b] = drag_on(*this, at_a, at_b);
  if (damping.stiffness != 0) add_strain_damping(at_a, at_b, on_a, on_b);
  return {on_a, on_b};
}

// Damping forces of the rates of strain. Virtual work transfers the moments to the ends.
template <class T>
void Beam::add_strain_damping(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a,
                              Wrench<T>& on_b) const {
  const Vec3<T> rate = at_b.v - at_a.v;
  const Vec3<T> y_a = y_axis(at_a.R), y_b = y_axis(at_b.R);
  const TurningAxes<T> axes(at_b.p - at_a.p, y_a + y_b);
  const Vec3<T> turning = axes.omega(rate, cross(at_a.omega, y_a) + cross(at_b.omega, y_b));

  const auto slopes_a = axes.slopes_of_turn(at_a.R), slopes_b = axes.slopes_of_turn(at_b.R);
  std::array<T, 3> rates_a, rates_b;
  for (std::size_t k = 0; k < 3; ++k) {
    rates_a[k] = dot(slopes_a[k], at_a.omega - turning);
    rates_b[k] = dot(slopes_b[k], at_b.omega - turning);
  }
  const Vec3<T> turn_a = axes.turn_of(at_a.R), turn_b = axes.turn_of(at_b.R);
  const BeamBending about_y(shear_number_y()), about_z(shear_number_z());
  const auto longer_y = about_y.lengthening.slopes(turn_a.y, turn_b.y);
  const auto longer_z = about_z.lengthening.slopes(turn_a.z, turn_b.z);
  const T strain_rate = dot(axes.e1, rate) / length + longer_y[0] * rates_a[1] + longer_y[1] * rates_b[1] +
                        longer_z[0] * rates_a[2] + longer_z[1] * rates_b[2];
  const double beta = damping.stiffness;
  const T tension = (beta * axial_stiffness) * strain_rate, pull_on = length * tension;
  const T torsion = (beta * torsion_stiffness / length) * (rates_b[0] - rates_a[0]);
  const auto bend_y = about_y.curvature.slopes(rates_a[1], rates_b[1]);
  const auto bend_z = about_z.curvature.slopes(rates_a[2], rates_b[2]);
  const double by_y = beta * bending_y / length, by_z = beta * bending_z / length;

  const Vec3<T> moment_a = -torsion * slopes_a[0] + (by_y * bend_y[0] + pull_on * longer_y[0]) * slopes_a[1] +
                           (by_z * bend_z[0] + pull_on * longer_z[0]) * slopes_a[2];
  const Vec3<T> moment_b = torsion * slopes_b[0] + (by_y * bend_y[1] + pull_on * longer_y[1]) * slopes_b[1] +
                           (by_z * bend_z[1] + pull_on * longer_z[1]) * slopes_b[2];
  const auto [on_d, on_q] = axes.conjugate(moment_a + moment_b);
  const Vec3<T> pull = tension * axes.e1 - on_d;
  subtract(on_a, {-pull, moment_a - cross(y_a, on_q)});
  subtract(on_b, {pull, moment_b - cross(y_b, on_q)});
}

}  // namespace space

}  // namespace stillpoint
