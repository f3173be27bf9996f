// Why an eigenvalue belongs to the form and not to the mechanism: the violation of its vector, and how far it moves
// when the penalty is doubled, both computed again.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/topics.h"
#include "report/mode_table.h"
#include "stillpoint/error.h"

namespace stillpoint::explanations {

namespace {

constexpr double twice = 2;

bool is_true(const Mode& mode) { return mode.kind == ModeClass::genuine && !mode.is_infinite(); }

double smaller(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::min(a, b); }
double larger(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }

/// Distance of the nearest of other eigenvalues, relative to |s|; of s = 0 absolute.
double moved(std::complex<double> s, const std::vector<Mode>& others) {
  double nearest = Mode::unset;
  for (const Mode& other : others) {
    if (!other.is_infinite()) nearest = smaller(nearest, std::abs(other.s - s));
  }
  return s == 0.0 ? nearest : nearest / std::abs(s);
}

struct Numbered {
  const Mode* mode = nullptr;
  Index number = 0;
};

/// The row of the table of all eigenvalues. Throws Error if there is none, or it is not spurious.
Numbered spurious_row(const std::vector<Mode>& modes, Method method, Index number) {
  Numbered first;
  Index row = 0;
  for (const TableRow& each : table_rows(modes)) {
    ++row;
    const Mode& mode = modes[each.mode];
    if (number == row && !is_of_the_form(mode))
      throw Error(fmt::format("eigenvalue {} of {}, s = {:.6g} {:+.6g}i, is not spurious: its class is '{}'", number,
                              name_of(method), mode.s.real(), mode.s.imag(), word_of(mode.kind)));
    if (is_of_the_form(mode) && (number == row || (number == 0 && !first.mode))) first = {&mode, row};
  }
  if (number > row)
    throw Error(fmt::format("eigenvalue {} of {}: the table has {} lines", number, name_of(method), row));
  return first;
}

void take_violations(SpuriousExplanation& found, const std::vector<Mode>& modes) {
  for (const Mode& mode : modes) {
    if (mode.is_infinite()) continue;
    if (mode.kind == ModeClass::spurious) found.least_violation = smaller(found.least_violation, mode.violation);
    if (is_true(mode)) found.true_violation = larger(found.true_violation, mode.violation);
  }
}

/// The eigenvalues of UCS with another penalty.
std::vector<Mode> modes_with(const AnalysisCase& analysis, AnalysisOptions options, const Eigen::VectorXd& alpha,
                             double xi, double omega) {
  options.penalty = {.alpha = alpha, .xi = xi, .omega = omega};
  return report_modes(analysis, Method::ucs, options).result.spectrum.modes;
}

void move_penalty(SpuriousExplanation& found, const AnalysisCase& analysis, const AnalysisOptions& options,
                  const std::vector<Mode>& modes) {
  const PenaltyOptions usual;
  const Eigen::VectorXd alpha = penalty_factors(analysis.system, usual);
  const double omega = penalty_frequency(analysis.system, usual);
  found.alpha = alpha.maxCoeff();
  found.omega = omega;
  found.xi = usual.xi;
  const std::vector<Mode> by_alpha = modes_with(analysis, options, twice * alpha, usual.xi, omega);
  const std::vector<Mode> by_omega = modes_with(analysis, options, alpha, usual.xi, twice * omega);
  found.moved_by_alpha = moved(found.s, by_alpha);
  found.moved_by_omega = moved(found.s, by_omega);
  for (const Mode& mode : modes) {
    if (!is_true(mode)) continue;
    found.true_moved_by_alpha = larger(found.true_moved_by_alpha, moved(mode.s, by_alpha));
    found.true_moved_by_omega = larger(found.true_moved_by_omega, moved(mode.s, by_omega));
  }
}

}  // namespace

SpuriousExplanation explain_spurious(const AnalysisCase& analysis, Method method, Index eigenvalue,
                                     const std::function<void(const std::string&)>& progress) {
  SpuriousExplanation found;
  found.method = method;
  found.coordinates = analysis.system.coordinates();
  found.independent_constraints = analysis.system.rank();
  if (!is_small_for_all(analysis.system)) {
    found.why_not = fmt::format(
        "of a system of {} coordinates and {} constraints the modes of {} are computed without the spurious ones",
        analysis.system.coordinates(), analysis.system.constraints(), name_of(method));
    return found;
  }
  const AnalysisOptions options = usual_options(analysis.system, progress);
  const MethodReport report = report_modes(analysis, method, options).result;
  if (!report.computed) {
    found.why_not = report.why_not;
    return found;
  }
  const std::vector<Mode>& modes = report.spectrum.modes;
  found.order = report.spectrum.size;
  found.true_count = report.spectrum.found;
  found.spurious = report.spectrum.spurious;
  found.finite_spurious = static_cast<Index>(std::count_if(modes.begin(), modes.end(), [](const Mode& mode) {
    return mode.kind == ModeClass::spurious && !mode.is_infinite();
  }));
  take_violations(found, modes);
  const Numbered example = spurious_row(modes, method, eigenvalue);
  if (!example.mode) return found;
  found.number = example.number;
  found.is_infinite = example.mode->is_infinite();
  if (found.is_infinite) return found;
  found.s = example.mode->s;
  found.violation = example.mode->violation;
  if (method == Method::ucs) move_penalty(found, analysis, options, modes);
  return found;
}

}  // namespace stillpoint::explanations
