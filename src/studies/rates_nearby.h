// Rates of a system whose equilibrium has just been found: what was evaluated and factorised there serves them.
#pragma once

#include <memory>

#include "equilibrium/statics.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

/// The same as system_rates; the statics may be null, and must not be in use elsewhere.
SystemRates rates_nearby(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options, const std::shared_ptr<Statics>& statics);

}  // namespace stillpoint
