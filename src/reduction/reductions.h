// Modal and balanced truncation and the minimal realisation, which start from the state space of full order.
#pragma once

#include "stillpoint/reduce.h"

namespace stillpoint {

// The number of states if none is given.
inline constexpr Index usual_order = 20;
inline Index order_of(const ReduceOptions& options) { return options.order > 0 ? options.order : usual_order; }

/// These return the reduced plant without its measured errors and notes.
ReducedPlant truncate_modes(const Plant& full, const ReduceOptions& options);
ReducedPlant truncate_balanced(const Plant& full, const ReduceOptions& options);
ReducedPlant minimal_realisation(const LinearSystem& system, const Plant& full, const ReduceOptions& options);

}  // namespace stillpoint
