// The figures of an answer in time: from the exact answer, with roots between the grid points.
#pragma once

#include "response/time_trace.h"

namespace stillpoint {

/// Finds the figures of one output. `gain` is the final value of a step, NaN if there is none.
TimeFigures figures_of(const TimeTrace& trace, Eigen::Index output, TimeInput kind, double gain);

}  // namespace stillpoint
