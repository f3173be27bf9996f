#include "stillpoint/verify_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "model/displacement.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "verify/clear_arc.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::VectorXcd, Eigen::VectorXd;

constexpr double growth = 10;  // a motion is followed until it has changed by this factor
constexpr double periods = 1.25;
constexpr double largest_zero = 1e-3;  // a zero is confirmed to this part of the slowest other mode
constexpr double safety = 10;          // for the integration error, which is known per step only
// Near a singular configuration σ² of J M^(−1/2) is about the square of the amplitude: the proximal term is small
// beside it, and no smaller than what rounding leaves of redundant constraints. Positions are known to rounding / σ.
constexpr double proximal_share = 1e-6, least_proximal = 1e-14;
constexpr double rounding_of_positions = std::numeric_limits<double>::epsilon();

/// |s| of the slowest mode that is no free motion; infinite if there is none.
double slowest_in(const Spectrum& spectrum) {
  double slowest = std::numeric_limits<double>::infinity();
  for (const Mode& mode : spectrum.modes) {
    if (!mode.is_infinite() && mode.kind == ModeClass::genuine && mode.s != 0.0)
      slowest = std::min(slowest, std::abs(mode.s));
  }
  return slowest;
}

/// The same of a system in whose first modes there are none but free motions.
double slowest_beyond(const LinearSystem& system, const Spectrum& first) {
  const auto all = static_cast<std::size_t>(2 * system.dof());
  double slowest = slowest_in(first);
  for (std::size_t count = first.modes.size(); count < all && !std::isfinite(slowest);) {
    count = std::min(2 * count + 1, all);
    AnalysisOptions search;
    search.modes.which = Lowest{static_cast<Index>(count)};
    slowest = slowest_in(find_modes(system, Method::mcs, search).spectrum);
  }
  return slowest;
}

/// How a motion is integrated.
struct Integrator {
  MotionMethod method{};
  double tolerance = 0;
  int most_steps = 0;
};

/// What a run takes.
struct Work {
  double steps = 0, evaluations = 0;  ///< of the laws

  Work operator*(double factor) const { return {steps * factor, evaluations * factor}; }
};

/// A run that ended after as many steps as it was given.
class TooManySteps : public Undecided {
 public:
  TooManySteps(const std::string& message, const Work& needed) : Undecided(message), whole(needed) {}
  Work whole;  ///< by its first steps, what all of the run would take
};

/// The part of its course on which a mode is followed.
struct Course {
  double phase = 0;      ///< of the shape at the start (rad)
  double time = 0;       ///< s
  double clearance = 0;  ///< from the singular configuration, relative to the amplitude; 0: there is none
};

class TruthTest {
 public:
  TruthTest(const Model& model, const Equilibrium& rest, const LinearSystem& system, const Spectrum& spectrum,
            const VerifyOptions& options, const BranchRank* branch = nullptr)
      : model_(model), rest_(rest.state), system_(system), options_(options), branch_(branch) {
    if (branch)
      proximal_ = std::clamp(proximal_share * options.amplitude * options.amplitude, least_proximal, proximal_);
    rest_.lambda.resize(0);
    slowest_ = branch ? slowest_in(spectrum) : slowest_beyond(system, spectrum);
    for (const Mode& mode : spectrum.modes) {
      if (!mode.is_infinite() && mode.kind == ModeClass::genuine)
        fastest_growth_ = std::max(fastest_growth_, mode.s.real());
    }
  }

  void compare(const Mode& mode, VerifiedMode& told) const;

 private:
  struct Odd {
    VectorXd dq, dv;  ///< half the differences of the runs from +ε and −ε
  };
  std::optional<std::pair<Odd, Odd>> run(const Mode& mode, double amplitude, const Course& course,
                                         const Integrator& by) const;
  Complex amplitude(const Mode& mode, const Odd& motion) const;
  double time_for(Complex s) const;
  Course course_of(const Mode& mode) const;
  struct Change {
    Complex value;
    bool is_of_momentum = false;  ///< that is a square of rates

    double as_rate(Complex of) const { return is_of_momentum ? std::sqrt(std::abs(of)) : std::abs(of); }
  };
  Change change_of_free_motion(const VectorXcd& y, const Odd& before, const Odd& after, double time) const;
  void compare_zero(const Mode& mode, const Integrator& by, VerifiedMode& told) const;
  void compare_by(const Integrator& by, const Mode& mode, VerifiedMode& told) const;
  std::optional<Work> compare_in(int steps, Integrator by, const Mode& mode, VerifiedMode& told) const;

