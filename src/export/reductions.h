// Two ways to a smaller state space that start from the whole one.
#pragma once

#include "stillpoint/reduce.h"

namespace stillpoint {

// Without another choice.
inline constexpr Index usual_order = 20;
inline Index order_of(const ReduceOptions& options) { return options.order > 0 ? options.order : usual_order; }

/// Without what is measured.
ReducedPlant truncate_modes(const Plant& full, const ReduceOptions& options);
ReducedPlant truncate_balanced(const Plant& full, const ReduceOptions& options);

}  // namespace stillpoint
