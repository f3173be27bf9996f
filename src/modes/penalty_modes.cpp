// UCS: all eigenvalues of M_p, C_p, K_p, which of them belong to the mechanism, and what the penalty changed in them.
#include <cmath>
#include <limits>
#include <optional>

#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/filter.h"
#include "modes/finish.h"
#include "modes/inverse_iteration.h"
#include "modes/quadratic_modes.h"
#include "modes/scaled_quadratic.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// Constraints give way by one part in α, and by much less in motions that they hardly hold: all of that is small.
constexpr double compliance_of_failures = 1e-4;

Summed as_it_is(const SparseMatrix& A) { return {A.toDense(), A.cwiseAbs().toDense()}; }

// The multipliers of a penalty, λ = Ξ g(s) J x and μ = ḡ Ξ J y, make its eigenvectors almost solutions of the bordered
// problem: its eigenvalue next to s is wrong by second order only (T17). J is that of the form, which may be at another
// rest position.
struct Correction {
  const LinearSystem& system;
  const PenaltyForm& form;
  const BorderedProblem& problem;

  Eigen::VectorXcd multipliers(Complex g, const Eigen::VectorXcd& x) const {
    return g * form.alpha.cwiseProduct(form.J * x);
  }

  Sandwich sandwich(const Mode& mode) const {
    const Complex g = form.g(mode.s);
    const Eigen::VectorXcd lambda = multipliers(g, mode.shape), mu = multipliers(std::conj(g), mode.left);
    const Eigen::VectorXcd Jx = system.J * mode.shape, Jy = system.J * mode.left;
    const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(problem.J().rows());
    Sandwich at = problem.sandwich({mode.shape, none}, {mode.left, none});
    at.k += Jy.dot(lambda) + mu.dot(Jx);
    at.k_size += Jy.cwiseAbs().dot(lambda.cwiseAbs()) + mu.cwiseAbs().dot(Jx.cwiseAbs());
    return at;
  }
};

// What the first order leaves, roughly. Compliance couples motions i and j by about √(δᵢ δⱼ), δ: what it changes in
// each, so the second order is Σ δᵢ δⱼ / |sᵢ − sⱼ|, over the other motions and the constraints' own, near the roots of
// g. (Measured on 150 random systems: the sum falls short by a factor of up to 4, because constraints couple more than
// δ tells.)
constexpr double more_than_the_sum = 10;

double second_order(const Mode& mode, const std::vector<Mode>& modes, const PenaltyForm& form) {
  double sum = 0;
  const auto add = [&](double coupling, Complex other) {
    const double distance = std::abs(other - mode.s);
    if (distance > coupling) sum += mode.penalty_error * coupling / distance;
  };
  for (const Mode& other : modes) {
    if (&other != &mode && other.kind == ModeClass::genuine) add(other.penalty_error, other.s);
  }
  const Complex root = std::sqrt(Complex(form.xi * form.xi - 1));
  add(mode.penalty_error, form.omega * (-form.xi + root));
  add(mode.penalty_error, form.omega * (-form.xi - root));
  return more_than_the_sum * sum;
}

// Among neighbours the first order may be as wrong as it is large (measured: up to 1.33 times; with some room).
constexpr double unsure = 4;
constexpr Complex far_away{std::numeric_limits<double>::infinity(), 0};  // not a neighbour

// To first order by the vectors of the penalty, then to the end where the eigenvalue stands alone. True if
// all true ones are confirmed as eigenvalues of the constrained problem, each as another.
bool correct(std::vector<Mode>& modes, const Correction& correction) {
  for (Mode& mode : modes) {
    if (mode.s == 0.0) {  // by structure
      mode.corrected = mode.penalty_error = mode.corrected_error = 0;
      continue;
    }
    const RayleighValue value = rayleigh_value(correction.sandwich(mode), mode.s);
    mode.corrected = value.s;
    mode.penalty_error = value.change;
    mode.corrected_error = value.rounding;
  }
  InverseIteration iteration(correction.problem);  // (T17a)
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(correction.problem.J().rows());
  std::vector<Complex> first;
  for (const Mode& mode : modes) first.push_back(mode.kind == ModeClass::genuine ? mode.corrected : far_away);
  std::vector<Refined> results;
  bool are_confirmed = true;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode& mode = modes[i];
    Refined result{mode.corrected, mode.corrected_error + second_order(mode, modes, correction.form)};
    if (mode.kind == ModeClass::genuine && mode.s != 0.0) {
      const std::optional<Refined> refined = iteration.refine(mode.corrected, {mode.shape, none}, {mode.left, none});
      const bool stays = refined && is_same_root(*refined, first, i);
      const double moved = std::abs(mode.corrected - (refined ? refined->s : 0));  // without a step: not told from zero
      if (stays) result = *refined;
      else result.error += unsure * (moved + mode.penalty_error);
      are_confirmed &= stays;
    }
    results.push_back(result);
  }
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    mode.corrected = results[i].s;
    mode.corrected_error = results[i].error;
    if (mode.s == 0.0) continue;  // its error is what it was
    mode.penalty_error = std::abs(mode.s - mode.corrected);
    mode.error = mode.penalty_error + mode.corrected_error;
  }
  return are_confirmed;
}

}  // namespace

Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum{.method = "ucs", .size = 2 * static_cast<Index>(form.M.rows()), .expected = count.eigenvalues};
  require_dense_order(spectrum.size, "the penalty form");
  const Quadratic P{as_it_is(form.M), as_it_is(form.C), as_it_is(form.K)};
  QuadraticSpectrum found = solve_quadratic(condense(P, Massless{count.massless, count.damped}));  // as M_r
  spectrum.solver = found.solver;
  pair_up([&](Complex s,
              const Eigen::VectorXcd& x) -> Eigen::VectorXcd { return 2.0 * s * (P.M.value * x) + P.C.value * x; },
          found.pairs);

  const ScaledQuadratic scaled_P = scaled(P);
  const BorderedProblem problem(system);
  std::vector<Failure> failures;
  for (const Eigenpair& pair : found.pairs) {
    Mode mode;
    mode.s = pair.s;
    mode.shape = pair.x;
    mode.left = pair.y;
    mode.backward_error = backward_error(scaled_P, pair.s, pair.x);
    mode.condition = condition(scaled_P, pair.s, pair.x, pair.y);
    mode.violation = problem.violation(pair.x);
    failures.push_back({mode.violation, mode.violation});
    spectrum.modes.push_back(std::move(mode));
  }

  Separation separation = separate(failures, count.eigenvalues, compliance_of_failures);
  const Correction correction{system, form, problem};
  for (std::size_t i = 0; i < spectrum.modes.size(); ++i) {
    Mode& mode = spectrum.modes[i];
    mode.kind = separation.by_count[i];
    mode.residual =
        problem.residual(mode.s, mode.shape, system.J.transpose() * correction.multipliers(form.g(mode.s), mode.shape));
  }
  for (Mode& mode : spectrum.modes) normalise(mode, problem);
  const std::string doubt_of_zeros = put_structural_zeros(spectrum, count.at_zero);
  if (correct(spectrum.modes, correction)) {
    separation.agrees = true;
  } else {
    for (std::size_t i = 0; i < spectrum.modes.size(); ++i) spectrum.modes[i].kind = separation.kinds[i];
    doubt(spectrum, doubt_of_zeros);
  }
  report(separation, spectrum);
  finish(spectrum, system, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