  const Model& model_;
  State rest_;
  const LinearSystem& system_;
  const VerifyOptions& options_;
  const BranchRank* branch_;  ///< of a singular configuration
  double proximal_ = MotionOptions().proximal;
  double slowest_ = 0, fastest_growth_ = 0;
};

/// The odd parts at the start and at the end.
std::optional<std::pair<TruthTest::Odd, TruthTest::Odd>> TruthTest::run(const Mode& mode, double amplitude,
                                                                        const Course& course,
                                                                        const Integrator& by) const {
  Mode turned = mode;
  turned.shape *= std::polar(1.0, course.phase);
  std::vector<State> starts, finals;
  for (const double sign : {1.0, -1.0}) {
    const State start = start_on_mode(model_, rest_, turned, sign * amplitude, {.proximal = proximal_});
    const Motion motion = integrate(model_, start,
                                    {.method = by.method,
                                     .times = {course.time},
                                     .tolerance = by.tolerance,
                                     .most_steps = by.most_steps,
                                     .proximal = proximal_,
                                     .watches_singular = false,
                                     .deadline = options_.deadline});
    if (motion.status == MotionStatus::stuck) {
      const std::string reason = "the mechanism is too stiff for so few steps: " + motion.message;
      const int steps = motion.accepted + motion.rejected;
      if (steps < by.most_steps || !(motion.end_time > 0)) throw Undecided(reason);
      const Work done{static_cast<double>(steps), static_cast<double>(motion.evaluations)};
      throw TooManySteps(reason, done * (course.time / motion.end_time));
    }
    if (motion.status != MotionStatus::done) return {};
    starts.push_back(start);
    finals.push_back(motion.end);
  }
  const auto odd = [&](const std::vector<State>& states) -> Odd {
    return {(displacement_between(model_, rest_, states[0]) - displacement_between(model_, rest_, states[1])) / 2,
            (states[0].v - states[1].v) / 2};
  };
  return std::pair(odd(starts), odd(finals));
}

Complex TruthTest::amplitude(const Mode& mode, const Odd& motion) const {
  const VectorXcd dq = motion.dq.cast<Complex>(), dv = motion.dv.cast<Complex>();
  const VectorXcd momentum = mode.s * (system_.M * dq) + system_.C * dq + system_.M * dv;
  return mode.left.dot(momentum);
}

double TruthTest::time_for(Complex s) const {
  double time = std::numeric_limits<double>::infinity();
  if (s.imag() != 0) time = periods * 2 * std::numbers::pi / std::abs(s.imag());
  if (s.real() != 0) time = std::min(time, std::log(growth) / std::abs(s.real()));
  if (fastest_growth_ > 0) time = std::min(time, std::log(growth) / fastest_growth_);
  return time;
}

// On a branch a mode is followed away from the singular configuration.
Course TruthTest::course_of(const Mode& mode) const {
  const double time = time_for(mode.s);
  if (!branch_) return {0, time};
  const bool oscillates = mode.s.imag() != 0;
  std::optional<ClearArc> arc;
  if (oscillates) arc = branch_->clear_arc(mode.shape);
  else if (branch_->leaves(mode.shape.real())) arc = ClearArc{.clearance = 1};
  if (!arc) throw Undecided("the mode moves among singular configurations, where motions branch at every moment");
  return {arc->first, oscillates ? std::min(time, arc->length / std::abs(mode.s.imag())) : time, arc->clearance};
}

// At s = 0 the amplitude yᴴ (C δq + M δv) of (13.7) is constant. Where nothing damps the motion, the momentum yᴴM δv
// stays zero; a stiffness s² would make it grow by s² yᴴM δq in the unit of time.
TruthTest::Change TruthTest::change_of_free_motion(const VectorXcd& y, const Odd& before, const Odd& after,
                                                   double time) const {
  const auto along = [&](const SparseMatrix& A, const VectorXd& x) { return y.dot((A * x).cast<Complex>()); };
  const Complex mass = along(system_.M, before.dq), damping = along(system_.C, before.dq);
  if (std::abs(damping) * time > std::abs(mass))
    return {(along(system_.C, after.dq - before.dq) + along(system_.M, after.dv - before.dv)) / (damping * time)};
  if (mass == 0.0) return {std::numeric_limits<double>::infinity(), true};
  return {along(system_.M, after.dv) / (mass * time), true};
}

