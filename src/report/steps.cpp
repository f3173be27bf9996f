#include "report/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  report.spectrum = solve_modes(subject.system, form, basis.count.value(), options.modes);
  report.computed = true;
  return report;
}

/// What the penalty is, and the system at its own rest position, if it has one: what moves freely may be pushed off for
/// ever by a force that no penalty balances. Without, the rest position of the mechanism serves.
struct PenaltySystem {
  PenaltyOptions how;
  MethodReport::Penalty penalty;
  std::optional<LinearSystem> own;
  std::string without_own;  ///< why

  const LinearSystem& at_rest(const LinearSystem& system) const { return own ? *own : system; }
  void warn(Spectrum& spectrum) const {
    if (!without_own.empty()) spectrum.warnings.push_back(without_own);
  }
};

PenaltySystem find_penalty_system(const Subject& subject, const ReportOptions& options, double stiffer = 1) {
  PenaltySystem found{options.penalty, {}, {}, {}};
  found.how.omega = penalty_frequency(subject.system, options.penalty);
  found.how.alpha = stiffer * penalty_factors(subject.system, found.how);
  const Eigen::VectorXd& alpha = found.how.alpha;
  MethodReport::Penalty& penalty = found.penalty;
  penalty.xi = found.how.xi;
  penalty.omega = *found.how.omega;
  if (alpha.size() > 0) {
    penalty.smallest_alpha = alpha.minCoeff();
    penalty.largest_alpha = alpha.maxCoeff();
  }
  const bool has_own = subject.model && subject.rest->status == RestStatus::at_rest && alpha.size() > 0;
  if (!has_own) return found;
  const Stopwatch searching;
  const PenaltyEquilibrium rest = find_penalty_equilibrium(*subject.model, *subject.rest, alpha, penalty.omega);
  penalty.equilibrium_seconds = searching.seconds();
  if (!rest.converged) {
    found.without_own =
        "the penalty system was taken at the rest position of the mechanism, for none of its own is near: " +
        rest.message;
    return found;
  }
  penalty.largest_gap = rest.largest_gap;
  found.own = linearize(*subject.model, *subject.rest, rest);
  return found;
}

// What comes of it belongs to other constraints than those of the mechanism.
void warn_of_compliance(Spectrum& spectrum) {
  constexpr double much = 0.01;
  const Mode* worst = nullptr;
  const auto part = [](const Mode& mode) { return mode.penalty_error / std::abs(mode.corrected); };
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind != ModeClass::genuine || !(std::abs(mode.corrected) > mode.corrected_error)) continue;
    if (part(mode) > much && (!worst || part(mode) > part(*worst))) worst = &mode;
  }
  if (worst)
    spectrum.warnings.push_back(fmt::format(
        "the penalty changes eigenvalues by up to {:.2g} % (of {:.3g} rad/s), which the corrected values are "
        "without; a larger --alpha, or an --omega nearer to the frequencies, changes them less",
        100 * part(*worst), std::abs(worst->corrected)));
}

MethodReport by_penalty_form(const Subject& subject, const Basis& basis, const ReportOptions& options, double stiffer) {
  MethodReport report;
  const PenaltySystem found = find_penalty_system(subject, options, stiffer);
  report.penalty = found.penalty;
  const Stopwatch forming;
  const PenaltyForm form = penalty_form(found.at_rest(subject.system), found.how);
  report.form_seconds = forming.seconds();
  report.spectrum = solve_modes(subject.system, form, basis.count.value(), options.modes);
  report.computed = true;
  found.warn(report.spectrum);
  warn_of_compliance(report.spectrum);
  return report;
}

/// Constraints that nearly depend on each other give way more than each by itself: where the automatic factors leave
/// true and spurious values mixed, stiffer ones may not.
MethodReport by_penalty_form(const Subject& subject, const Basis& basis, const ReportOptions& options) {
  MethodReport report = by_penalty_form(subject, basis, options, 1);
  if (options.penalty.alpha.size() > 0) return report;
  for (const double stiffer : {1e2, 1e4}) {
    if (report.spectrum.certified) break;
    MethodReport next = by_penalty_form(subject, basis, options, stiffer);
    if (!next.spectrum.certified) continue;
    next.spectrum.warnings.push_back(fmt::format(
        "the penalty factors are {:g} times the usual ones: with those the constraints gave way too much", stiffer));
    report = std::move(next);
  }
  return report;
}

/// Its modes beside those that are known of the mechanism.
MethodReport by_followed_modes(const Subject& subject, const Spectrum& known, const ReportOptions& options) {
  MethodReport report;
  const PenaltySystem found = find_penalty_system(subject, options);
  report.penalty = found.penalty;
  report.spectrum = follow_into_penalty(subject.system, found.at_rest(subject.system), found.how, known);
  found.warn(report.spectrum);
  warn_of_compliance(report.spectrum);
  report.computed = true;
  report.shares_with = Method::rcs;
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

// Dense work on a problem of so many unknowns takes a second.
constexpr Index low_order = 500;

/// No basis was chosen.
bool is_open(Method method, const ReportOptions& options) {
  const MinimalOptions& minimal = options.minimal;
  return method != Method::mcs || (minimal.tangent == Tangent::partition && minimal.independent.empty());
}

/// Whether all eigenvalues of a method's own form are soon found.
bool is_small(Method method, const LinearSystem& system, const ModesOptions& options) {
  if (method == Method::mcs) {
    // Where motions might grow there may be most of the eigenvalues: one by one they take longer than all at once.
    return system.freedom() <= few_freedoms ||
           (options.growing && system.freedom() <= soon_known && !is_known_not_to_grow(system));
  }
  const std::int64_t n = system.coordinates();
  return (method == Method::rcs ? 2 * n + system.constraints() : 2 * n) <= low_order;
}

}  // namespace

// Nobody's choice is passed over: the sparse solver does not need the basis of MCS.
bool takes_sparse(Method method, const Subject& subject, const ReportOptions& options) {
  const LinearSystem& system = subject.system;
  if (options.solver == Solver::sparse) {
    if (system.singular) throw Error("the sparse solver does not know singular configurations");
    return true;
  }
  if (options.solver == Solver::dense) return false;
  if (options.modes.band && !system.singular && is_open(method, options))
    return method != Method::mcs || system.freedom() > few_freedoms || is_conservative(system);
  return can_be_sparse(method, subject, options) && !is_small(method, system, options.modes);
}

bool can_be_sparse(Method method, const Subject& subject, const ReportOptions& options) {
  return is_open(method, options) && !options.modes.all && !subject.system.singular;
}

MethodReport solve_sparse(Method method, const Subject& subject, const Spectrum& known, const ReportOptions& options) {
  MethodReport report;
  if (method == Method::ucs) {
    report = by_followed_modes(subject, known, options);
  } else {
    report.spectrum = known;
    report.spectrum.method = method == Method::mcs ? "mcs" : "rcs";
    report.computed = true;
  }
  report.method = method;
  return report;
}

Basis find_basis(const Subject& subject, const ReportOptions& options, bool counts) {
  const Stopwatch forming;
  Basis basis{minimal_form(subject.system, options.minimal), {}, 0};
  basis.seconds = forming.seconds();
  if (counts) basis.count = count_true(subject.system, basis.minimal);
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

Verdict judge_branches(const Subject& subject, const std::vector<BranchReport>& branches) {
  if (branches.empty()) {
    if (subject.rest && subject.rest->kind == Freedom::isolated)
      return {.stability = Stability::stable, .basis = "branches", .reason = subject.rest->verdict_basis};
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
