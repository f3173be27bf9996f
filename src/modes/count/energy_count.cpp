#include "modes/count/energy_count.h"

#include <algorithm>
#include <cmath>

#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "modes/count/signs_on_motions.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Counted = Spectrum::Counted;

/// The criterion of theory (11.11) at any ρ.
class InstabilityBound {
 public:
  explicit InstabilityBound(const BorderedProblem& problem) : InstabilityBound(problem, problem.K().copy()) {}

  bool has_potential() const { return has_potential_; }
  bool holds(double radius) const {
    return negative_on_motions(S_ + radius * radius * M_, J_) == 0 && (has_potential_ || damping_outweighs(radius));
  }

 private:
  InstabilityBound(const BorderedProblem& problem, const SparseMatrix& K)
      : J_(problem.J().copy()),
        M_(symmetric_part(problem.M().copy())),
        S_(symmetric_part(K)),
        D_(symmetric_part(problem.C().copy())),
        A_(K - S_),
        has_potential_(is_symmetric(K)) {}

  bool damping_outweighs(double radius) const { return negative_on_motions(radius * D_, A_, J_) == 0; }

  SparseMatrix J_, M_, S_, D_, A_;
  bool has_potential_;
};

bool grows(const Mode& mode) { return mode.s.real() > mode.error; }

/// Whether rounding hides that it is real, and on which side: where no force supplies energy, only real ones grow.
bool may_grow(const Mode& mode) { return mode.s != 0.0 && std::abs(mode.s) <= mode.error; }

/// The shift s* lies inside the known region, so the eigenvalues below it can be added.
std::optional<Index> count_unstable(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                    const KnownRegion& known) {
  for (double part = 0.5; part > 0.1; part *= 0.7) {
    const double s = part * known.radius;
    SymmetricFactor factor(pencil.pattern());
    factor.factor(pencil.matrix(s));
    if (!factor.has_clear_signs()) continue;
    const auto below = std::count_if(known.modes.begin(), known.modes.end(), [&](const Mode& mode) {
      return grows(mode) && mode.s.real() < problem.frequency_scale() * s;
    });
    return factor.signs().negative - static_cast<Index>(problem.J().rows()) + static_cast<Index>(below);
  }
  return {};
}

// A direction without mass and damping in which the stiffness is negative has a negative pivot at every s, and no
// eigenvalue.
bool has_massless_instability(const BorderedProblem& problem) {
  const SparseMatrix B =
      symmetric_part(problem.K().copy()) + tolerance::beyond_all_frequencies * symmetric_part(problem.C().copy()) +
      tolerance::beyond_all_frequencies * tolerance::beyond_all_frequencies * symmetric_part(problem.M().copy());
  return negative_on_motions(B, problem.J().copy()).value_or(1) > 0;
}

std::optional<Index> count_unstable_with_potential(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                   const KnownRegion& known, bool is_damped) {
  std::optional<Index> unstable;
  if (known.nothing_grows_beyond && std::none_of(known.modes.begin(), known.modes.end(), may_grow)) {
    unstable = static_cast<Index>(std::count_if(known.modes.begin(), known.modes.end(), grows));
  } else if (pencil.is_symmetric() && known.radius > 0) {
    unstable = count_unstable(problem, pencil, known);
  } else {
    const std::optional<Index> negative = negative_on_motions(symmetric_part(problem.K().copy()), problem.J().copy());
    if (negative && (*negative == 0 || is_damped || pencil.is_symmetric())) unstable = negative;
  }
  if (unstable.value_or(0) > 0 && has_massless_instability(problem)) return {};
  return unstable;
}