// A free motion: displaced along it, the mechanism stays where it is. (Displaced by ε on a turn of the whole, as by a
// line, it vibrates by terms in ε², with which its momentum about the position at rest changes by terms in ε³.)
void TruthTest::compare_zero(const Mode& mode, const Integrator& by, VerifiedMode& told) const {
  const double typical = std::isfinite(slowest_) ? slowest_ : 1;
  double time = 1 / typical;
  if (fastest_growth_ > 0) time = std::min(time, 1 / fastest_growth_);
  Course course = course_of(mode);
  course.time = time;
  const auto change_by = [&](double epsilon) -> std::optional<Change> {
    const auto found = run(mode, epsilon, course, by);
    if (!found) return {};
    return change_of_free_motion(mode.left, found->first, found->second, time);
  };
  const std::optional<Change> whole = change_by(options_.amplitude);
  const std::optional<Change> half = whole ? change_by(options_.amplitude / 2) : whole;
  told.runs = 4;
  if (!half) {
    told.note = "the time limit was reached";
    return;
  }
  told.difference = half->as_rate((4.0 * half->value - whole->value) / 3.0);
  told.from_motion = told.difference;
  told.bar = mode.error + largest_zero * typical + half->as_rate((half->value - whole->value) / 3.0);
  told.is_done = true;
  told.agrees = told.difference <= told.bar;
}

// Returns what a run would take if it takes more than so many steps.
std::optional<Work> TruthTest::compare_in(int steps, Integrator by, const Mode& mode, VerifiedMode& told) const {
  by.most_steps = steps;
  try {
    compare_by(by, mode, told);
    return {};
  } catch (const TooManySteps& given_up) {
    return given_up.whole;
  }
}

// Power series are exact, and need steps as short as the fastest motion. The steps of the implicit method suit the mode
// where that is slow and faster motions are small, with a larger tolerance, which is part of what is allowed. Which of
// them evaluates the laws less often is told by the first steps of each; coefficients of a series count as evaluations.
void TruthTest::compare(const Mode& mode, VerifiedMode& told) const {
  constexpr int first_steps = 100, further_steps = 20;
  constexpr double tight = 1e-9, loose = 1e-7, margin = 2;  // of predictions
  if (!(extent_of_shape(model_, mode.shape, rest_) > 0)) {
    told.note = "the mode has no shape";
    return;
  }
  const Integrator series{MotionMethod::taylor, options_.tolerance, options_.most_steps};
  if (branch_) return compare_by(series, mode, told);
  const int few = std::min(first_steps, options_.most_steps);
  const std::optional<Work> by_series = compare_in(few, series, mode, told);
  if (!by_series) return;
  const int most_steps = further_steps * options_.most_steps;
  for (const double tolerance : {tight, loose}) {
    if (tolerance < options_.tolerance && tolerance < loose) continue;
    const Integrator implicit{MotionMethod::sdirk, std::max(options_.tolerance, tolerance), most_steps};
    const std::optional<Work> needed = compare_in(few, implicit, mode, told);
    if (!needed) return;
    const double most = most_steps / needed->steps * needed->evaluations;
    if (by_series->evaluations <= std::min(needed->evaluations, most)) {
      const std::optional<Work> more = compare_in(static_cast<int>(margin * by_series->steps), series, mode, told);
      if (!more) return;
    }
    if (needed->steps <= most_steps && !compare_in(most_steps, implicit, mode, told)) return;
  }
  throw Undecided(
      fmt::format("the mechanism is too stiff: its motion on this mode would take about {:.2g} steps by "
                  "power series, and more than {} by the implicit method",
                  by_series->steps, most_steps));
}

void TruthTest::compare_by(const Integrator& by, const Mode& mode, VerifiedMode& told) const {
  if (mode.s == 0.0) return compare_zero(mode, by, told);
  const Course course = course_of(mode);
  const double time = course.time;
  const auto s_from = [&](double epsilon) -> std::optional<Complex> {
    const auto found = run(mode, epsilon, course, by);
    if (!found) return {};
    const Complex logarithm = std::log(amplitude(mode, found->second) / amplitude(mode, found->first));
    const Complex expected = mode.s * time;
    const double turns = std::round((expected.imag() - logarithm.imag()) / (2 * std::numbers::pi));
    return (logarithm + Complex(0, 2 * std::numbers::pi * turns)) / time;
  };
  const std::optional<Complex> whole = s_from(options_.amplitude), half = s_from(options_.amplitude / 2);
  told.runs = 4;
  if (!whole || !half) {
    told.note = "the time limit was reached";
    return;
  }
  told.from_motion = (4.0 * *half - *whole) / 3.0;
  told.difference = std::abs(told.from_motion - mode.s);
  const double most_growth = std::exp(std::max({0.0, -mode.s.real(), fastest_growth_ - mode.s.real()}) * time);
  told.bar =
      mode.error + std::abs(*half - *whole) / 3 + safety * by.tolerance * most_growth / (options_.amplitude * time);
  if (course.clearance > 0)
    told.bar +=
        rounding_of_positions * most_growth / (course.clearance * options_.amplitude * options_.amplitude * time);
  told.is_done = true;
  told.agrees = told.difference <= told.bar;
}

