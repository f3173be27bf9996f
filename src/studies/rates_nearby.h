// Rates of a system whose equilibrium was found with orders of elimination that are known already.
#pragma once

#include <memory>

#include "equilibrium/bordered_analysis.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

/// The same as system_rates; the analysis may be null, and must not be in use elsewhere.
SystemRates rates_nearby(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options, const std::shared_ptr<BorderedAnalysis>& analysis);

}  // namespace stillpoint
