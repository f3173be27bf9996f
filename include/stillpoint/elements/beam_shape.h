// The shapes of a beam's element and what they cost, in the plane as in either plane of space. The ends are turned by
// θ_a and θ_b against the line between them; Φ = 12 EI / (GA l²) tells how soft in shear the element is.
#pragma once

#include <array>

namespace stillpoint {

/// Φ; a shear stiffness of 0 stands for sections that are rigid in shear.
inline double shear_number(double bending_stiffness, double shear_stiffness, double length) {
  return shear_stiffness > 0 ? 12 * bending_stiffness / (shear_stiffness * length * length) : 0;
}

/// What bending does, given θ_a² + θ_b² and θ_a θ_b.
struct BeamBending {
  double phi, by;

  explicit BeamBending(double shear_number) : phi(shear_number), by(1 / (1 + shear_number)) {}

  /// ½ ∫ w'² dξ: how much longer the bent line is than the straight one.
  template <class T>
  T lengthening(const T& squares, const T& product) const {
    const double same = 2.0 / 15 + phi / 6 + phi * phi / 12, mixed = -1.0 / 30 - phi / 6 - phi * phi / 12;
    return (by * by) * (0.5 * same * squares + mixed * product);
  }

  /// Its derivatives by θ_a and θ_b.
  template <class T>
  std::array<T, 2> lengthening_slopes(const T& a, const T& b) const {
    const double same = 2.0 / 15 + phi / 6 + phi * phi / 12, mixed = -1.0 / 30 - phi / 6 - phi * phi / 12;
    return {(by * by) * (same * a + mixed * b), (by * by) * (same * b + mixed * a)};
  }

  /// The energy of bending and shear over EI / 2l.
  template <class T>
  T curvature(const T& squares, const T& product) const {
    return by * ((4 + phi) * squares + 2 * (2 - phi) * product);
  }

  /// The moments at the ends over EI / l.
  template <class T>
  std::array<T, 2> moments(const T& a, const T& b) const {
    return {by * ((4 + phi) * a + (2 - phi) * b), by * ((4 + phi) * b + (2 - phi) * a)};
  }
};

/// Values at ξ: of the deflection over l, and of the turning of the section against the line.
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

/// Where the mass is taken: four points of Gauss' rule on [0, 1], exact up to the seventh power, so for cubic shapes
/// and their squares.
struct GaussPoint {
  double xi, weight;
};
inline constexpr std::array<GaussPoint, 4> gauss_points{{{0.069431844202973714, 0.173927422568726929},
                                                         {0.330009478207571868, 0.326072577431273071},
                                                         {0.669990521792428132, 0.326072577431273071},
                                                         {0.930568155797026286, 0.173927422568726929}}};

}  // namespace stillpoint
