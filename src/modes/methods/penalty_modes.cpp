// UCS: all eigenvalues of M_p, C_p, K_p by dense solvers, the filter of spurious ones, and corrections for the penalty.
#include <fmt/format.h>

#include <algorithm>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/filter.h"
#include "modes/accuracy/finish.h"
#include "modes/accuracy/pair_quality.h"
#include "modes/penalty/penalty_correction.h"
#include "modes/problem/bordered_problem.h"
#include "modes/tolerances.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

Summed as_it_is(const SparseMatrix& A) { return {A.toDense(), A.cwiseAbs().toDense()}; }

Mode mode_of(const Eigenpair& pair, const PairQuality& quality, const Correction& correction) {
  Mode mode;
  mode.s = pair.s;
  mode.shape = pair.x;
  mode.left = pair.y;
  mode.backward_error = quality.backward_error;
  mode.condition = quality.condition;
  mode.violation = correction.problem.violation(pair.x);
  mode.residual = correction.problem.residual(
      mode.s, mode.shape,
      correction.system.J.transpose() * correction.multipliers(correction.form.g(mode.s), mode.shape));
  normalise(mode, correction.problem);
  return mode;
}

std::vector<Mode> modes_of(const std::vector<const Eigenpair*>& pairs, const ScaledQuadratic& P,
                           const Correction& correction) {
  std::vector<Complex> values;
  for (const Eigenpair* pair : pairs) values.push_back(pair->s);
  const std::vector<PairQuality> found = qualities(P, pairs, values);
  std::vector<Mode> modes;
  for (std::size_t i = 0; i < pairs.size(); ++i) modes.push_back(mode_of(*pairs[i], found[i], correction));
  return modes;
}

// Places of true modes in the list, the first of each pair, in the order of the roots that they came from.
struct Places {
  std::vector<std::size_t> roots, modes;
};

Places true_ones(const LowRankDamping& found, const std::vector<Mode>& modes) {
  Places places;
  std::size_t place = 0;
  for (std::size_t i = 0; i < found.roots().size(); ++i) {
    if (modes[place].kind == ModeClass::genuine && modes[place].s != 0.0) {
      places.roots.push_back(i);
      places.modes.push_back(place);
    }
    place += found.roots()[i].s.imag() != 0 ? 2 : 1;
  }
  return places;
}

// True modes that come from undamped ones are continued to the constrained problem. A value has converged if the
// residual of its vectors would no longer move it.
std::vector<std::optional<Refined>> refined_by_undamped_modes(const LinearSystem& system, const ScaledQuadratic& P,
                                                              const QuadraticSpectrum& found,
                                                              const std::vector<Mode>& modes,
                                                              const BorderedProblem& problem) {
  if (!found.low_rank_damping) return {};
  const Places places = true_ones(*found.low_rank_damping, modes);
  const Eigen::MatrixXd C = P.gamma * (P.d.asDiagonal() * system.C.toDense() * P.d.asDiagonal());
  const Eigen::VectorXd scaled_here = P.d.cwiseQuotient(problem.coordinate_scale());
  const Eigen::MatrixXd J = problem.J().copy().toDense() * scaled_here.asDiagonal();
  const auto held = found.low_rank_damping->constrained(C, J, places.roots);
  if (!held) return {};
  Eigen::MatrixXcd residuals(J.cols(), held->vectors.cols());
  std::vector<RayleighValue> values;
  std::vector<Complex> derivatives;
  for (Eigen::Index k = 0; k < residuals.cols(); ++k) {
    const Complex s = P.gamma * held->roots[at(k)].s;
    const BorderedVector x = problem.with_multipliers(s, P.d.asDiagonal() * held->vectors.col(k));
    const BorderedVector y{x.coordinates.conjugate(), x.multipliers.conjugate()};
    const ModalCoefficients quotient = problem.modal_coefficients(x, y);
    values.push_back(rayleigh_value(quotient, s));
    derivatives.push_back(quotient.derivative(values.back().s));
    residuals.col(k) =
        scaled_here.asDiagonal() * problem.scaled_residual(s, x.coordinates, problem.forces(x.multipliers));
  }
  const Eigen::VectorXcd work = held->work(residuals);
  std::vector<std::optional<Refined>> refined(modes.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double change = std::abs(work[static_cast<Eigen::Index>(k)] / derivatives[k]);
    if (held->roots[k].is_converged && change <= values[k].rounding)
      refined[places.modes[k]] = {values[k].s, values[k].rounding + change, true};
  }
  return refined;
}

