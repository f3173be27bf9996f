#include "modes/count/gyroscopic_inertia.h"

#include "algebra/sparse/symmetry.h"
#include "modes/count/signs_on_motions.h"

namespace stillpoint {

namespace {

bool is_gyroscopic(const BorderedProblem& problem, const QuadraticPencil& pencil) {
  return largest_entry(problem.C().unscaled()) > 0 && is_skew(problem.C().copy()) && is_symmetric(problem.M().copy()) &&
         is_symmetric(problem.K().copy()) && pencil.is_passive();
}

/// Whether K + ω² M is positive definite on the motions.
bool is_definite(const BorderedProblem& problem, double omega) {
  const SparseMatrix A = symmetric_part(problem.K().copy()) + omega * omega * symmetric_part(problem.M().copy());
  return negative_on_motions(A, problem.J().copy()) == 0;
}

/// Returns the number of negative eigenvalues of H(ω).
std::optional<Index> negative_at(const BorderedProblem& problem, double omega) {
  const SparseMatrix H = symmetric_part(problem.K().copy()) - omega * omega * symmetric_part(problem.M().copy());
  const SparseMatrix C = problem.C().copy(), G = C - symmetric_part(C);
  return negative_on_motions(H, omega * G, problem.J().copy());
}

}  // namespace

std::optional<Index> count_gyroscopic(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius) {
  if (!is_gyroscopic(problem, pencil) || !is_definite(problem, radius)) return {};
  const std::optional<Index> negative = negative_at(problem, radius);
  return negative ? std::optional(2 * *negative) : std::nullopt;
}

std::optional<Index> count_gyroscopic(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                      const FrequencyBand& band) {
  if (!(band.from > 0) || !is_gyroscopic(problem, pencil) || !is_definite(problem, band.from)) return {};
  const std::optional<Index> before = negative_at(problem, band.from), all = negative_at(problem, band.to);
  return before && all ? std::optional(*all - *before) : std::nullopt;
}

}  // namespace stillpoint
