// Verdict on stability by energy criteria (Kelvin, Tait and Chetaev [Zajac 1964]) and by the spectrum, theory (8.1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/ldlt/definiteness.h"
#include "algebra/sparse/symmetry.h"
#include "modes/accuracy/zero_motions.h"
#include "stability/judge_answer.h"
#include "stillpoint/stability.h"

namespace stillpoint {

namespace {

// Limit of the condition of coinciding eigenvalues: nearly defective ones have about 1/√ε, those that merely coincide
// have vectors of their own.
constexpr double nearly_defective = 1e4;

struct Roots {
  Index unstable = 0, decaying = 0, on_axis = 0, uncertain = 0, zero = 0;
  Index defective_on_axis = 0;  ///< nearly defective eigenvalues on the axis: modes at the limit of flutter
  const Mode* rightmost = nullptr;
};

Roots sort_by_real_part(const std::vector<Mode>& modes) {
  Roots roots;
  for (const Mode& mode : modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite()) continue;
    if (!roots.rightmost || mode.s.real() > roots.rightmost->s.real()) roots.rightmost = &mode;
    const double real = mode.s.real();
    if (mode.s == 0.0) ++roots.zero;
    else if (real > mode.error) ++roots.unstable;
    else if (real < -mode.error) ++roots.decaying;
    else if (real == 0) ++roots.on_axis;
    else ++roots.uncertain;
    const bool is_single = mode.multiplicity == 1 || mode.condition < nearly_defective;
    if (real == 0 && mode.s != 0.0 && !is_single) ++roots.defective_on_axis;
  }
  return roots;
}

Verdict verdict(Stability stability, const char* basis, std::string reason, const char* manner = "") {
  return {stability, basis, std::move(reason), manner};
}

constexpr const char* not_all_decay = "some motions do not decay";
constexpr const char* perhaps_not_all_decay = "some motions may not decay";

const char* ending(Index count) { return count == 1 ? "" : "s"; }

// Tells whether the energy q̇ᵀMq̇ + qᵀKq has a minimum at the equilibrium, or is level where there are zeros, and no
// force adds to it; then no motion is unstable.
bool is_passive(const MinimalForm& form, bool has_zeros) {
  return is_symmetric(form.M) && is_symmetric(form.K) && !has_negative_eigenvalue(form.M) &&
         (has_zeros ? !has_negative_eigenvalue(form.K) : is_positive_definite(form.K)) && is_dissipative(form.C);
}

Verdict neutral(Index zeros, const char* basis) {
  return verdict(
      Stability::neutral, basis,
      fmt::format(
          "{} eigenvalue{} at zero: the mechanism can move as a whole and nothing brings it back; no other is unstable",
          zeros, ending(zeros)));
}

// Rounding hides the side of the imaginary axis for some roots.
Verdict decide_uncertain(const MinimalForm& form, const Roots& roots) {
  const std::string hidden = fmt::format(
      "rounding hides the sign of the real part of {} eigenvalue{} near the imaginary axis, such as {:.3g} ± {:.1g} "
      "1/s",
      roots.uncertain, ending(roots.uncertain), roots.rightmost->s.real(), roots.rightmost->error);
  if (!is_passive(form, roots.zero > 0)) return verdict(Stability::undecided, "spectrum", hidden);
  if (roots.zero > 0) return neutral(roots.zero, "energy");
  return verdict(Stability::stable, "energy",
                 "no motion is unstable, as the potential energy has a minimum and dampers only take energy; but some "
                 "may never decay: " +
                     hidden,
                 perhaps_not_all_decay);
}

// Decides by the roots, theory (8.1); the energy is named as the basis if it decides the same without them.
Verdict decide(const MinimalForm& form, const Roots& roots) {
  const bool undamped = largest_entry(form.C) == 0;
  const bool symmetric = is_symmetric(form.M) && is_symmetric(form.C) && is_symmetric(form.K);
  const char* const falls =
      "no eigenvalue is unstable, but the potential energy has no minimum: it decreases in directions without mass";
  if (!roots.rightmost && form.K.rows() > 0 && is_symmetric(form.K) && has_negative_eigenvalue(form.K))
    return verdict(Stability::undecided, "energy", falls);
  if (!roots.rightmost) return verdict(Stability::stable, "energy", "nothing can move", "nothing can move");
  const double real = roots.rightmost->s.real(), error = roots.rightmost->error;
  if (roots.unstable > 0) {
    return verdict(Stability::unstable, undamped && symmetric ? "energy" : "spectrum",
                   fmt::format("{} eigenvalue{} with a positive real part, the largest {:.6g} ± {:.1g} 1/s",
                               roots.unstable, ending(roots.unstable), real, error));
  }
  const bool gyroscopic = !undamped && is_skew(form.C) && is_symmetric(form.M) && is_symmetric(form.K);
  if (gyroscopic && roots.zero == 0 && is_positive_definite(form.K) && !has_negative_eigenvalue(form.M)) {
    return verdict(Stability::stable, "energy",
                   "the potential energy has a minimum, and nothing is damped: gyroscopic forces do no work",
                   "conservative, with gyroscopic forces");
  }
  if (roots.uncertain > 0) return decide_uncertain(form, roots);
  if (roots.zero > 0) return neutral(roots.zero, undamped && symmetric ? "energy" : "spectrum");
  if (roots.on_axis == 0) {
    return verdict(Stability::asymptotically_stable, "spectrum",
                   fmt::format("all real parts are negative, the largest {:.6g} ± {:.1g} 1/s", real, error));
  }
  if (undamped && symmetric && has_negative_eigenvalue(form.K)) {
    return verdict(Stability::undecided, "energy", falls);
  }
  if (undamped && symmetric) {
    return verdict(Stability::stable, "energy", "the potential energy has a minimum, and nothing is damped");
  }
  if (is_passive(form, false)) {
    return verdict(Stability::stable, "energy",
                   fmt::format("the potential energy has a minimum, and dampers only take energy; {} eigenvalues are "
                               "on the imaginary axis: motions that no damper acts on",
                               roots.on_axis),
                   not_all_decay);
  }
  if (gyroscopic) {
    return verdict(Stability::oscillatory, "spectrum",
                   "all eigenvalues are on the imaginary axis, where gyroscopic forces keep them: the potential energy "
                   "has no minimum, and damping may make some unstable");
  }
  if (roots.defective_on_axis > 0) {
    return verdict(Stability::undecided, "spectrum",
                   "eigenvalues coincide on the imaginary axis: the least change of the forces may cause flutter");
  }
  return verdict(
      Stability::oscillatory, "spectrum",
      fmt::format("{} eigenvalues are on the imaginary axis, and no minimum of a potential energy keeps them "
                  "there",
                  roots.decaying == 0 ? std::string("all") : fmt::format("{}", roots.on_axis)));
}

Verdict decide_all(const Spectrum::Counted& counted) {
  if (counted.unstable > 0)
    return verdict(
        Stability::unstable, "spectrum",
        fmt::format("{} eigenvalue{} with a positive real part", counted.unstable, ending(counted.unstable)));
  if (counted.at_zero > 0) return neutral(counted.at_zero, "spectrum");
  return verdict(Stability::asymptotically_stable, "spectrum",
                 "all eigenvalues are known, and all real parts are negative");
}

// Decides by the energy without any eigenvalue, or for the eigenvalues that are not known.
Verdict decide_counted(const Spectrum::Counted& counted) {
  if (counted.by_spectrum) return decide_all(counted);
  if (counted.unstable > 0) {
    return verdict(
        Stability::unstable, "energy",
        fmt::format("{} eigenvalue{} with a positive real part, by {}", counted.unstable, ending(counted.unstable),
                    counted.by_region
                        ? "the eigenvalues of the region where damping permits any, and the balance of energy elsewhere"
                        : "the inertia of the stiffness matrix"));
  }
  if (counted.at_zero > 0) return neutral(counted.at_zero, "energy");
  if (counted.by_region) {
    return verdict(Stability::asymptotically_stable, "energy",
                   "damping takes more energy from all faster motions than the forces can supply, and all slower ones "
                   "are known to decay");
  }
  switch (counted.damping) {
    case Spectrum::Counted::Damping::none:
      return verdict(
          Stability::stable, "energy",
          "the potential energy has a minimum, as the inertia of the stiffness matrix shows, and nothing is damped");
    case Spectrum::Counted::Damping::complete:
      return verdict(Stability::asymptotically_stable, "energy",
                     "the potential energy has a minimum, as the inertia of the stiffness matrix shows, and every "
                     "motion is damped");
    case Spectrum::Counted::Damping::partial:
      break;
  }
  return verdict(Stability::stable, "energy",
                 "no motion is unstable, as the potential energy has a minimum and dampers only take energy; but some "
                 "may never decay: not every velocity is damped, and not all eigenvalues are known",
                 perhaps_not_all_decay);
}

// Decides by the known eigenvalues.
Verdict decide_known(const Roots& roots) {
  if (roots.unstable > 0) {
    return verdict(
        Stability::unstable, "spectrum",
        fmt::format("{} known eigenvalue{} with a positive real part, the largest {:.6g} ± {:.1g} 1/s", roots.unstable,
                    ending(roots.unstable), roots.rightmost->s.real(), roots.rightmost->error));
  }
  return verdict(Stability::undecided, "spectrum",
                 "none of the known eigenvalues has a positive real part beyond its error bound, and the energy does "
                 "not decide for the others");
}

// Tells whether Re s exceeds the error bound and the rounding of a value that is nearly defective.
bool is_surely_unstable_mode(const Mode& mode) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  return mode.kind == ModeClass::genuine && !mode.is_infinite() &&
         mode.s.real() > mode.error + std::min(1.0, rounding * mode.condition) * std::abs(mode.s);
}

