// Validation of a linear system in place; its matrices are large and sparse, so that copies would be expensive.
#pragma once

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Replaces matrices without a size by zero matrices. Throws Error if the sizes of the others disagree.
void agree_on_sizes(LinearSystem& system);

/// Validates and completes the system as described for checked().
void check(LinearSystem& system, const RankOptions& options = {});

/// Throws Error if the largest entries of M, C and K are so different that their quotients, and with them eigenvalues,
/// are beyond the range of double precision.
void require_common_range(const LinearSystem& system);

}  // namespace stillpoint
