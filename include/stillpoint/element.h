// What an element type is: a plain struct that states its laws once, as values over any scalar.
//
//   struct Distance {                                          // |p_b − p_a|² − l² = 0
//     PositionOf a, b;                                         // handles: where it holds on
//     double length = unset;                                   // its data
//
//     static constexpr unsigned laws = Law::residual;          // which of the laws below it has
//     static constexpr std::array row_names{""};               // constraints only: a suffix for each row
//     static const ElementInfo& info();                        // its word, help and fields
//     auto places() const { return std::tuple(a, b); }
//
//     template <class T>
//     std::array<T, 1> residual(const Vec2<T>& a, const Vec2<T>& b) const;
//   };
//
// The laws, each given what the handles of places() stand for (see places.h), in that order:
//
//   T energy(positions…)                  potential energy; the force is −∂V/∂q
//   std::array<Strain<T>, k> strains(positions…)   in place of it where V = ½ Σ stiffness · strain²; rigid motions
//                                         leave strains as they are. With `static constexpr int strain_count = k`
//   T weight(positions…, gravity)         potential energy in the field of gravity
//   std::tuple forces(motions…)           one force for each place, that acts on the mechanism
//   std::tuple inertia(motions…)          one force for each place, that the accelerations ask for
//   std::array<T, rows> residual(positions…)   constraint: zero where the mechanism may be
//
// What an output can see of an element, with `static constexpr std::array measure_names{".x", ".y"}` beside it:
//
//   std::array<T, components> measure(motions…)
//
// An element with a member `InputRef input` gets the input's value as one more argument of energy, forces, residual or
// measure. Optional: `bool uses(unsigned law) const` tells that a law is absent for these data (a spring without
// damping); `const char* problem() const` says what is wrong with data that are each allowed but not together.
#pragma once

#include "stillpoint/field.h"

namespace stillpoint {

struct Law {
  static constexpr unsigned energy = 1, weight = 2, forces = 4, inertia = 8, residual = 16;
};

/// One of those whose squares make up an energy.
template <class T>
struct Strain {
  double stiffness = 0;  ///< more than 0
  T value{};
};

}  // namespace stillpoint
