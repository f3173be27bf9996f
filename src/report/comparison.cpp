// The three spectra side by side.

#include <algorithm>

#include "report/differences.h"
#include "report/steps.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::array<Method, 3> all_methods{Method::mcs, Method::rcs, Method::ucs};

MethodReport try_by(Method method, const Subject& subject, const Basis& basis, const ReportOptions& options) {
  try {
    return solve_by(method, subject, basis, options);
  } catch (const Error& error) {
    MethodReport report;
    report.method = method;
    report.why_not = error.what();
    return report;
  }
}

void take_warnings(const MethodReport& method, std::vector<std::string>& warnings) {
  for (const std::string& warning : method.spectrum.warnings) {
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
  }
}

// MCS and RCS solve one problem then, so that their agreeing says nothing.
Comparison compare_sparse(const Subject& subject, const ReportOptions& options) {
  Comparison comparison;
  MethodReport& mcs = comparison.methods[0];
  mcs = solve_sparse(Method::mcs, subject, options);
  mcs.accounts = account_for(subject, mcs.spectrum.modes);
  take_warnings(mcs, comparison.warnings);
  comparison.verdict = judge_part(mcs.spectrum);
  comparison.methods[1] = mcs;
  comparison.methods[1].method = Method::rcs;
  comparison.methods[1].spectrum.method = "rcs";
  comparison.methods[1].shares_with = Method::mcs;
  comparison.methods[2].method = Method::ucs;
  comparison.methods[2].why_not = no_sparse_penalty;
  comparison.differences[1] = differences_between(mcs.spectrum, comparison.methods[1].spectrum);
  comparison.sparsity = measure_sparsity(subject.system);
  return comparison;
}

}  // namespace

Comparison compare_methods(const Subject& subject, const ReportOptions& options) {
  if (takes_sparse(Method::mcs, subject, options)) return compare_sparse(subject, options);
  Comparison comparison;
  const Basis basis = find_basis(subject, options);
  for (const Method method : all_methods) {
    MethodReport& report = comparison.methods[static_cast<std::size_t>(method)];
    report = try_by(method, subject, basis, options);
    report.accounts = account_for(subject, report.spectrum.modes);
    take_warnings(report, comparison.warnings);
  }

  const Spectrum& mcs = comparison.methods[0].spectrum;
  for (const Method method : {Method::rcs, Method::ucs}) {
    const auto k = static_cast<std::size_t>(method);
    if (!comparison.methods[0].computed || !comparison.methods[k].computed) continue;
    comparison.differences[k] = differences_between(mcs, comparison.methods[k].spectrum);
  }

  if (subject.system.singular) {
    comparison.branches = report_branches(subject);
    comparison.verdict = judge_branches(comparison.branches);
  } else if (comparison.methods[0].computed) {
    comparison.verdict = judge_regular(subject, basis, mcs);
  }
  comparison.sparsity = measure_sparsity(subject.system);
  return comparison;
}

bool is_certified(const Comparison& comparison) {
  return std::all_of(comparison.methods.begin(), comparison.methods.end(),
                     [](const MethodReport& report) { return !report.computed || report.spectrum.certified; }) &&
         std::all_of(comparison.branches.begin(), comparison.branches.end(),
                     [](const BranchReport& branch) { return branch.spectrum.certified; });
}

}  // namespace stillpoint
