// Shape functions and energies of a two-node beam element with shear (Timoshenko beam, [Przemieniecki 1968]), for the
// plane and for either bending plane in space. The ends are rotated by θ_a and θ_b relative to the chord, the line
// between them; the shear number Φ = 12 EI / (GA l²) is the ratio of bending to shear stiffness.
#pragma once

#include <array>

namespace stillpoint {

/// The shear number Φ; a shear stiffness of 0 stands for sections that are rigid in shear.
inline double shear_number(double bending_stiffness, double shear_stiffness, double length) {
  return shear_stiffness > 0 ? 12 * bending_stiffness / (shear_stiffness * length * length) : 0;
}

/// The quadratic forms of bending in θ_a and θ_b, with equal coefficients of both squares.
struct BeamBending {
  struct Form {
    double same, mixed;

    template <class T>
    T value(const T& a, const T& b) const {  ///< half of the form
      return (0.5 * same) * (a * a + b * b) + mixed * (a * b);
    }
    /// The same form is ½ of_difference (θ_b − θ_a)² + ½ of_sum (θ_a + θ_b)².
    double of_difference() const { return 0.5 * (same - mixed); }
    double of_sum() const { return 0.5 * (same + mixed); }
    template <class T>
    std::array<T, 2> slopes(const T& a, const T& b) const {
      return {same * a + mixed * b, same * b + mixed * a};
    }
  };
  Form lengthening;  ///< ½ ∫ w'² dξ: the elongation of the bent line relative to the chord
  Form curvature;    ///< energy of bending and shear, divided by EI / l; its derivatives are moments

  explicit BeamBending(double phi) {
    const double by = 1 / (1 + phi), square = by * by;
    lengthening = {square * (2.0 / 15 + phi / 6 + phi * phi / 12), square * (-1.0 / 30 - phi / 6 - phi * phi / 12)};
    curvature = {by * (4 + phi), by * (2 - phi)};
  }
};

/// Shape functions at ξ: of the deflection divided by l, and of the rotation of the section relative to the chord.
struct BeamShape {
  double w_a, w_b, turn_a, turn_b;

  BeamShape(double xi, double phi) {
    const double by = 1 / (1 + phi), shear = 0.5 * phi * (xi - xi * xi);
    w_a = by * (xi - 2 * xi * xi + xi * xi * xi + shear);
    w_b = by * (xi * xi * xi - xi * xi - shear);
    turn_a = by * (1 - 4 * xi + 3 * xi * xi + phi * (1 - xi));
    turn_b = by * (3 * xi * xi - 2 * xi + phi * xi);
  }
};

/// Integration points of the mass: Gauss' rule with four points on [0, 1], which is exact up to the seventh power, and
/// so for cubic shape functions and their squares.
struct GaussPoint {
  double xi, weight;
};
inline constexpr std::array<GaussPoint, 4> gauss_points{{{0.069431844202973714, 0.173927422568726929},
                                                         {0.330009478207571868, 0.326072577431273071},
                                                         {0.669990521792428132, 0.326072577431273071},
                                                         {0.930568155797026286, 0.173927422568726929}}};

/// The motion of an end of a beam: the acceleration of its place, its x axis, and the second derivative of the axis.
template <class V>
struct BeamEnd {
  V acceleration, axis, change_of_axis;
};

/// Adds the inertia forces at the ends for the mass of the line p(ξ) = p_a + ξ d + N_a (l x_a − d) + N_b (l x_b − d),
/// in the plane and in space: p is linear in the places and axes of the ends, and so are the forces.
template <class V, class Wrench>
void add_mass_of_line(double length, double mass_per_length, double phi, const BeamEnd<V>& a, const BeamEnd<V>& b,
                      Wrench& on_a, Wrench& on_b) {
  for (const GaussPoint& point : gauss_points) {
    const BeamShape s(point.xi, phi);
    const double to_b = point.xi - s.w_a - s.w_b, to_a = 1 - to_b, slope_a = length * s.w_a, slope_b = length * s.w_b;
    const V force =
        (point.weight * length * mass_per_length) *
        (to_a * a.acceleration + to_b * b.acceleration + slope_a * a.change_of_axis + slope_b * b.change_of_axis);
    on_a.force += to_a * force;
    on_b.force += to_b * force;
    on_a.torque += slope_a * cross(a.axis, force);
    on_b.torque += slope_b * cross(b.axis, force);
  }
}

}  // namespace stillpoint
