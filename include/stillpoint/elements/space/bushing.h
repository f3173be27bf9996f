// A bushing: a spring in all six directions between two frames, with an optional damper.
//
//   V = ½ eᵀ K e,     e = (R_aᵀ (p_b − p_a), ϑ),     ϑ the rotation vector of R_aᵀ R_b
//   wrench of the damper on b  −D ė,     ė = R_aᵀ (v_b − v_a − ω_a × (p_b − p_a), ω_b − ω_a)
//
// K and D are symmetric and given in the axes of a: translations before rotations.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

/// A symmetric 6 × 6 matrix, by rows.
using Matrix6 = std::array<double, 36>;

/// Six components: a translation and a rotation, or a force and a torque.
template <class T>
struct Six {
  Vec3<T> linear, angular;
};

template <class T>
Six<T> times(const Matrix6& A, const Six<T>& x) {
  const T* const in[] = {&x.linear.x, &x.linear.y, &x.linear.z, &x.angular.x, &x.angular.y, &x.angular.z};
  std::array<T, 6> out{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      if (A[6 * i + j] != 0) out[i] += A[6 * i + j] * *in[j];
    }
  }
  return {{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

struct Bushing {
  FrameOf a, b;
  Matrix6 stiffness = [] {
    Matrix6 none{};
    none.fill(unset);
    return none;
  }();                ///< K (N/m, N, N m/rad)
  Matrix6 damping{};  ///< D (N s/m, N s, N m s/rad)

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr std::array measure_names{".fx", ".fy", ".fz", ".mx", ".my", ".mz"};
  static const ElementInfo& info();
  const char* problem() const;
  auto places() const { return std::tuple(a, b); }
  bool uses(unsigned law) const { return law != Law::forces || damping != Matrix6{}; }

  template <class T>
  T energy(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Six<T> e{turned_back(f_a.R, f_b.p - f_a.p), rotation_vector_of(inverse(f_a.R) * f_b.R)};
    const Six<T> force = times(stiffness, e);
    return 0.5 * (dot(e.linear, force.linear) + dot(e.angular, force.angular));
  }

  template <class T>
  std::tuple<Wrench<T>, Wrench<T>> forces(const MovingFrame<T>& f_a, const MovingFrame<T>& f_b) const {
    const Six<T> pull = times(damping, rate(f_a, f_b));
    const Vec3<T> force = turned(f_a.R, pull.linear), torque = turned(f_a.R, pull.angular);
    return {Wrench<T>{force, torque + cross(f_b.p - f_a.p, force)}, Wrench<T>{-force, -torque}};
  }

  /// The wrench K e + D ė that pulls b back, in the axes of a.
  template <class T>
  std::array<T, 6> measure(const MovingFrame<T>& f_a, const MovingFrame<T>& f_b) const {
    const Six<T> e{turned_back(f_a.R, f_b.p - f_a.p), rotation_vector_of(inverse(f_a.R) * f_b.R)};
    const Six<T> k = times(stiffness, e), d = times(damping, rate(f_a, f_b));
    const Vec3<T> force = k.linear + d.linear, torque = k.angular + d.angular;
    return {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  }

 private:
  template <class T>
  static Six<T> rate(const MovingFrame<T>& f_a, const MovingFrame<T>& f_b) {
    return {turned_back(f_a.R, f_b.v - f_a.v - cross(f_a.omega, f_b.p - f_a.p)),
            turned_back(f_a.R, f_b.omega - f_a.omega)};
  }
};

}  // namespace space

}  // namespace stillpoint
