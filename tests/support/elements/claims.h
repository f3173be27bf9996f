// Claims that hold for every element type, stated once for the plane and for space.
#pragma once

#include <cstdint>
#include <functional>

#include "support/elements/differences.h"
#include "support/elements/specimens.h"

namespace stillpoint {

/// CentralDifferences are good to about 1e-11 in the plane and 1e-10 in space, where the fifth derivative of a twist
/// grows with the rotation; a missing term shows at 1e-2 or more.
constexpr double like_differences = 1e-7;

/// A few roundings of sums of the order of the terms.
constexpr double like_rounding = 1e-12;

/// What the claims must be told about the plane, or about space.
struct World {
  const std::vector<ElementCase>& cases;
  std::function<std::vector<Specimen>(const ElementCase&)> specimens;  ///< in a field of gravity
  State (*random_state)(const Model&, Random&, Assembly::Motion);
  std::uint64_t seed = 0;
  int states = 0;            ///< for each specimen
  int states_unmoved = 0;    ///< in motion, for elements whose laws know no rates
  int states_connected = 0;  ///< where each must first be brought together

  /// Where the pattern is known to be larger than the matrix.
  bool (*may_have_structural_zeros)(const ElementCase&, const Specimen&, char letter, Assembly::Motion);

  /// The rates of all coordinates in rigid motions of the whole that all others are sums of, as columns.
  Eigen::MatrixXd (*rigid_motions)(const Model&, const State&);
};

/// All matrices equal central differences; each appears for the elements of which that is expected, and its pattern
/// has no place that is always zero.
void check_matrices(const World& world, Assembly::Motion motion);

/// Along a motion that is a polynomial in time, the coefficients of forces, inertia forces and constraints sum to their
/// values at other times.
void check_series(const World& world);

/// At rest, forces are minus the gradient of the potential energy; those of elements that are not conservative have
/// none.
void check_potentials(const World& world);

/// At rest, with multipliers, M and C are symmetric, and K is for conservative elements and for no others.
void check_symmetry(const World& world);

/// Inertia forces are those of Lagrange's equations for the kinetic energy ½ vᵀM v, at any state and motion. At least
/// so many element types have any.
void check_inertia(const World& world, int least);

/// The most work that an element does in rigid motions of the whole, relative to the sum of what each component does.
struct Work {
  double of_forces = 0;
  double of_constraints = 0;
  double largest_force = 0;
};
Work most_work(const World& world, const Specimen& specimen);

}  // namespace stillpoint
