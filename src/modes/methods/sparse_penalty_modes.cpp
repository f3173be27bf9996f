// UCS for systems of any size: continuation of the modes of the mechanism into the penalty system, and correction back.
//
// The modes cannot be searched for, since the spurious eigenvalues, two for each constraint near the roots of g, lie
// among the lowest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/stopwatch.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/finish.h"
#include "modes/methods/continue_into_penalty.h"
#include "modes/penalty/penalty_continuation.h"
#include "modes/penalty/penalty_correction.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

PenaltyForm law_of(const LinearSystem& system, const PenaltyOptions& options) {
  PenaltyForm law;
  law.J = system.J;
  law.alpha = penalty_factors(system, options);
  law.xi = options.xi;
  law.omega = penalty_frequency(system, options);
  return law;
}

// Zeros of rigid-body motion remain, as constraints do not resist it. The distance from zero at which the matrices of
// the penalty system put them is their error.
Mode zero_of_penalty(Mode mode, const PenaltyProblem& problem) {
  const Eigen::VectorXcd z = problem.scaled(mode.shape), left = problem.scaled(mode.left);
  const RayleighValue value = rayleigh_value(problem.modal_coefficients(0, z, left), 0);
  mode.error += value.change + value.rounding;
  mode.backward_error = problem.residual(0, z);
  mode.condition = std::numeric_limits<double>::infinity();
  return mode;
}

// Measures violation and residual by the equations of the mechanism.
Mode measured(Mode mode, const Correction& correction) {
  const Eigen::VectorXcd lambda = correction.multipliers(correction.form.g(mode.s), mode.shape);
  mode.violation = correction.problem.violation(mode.shape);
  mode.residual = correction.problem.residual(mode.s, mode.shape, correction.system.J.transpose() * lambda);
  normalise(mode, correction.problem);
  return mode;
}

double distance(Complex s, const std::vector<Complex>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const Complex& value : values) least = std::min(least, std::abs(value - s));
  return least;
}

// Returns a reason unless the corrected value lies where it came from, and near no other known value.
std::string reason_about_return(const Mode& mode, const std::vector<Complex>& from, const std::vector<Mode>& known) {
  double error = 0, to_others = std::numeric_limits<double>::infinity();
  for (const Mode& other : known) {
    if (std::find(from.begin(), from.end(), other.s) != from.end()) error = std::max(error, other.error);
    else to_others = std::min(to_others, std::abs(other.s - mode.corrected) - other.error);
  }
  const bool comes_back = distance(mode.corrected, from) <= mode.corrected_error + error;
  if (comes_back && mode.corrected_error < to_others) return {};
  return fmt::format(
      "the mode of the penalty system at {:.6g} {} {:.6g}i 1/s may belong to another mode of the mechanism: its "
      "correction leads to {:.6g} {} {:.6g}i ± {:.1g}",
      mode.s.real(), mode.s.imag() < 0 ? "-" : "+", std::abs(mode.s.imag()), mode.corrected.real(),
      mode.corrected.imag() < 0 ? "-" : "+", std::abs(mode.corrected.imag()), mode.corrected_error);
}

// `let_go` is called when `at_rest` is not needed any more.
Spectrum followed_into_penalty(const LinearSystem& system, const LinearSystem& at_rest, const PenaltyOptions& penalty,
                               const Spectrum& known, const std::function<void()>& let_go) {
  const Stopwatch watch;
  if (at_rest.coordinates() != system.coordinates() || at_rest.constraints() != system.constraints()) {
    throw Error(
        fmt::format("at the equilibrium of the penalty system there are {} coordinates and {} constraints, but {} and "
                    "{} in the system",
                    at_rest.coordinates(), at_rest.constraints(), system.coordinates(), system.constraints()));
  }
  const PenaltyForm law = law_of(at_rest, penalty);
  Spectrum spectrum{.method = "ucs", .solver = "sparse, followed from " + known.solver};
  spectrum.region = "beside those of the mechanism";
  spectrum.warnings = known.warnings;
  if (!known.certified) mark_uncertified(spectrum, Uncertified::from_uncertified);
  spectrum.certificate_seconds = known.certificate_seconds;

  PenaltyContinuation continuation;
  {
    const PenaltyProblem problem(at_rest, law);
    spectrum.size = problem.size();
    continuation = continue_modes(problem, known.modes);
    for (const Mode& mode : known.modes) {
      if (mode.s == 0.0) spectrum.modes.push_back(zero_of_penalty(mode, problem));
    }
  }
  let_go();
  const BorderedProblem bordered(system);
  const Correction correction{system, law, bordered};
  std::vector<std::vector<Complex>> from(spectrum.modes.size());  // not examined for zeros
  for (Continued& continued : continuation.found) {
    spectrum.modes.push_back(measured(std::move(continued.mode), correction));
    from.push_back(std::move(continued.from));
  }
  for (const std::string& text : continuation.uncertainties)
    mark_uncertified(spectrum, Uncertified::continuation_failed, text);
  correct(spectrum.modes, correction);
  for (std::size_t i = 0; i < spectrum.modes.size(); ++i) {
    const Mode& mode = spectrum.modes[i];
    if (mode.s != 0.0 && mode.s.imag() >= 0)
      mark_uncertified(spectrum, Uncertified::continuation_failed, reason_about_return(mode, from[i], known.modes));
  }
  spectrum.expected = static_cast<Index>(known.modes.size()) + known.expected - known.found;
  widen_by_equilibrium_error(spectrum.modes, system, bordered);
  finish(spectrum, system, bordered, {});
  spectrum.seconds = known.seconds + watch.seconds();
  return spectrum;
}

}  // namespace

Spectrum continue_into_penalty(const LinearSystem& system, const LinearSystem& at_rest, const PenaltyOptions& penalty,
                               const Spectrum& known) {
  return followed_into_penalty(system, at_rest, penalty, known, [] {});
}

Spectrum continue_into_penalty(const LinearSystem& system, std::optional<LinearSystem>& own,
                               const PenaltyOptions& penalty, const Spectrum& known) {
  return followed_into_penalty(system, own ? *own : system, penalty, known, [&own] { own.reset(); });
}

}  // namespace stillpoint
