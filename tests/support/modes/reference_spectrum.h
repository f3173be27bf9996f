// The finite eigenvalues of a linear system in long double, and how much the reference itself is unsure of each.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint::testing {

struct ReferenceValue {
  std::complex<long double> s;
  double uncertainty = 0;  ///< what another R, shift and unit of time change, times 10
};

/// R from a QR of Jᵀ, of the rows that `system.rows` calls independent; s = σ + 1/μ, μ of the companion matrix of
/// P(σ), so that infinite eigenvalues are μ = 0 and left out by their number. Matrices count as exact. Those of
/// rigid-body motion, `at_zero` of them, are zero. `count`: how many are finite.
std::vector<ReferenceValue> reference_spectrum(const LinearSystem& system, Index count, Index at_zero);

/// The same value by Newton's method in all coordinates and multipliers, which loses nothing to a reduction; for a
/// single doubtful one, because each step costs a decomposition. Nothing if that does not converge there.
std::optional<ReferenceValue> settled(const LinearSystem& system, const ReferenceValue& value);

}  // namespace stillpoint::testing
