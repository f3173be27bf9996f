// The topics of an explanation, one file each.
#pragma once

#include "stillpoint/explanation.h"

namespace stillpoint::explanations {

/// redundancy.cpp
RedundancyExplanation explain_redundancy(const AnalysisCase& analysis,
                                         const std::function<void(const std::string&)>& progress);
/// singular.cpp
SingularityExplanation explain_singular(const AnalysisCase& analysis);
/// verdict.cpp
VerdictExplanation explain_verdict(const AnalysisCase& analysis, const ModesReport& report);
/// undecided.cpp
DecisionExplanation explain_decisions(const AnalysisCase& analysis, const ModesReport& report);
/// spurious.cpp. Throws Error if there is no such eigenvalue, or if it is not spurious.
SpuriousExplanation explain_spurious(const AnalysisCase& analysis, Method method, Index eigenvalue,
                                     const std::function<void(const std::string&)>& progress);
/// method.cpp
MethodExplanation explain_methods(const AnalysisCase& analysis,
                                  const std::function<void(const std::string&)>& progress);
/// mode.cpp. Throws Error if there is no such mode.
ModeExplanation explain_mode(const AnalysisCase& analysis, const ModesReport& report,
                             const ExplanationRequest& request);

/// All eigenvalues of a small system, the lowest of a large one.
AnalysisOptions usual_options(const LinearSystem& system, const std::function<void(const std::string&)>& progress);
bool is_small_for_all(const LinearSystem& system);

}  // namespace stillpoint::explanations
