// The reduced problem in minimal coordinates with the magnitudes of its sums.
#pragma once

#include "modes/dense/quadratic.h"
#include "stillpoint/forms.h"

namespace stillpoint {

/// Returns M_r, C_r, K_r with the magnitudes of their terms, |R|ᵀ |K| |R|, including the rounding of R.
Quadratic reduced_quadratic(const LinearSystem& system, const MinimalForm& form);

/// Throws Error if a direction has neither mass nor damping nor stiffness.
void require_determined(const LinearSystem& system, const MinimalForm& form, const Condensed& condensed);

}  // namespace stillpoint
