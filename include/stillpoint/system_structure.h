// Which kind of linear system this is, found once from the matrices and read by solvers, plans and verdicts.
//
//   M ẍ + C ẋ + K x = 0,     C = D + G,   K = S + N       D, S symmetric;  G gyroscopic, N circulatory: skew
//
// Symmetry is a tested property of the matrices, up to rounding; it is never assumed.
#pragma once

#include "stillpoint/linear_system.h"

namespace stillpoint {

struct SystemStructure {
  bool symmetric_mass = true, symmetric_damping = true, symmetric_stiffness = true;
  bool nonnegative_mass = true;  ///< M has no negative eigenvalue
  bool undamped = true;          ///< C = 0
  bool dissipative = true;       ///< D has no negative eigenvalue: no motion gains energy by C
  bool skew_damping = true;      ///< C = G: velocity-dependent forces do no work
  /// The energy criterion excludes unstable eigenvalues. Not found by structure_of, as it takes factorisations.
  bool known_stable = false;
  Index damped_coordinates = 0;    ///< rows of C with an entry; the rank of C is no larger
  Index massless_coordinates = 0;  ///< rows of M without an entry

  bool symmetric() const { return symmetric_mass && symmetric_damping && symmetric_stiffness; }
  /// Velocity-dependent forces are gyroscopic alone, and there are some.
  bool gyroscopic() const { return !undamped && skew_damping; }
  /// Forces depend on the position and have no potential: follower forces, for example.
  bool circulatory() const { return !symmetric_stiffness; }
  /// M ≥ 0 and D ≥ 0: the energy decreases wherever there is a potential.
  bool passive() const { return nonnegative_mass && dissipative; }
  /// Nothing is damped, M and K are symmetric, and no mass is negative.
  bool conservative() const { return undamped && symmetric_mass && symmetric_stiffness && nonnegative_mass; }
};

/// Of square matrices of one size: those of a system, or of a form of it. Costs a few passes over the entries; the
/// signs of M and D take a factorisation each, unless their diagonals dominate.
SystemStructure structure_of(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K);
SystemStructure structure_of(const LinearSystem& system);

/// In words, for the plan that is printed: "symmetric, undamped", "gyroscopic, circulatory".
std::string to_words(const SystemStructure& structure);

}  // namespace stillpoint