// By a count from the energy, or by a listed eigenvalue that no reason questions.
bool is_surely_unstable(const Verdict& result, const Spectrum& spectrum) {
  if (result.stability != Stability::unstable) return false;
  if (spectrum.counted && result.basis == "energy") return true;
  return std::none_of(spectrum.reasons.begin(), spectrum.reasons.end(), questions_values) &&
         std::any_of(spectrum.modes.begin(), spectrum.modes.end(), is_surely_unstable_mode);
}

// If the eigenvalues are not certified, only instability is certain.
void mark_uncertified(Verdict& result, const Spectrum& spectrum) {
  if (spectrum.certified || is_surely_unstable(result, spectrum)) return;
  result.stability = Stability::undecided;
  result.reason =
      "the eigenvalues are not certified: " +
      (spectrum.warnings.empty() ? std::string("their count is not as expected") : spectrum.warnings.front());
}

// The energy leaves a motion of zero eigenvalues no more than a constant rate; circulatory forces may let it grow.
Verdict with_growth(Verdict result, const LinearSystem& system, const Spectrum& spectrum) {
  if (result.stability != Stability::neutral || result.basis == "energy") return result;
  if (is_symmetric(system.M) && is_symmetric(system.K)) return result;
  if (!has_growing_chain(system, spectrum.modes)) return result;
  result.stability = Stability::growing;
  result.reason = fmt::format(
      "{} eigenvalues at zero: circulatory forces let a motion as a whole grow like the square of time, or faster; no "
      "other is unstable",
      std::count_if(spectrum.modes.begin(), spectrum.modes.end(), [](const Mode& mode) { return mode.s == 0.0; }));
  return result;
}

}  // namespace

