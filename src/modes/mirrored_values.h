// Eigenvalues on the imaginary axis by structure.
//
//   M = Mᵀ,  C = −Cᵀ,  K = Kᵀ:  with s also −s̄ is an eigenvalue
//
// Gyroscopic forces do no work, so what grows has a partner that decays as fast. An eigenvalue that is alone within its
// error bar is its own partner. Several that coincide at iω can only leave the axis if some x of theirs has
//
//   xᴴ (2ω M − i C) x = 0                                                                                   (T51)
//
// (Krein): equal mechanisms beside each other stay there together.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// M and K are symmetric and C is skew, but for rounding.
bool keeps_energy(const MinimalForm& form);

/// Of a problem that keeps the energy: values whose error bars reach the axis, and that no other value can be the
/// partner of, or that (T51) holds there, get the real part 0. Conjugates stay conjugates.
void put_on_axis(const LinearSystem& system, std::vector<Mode>& modes);

}  // namespace stillpoint
