// The spectrum by one method, with verdict, branches, and what each mode is.

#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "modes/accuracy/finish.h"
#include "report/branches.h"
#include "report/penalty_system.h"

namespace stillpoint {

namespace {

void take_warnings(const Spectrum& spectrum, std::vector<std::string>& warnings) {
  warnings.insert(warnings.end(), spectrum.warnings.begin(), spectrum.warnings.end());
}

// Whether all unstable eigenvalues are listed cannot be told where rounding hides signs of real parts.
void mark_hidden_signs(const Verdict& verdict, Spectrum& found) {
  if (verdict.hidden_roots == 0) return;
  mark_uncertified(found, Uncertified::sign_hidden,
                   fmt::format("whether all unstable eigenvalues are listed cannot be told: of {} more, rounding hides "
                               "the sign of the real part",
                               verdict.hidden_roots));
}

}  // namespace

ModesReport report_modes(const AnalysisCase& analysis, Method method, const AnalysisOptions& options) {
  ModesReport report;
  ModeFinder finder(analysis.system, options, penalty_systems_of(analysis));
  const bool is_regular = !analysis.system.singular;
  const auto is_judged = [&](const FoundModes& found) {
    report.verdict = judge(finder, found);
    return report.verdict.stability != Stability::undecided;
  };
  static_cast<FoundModes&>(report.result) =
      finder.find(method, false, is_regular ? is_judged : std::function<bool(const FoundModes&)>{});
  Spectrum& found = report.result.spectrum;

  const Stopwatch judging;
  if (is_regular) {
    report.verdict = judge(finder, report.result);
    report.verdict_seconds = judging.seconds();
  } else {
    report.branches = report_branches(analysis);
    report.verdict = judge_branches(analysis, report.branches);
    report.branch_seconds = judging.seconds();
  }
  if (options.modes.asks_for<Unstable>() && !is_sparse(report.result.planned.engine))
    mark_hidden_signs(report.verdict, found);
  take_warnings(found, report.warnings);
  for (const BranchReport& branch : report.branches) take_warnings(branch.spectrum, report.warnings);
  report.result.accounts = account_for(analysis, found.modes);
  return report;
}

bool is_certified(const ModesReport& report) {
  return report.result.computed && report.result.spectrum.certified &&
         std::all_of(report.branches.begin(), report.branches.end(),
                     [](const BranchReport& branch) { return branch.spectrum.certified; });
}

}  // namespace stillpoint