const char* to_words(Stability stability) {
  switch (stability) {
    case Stability::asymptotically_stable:
      return "asymptotically stable";
    case Stability::stable:
      return "stable (conservative)";
    case Stability::oscillatory:
      return "oscillatory";
    case Stability::neutral:
      return "neutral";
    case Stability::growing:
      return "grows polynomially";
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      break;
  }
  return "undecided";
}

std::string in_words(const Verdict& verdict) {
  if (verdict.manner.empty()) return to_words(verdict.stability);
  return fmt::format("stable ({})", verdict.manner);
}

Verdict judge(const MinimalForm& form, const Spectrum& spectrum) {
  const Roots roots = sort_by_real_part(spectrum.modes);
  Verdict result = decide(form, roots);
  result.unstable_roots = roots.unstable;
  const bool is_open = result.stability == Stability::unstable || result.stability == Stability::undecided;
  if (is_open) result.hidden_roots = roots.uncertain;
  if (roots.rightmost) result.largest_real = roots.rightmost->s.real();
  mark_uncertified(result, spectrum);
  return result;
}

Verdict judge_part(const Spectrum& spectrum) {
  const Roots roots = sort_by_real_part(spectrum.modes);
  const bool undamped = spectrum.counted && spectrum.counted->damping == Spectrum::Counted::Damping::none;
  Verdict result = spectrum.counted ? decide_counted(*spectrum.counted) : decide_known(roots);
  result.unstable_roots = spectrum.counted ? spectrum.counted->unstable : roots.unstable;
  if (roots.unstable > 0) result.largest_real = roots.rightmost->s.real();
  else if (undamped && spectrum.counted->unstable == 0) result.largest_real = 0;
  mark_uncertified(result, spectrum);
  return result;
}

Verdict judge_answer(const LinearSystem& system, const Spectrum& spectrum) {
  return with_growth(judge_part(spectrum), system, spectrum);
}

// The eigenvalues of MCS decide, unless they are not certified and those of the other method are.
Verdict judge(ModeFinder& finder, const FoundModes& found) {
  if (is_sparse(found.planned.engine)) {
    return judge_answer(finder.system(), finder.of_mechanism(found));
  }
  const Spectrum& all = finder.all_of_minimal(found);
  const bool is_other_better = !all.certified && found.spectrum.certified && found.method == Method::rcs;
  const Spectrum& deciding = is_other_better ? found.spectrum : all;
  return with_growth(judge(finder.minimal(), deciding), finder.system(), deciding);
}

}  // namespace stillpoint
