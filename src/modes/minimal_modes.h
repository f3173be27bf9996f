// The reduced problem as the solvers want it.
#pragma once

#include "modes/quadratic.h"
#include "stillpoint/forms.h"

namespace stillpoint {

/// M_r, C_r, K_r with the sizes of what they are summed from, |R|ᵀ |K| |R|, rounding of R included.
Quadratic reduced_quadratic(const LinearSystem& system, const MinimalForm& form);

/// Error if a direction has neither mass nor damping nor stiffness.
void require_determined(const LinearSystem& system, const MinimalForm& form, const Condensed& condensed);

}  // namespace stillpoint
