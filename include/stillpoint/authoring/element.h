// The interface of an element type: a plain struct that states its laws once, as values over any scalar type.
//
//   struct Distance {                                          // |p_b − p_a|² − l² = 0
//     PositionOf a, b;                                         // handles: the places to which it is attached
//     double length = unset;                                   // data
//
//     static constexpr unsigned laws = Law::residual;          // the laws that it has, see below
//     static constexpr std::array row_names{""};               // constraints only: a suffix for each row
//     static const ElementInfo& info();                        // keyword, description and fields
//     auto places() const { return std::tuple(a, b); }
//
//     template <class T>
//     std::array<T, 1> residual(const Vec2<T>& a, const Vec2<T>& b) const;
//   };
//
// The laws receive the arguments that belong to the handles of places() (see places.h), in the same order:
//
//   T energy(positions…)                  potential energy V; the generalised force is −∂V/∂q
//   std::array<Strain<T>, k> strains(positions…)   instead of the energy, if V = ½ Σ stiffness · strain²; rigid motions
//                                         must not change the strains. With `static constexpr int strain_count = k`
//   std::tuple strain_forces(positions…)  beside strains: the forces −∂V/∂q on the places, where these take fewer
//                                         operations than derivatives in all coordinates; power series use them
//   T weight(positions…, gravity)         potential energy in the field of gravity
//   std::tuple forces(motions…)           applied forces, one for each place
//   std::tuple inertia(motions…)          inertia forces, one for each place: those that the accelerations require
//   std::array<T, rows> residual(positions…)   constraint residual Φ(q) = 0
//
// The values that an output can observe, with `static constexpr std::array measure_names{".x", ".y"}` for their names:
//
//   std::array<T, components> measure(motions…)
//
// If the element has a member `InputRef input`, the value of the input is passed as one more argument to energy,
// forces, residual or measure. Two member functions are optional: `bool uses(unsigned law) const` returns false if a
// law is absent for these data (a spring without damping); `const char* problem() const` describes an inadmissible
// combination of values that are admissible individually.
#pragma once

#include "stillpoint/authoring/field.h"
#include "stillpoint/authoring/unit_book.h"

namespace stillpoint {

struct Law {
  static constexpr unsigned energy = 1, weight = 2, forces = 4, inertia = 8, residual = 16;
};

/// One of the strains whose squares make up a potential energy.
template <class T>
struct Strain {
  double stiffness = 0;  ///< positive
  T value{};
};

}  // namespace stillpoint
