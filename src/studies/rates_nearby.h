// Rates of a system whose equilibrium has just been found: what was evaluated and factorised there serves them.
#pragma once

#include <memory>

#include "equilibrium/statics.h"
#include "linearize/evaluated_assembly.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

/// What was evaluated at the equilibrium; either may be null.
struct EvaluatedAtRest {
  std::shared_ptr<Statics> statics;  ///< not in use elsewhere
  std::shared_ptr<const EvaluatedAssembly> matrices;
};

/// The same as system_rates.
SystemRates rates_nearby(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options, EvaluatedAtRest known);

}  // namespace stillpoint
