// The three spectra side by side.

#include <algorithm>

#include "report/branches.h"
#include "report/differences.h"
#include "report/penalty_system.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::array<Method, 3> all_methods{Method::mcs, Method::rcs, Method::ucs};

void take_warnings(const MethodReport& method, std::vector<std::string>& warnings) {
  for (const std::string& warning : method.spectrum.warnings) {
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
  }
}

MethodReport find_by(Method method, ModeFinder& finder, const AnalysisCase& analysis) {
  MethodReport report;
  report.method = method;
  try {
    static_cast<FoundModes&>(report) = finder.find(method, true);
  } catch (const Undecided&) {
    throw;
  } catch (const Error& error) {
    report.why_not = error.what();
  }
  report.accounts = account_for(analysis, report.spectrum.modes);
  return report;
}

// The sparse engines solve one problem for MCS and RCS, so that the agreement of the two says nothing.
void note_shared_computation(std::array<MethodReport, 3>& methods) {
  const MethodReport& mcs = methods[0];
  MethodReport& rcs = methods[1];
  if (mcs.computed && rcs.computed && is_sparse(mcs.planned.engine) && is_sparse(rcs.planned.engine))
    rcs.shares_with = Method::mcs;
}

Verdict verdict_of(const MethodReport& mcs, ModeFinder& finder) {
  return mcs.computed ? judge(finder, mcs) : Verdict{};
}

}  // namespace

Comparison compare_methods(const AnalysisCase& analysis, const AnalysisOptions& options) {
  Comparison comparison;
  ModeFinder finder(analysis.system, options, penalty_systems_of(analysis));
  // One after the other: a serial OpenBLAS must not be called by two of them at once.
  for (const Method method : all_methods)
    comparison.methods[static_cast<std::size_t>(method)] = find_by(method, finder, analysis);
  note_shared_computation(comparison.methods);
  comparison.sparsity = measure_sparsity(analysis.system, {.progress = options.modes.progress});
  for (const MethodReport& report : comparison.methods) take_warnings(report, comparison.warnings);

  const Spectrum& mcs = comparison.methods[0].spectrum;
  for (const Method method : {Method::rcs, Method::ucs}) {
    const auto k = static_cast<std::size_t>(method);
    if (!comparison.methods[0].computed || !comparison.methods[k].computed) continue;
    comparison.differences[k] = differences_between(mcs, comparison.methods[k].spectrum);
  }

  if (analysis.system.singular) {
    comparison.branches = report_branches(analysis);
    comparison.verdict = judge_branches(analysis, comparison.branches);
  } else {
    comparison.verdict = verdict_of(comparison.methods[0], finder);
  }
  return comparison;
}

bool is_certified(const Comparison& comparison) {
  return std::all_of(comparison.methods.begin(), comparison.methods.end(),
                     [](const MethodReport& report) { return !report.computed || report.spectrum.certified; }) &&
         std::all_of(comparison.branches.begin(), comparison.branches.end(),
                     [](const BranchReport& branch) { return branch.spectrum.certified; });
}

}  // namespace stillpoint
