// Singular configurations: the spectrum and the verdict of each branch of motion.
#pragma once

#include "stillpoint/report.h"

namespace stillpoint {

/// Empty where the configuration is regular.
std::vector<BranchReport> report_branches(const AnalysisCase& analysis);

/// The verdict of the worst branch; where there are none because nothing can move, that the mechanism is stable.
Verdict judge_branches(const AnalysisCase& analysis, const std::vector<BranchReport>& branches);

}  // namespace stillpoint
