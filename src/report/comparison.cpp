// The three spectra side by side.

#include <algorithm>

#include "report/differences.h"
#include "report/mode_table.h"
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
MethodReport same_as(const MethodReport& other, Method method) {
  MethodReport report = other;
  report.method = method;
  report.spectrum.method = key_of(method);
  report.shares_with = other.method;
  return report;
}

/// What the methods need, found once and only where one of them does.
struct Preparations {
  std::array<bool, 3> is_sparse{};
  std::optional<Basis> basis;     ///< for all eigenvalues of a form
  std::optional<Spectrum> known;  ///< for some modes of a large system
};

Preparations prepare(const Subject& subject, const ReportOptions& options) {
  Preparations prepared;
  for (const Method method : all_methods) {
    const bool is_sparse = takes_sparse(method, subject, options);
    prepared.is_sparse[static_cast<std::size_t>(method)] = is_sparse;
    if (is_sparse && !prepared.known) prepared.known = solve_some(subject.system, options.modes);
    if (!is_sparse && !prepared.basis) prepared.basis = find_basis(subject, options, true);
  }
  return prepared;
}

MethodReport solve_with(const Preparations& prepared, Method method, const Subject& subject,
                        const ReportOptions& options) {
  MethodReport report = prepared.is_sparse[static_cast<std::size_t>(method)]
                            ? solve_sparse(method, subject, *prepared.known, options)
                            : try_by(method, subject, *prepared.basis, options);
  report.accounts = account_for(subject, report.spectrum.modes);
  return report;
}

/// One after the other: a serial OpenBLAS must not be called by two of them at once.
void take_measurements(const Preparations& prepared, const Subject& subject, const ReportOptions& options,
                       Comparison& comparison) {
  const bool is_one_problem = prepared.is_sparse[0] && prepared.is_sparse[1];
  for (const Method method : all_methods) {
    comparison.methods[static_cast<std::size_t>(method)] = method == Method::rcs && is_one_problem
                                                               ? same_as(comparison.methods[0], method)
                                                               : solve_with(prepared, method, subject, options);
  }
  comparison.sparsity = measure_sparsity(subject.system);
}

}  // namespace

Comparison compare_methods(const Subject& subject, const ReportOptions& options) {
  Comparison comparison;
  const Preparations prepared = prepare(subject, options);
  take_measurements(prepared, subject, options, comparison);
  for (const MethodReport& report : comparison.methods) take_warnings(report, comparison.warnings);

  const Spectrum& mcs = comparison.methods[0].spectrum;
  for (const Method method : {Method::rcs, Method::ucs}) {
    const auto k = static_cast<std::size_t>(method);
    if (!comparison.methods[0].computed || !comparison.methods[k].computed) continue;
    comparison.differences[k] = differences_between(mcs, comparison.methods[k].spectrum);
  }

  if (subject.system.singular) {
    comparison.branches = report_branches(subject);
    comparison.verdict = judge_branches(subject, comparison.branches);
  } else if (!prepared.basis) {
    comparison.verdict = judge_part(*prepared.known);
  } else if (comparison.methods[0].computed) {
    comparison.verdict = judge_regular(subject, *prepared.basis, mcs);
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