// Whether a motion is known that no damper acts on, nor any stiffness; then no factorisation is needed to see that not
// all are damped.
bool is_any_undamped_at_zero(const std::vector<Mode>& modes, const SparseMatrix& D, const BorderedProblem& problem) {
  return std::any_of(modes.begin(), modes.end(), [&](const Mode& mode) {
    if (mode.s != 0.0) return false;
    const Eigen::VectorXcd x = mode.shape.cwiseQuotient(problem.coordinate_scale());
    const Eigen::VectorXd magnitudes = x.cwiseAbs();
    return std::abs(x.dot(D * x)) <= tolerance::rounding_of_sums * magnitudes.dot(D.cwiseAbs() * magnitudes);
  });
}

// A zero eigenvalue is driven if no stiffness resists its motion and the damping force acts along the velocity. One of
// its two roots is then unstable, though within the error bound of zero.
bool is_driven_at_zero(const Mode& mode, const BorderedProblem& problem) {
  if (mode.s != 0.0) return false;
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(problem.J().rows());
  const ModalCoefficients at = problem.modal_coefficients({mode.shape, none}, {mode.left, none});
  return (-at.c / at.m).real() > tolerance::rounding_of_sums * at.c_magnitude / std::abs(at.m);
}

bool is_any_driven(const std::vector<Mode>& modes, const BorderedProblem& problem) {
  return std::any_of(modes.begin(), modes.end(), [&](const Mode& mode) { return is_driven_at_zero(mode, problem); });
}

// If the criterion holds at the edge of the known region, the known eigenvalues decide for all.
std::optional<Counted> count_within_bound(const BorderedProblem& problem, const KnownRegion& known) {
  if (!(known.radius > 0) || !InstabilityBound(problem).holds(known.radius)) return {};
  std::optional<Counted> counted = count_by_signs(known.modes, problem);
  if (counted) counted->by_region = true;
  return counted;
}

}  // namespace

std::optional<Counted> count_by_signs(const std::vector<Mode>& modes, const BorderedProblem& problem) {
  if (is_any_driven(modes, problem)) return {};
  Counted counted{.damping = Counted::Damping::complete};
  for (const Mode& mode : modes) {
    if (mode.s == 0.0) ++counted.at_zero;
    else if (mode.s.real() > mode.error) ++counted.unstable;
    else if (mode.s.real() > -mode.error) return {};
  }
  return counted;
}

std::optional<Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                       const KnownRegion& known) {
  if (!is_symmetric(problem.M().copy()) || !pencil.is_passive()) return {};
  if (!is_symmetric(problem.K().copy())) return count_within_bound(problem, known);
  if (is_any_driven(known.modes, problem)) return {};
  Counted counted;
  counted.at_zero = static_cast<Index>(
      std::count_if(known.modes.begin(), known.modes.end(), [](const Mode& mode) { return mode.s == 0.0; }));
  const SparseMatrix C = problem.C().copy(), D = symmetric_part(C);
  const bool is_complete = largest_entry(D) > 0 && !is_any_undamped_at_zero(known.modes, D, problem) &&
                           negative_on_motions(D, problem.J().copy()) == 0;
  counted.damping = is_complete  ? Counted::Damping::complete
                    : is_skew(C) ? Counted::Damping::none
                                 : Counted::Damping::partial;
  const std::optional<Index> unstable = count_unstable_with_potential(problem, pencil, known, is_complete);
  if (!unstable) return {};
  counted.unstable = *unstable;
  return counted;
}

std::optional<double> radius_of_instability(const BorderedProblem& problem, const QuadraticPencil& pencil) {
  constexpr double least = 1e-3, most = 1e9, largest_ratio = 1.1;
  if (!is_symmetric(problem.M().copy()) || !pencil.is_passive()) return {};
  const InstabilityBound bound(problem);
  double not_bounding = least, radius = least;
  while (!bound.holds(radius)) {
    if (radius > most) return {};
    not_bounding = radius;
    radius *= 10;
  }
  while (radius > largest_ratio * not_bounding) {
    const double middle = std::sqrt(radius * not_bounding);
    (bound.holds(middle) ? radius : not_bounding) = middle;
  }
  return radius;
}

}  // namespace stillpoint
