// A spring about the z axis of a hinge between two frames, with an optional damper:
//
//   V = ½ k (φ − φ₀)²,     φ = twist(R_aᵀ R_b),  φ − φ₀ brought into [−π, π]
//   torque of the damper  c z_a·(ω_b − ω_a)  about z_a
//
// The twist of a rotation is its angle about z after the shortest rotation that tilts the z axis has been removed; in a
// hinge there is no tilt. For a spring that counts full turns use a `scalar_spring` on the scalar of an `angle`.
#pragma once

#include "stillpoint/elements/space/torsion_damper.h"

namespace stillpoint {

namespace space {

struct TorsionSpring {
  OrientationOf a, b;
  double stiffness = unset;  ///< k (N m/rad)
  double free_angle = 0;     ///< φ₀ (rad)
  double damping = 0;        ///< c (N m s/rad)
  bool preload = false;      ///< the free state is what holds the mechanism at its guess

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook&) const { return "N m"; }
  bool uses(unsigned law) const { return law != Law::forces || damping != 0; }

  template <class T>
  T energy(const Rotation<T>& R_a, const Rotation<T>& R_b) const {
    const T angle = wrap_angle(twist(inverse(R_a) * R_b) - free_angle);
    return (0.5 * stiffness) * (angle * angle);
  }

  template <class T>
  std::tuple<Vec3<T>, Vec3<T>> forces(const MovingOrientation<T>& at_a, const MovingOrientation<T>& at_b) const {
    return axial_damper_torques(at_a, at_b, damping);
  }

  /// The torque about z_a that pulls b back towards a.
  template <class T>
  std::array<T, 1> measure(const MovingOrientation<T>& at_a, const MovingOrientation<T>& at_b) const {
    const T angle = wrap_angle(twist(inverse(at_a.R) * at_b.R) - free_angle);
    return {stiffness * angle + damping * dot(z_axis(at_a.R), at_b.omega - at_a.omega)};
  }
};

}  // namespace space

}  // namespace stillpoint