bool is_one_of_each_pair(const Mode& mode) {
  return mode.kind == ModeClass::genuine && !mode.is_infinite() && mode.s.imag() >= 0;
}

/// The modes that are asked for, or all true ones, one of each conjugate pair.
std::vector<std::size_t> modes_to_verify(const Spectrum& spectrum, const VerifyOptions& options) {
  if (!options.which.empty()) return options.which;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < spectrum.modes.size() && which.size() < options.most_modes; ++i) {
    if (is_one_of_each_pair(spectrum.modes[i])) which.push_back(i);
  }
  return which;
}

void require_possible(const Equilibrium& rest, const VerifyOptions& options) {
  if (!(options.amplitude > 0 && options.amplitude < 1))
    throw Error("the amplitude of the truth test must be in (0, 1)");
  if (rest.status != EquilibriumStatus::at_rest) throw Error("the truth test starts at an equilibrium");
}

void verify_each(const TruthTest& test, const Spectrum& spectrum, const std::vector<std::size_t>& which,
                 const std::string& branch, const VerifyOptions& options, Verification& verification) {
  std::size_t count = 0;
  for (const std::size_t i : which) {
    if (options.progress)
      options.progress(fmt::format("mode {} of {}{}", ++count, which.size(),
                                   branch.empty() ? "" : fmt::format(" of the branch '{}'", branch)));
    VerifiedMode told{.mode = i, .branch = branch, .s = spectrum.modes[i].s};
    try {
      test.compare(spectrum.modes[i], told);
    } catch (const Undecided& error) {  // the model cannot move, or not from there
      told.note = error.what();
    }
    verification.done += told.is_done;
    verification.agreeing += told.agrees;
    verification.modes.push_back(std::move(told));
    if (options.deadline.is_over()) break;
  }
}

}  // namespace

Verification verify_modes(const Model& model, const Equilibrium& rest, const LinearSystem& system,
                          const Spectrum& spectrum, const VerifyOptions& options) {
  require_possible(rest, options);
  if (system.singular)
    throw Error(
        "the configuration is singular: motions branch there, and only the modes of its branches can be run "
        "(verify_branches)");
  const std::vector<std::size_t> which = modes_to_verify(spectrum, options);
  for (const std::size_t i : which) {
    if (i >= spectrum.modes.size()) throw Error(fmt::format("there is no mode {}", i + 1));
  }
  Verification verification;
  verify_each(TruthTest(model, rest, system, spectrum, options), spectrum, which, "", options, verification);
  return verification;
}

Verification verify_branches(const Model& model, const Equilibrium& rest, const LinearSystem& system,
                             const std::vector<BranchSpectrum>& spectra, const VerifyOptions& options) {
  require_possible(rest, options);
  if (system.branches.empty())
    throw Error(rest.kind == ConfigurationType::isolated
                    ? "the configuration is isolated: nothing can move, so that no mode can be run"
                    : "no branch of motions is known at this configuration, so that no mode of a branch can be run");
  Verification verification;
  for (const BranchSpectrum& branch : spectra) {
    const auto same = std::find_if(system.branches.begin(), system.branches.end(),
                                   [&](const MotionBranch& one) { return one.name == branch.name; });
    if (same == system.branches.end()) throw Error(fmt::format("the configuration has no branch '{}'", branch.name));
    std::vector<std::size_t> which = modes_to_verify(branch.spectrum, options);
    std::erase_if(which, [&](std::size_t i) { return i >= branch.spectrum.modes.size(); });
    const BranchRank rank(system, *same);
    verify_each(TruthTest(model, rest, system, branch.spectrum, options, &rank), branch.spectrum, which, branch.name,
                options, verification);
    if (options.deadline.is_over()) break;
  }
  return verification;
}

}  // namespace stillpoint
