// Hamiltonian symmetry and Krein signature: eigenvalues that lie on the imaginary axis by structure.
//
//   M = Mᵀ,  C = −Cᵀ,  K = Kᵀ:  with s also −s̄ is an eigenvalue
//
// Gyroscopic forces do no work, so an unstable eigenvalue has a partner that decays at the same rate. An eigenvalue
// that is alone within its error bound is its own partner. Several that coincide at iω can only leave the axis if some
// x of theirs has
//
//   xᴴ (2ω M − i C) x = 0                                                                                   (8.2)
//
// (Krein; [MacKay 1986]): equal mechanisms beside each other stay on the axis together.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// Tells whether M and K are symmetric and C is skew, to rounding.
bool keeps_energy(const MinimalForm& form);

/// In a problem that keeps the energy, sets Re s = 0 for eigenvalues whose error bounds reach the axis if no other one
/// can be their partner, or if the form of theory (8.2) has one sign on those that coincide. Conjugates stay
/// conjugates.
void put_on_axis(const LinearSystem& system, std::vector<Mode>& modes);

}  // namespace stillpoint
