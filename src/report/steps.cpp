#include "report/steps.h"

#include <algorithm>

#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

MethodReport by_minimal_form(const Subject& subject, const Basis& basis, const ReportOptions& options) {
  MethodReport report;
  report.form_seconds = basis.seconds;
  report.spectrum = solve_modes(subject.system, basis.minimal, options.modes);
  report.computed = true;
  return report;
}

MethodReport by_descriptor_form(const Subject& subject, const Basis& basis, const ReportOptions& options) {
  MethodReport report;
  const Stopwatch forming;
  const DescriptorForm form = descriptor_form(subject.system);
  report.form_seconds = forming.seconds();
  report.spectrum = solve_modes(subject.system, form, basis.count, options.modes);
  report.computed = true;
  return report;
}

/// Where it can be, at the penalty system's own rest position.
MethodReport by_penalty_form(const Subject& subject, const Basis& basis, const ReportOptions& options) {
  MethodReport report;
  PenaltyOptions how = options.penalty;
  how.alpha = penalty_factors(subject.system, options.penalty);
  MethodReport::Penalty penalty{.xi = how.xi, .omega = how.omega};
  if (how.alpha.size() > 0) {
    penalty.smallest_alpha = how.alpha.minCoeff();
    penalty.largest_alpha = how.alpha.maxCoeff();
  }

  std::optional<LinearSystem> own;
  if (subject.model && subject.rest->status == RestStatus::at_rest && subject.system.constraints() > 0) {
    const Stopwatch searching;
    const PenaltyEquilibrium found = find_penalty_equilibrium(*subject.model, *subject.rest, how.alpha, how.omega);
    penalty.equilibrium_seconds = searching.seconds();
    if (!found.converged) {
      report.why_not = "the penalty system has no rest position near that of the mechanism: " + found.message;
      report.penalty = penalty;
      return report;
    }
    penalty.largest_gap = found.largest_gap;
    own = linearize(*subject.model, *subject.rest, found);
  }

  const Stopwatch forming;
  const PenaltyForm form = penalty_form(own ? *own : subject.system, how);
  report.form_seconds = forming.seconds();
  report.spectrum = solve_modes(subject.system, form, basis.count, options.modes);
  report.penalty = penalty;
  report.computed = true;
  return report;
}

/// The worse, the larger.
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
    default:
      return 5;
  }
}

// Dense work on so many freedoms takes a second.
constexpr Index few_freedoms = 400;

}  // namespace

// Nobody's choice is passed over: not the penalty, which the sparse solver does not know, and not the basis of MCS,
// which it does not need.
bool takes_sparse(Method method, const Subject& subject, const ReportOptions& options) {
  const LinearSystem& system = subject.system;
  if (options.solver == Solver::sparse) {
    if (system.singular) throw Error("the sparse solver does not know singular configurations");
    return true;
  }
  if (options.solver == Solver::dense) return false;
  if (options.modes.band) return method != Method::ucs && !system.singular;
  const MinimalOptions& minimal = options.minimal;
  const bool is_open = method != Method::ucs && minimal.tangent == Tangent::partition && minimal.independent.empty();
  return is_open && !options.modes.all && !system.singular && system.freedom() > few_freedoms;
}

MethodReport solve_sparse(Method method, const Subject& subject, const ReportOptions& options) {
  if (method == Method::ucs) throw Error(no_sparse_penalty);
  MethodReport report;
  report.method = method;
  const bool is_conservative = stillpoint::is_conservative(subject.system);
  const bool by_frequency = !options.modes.near && !options.modes.growing;
  report.spectrum = is_conservative && by_frequency ? solve_conservative(subject.system, options.modes)
                                                    : solve_general(subject.system, options.modes);
  report.spectrum.method = method == Method::mcs ? "mcs" : "rcs";
  report.computed = true;
  return report;
}

Basis find_basis(const Subject& subject, const ReportOptions& options) {
  const Stopwatch forming;
  Basis basis{minimal_form(subject.system, options.minimal), {}, 0};
  basis.seconds = forming.seconds();
  basis.count = count_true(subject.system, basis.minimal);
  return basis;
}

MethodReport solve_by(Method method, const Subject& subject, const Basis& basis, const ReportOptions& options) {
  MethodReport report = method == Method::mcs   ? by_minimal_form(subject, basis, options)
                        : method == Method::rcs ? by_descriptor_form(subject, basis, options)
                                                : by_penalty_form(subject, basis, options);
  report.method = method;
  return report;
}

Verdict judge_regular(const Subject& subject, const Basis& basis, const Spectrum& known) {
  const bool is_complete = known.method == "mcs" && static_cast<Index>(known.modes.size()) >= known.expected;
  if (is_complete) return judge(basis.minimal, known);
  return judge(basis.minimal, solve_modes(subject.system, basis.minimal));
}

std::vector<BranchReport> report_branches(const Subject& subject) {
  std::vector<BranchReport> reports;
  if (!subject.system.singular) return reports;
  std::vector<BranchSpectrum> spectra = solve_branches(subject.system);
  for (std::size_t k = 0; k < spectra.size(); ++k) {
    const MotionBranch& branch = subject.system.branches[k];
    BranchReport report;
    report.name = branch.name;
    report.tangents = branch.tangents;
    report.spectrum = std::move(spectra[k].spectrum);
    report.verdict = judge(branch_form(subject.system, branch), report.spectrum);
    report.accounts = account_for(subject, report.spectrum.modes);
    reports.push_back(std::move(report));
  }
  return reports;
}

Verdict judge_branches(const std::vector<BranchReport>& branches) {
  if (branches.empty()) {
    Verdict none;
    none.basis = "branches";
    none.reason = "the configuration is singular and no real motion from it was found";
    return none;
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
