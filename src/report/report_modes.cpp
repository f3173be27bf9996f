// The spectrum by one method, with verdict, branches, and what each mode is.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "modes/finish.h"
#include "report/steps.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

void take_warnings(const Spectrum& spectrum, std::vector<std::string>& warnings) {
  warnings.insert(warnings.end(), spectrum.warnings.begin(), spectrum.warnings.end());
}

ModesReport report_some(const Subject& subject, Method method, const ReportOptions& options) {
  ModesReport report;
  const Spectrum known = solve_some(subject.system, options.modes);
  report.result = solve_sparse(method, subject, known, options);
  report.result.accounts = account_for(subject, report.result.spectrum.modes);
  take_warnings(report.result.spectrum, report.warnings);
  report.verdict = judge_part(known);
  return report;
}

// Of all eigenvalues at once the dense solvers may not be certain, because those of a fine mesh lie far apart. Of the
// lowest the sparse one may be, if nobody asked for more.
std::optional<ModesReport> certain_ones(const Subject& subject, Method method, ReportOptions options,
                                        const Spectrum& uncertain) {
  options.modes.all = false;
  if (options.solver != Solver::automatic || !can_be_sparse(method, subject, options)) return {};
  try {
    ModesReport report = report_some(subject, method, options);
    if (!is_certified(report)) return {};
    report.warnings.push_back("found by the sparse solver, as all eigenvalues at once are not certain: " +
                              uncertain.warnings.front());
    return report;
  } catch (const Error&) {  // the search found nothing to be certain of, either
    return {};
  }
}

// The verdict needs all eigenvalues by MCS, which cost as much as some of them.
ReportOptions with_all_of_mcs(Method method, ReportOptions options) {
  if (method != Method::mcs) return options;
  options.modes = {
      .spurious = options.modes.spurious, .certify = options.modes.certify, .progress = options.modes.progress};
  return options;
}

// Of some more freedoms than the dense solvers take by themselves they still find all soon.
bool may_take_all(const Subject& subject, Method method, const ReportOptions& options) {
  const bool is_free = options.solver == Solver::automatic && options.modes.certify && method == Method::mcs;
  return is_free && subject.system.freedom() <= soon_known;
}

// What some eigenvalues leave open all of them tell.
bool is_settled(const ModesReport& some) {
  return is_certified(some) && some.verdict.stability != Stability::undecided;
}

// Where a band holds a good part of all, the dense solvers find them sooner than one by one.
ReportOptions for_few(ReportOptions options, const Subject& subject) {
  constexpr Index good_part = 8;
  options.modes.most_in_band = std::min(options.modes.most_in_band, subject.system.freedom() / good_part);
  return options;
}

ModesReport report_all(const Subject& subject, Method method, const ReportOptions& options) {
  ModesReport report;
  const Basis basis = find_basis(subject, options, method != Method::mcs);
  report.result = solve_by(method, subject, basis, with_all_of_mcs(method, options));
  Spectrum& found = report.result.spectrum;
  if (!found.certified && !found.warnings.empty()) {
    if (const auto certain = certain_ones(subject, method, options, found)) return *certain;
  }
  take_warnings(found, report.warnings);

  const Stopwatch judging;
  if (subject.system.singular) {
    report.branches = report_branches(subject);
    report.verdict = judge_branches(subject, report.branches);
    for (const BranchReport& branch : report.branches) take_warnings(branch.spectrum, report.warnings);
    report.branch_seconds = judging.seconds();
  } else {
    report.verdict = judge_regular(subject, basis, found);
    report.verdict_seconds = judging.seconds();
  }
  if (options.modes.growing && report.verdict.hidden_roots > 0) {
    doubt(found, fmt::format("whether all that grow are listed cannot be told: of {} more rounding hides the sign of "
                             "the real part",
                             report.verdict.hidden_roots));
    report.warnings.push_back(found.warnings.back());
  }
  keep_selected(found, options.modes);
  report.result.accounts = account_for(subject, found.modes);
  return report;
}

}  // namespace

ModesReport report_modes(const Subject& subject, Method method, const ReportOptions& options) {
  if (!takes_sparse(method, subject, options)) return report_all(subject, method, options);
  if (!may_take_all(subject, method, options)) return report_some(subject, method, options);
  ModesReport some = report_some(subject, method, for_few(options, subject));
  if (is_settled(some)) return some;
  try {
    ModesReport all = report_all(subject, method, options);
    return is_certified(all) || !is_certified(some) ? all : some;
  } catch (const Error&) {  // then some is more than nothing
    return options.modes.band ? report_some(subject, method, options) : some;
  }
}

bool is_certified(const ModesReport& report) {
  return report.result.computed && report.result.spectrum.certified &&
         std::all_of(report.branches.begin(), report.branches.end(),
                     [](const BranchReport& branch) { return branch.spectrum.certified; });
}

}  // namespace stillpoint
