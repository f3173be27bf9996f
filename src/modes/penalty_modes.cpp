// UCS: all eigenvalues of M_p, C_p, K_p, which of them belong to the mechanism, and what the penalty changed in them.
#include <fmt/format.h>

#include <algorithm>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/filter.h"
#include "modes/finish.h"
#include "modes/neighbours.h"
#include "modes/pair_quality.h"
#include "modes/penalty_correction.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// Constraints give way by one part in α, and by much less in motions that they hardly hold: all of that is small.
constexpr double compliance_of_failures = 1e-4;

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

// Where true modes are in the list, of each pair the first: in the order of the roots that they came from.
struct Places {
  std::vector<std::size_t> roots, modes;
};

Places true_ones(const FewDampers& found, const std::vector<Mode>& modes) {
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

// True modes that come from undamped ones are held by the constraints there, too. A value is settled where what its
// vectors leave over would not move it any more.
std::vector<std::optional<Refined>> refined_by_undamped_modes(const LinearSystem& system, const ScaledQuadratic& P,
                                                              const QuadraticSpectrum& found,
                                                              const std::vector<Mode>& modes,
                                                              const BorderedProblem& problem) {
  if (!found.few_dampers) return {};
  const Places places = true_ones(*found.few_dampers, modes);
  const Eigen::MatrixXd C = P.gamma * (P.d.asDiagonal() * system.C.toDense() * P.d.asDiagonal());
  const Eigen::VectorXd scaled_here = P.d.cwiseQuotient(problem.coordinate_scale());
  const Eigen::MatrixXd J = problem.J().toDense() * scaled_here.asDiagonal();
  const auto held = found.few_dampers->constrained(C, J, places.roots);
  if (!held) return {};
  Eigen::MatrixXcd left_over(J.cols(), held->vectors.cols());
  std::vector<RayleighValue> values;
  std::vector<Complex> slopes;
  for (Eigen::Index k = 0; k < left_over.cols(); ++k) {
    const Complex s = P.gamma * held->roots[at(k)].s;
    const BorderedVector x = problem.with_multipliers(s, P.d.asDiagonal() * held->vectors.col(k));
    const BorderedVector y{x.coordinates.conjugate(), x.multipliers.conjugate()};
    const Sandwich quotient = problem.sandwich(x, y);
    values.push_back(rayleigh_value(quotient, s));
    slopes.push_back(quotient.slope(values.back().s));
    left_over.col(k) =
        scaled_here.asDiagonal() * problem.scaled_left_over(s, x.coordinates, problem.forces(x.multipliers));
  }
  const Eigen::VectorXcd work = held->work(left_over);
  std::vector<std::optional<Refined>> refined(modes.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double change = std::abs(work[static_cast<Eigen::Index>(k)] / slopes[k]);
    if (held->roots[k].is_settled && change <= values[k].rounding)
      refined[places.modes[k]] = {values[k].s, values[k].rounding + change, true};
  }
  return refined;
}

// The error bar reaches a root of g: what is there might be one of the constraints' own values.
bool reaches_root(const Mode& mode, const PenaltyForm& form) {
  const auto roots = form.roots_of_g();
  return std::any_of(roots.begin(), roots.end(),
                     [&](Complex root) { return std::abs(mode.corrected - root) <= mode.corrected_error; });
}

// Correcting has moved it far, and to where another is.
bool became_another(const Mode& mode, const std::vector<Mode>& modes) {
  constexpr double far = 0.5;
  if (mode.penalty_error <= far * std::abs(mode.corrected)) return false;
  return std::any_of(modes.begin(), modes.end(), [&](const Mode& other) {
    return &other != &mode && other.kind == ModeClass::genuine && other.penalty_error <= mode.penalty_error &&
           std::abs(other.corrected - mode.corrected) <= other.corrected_error + mode.corrected_error;
  });
}

void doubt_what_is_mixed(Spectrum& spectrum, const PenaltyForm& form) {
  std::vector<Mode*> mixed;
  for (Mode& mode : spectrum.modes) {
    if (mode.kind != ModeClass::genuine || mode.s == 0.0) continue;
    if (reaches_root(mode, form) || became_another(mode, spectrum.modes)) mixed.push_back(&mode);
  }
  for (Mode* mode : mixed) mode->kind = ModeClass::undecided;
  if (!mixed.empty())
    doubt(spectrum, fmt::format("{} eigenvalues cannot be told from those of the constraints, near {:.3g} rad/s: an "
                                "--omega nearer to the frequencies of the system may keep them apart",
                                mixed.size(), form.omega));
}

}  // namespace

Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum{.method = "ucs", .size = 2 * static_cast<Index>(form.M.rows()), .expected = count.eigenvalues};
  require_dense_order(spectrum.size, "the penalty form");
  doubt(spectrum, count.doubt);
  Quadratic P{as_it_is(form.M), as_it_is(form.C), as_it_is(form.K), form.J.rows() > 0};
  if (system.cancelled.size() > 0) P.K.size += system.cancelled;
  QuadraticSpectrum found = solve_quadratic(condense(P, Massless{count.massless, count.damped}));  // as M_r
  spectrum.solver = found.solver;
  pair_up(P, found.pairs);

  const BorderedProblem problem(system);
  const Correction correction{system, form, problem};
  const ScaledQuadratic in_numbers = scaled(P);
  spectrum.modes = with_mirrored(modes_of(without_mirrored(found.pairs), in_numbers, correction), found.pairs);
  std::vector<Failure> failures;
  for (const Mode& mode : spectrum.modes) failures.push_back({mode.violation, mode.violation});
  Separation separation = separate(failures, count.eigenvalues, compliance_of_failures);
  for (std::size_t i = 0; i < spectrum.modes.size(); ++i) spectrum.modes[i].kind = separation.by_count[i];
  const std::string doubt_of_zeros = put_structural_zeros(spectrum, count.at_zero);
  if (correct(spectrum.modes, correction,
              refined_by_undamped_modes(system, in_numbers, found, spectrum.modes, problem))) {
    separation.agrees = true;
  } else {
    for (std::size_t i = 0; i < spectrum.modes.size(); ++i) spectrum.modes[i].kind = separation.kinds[i];
    doubt(spectrum, doubt_of_zeros);
  }
  report(separation, spectrum);
  doubt_what_is_mixed(spectrum, form);
  widen_by_neighbours(spectrum.modes, system, problem);
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
