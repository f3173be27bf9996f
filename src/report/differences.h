// The difference of two spectra. True modes are matched independently of their order.
#pragma once

#include "stillpoint/report.h"

namespace stillpoint {

/// Matches each true mode of `other` with the nearest true mode of `reference` that is not matched yet, in the order of
/// increasing error bounds, and returns the differences.
Differences differences_between(const Spectrum& reference, const Spectrum& other);

}  // namespace stillpoint
