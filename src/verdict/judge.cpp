#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/symmetry.h"
#include "stillpoint/verdict.h"

namespace stillpoint {

namespace {

// Of the condition of eigenvalues that coincide: one that is about to split has 1/√ε, those that only happen to be
// equal have vectors of their own.
constexpr double nearly_defective = 1e4;

struct Roots {
  Index growing = 0, decaying = 0, on_axis = 0, doubtful = 0, zero = 0;
  Index about_to_split = 0;  ///< coinciding on the axis, with one vector for two: modes about to flutter
  const Mode* rightmost = nullptr;
};

Roots sort_by_real_part(const std::vector<Mode>& modes) {
  Roots roots;
  for (const Mode& mode : modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite()) continue;
    if (!roots.rightmost || mode.s.real() > roots.rightmost->s.real()) roots.rightmost = &mode;
    const double real = mode.s.real();
    if (mode.s == 0.0) ++roots.zero;
    else if (real > mode.error) ++roots.growing;
    else if (real < -mode.error) ++roots.decaying;
    else if (real == 0) ++roots.on_axis;
    else ++roots.doubtful;
    const bool is_single = mode.multiplicity == 1 || mode.condition < nearly_defective;
    if (real == 0 && mode.s != 0.0 && !is_single) ++roots.about_to_split;
  }
  return roots;
}

Verdict verdict(Stability stability, const char* basis, std::string reason) {
  return {stability, basis, std::move(reason)};
}

const char* ending(Index count) { return count == 1 ? "" : "s"; }

// The energy q̇ᵀMq̇ + qᵀKq has a minimum at rest, or is level where there are zeros, and no force adds to it: nothing
// grows.
bool is_passive(const MinimalForm& form, bool has_zeros) {
  return is_symmetric(form.M) && is_symmetric(form.K) && !has_negative(form.M) &&
         (has_zeros ? !has_negative(form.K) : is_positive(form.K)) && only_takes_energy(form.C);
}

Verdict neutral(Index zeros, const char* basis) {
  return verdict(Stability::neutral, basis,
                 fmt::format("{} eigenvalue{} at zero: the mechanism can move as a whole and nothing brings it back; "
                             "no other grows",
                             zeros, ending(zeros)));
}

// Where rounding hides the side of the imaginary axis that some roots are on.
Verdict decide_doubtful(const MinimalForm& form, const Roots& roots) {
  const std::string hidden = fmt::format(
      "{} eigenvalue{} so near to the imaginary axis that rounding hides the side, such as {:.3g} ± {:.1g} 1/s",
      roots.doubtful, ending(roots.doubtful), roots.rightmost->s.real(), roots.rightmost->error);
  if (!is_passive(form, roots.zero > 0)) return verdict(Stability::undecided, "spectrum", hidden);
  if (roots.zero > 0) return neutral(roots.zero, "energy");
  return verdict(
      Stability::stable, "energy",
      "no motion grows, as the potential energy has a minimum and dampers only take energy; but some may never "
      "decay: " +
          hidden);
}

// What the roots say (T24); the energy is named where it says the same without them.
Verdict decide(const MinimalForm& form, const Roots& roots) {
  const bool undamped = largest_entry(form.C) == 0;
  const bool symmetric = is_symmetric(form.M) && is_symmetric(form.C) && is_symmetric(form.K);
  const char* const falls =
      "no eigenvalue grows, but the potential energy has no minimum: where it falls there is no mass";
  if (!roots.rightmost && form.K.rows() > 0 && is_symmetric(form.K) && has_negative(form.K))
    return verdict(Stability::undecided, "energy", falls);
  if (!roots.rightmost) return verdict(Stability::stable, "energy", "nothing can move");
  const double real = roots.rightmost->s.real(), error = roots.rightmost->error;
  if (roots.growing > 0) {
    return verdict(Stability::unstable, undamped && symmetric ? "energy" : "spectrum",
                   fmt::format("{} eigenvalue{} with a positive real part, the largest {:.6g} ± {:.1g} 1/s",
                               roots.growing, ending(roots.growing), real, error));
  }
  const bool gyroscopic = !undamped && is_skew(form.C) && is_symmetric(form.M) && is_symmetric(form.K);
  if (gyroscopic && roots.zero == 0 && is_positive(form.K) && !has_negative(form.M)) {
    return verdict(Stability::stable, "energy",
                   "the potential energy has a minimum, and nothing is damped: gyroscopic forces do no work");
  }
  if (roots.doubtful > 0) return decide_doubtful(form, roots);
  if (roots.zero > 0) return neutral(roots.zero, undamped && symmetric ? "energy" : "spectrum");
  if (roots.on_axis == 0) {
    return verdict(Stability::asymptotically_stable, "spectrum",
                   fmt::format("all real parts are negative, the largest {:.6g} ± {:.1g} 1/s", real, error));
  }
  if (undamped && symmetric && has_negative(form.K)) {
    return verdict(Stability::undecided, "energy", falls);
  }
  if (undamped && symmetric) {
    return verdict(Stability::stable, "energy", "the potential energy has a minimum, and nothing is damped");
  }
  if (is_passive(form, false)) {
    return verdict(
        Stability::stable, "energy",
        fmt::format("the potential energy has a minimum, and dampers only take energy; {} eigenvalues are on the "
                    "imaginary axis: motions that no damper feels",
                    roots.on_axis));
  }
  if (gyroscopic) {
    return verdict(Stability::oscillatory, "spectrum",
                   "all eigenvalues are on the imaginary axis, where gyroscopic forces keep them: the potential energy "
                   "has no minimum, and dampers may let some grow");
  }
  if (roots.about_to_split > 0) {
    return verdict(
        Stability::undecided, "spectrum",
        "eigenvalues that coincide on the imaginary axis: the least change of the forces may let them flutter");
  }
  return verdict(
      Stability::oscillatory, "spectrum",
      fmt::format("{} eigenvalues are on the imaginary axis, and no minimum of a potential energy keeps them "
                  "there",
                  roots.decaying == 0 ? std::string("all") : fmt::format("{}", roots.on_axis)));
}

Verdict decide_all(const Spectrum::Counted& counted) {
  if (counted.growing > 0)
    return verdict(Stability::unstable, "spectrum",
                   fmt::format("{} eigenvalue{} with a positive real part", counted.growing, ending(counted.growing)));
  if (counted.at_zero > 0) return neutral(counted.at_zero, "spectrum");
  return verdict(Stability::asymptotically_stable, "spectrum",
                 "all eigenvalues are known, and all real parts are negative");
}

// What the energy says without any eigenvalue, or of those where some are known.
Verdict decide_counted(const Spectrum::Counted& counted) {
  if (counted.by_spectrum) return decide_all(counted);
  if (counted.growing > 0) {
    return verdict(
        Stability::unstable, "energy",
        fmt::format("{} eigenvalue{} with a positive real part, as {} say", counted.growing, ending(counted.growing),
                    counted.by_region ? "those where dampers allow any and the balance of energy elsewhere"
                                      : "the signs of the curvature of the potential energy"));
  }
  if (counted.at_zero > 0) return neutral(counted.at_zero, "energy");
  if (counted.by_region) {
    return verdict(Stability::asymptotically_stable, "energy",
                   "dampers take more energy from all faster motions than the forces can give, and all slower ones are "
                   "known to decay");
  }
  switch (counted.damping) {
    case Spectrum::Counted::Damping::none:
      return verdict(Stability::stable, "energy",
                     "the potential energy has a minimum, as the signs of its curvature say, and nothing is damped");
    case Spectrum::Counted::Damping::complete:
      return verdict(Stability::asymptotically_stable, "energy",
                     "the potential energy has a minimum, as the signs of its curvature say, and every motion meets a "
                     "damper");
    case Spectrum::Counted::Damping::partial:
      break;
  }
  return verdict(
      Stability::stable, "energy",
      "no motion grows, as the potential energy has a minimum and dampers only take energy; but some may never "
      "decay: not every motion meets a damper at once, and not all eigenvalues are known");
}

// What some eigenvalues say.
Verdict decide_known(const Roots& roots) {
  if (roots.growing > 0) {
    return verdict(
        Stability::unstable, "spectrum",
        fmt::format("{} eigenvalue{} of those that are known with a positive real part, the largest {:.6g} ± "
                    "{:.1g} 1/s",
                    roots.growing, ending(roots.growing), roots.rightmost->s.real(), roots.rightmost->error));
  }
  return verdict(Stability::undecided, "spectrum",
                 "none of the eigenvalues that are known has a positive real part beyond its error bar, and the energy "
                 "says nothing of the rest");
}

// Beyond its bar and beyond what rounding makes of a value that shares its vector.
bool surely_grows(const Mode& mode) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  return mode.kind == ModeClass::genuine && !mode.is_infinite() &&
         mode.s.real() > mode.error + std::min(1.0, rounding * mode.condition) * std::abs(mode.s);
}

