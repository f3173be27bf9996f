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
    return {Strain<T>{axial_stiffness * length, elongation(axes.chord, turn_a, turn_b)},
            {torsion_stiffness / length, turn_b.x - turn_a.x},
            {by_y * about_y.curvature.of_difference(), turn_b.y - turn_a.y},
            {by_y * about_y.curvature.of_sum(), turn_a.y + turn_b.y},
            {by_z * about_z.curvature.of_difference(), turn_b.z - turn_a.z},
            {by_z * about_z.curvature.of_sum(), turn_a.z + turn_b.z}};
  }

  /// The forces of the strains.
  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> strain_forces(const Frame<T>& at_a, const Frame<T>& at_b) const;

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

  /// ε, from the chord and the rotations of the ends relative to its axes.
  template <class T>
  T elongation(const T& chord, const Vec3<T>& turn_a, const Vec3<T>& turn_b) const {
    const BeamBending about_y(shear_number_y()), about_z(shear_number_z());
    return (chord - length) / length + about_y.lengthening.value(turn_a.y, turn_b.y) +
           about_z.lengthening.value(turn_a.z, turn_b.z);
  }

  /// The axes of the chord, the rotations of the ends relative to them, and what changes with these.
  template <class T>
  struct Deformed {
    Vec3<T> y_a, y_b;
    TurningAxes<T> axes;
    Vec3<T> turn_a, turn_b;
    std::array<Vec3<T>, 3> slopes_a, slopes_b;
    std::array<T, 2> longer_y, longer_z;  ///< derivatives of the elongation

    Deformed(const Beam& beam, const Vec3<T>& d, const Rotation<T>& R_a, const Rotation<T>& R_b)
        : y_a(y_axis(R_a)),
          y_b(y_axis(R_b)),
          axes(d, y_a + y_b),
          turn_a(axes.turn_of(R_a)),
          turn_b(axes.turn_of(R_b)),
          slopes_a(axes.slopes_of_turn(R_a)),
          slopes_b(axes.slopes_of_turn(R_b)) {
      longer_y = BeamBending(beam.shear_number_y()).lengthening.slopes(turn_a.y, turn_b.y);
      longer_z = BeamBending(beam.shear_number_z()).lengthening.slopes(turn_a.z, turn_b.z);
    }
  };
  /// Strain and rotations of the ends, or the rates of these.
  template <class T>
  struct Deformation {
    T strain;
    Vec3<T> of_a, of_b;
  };
  /// Subtracts the forces on the ends of a factor times what the stiffness makes of a deformation.
  template <class T>
  void subtract_stresses(const Deformed<T>& shape, double factor, const Deformation<T>& of, Wrench<T>& on_a,
                         Wrench<T>& on_b) const;

  double mean_shear_number() const { return 0.5 * (shear_number_y() + shear_number_z()); }

  template <class T>
  void add_strain_damping(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a,
                          Wrench<T>& on_b) const;
  template <class T>
  void add_rotary(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a, Wrench<T>& on_b) const;
  template <class T>
  Vec3<T> moment_of_section(double part, const Vec3<T>& e1, const Vec3<T>& e2, const Vec3<T>& e3, const Vec3<T>& omega,
                            const Vec3<T>& alpha) const;
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
// c = 1 − t_a − t_b. Relative to the chord it is rotated by t_a θ_a + t_b θ_b, and its twist is linear in ξ. Sections
// rotate as rigid bodies do; those at the ends are the ends. Lobatto's rule with four points is exact up to the fifth
// power, and so for squares of the shape functions.
template <class T>
void Beam::add_rotary(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a, Wrench<T>& on_b) const {
  constexpr double of_ends = 1.0 / 12, of_inner = 5.0 / 12, inner = 0.27639320225002103;  // (1 − 1/√5) / 2
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

  struct OnAxes {
    Vec3<T> x{}, y{};

    void add(double factor, const Vec3<T>& on_x, const Vec3<T>& on_y) {
      x += factor * on_x;
      y += factor * on_y;
    }
  };
  OnAxes of_line, of_a, of_b;
  for (const double xi : {inner, 1 - inner}) {
    const BeamShape s(xi, mean_shear_number());
    const double with_line = 1 - s.turn_a - s.turn_b;
    const auto blended = [&](Vec3<T> Axis::*of, const Axis& chord, const Axis& first, const Axis& second) {
      return with_line * chord.*of + s.turn_a * first.*of + s.turn_b * second.*of;
    };
    const TurningAxes<T> section(blended(&Axis::value, e1, x_a, x_b), blended(&Axis::value, e2, y_a, y_b));
    const Vec3<T> x_rate = blended(&Axis::rate, e1, x_a, x_b), y_rate = blended(&Axis::rate, e2, y_a, y_b);
    const Vec3<T> omega = section.omega(x_rate, y_rate);
    const Vec3<T> alpha = section.alpha(omega, x_rate, y_rate, blended(&Axis::change, e1, x_a, x_b),
                                        blended(&Axis::change, e2, y_a, y_b));
    const auto [on_x, on_y] =
        section.conjugate(moment_of_section(of_inner, section.e1, section.e2, section.e3, omega, alpha));
    of_line.add(with_line, on_x, on_y);
    of_a.add(s.turn_a, on_x, on_y);
    of_b.add(s.turn_b, on_x, on_y);
  }
  const auto [on_d, on_q] = line.conjugate(cross(e1.value, of_line.x) + cross(e2.value, of_line.y));
  on_a.force += -on_d;
  on_b.force += on_d;
  on_a.torque += cross(x_a.value, of_a.x) + cross(y_a.value, of_a.y + on_q) +
                 moment_of_section(of_ends, x_a.value, y_a.value, z_axis(at_a.R), at_a.omega, at_a.alpha);
  on_b.torque += cross(x_b.value, of_b.x) + cross(y_b.value, of_b.y + on_q) +
                 moment_of_section(of_ends, x_b.value, y_b.value, z_axis(at_b.R), at_b.omega, at_b.alpha);
}