// Tells whether the error bound reaches a root of g, where the value might belong to the constraints.
bool reaches_root(const Mode& mode, const PenaltyForm& form) {
  const auto roots = form.roots_of_g();
  return std::any_of(roots.begin(), roots.end(),
                     [&](Complex root) { return std::abs(mode.corrected - root) <= mode.corrected_error; });
}

// Tells whether the correction moved the value far, to the place of another one.
bool became_another(const Mode& mode, const std::vector<Mode>& modes) {
  constexpr double far = 0.5;
  if (mode.penalty_error <= far * std::abs(mode.corrected)) return false;
  return std::any_of(modes.begin(), modes.end(), [&](const Mode& other) {
    return &other != &mode && other.kind == ModeClass::genuine && other.penalty_error <= mode.penalty_error &&
           std::abs(other.corrected - mode.corrected) <= other.corrected_error + mode.corrected_error;
  });
}

void mark_what_is_mixed(Spectrum& spectrum, const PenaltyForm& form) {
  std::vector<Mode*> mixed;
  for (Mode& mode : spectrum.modes) {
    if (mode.kind != ModeClass::genuine || mode.s == 0.0) continue;
    if (reaches_root(mode, form) || became_another(mode, spectrum.modes)) mixed.push_back(&mode);
  }
  for (Mode* mode : mixed) mode->kind = ModeClass::undecided;
  if (!mixed.empty())
    mark_uncertified(spectrum, Uncertified::classes_disagree,
                     fmt::format("{} eigenvalues cannot be distinguished from those of the constraints, near {:.3g} "
                                 "rad/s: an option 'omega' nearer to the frequencies of the system may keep them apart",
                                 mixed.size(), form.omega));
}

}  // namespace

Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum{.method = "ucs", .size = 2 * static_cast<Index>(form.M.rows()), .expected = count.eigenvalues};
  require_dense_order(spectrum.size, "the penalty form");
  mark_uncertified(spectrum, Uncertified::rank_unclear, count.uncertainty);
  Quadratic P{as_it_is(form.M), as_it_is(form.C), as_it_is(form.K), form.J.rows() > 0};
  if (system.cancellation.size() > 0) P.K.magnitude += system.cancellation;
  QuadraticSpectrum found = solve_quadratic(condense(P, Massless{count.massless, count.damped}));  // as for M_r
  spectrum.solver = found.solver;
  pair_up(P, found.pairs);

  const BorderedProblem problem(system);
  const Correction correction{system, form, problem};
  const ScaledQuadratic in_numbers = scaled(P);
  spectrum.modes =
      with_conjugate_copies(modes_of(without_conjugate_copies(found.pairs), in_numbers, correction), found.pairs);
  std::vector<Failure> failures;
  for (const Mode& mode : spectrum.modes) failures.push_back({mode.violation, mode.violation});
  Separation separation = separate(failures, count.eigenvalues, tolerance::compliance_of_failures);
  for (std::size_t i = 0; i < spectrum.modes.size(); ++i) spectrum.modes[i].kind = separation.by_count[i];
  const std::string reason_of_zeros = put_structural_zeros(spectrum, count.at_zero);
  if (correct(spectrum.modes, correction,
              refined_by_undamped_modes(system, in_numbers, found, spectrum.modes, problem))) {
    separation.agrees = true;
  } else {
    for (std::size_t i = 0; i < spectrum.modes.size(); ++i) spectrum.modes[i].kind = separation.kinds[i];
    mark_uncertified(spectrum, Uncertified::zeros_unclear, reason_of_zeros);
  }
  report(separation, spectrum);
  mark_what_is_mixed(spectrum, form);
  widen_by_equilibrium_error(spectrum.modes, system, problem);
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
