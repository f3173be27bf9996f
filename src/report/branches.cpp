#include "report/branches.h"

#include <algorithm>

namespace stillpoint {

namespace {

/// Orders verdicts from the best to the worst.
int badness(Stability stability) {
  switch (stability) {
    case Stability::asymptotically_stable:
      return 0;
    case Stability::stable:
      return 1;
    case Stability::oscillatory:
      return 2;
    case Stability::neutral:
      return 3;
    case Stability::undecided:
      return 4;
    case Stability::growing:
      return 5;
    default:
      return 6;
  }
}

}  // namespace

std::vector<BranchReport> report_branches(const AnalysisCase& analysis) {
  std::vector<BranchReport> reports;
  if (!analysis.system.singular) return reports;
  std::vector<BranchSpectrum> spectra = solve_branches(analysis.system);
  for (std::size_t k = 0; k < spectra.size(); ++k) {
    const MotionBranch& branch = analysis.system.branches[k];
    BranchReport report;
    report.name = branch.name;
    report.tangents = branch.tangents;
    report.spectrum = std::move(spectra[k].spectrum);
    report.verdict = judge(branch_form(analysis.system, branch), report.spectrum);
    report.accounts = account_for(analysis, report.spectrum.modes);
    reports.push_back(std::move(report));
  }
  return reports;
}

Verdict judge_branches(const AnalysisCase& analysis, const std::vector<BranchReport>& branches) {
  if (branches.empty()) {
    if (analysis.rest && analysis.rest->kind == ConfigurationType::isolated)
      return {.stability = Stability::stable,
              .basis = "branches",
              .reason = analysis.rest->verdict_basis,
              .manner = "nothing can move"};
    return {.basis = "branches", .reason = "the configuration is singular and no real motion from it was found"};
  }
  const auto worst = std::max_element(branches.begin(), branches.end(), [](const auto& a, const auto& b) {
    return badness(a.verdict.stability) < badness(b.verdict.stability);
  });
  Verdict verdict = worst->verdict;
  verdict.reason = "branch '" + worst->name + "': " + verdict.reason;
  for (const BranchReport& branch : branches) {
    verdict.largest_real = std::max(verdict.largest_real, branch.verdict.largest_real);
  }
  return verdict;
}

}  // namespace stillpoint
