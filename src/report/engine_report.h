// The report of modes that another program has found.
#pragma once

#include "stillpoint/report.h"

namespace stillpoint {

/// Verdict and accounts of modes that an engine has found in the system of this analysis.
ModesReport report_engine_modes(const AnalysisCase& analysis, FoundModes found);

}  // namespace stillpoint
