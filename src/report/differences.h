// How far one spectrum is from another: true modes are matched, whatever their order.
#pragma once

#include "stillpoint/report.h"

namespace stillpoint {

/// Each true mode of `reference` is matched with the nearest one of `other` that none before it has taken.
Differences differences_between(const Spectrum& reference, const Spectrum& other);

}  // namespace stillpoint
