// The spectrum by one method, with verdict, branches, and what each mode is.

#include <algorithm>

#include "report/steps.h"

namespace stillpoint {

namespace {

void take_warnings(const Spectrum& spectrum, std::vector<std::string>& warnings) {
  warnings.insert(warnings.end(), spectrum.warnings.begin(), spectrum.warnings.end());
}

}  // namespace

ModesReport report_modes(const Subject& subject, Method method, const ReportOptions& options) {
  ModesReport report;
  if (takes_sparse(method, subject, options)) {
    const Spectrum known = solve_some(subject.system, options.modes);
    report.result = solve_sparse(method, subject, known, options);
    report.result.accounts = account_for(subject, report.result.spectrum.modes);
    take_warnings(report.result.spectrum, report.warnings);
    report.verdict = judge_part(known);
    return report;
  }
  const Basis basis = find_basis(subject, options);
  report.result = solve_by(method, subject, basis, options);
  report.result.accounts = account_for(subject, report.result.spectrum.modes);
  take_warnings(report.result.spectrum, report.warnings);

  const Stopwatch judging;
  if (subject.system.singular) {
    report.branches = report_branches(subject);
    report.verdict = judge_branches(report.branches);
    for (const BranchReport& branch : report.branches) take_warnings(branch.spectrum, report.warnings);
    report.branch_seconds = judging.seconds();
  } else {
    report.verdict = judge_regular(subject, basis, report.result.spectrum);
    report.verdict_seconds = judging.seconds();
  }
  return report;
}

bool is_certified(const ModesReport& report) {
  return report.result.computed && report.result.spectrum.certified &&
         std::all_of(report.branches.begin(), report.branches.end(),
                     [](const BranchReport& branch) { return branch.spectrum.certified; });
}

}  // namespace stillpoint
