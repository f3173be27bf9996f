// The number that decides the verdict, with its error bound.

#include <algorithm>
#include <cmath>

#include "explain/topics.h"

namespace stillpoint::explanations {

namespace {

bool counts_for_verdict(const Mode& mode) { return mode.kind != ModeClass::spurious && !mode.is_infinite(); }

double known_or_zero(double error) { return std::isnan(error) ? 0 : error; }

/// The true eigenvalue with the largest value of `size`; null if there is none.
template <class Size>
const Mode* largest_by(const std::vector<Mode>& modes, const Size& size) {
  const Mode* largest = nullptr;
  for (const Mode& mode : modes) {
    if (counts_for_verdict(mode) && (!largest || size(mode) > size(*largest))) largest = &mode;
  }
  return largest;
}

void take(VerdictExplanation& found, const char* quantity, double value, double error, const char* unit,
          const char* criterion) {
  found.quantity = quantity;
  found.value = value;
  found.error = error;
  found.unit = unit;
  found.criterion = criterion;
}

constexpr const char* largest_real_part = "the largest real part of an eigenvalue";

void take_real_part(VerdictExplanation& found, const Mode* mode, const char* criterion,
                    const char* quantity = largest_real_part) {
  if (!mode) return;
  take(found, quantity, mode->s.real() + 0.0, mode->error, "1/s", criterion);
}

/// Of a minimum of the potential: K_r has no eigenvalue that is not positive, and the lowest |s| is away from zero.
void take_lowest(VerdictExplanation& found, const std::vector<Mode>& modes) {
  const Mode* const lowest = largest_by(modes, [](const Mode& mode) { return -std::abs(mode.s); });
  if (!lowest) return;
  take(found, "the lowest |s| of an eigenvalue", std::abs(lowest->s), lowest->error, "rad/s",
       "is above zero by more than its error bound: the potential energy grows in every direction, and no force "
       "supplies energy");
}

void take_count(VerdictExplanation& found, const char* quantity, Index value, const char* criterion) {
  take(found, quantity, static_cast<double>(value), 0, "", criterion);
}

void take_what_decides(VerdictExplanation& found, const Spectrum& spectrum) {
  const std::vector<Mode>& modes = spectrum.modes;
  const Mode* const foremost = largest_by(modes, [](const Mode& mode) { return mode.s.real(); });
  switch (found.verdict.stability) {
    case Stability::asymptotically_stable:
      return take_real_part(found, foremost, "is below zero by more than its error bound: every motion decays");
    case Stability::stable:
      return take_lowest(found, modes);
    case Stability::oscillatory:
      return take_real_part(found, largest_by(modes, [](const Mode& mode) { return std::abs(mode.s.real()); }),
                            "is zero within its error bound, and no minimum of a potential energy holds it there",
                            "the real part that is farthest from zero");
    case Stability::neutral:
    case Stability::growing:
      return take_count(found, "the number of eigenvalues that are zero", spectrum.at_zero,
                        found.verdict.stability == Stability::neutral
                            ? "is above zero: nothing brings a motion as a whole back; no other eigenvalue is unstable"
                            : "includes motions that increase with powers of the time");
    case Stability::unstable:
      return take_real_part(found, foremost, "is above zero by more than its error bound: the motion grows");
    default:
      return take_real_part(
          found, largest_by(modes, [](const Mode& mode) { return mode.s.real() + known_or_zero(mode.error); }),
          "has a sign that its error bound hides");
  }
}

std::string words_of_damping(const Spectrum::Counted& counted) {
  switch (counted.damping) {
    case Spectrum::Counted::Damping::none:
      return "nothing is damped";
    case Spectrum::Counted::Damping::partial:
      return "some motions may have no damping";
    default:
      return "every velocity is damped";
  }
}

/// The branch whose verdict is that of the whole.
const BranchReport* deciding_branch(const ModesReport& report) {
  const auto found = std::find_if(report.branches.begin(), report.branches.end(), [&](const BranchReport& branch) {
    return branch.verdict.stability == report.verdict.stability;
  });
  return found == report.branches.end() ? nullptr : &*found;
}

}  // namespace

VerdictExplanation explain_verdict(const AnalysisCase& analysis, const ModesReport& report) {
  VerdictExplanation found;
  found.verdict = report.verdict;
  found.dof = analysis.system.dof();
  if (analysis.rest) {
    found.negative_stiffness = analysis.rest->unstable_directions;
    found.zero_stiffness = analysis.rest->neutral_directions;
  }
  const BranchReport* const branch = deciding_branch(report);
  if (branch) found.branch = branch->name;
  const Spectrum& spectrum = branch ? branch->spectrum : report.result.spectrum;
  take_what_decides(found, spectrum);
  if (found.quantity.empty())
    take_count(found, "the number of degrees of freedom", analysis.system.dof(), "leaves no motion to judge");
  if (spectrum.counted) found.found_with_damping = words_of_damping(*spectrum.counted);
  return found;
}

}  // namespace stillpoint::explanations
