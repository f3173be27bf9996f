// The zeros of a large sparse system near a point.
#pragma once

#include "stillpoint/zeros.h"

namespace stillpoint {

/// `options.near` must be set; `reactions` is H_λ with determined rows.
Zeros zeros_near(const LinearSystem& system, const SparseMatrix& reactions, const ZeroOptions& options);

}  // namespace stillpoint
