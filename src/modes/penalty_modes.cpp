// UCS: all eigenvalues of M_p, C_p, K_p, which of them belong to the mechanism, and what the penalty changed in them.
#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/filter.h"
#include "modes/finish.h"
#include "modes/pair_quality.h"
#include "modes/penalty_correction.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// Constraints give way by one part in α, and by much less in motions that they hardly hold: all of that is small.
constexpr double compliance_of_failures = 1e-4;

Summed as_it_is(const SparseMatrix& A) { return {A.toDense(), A.cwiseAbs().toDense()}; }

std::vector<PairQuality> own_qualities(const ScaledQuadratic& P, const std::vector<Eigenpair>& pairs) {
  std::vector<const Eigenpair*> all;
  std::vector<Complex> values;
  for (const Eigenpair& pair : pairs) {
    all.push_back(&pair);
    values.push_back(pair.s);
  }
  return qualities(P, all, values);
}

}  // namespace

Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum{.method = "ucs", .size = 2 * static_cast<Index>(form.M.rows()), .expected = count.eigenvalues};
  require_dense_order(spectrum.size, "the penalty form");
  doubt(spectrum, count.doubt);
  const Quadratic P{as_it_is(form.M), as_it_is(form.C), as_it_is(form.K)};
  QuadraticSpectrum found = solve_quadratic(condense(P, Massless{count.massless, count.damped}));  // as M_r
  spectrum.solver = found.solver;
  pair_up([&](Complex s,
              const Eigen::VectorXcd& x) -> Eigen::VectorXcd { return 2.0 * s * (P.M.value * x) + P.C.value * x; },
          found.pairs);

  const BorderedProblem problem(system);
  const std::vector<PairQuality> solved = own_qualities(scaled(P), found.pairs);
  std::vector<Failure> failures;
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const Eigenpair& pair = found.pairs[i];
    Mode mode;
    mode.s = pair.s;
    mode.shape = pair.x;
    mode.left = pair.y;
    mode.backward_error = solved[i].backward_error;
    mode.condition = solved[i].condition;
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
