#include "report/penalty_system.h"

#include "base/stopwatch.h"
#include "stillpoint/close_loops.h"

namespace stillpoint {

namespace {

void find_own_equilibrium(const AnalysisCase& analysis, PenaltySystem& made) {
  const Stopwatch searching;
  const PenaltyEquilibrium rest =
      find_penalty_equilibrium(*analysis.model, *analysis.rest, made.how.alpha, made.how.omega.value());
  made.equilibrium_seconds = searching.seconds();
  if (!rest.converged) {
    made.without_own =
        "the penalty system was taken at the equilibrium of the mechanism, as none of its own is near: " + rest.message;
    return;
  }
  made.largest_residual = rest.largest_residual;
  made.own = close_loops(linearize(*analysis.model, *analysis.rest, rest), analysis.controllers);
}

}  // namespace

PenaltySystemMaker penalty_systems_of(const AnalysisCase& analysis) {
  return [&analysis](const PenaltyOptions& options, double stiffer) {
    PenaltySystem made{options, {}};
    made.how.omega = penalty_frequency(analysis.system, options);
    made.how.alpha = stiffer * penalty_factors(analysis.system, made.how);
    const bool has_own =
        analysis.model && analysis.rest->status == EquilibriumStatus::at_rest && made.how.alpha.size() > 0;
    if (has_own) find_own_equilibrium(analysis, made);
    return made;
  };
}

}  // namespace stillpoint
