// Eigenvalues on the imaginary axis by structure.
//
//   M = Mᵀ,  C = −Cᵀ,  K = Kᵀ:  with s also −s̄ is an eigenvalue
//
// Gyroscopic forces do no work, so what grows has a partner that decays as fast. An eigenvalue that is alone within its
// error bar is its own partner.
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

/// M and K are symmetric and C is skew, but for rounding.
bool keeps_energy(const MinimalForm& form);

/// Of a problem that keeps the energy: a value whose error bar reaches the axis, and that no other value can be the
/// partner of, gets the real part 0. Conjugates stay conjugates.
void put_on_axis(std::vector<Mode>& modes);

}  // namespace stillpoint
