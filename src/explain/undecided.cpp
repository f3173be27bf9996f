// Which numbers decide, how far they are from what they are compared with, and what would decide those that do not.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/rank/rank_rule.h"
#include "explain/topics.h"

namespace stillpoint::explanations {

namespace {

void add_rank(const AnalysisCase& analysis, std::vector<DecidingNumber>& numbers) {
  const RankDecision& rank = analysis.system.rows.rank;
  if (analysis.system.constraints() == 0 || std::isnan(rank.gap)) return;
  const bool is_given = rank.outcome == RankOutcome::given;
  numbers.push_back(
      {fmt::format("the gap that decides the rank {} of {} constraints", rank.value, analysis.system.constraints()),
       rank.gap, smallest_gap, is_given ? "was not needed, as the rank is given; usual is above" : "must be above", "",
       rank.outcome != RankOutcome::undecided,
       "lengths with more digits, or --rank if the number of independent constraints is known"});
}

void add_configuration(const AnalysisCase& analysis, std::vector<DecidingNumber>& numbers) {
  if (!analysis.rest || analysis.rest->kind != ConfigurationType::undecided) return;
  numbers.push_back({"the smallest singular value of the constraints that was kept", analysis.rest->rank.smallest_kept,
                     analysis.rest->rank.largest_dropped, "must be far above", "", false,
                     "lengths with more digits, --precision for rounded geometry, or --rank"});
}

void add_equilibrium(const AnalysisCase& analysis, std::vector<DecidingNumber>& numbers) {
  if (!analysis.rest || std::isnan(analysis.rest->constraint_residual)) return;
  const Equilibrium& rest = *analysis.rest;
  const double bar = EquilibriumOptions().precision;
  numbers.push_back({"the residual of the constraints, relative to lengths", rest.constraint_residual, bar,
                     "must be below", "", rest.constraint_residual <= bar,
                     "--precision, or dimensions with more digits"});
}

void add_count(const Spectrum& spectrum, std::vector<DecidingNumber>& numbers) {
  std::vector<std::string> reasons;
  for (const Uncertified reason : spectrum.reasons) reasons.emplace_back(to_words(reason));
  numbers.push_back({reasons.empty() ? "the number of eigenvalues found"
                                     : fmt::format("the number of eigenvalues found ({})", fmt::join(reasons, "; ")),
                     static_cast<double>(spectrum.found), static_cast<double>(spectrum.expected), "must be", "",
                     spectrum.certified, "another --engine, a smaller region, or more time"});
}

void add_signs(const ModesReport& report, std::vector<DecidingNumber>& numbers) {
  const bool is_undecided = report.verdict.stability == Stability::undecided;
  if (!is_undecided && report.verdict.hidden_roots == 0) return;
  double value = Mode::unset, error = Mode::unset;
  for (const Mode& mode : report.result.spectrum.modes) {
    if (mode.kind == ModeClass::spurious || mode.is_infinite() || std::abs(mode.s.real()) > mode.error) continue;
    if (std::isnan(value) || mode.error > error) {
      value = std::abs(mode.s.real());
      error = mode.error;
    }
  }
  numbers.push_back({fmt::format("a real part, whose sign rounding hides ({} of them)", report.verdict.hidden_roots),
                     value, error, "must be above its error bound", "1/s", !is_undecided,
                     "damping in the motions that have none, or data with more digits"});
}

void add_classes(const Spectrum& spectrum, std::vector<DecidingNumber>& numbers) {
  const auto is_open = [](const Mode& mode) { return mode.kind == ModeClass::undecided; };
  const auto first = std::find_if(spectrum.modes.begin(), spectrum.modes.end(), is_open);
  if (first == spectrum.modes.end()) return;
  numbers.push_back({fmt::format("the constraint violation of an eigenvector, between true and spurious ({} of them)",
                                 std::count_if(spectrum.modes.begin(), spectrum.modes.end(), is_open)),
                     first->violation, Mode::unset, "must be clear", "", false,
                     "--method mcs, which has no spurious eigenvalues, or another --alpha"});
}

void add_bounds(const Spectrum& spectrum, std::vector<DecidingNumber>& numbers) {
  const Mode* worst = nullptr;
  const auto relative = [](const Mode& mode) { return mode.error / std::abs(mode.s); };
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite() || mode.s == 0.0 || std::isnan(mode.error)) continue;
    if (!worst || relative(mode) > relative(*worst)) worst = &mode;
  }
  if (!worst) return;
  numbers.push_back({"the largest error bound of an eigenvalue", worst->error, std::abs(worst->s),
                     "must be below |s| =", "1/s", relative(*worst) < 1, "data with more digits"});
}

}  // namespace

DecisionExplanation explain_decisions(const AnalysisCase& analysis, const ModesReport& report) {
  DecisionExplanation found;
  std::vector<DecidingNumber>& numbers = found.numbers;
  add_rank(analysis, numbers);
  add_configuration(analysis, numbers);
  if (report.result.computed) {
    add_count(report.result.spectrum, numbers);
    add_signs(report, numbers);
    add_classes(report.result.spectrum, numbers);
    add_bounds(report.result.spectrum, numbers);
  }
  add_equilibrium(analysis, numbers);
  std::stable_partition(numbers.begin(), numbers.end(), [](const DecidingNumber& one) { return !one.decided; });
  found.undecided =
      static_cast<Index>(std::count_if(numbers.begin(), numbers.end(), [](const auto& one) { return !one.decided; }));
  return found;
}

}  // namespace stillpoint::explanations
