// The penalty system of a model, about the penalty's own equilibrium.
#pragma once

#include "stillpoint/report.h"

namespace stillpoint {

/// Makes penalty systems of the analysis case, which must outlive the maker. A model without a penalty equilibrium, and
/// matrices alone, are taken at the constrained equilibrium: a body that moves freely may be pushed away for ever by a
/// force that no penalty balances.
PenaltySystemMaker penalty_systems_of(const AnalysisCase& analysis);

}  // namespace stillpoint
