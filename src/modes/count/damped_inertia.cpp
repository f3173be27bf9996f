#include "modes/count/damped_inertia.h"

#include <cmath>

#include "algebra/sparse/symmetry.h"

namespace stillpoint {

namespace {

// Damping has moved the eigenvalues at the ends of the gap a little; the part of the gap that is left out at each end.
constexpr double margin = 0.05;

/// Returns the largest β for which no eigenvalue can cross the circle.
double most_damping(double low, double middle, double high) {
  const double m2 = middle * middle, l2 = low * low, h2 = high * high;
  const auto nothing_crosses = [&](double beta) {
    const double c = 2 * beta * m2, room = m2 - l2 - c * c / 2;
    if (!(room > 0)) return false;
    const double lower = middle * c / room, higher = middle * std::sqrt(beta * c * (h2 + m2)) / (h2 - m2);
    return lower * lower + higher * higher < 0.99;
  };
  double beta = 0.99 / middle;
  for (int halvings = 0; halvings < 60 && !nothing_crosses(beta); ++halvings) beta /= 2;
  if (!nothing_crosses(beta)) return 0;
  for (double step = beta / 2; step > 0.01 * beta; step /= 2) {
    if (beta + step < 0.99 / middle && nothing_crosses(beta + step)) beta += step;
  }
  return beta;
}

/// Inertia of combinations of M, C and K on the motions that the constraints allow.
class SignsOnMotions {
 public:
  SignsOnMotions(const BorderedProblem& problem, const QuadraticPencil& pencil)
      : pencil_(pencil), rows_(static_cast<Index>(problem.J().rows())) {}

  /// Returns the number of negative eigenvalues; nothing if one is zero to working precision.
  std::optional<Index> negative(double of_M, double of_C, double of_K) {
    if (!factor_) factor_.emplace(pencil_.pattern());
    factor_->factor(pencil_.combination(of_M, of_C, of_K));
    const SignCount signs = factor_->signs();
    if (signs.zero > 0) return {};
    return signs.negative - rows_;
  }

 private:
  const QuadraticPencil& pencil_;
  Index rows_;
  std::optional<SymmetricFactor> factor_;
};

}  // namespace

std::optional<Index> count_weakly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil, const Gap& gap,
                                         const UndampedBelow& undamped) {
  if (!pencil.is_symmetric() || !pencil.is_passive()) return {};
  const double room = margin * (gap.to - gap.from);
  const double low = gap.from + room, middle = gap.middle(), high = gap.to - room;
  const double beta = most_damping(low, middle, high);
  if (beta == 0) return {};
  SignsOnMotions signs(problem, pencil);
  const SparseMatrix left = beta * (problem.K().copy() + middle * middle * problem.M().copy()) - problem.C().copy();
  if (!is_diagonally_dominant(left) && signs.negative(beta * middle * middle, -1, beta) != 0) return {};
  const auto below = [&](double mu) {
    const std::optional<Index> known = undamped.exactly ? undamped.exactly(mu) : std::nullopt;
    return known ? known : signs.negative(-mu, 0, 1);
  };
  const std::optional<Index> inside = below(high * high);
  if (!inside) return {};
  const bool is_enough = undamped.at_least && undamped.at_least(low * low) == *inside;
  if (!is_enough && inside != below(low * low)) return {};
  return 2 * *inside;
}

}  // namespace stillpoint