bool is_surely_unstable(const Verdict& result, const Spectrum& spectrum) {
  return result.stability == Stability::unstable &&
         (result.basis == "energy" || std::any_of(spectrum.modes.begin(), spectrum.modes.end(), surely_grows));
}

// Where an eigenvalue is not certain, nothing but instability is.
void doubt(Verdict& result, const Spectrum& spectrum) {
  if (spectrum.certified || is_surely_unstable(result, spectrum)) return;
  result.stability = Stability::undecided;
  result.reason =
      "the eigenvalues are not certain: " +
      (spectrum.warnings.empty() ? std::string("their count is not as expected") : spectrum.warnings.front());
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
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      break;
  }
  return "undecided";
}

Verdict judge(const MinimalForm& form, const Spectrum& spectrum) {
  const Roots roots = sort_by_real_part(spectrum.modes);
  Verdict result = decide(form, roots);
  result.unstable_roots = roots.growing;
  const bool is_open = result.stability == Stability::unstable || result.stability == Stability::undecided;
  if (is_open) result.hidden_roots = roots.doubtful;
  if (roots.rightmost) result.largest_real = roots.rightmost->s.real();
  doubt(result, spectrum);
  return result;
}

Verdict judge_part(const Spectrum& spectrum) {
  const Roots roots = sort_by_real_part(spectrum.modes);
  const bool undamped = spectrum.counted && spectrum.counted->damping == Spectrum::Counted::Damping::none;
  Verdict result = spectrum.counted ? decide_counted(*spectrum.counted) : decide_known(roots);
  result.unstable_roots = spectrum.counted ? spectrum.counted->growing : roots.growing;
  if (roots.growing > 0) result.largest_real = roots.rightmost->s.real();
  else if (undamped && spectrum.counted->growing == 0) result.largest_real = 0;
  doubt(result, spectrum);
  return result;
}

}  // namespace stillpoint