// Euler's equations for the part of the beam that moves with a section.
template <class T>
Vec3<T> Beam::moment_of_section(double part, const Vec3<T>& e1, const Vec3<T>& e2, const Vec3<T>& e3,
                                const Vec3<T>& omega, const Vec3<T>& alpha) const {
  const double mass = part * length, x = mass * rotary_inertia.x, y = mass * rotary_inertia.y,
               z = mass * rotary_inertia.z;
  const T w1 = dot(e1, omega), w2 = dot(e2, omega), w3 = dot(e3, omega);
  return (x * dot(e1, alpha) + (z - y) * (w2 * w3)) * e1 + (y * dot(e2, alpha) + (x - z) * (w3 * w1)) * e2 +
         (z * dot(e3, alpha) + (y - x) * (w1 * w2)) * e3;
}

template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::forces(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b) const {
  auto [on_a, on_b] = drag_on(*this, at_a, at_b);
  if (damping.stiffness != 0) add_strain_damping(at_a, at_b, on_a, on_b);
  return {on_a, on_b};
}

template <class T>
std::tuple<Wrench<T>, Wrench<T>> Beam::strain_forces(const Frame<T>& at_a, const Frame<T>& at_b) const {
  const Deformed<T> shape(*this, at_b.p - at_a.p, at_a.R, at_b.R);
  const Vec3<T>&of_a = shape.turn_a, &of_b = shape.turn_b;
  Wrench<T> on_a{}, on_b{};
  subtract_stresses(shape, 1, {.strain = elongation(shape.axes.chord, of_a, of_b), .of_a = of_a, .of_b = of_b}, on_a,
                    on_b);
  return {on_a, on_b};
}

template <class T>
void Beam::add_strain_damping(const MovingFrame<T>& at_a, const MovingFrame<T>& at_b, Wrench<T>& on_a,
                              Wrench<T>& on_b) const {
  const Deformed<T> shape(*this, at_b.p - at_a.p, at_a.R, at_b.R);
  const Vec3<T> rate = at_b.v - at_a.v;
  const Vec3<T> turning = shape.axes.omega(rate, cross(at_a.omega, shape.y_a) + cross(at_b.omega, shape.y_b));
  const auto rates_of = [&](const std::array<Vec3<T>, 3>& slopes, const Vec3<T>& omega) -> Vec3<T> {
    const Vec3<T> relative = omega - turning;
    return {dot(slopes[0], relative), dot(slopes[1], relative), dot(slopes[2], relative)};
  };
  const Vec3<T> of_a = rates_of(shape.slopes_a, at_a.omega), of_b = rates_of(shape.slopes_b, at_b.omega);
  const T strain_rate = dot(shape.axes.e1, rate) / length + shape.longer_y[0] * of_a.y + shape.longer_y[1] * of_b.y +
                        shape.longer_z[0] * of_a.z + shape.longer_z[1] * of_b.z;
  subtract_stresses(shape, damping.stiffness, {.strain = strain_rate, .of_a = of_a, .of_b = of_b}, on_a, on_b);
}

// Virtual work transfers the moments to the ends.
template <class T>
void Beam::subtract_stresses(const Deformed<T>& shape, double factor, const Deformation<T>& of, Wrench<T>& on_a,
                             Wrench<T>& on_b) const {
  const BeamBending about_y(shear_number_y()), about_z(shear_number_z());
  const T tension = (factor * axial_stiffness) * of.strain, pull_on = length * tension;
  const T torsion = (factor * torsion_stiffness / length) * (of.of_b.x - of.of_a.x);
  const auto bend_y = about_y.curvature.slopes(of.of_a.y, of.of_b.y);
  const auto bend_z = about_z.curvature.slopes(of.of_a.z, of.of_b.z);
  const double by_y = factor * bending_y / length, by_z = factor * bending_z / length;

  const Vec3<T> moment_a = -torsion * shape.slopes_a[0] +
                           (by_y * bend_y[0] + pull_on * shape.longer_y[0]) * shape.slopes_a[1] +
                           (by_z * bend_z[0] + pull_on * shape.longer_z[0]) * shape.slopes_a[2];
  const Vec3<T> moment_b = torsion * shape.slopes_b[0] +
                           (by_y * bend_y[1] + pull_on * shape.longer_y[1]) * shape.slopes_b[1] +
                           (by_z * bend_z[1] + pull_on * shape.longer_z[1]) * shape.slopes_b[2];
  const auto [on_d, on_q] = shape.axes.conjugate(moment_a + moment_b);
  const Vec3<T> pull = tension * shape.axes.e1 - on_d;
  subtract(on_a, {-pull, moment_a - cross(shape.y_a, on_q)});
  subtract(on_b, {pull, moment_b - cross(shape.y_b, on_q)});
}

}  // namespace space

}  // namespace stillpoint
