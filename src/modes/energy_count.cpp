#include "modes/energy_count.h"

#include <algorithm>
#include <cmath>

#include "algebra/bordered_pattern.h"
#include "algebra/symmetry.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Counted = Spectrum::Counted;

/// How many negative eigenvalues a symmetric matrix has on null(J); nothing if one is zero to working precision.
std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& J) {
  const auto n = static_cast<Index>(A.cols());
  SparseMatrix bordered = bordered_pattern({&A}, {&J});
  add_part(bordered, A, 1);
  add_part(bordered, J, 1, {.row = n});
  add_transposed_part(bordered, J, 1, {.column = n});
  SymmetricFactor factor(bordered);
  factor.factor(bordered);
  if (!factor.has_clear_signs()) return {};
  return factor.signs().negative - static_cast<Index>(J.rows());
}

/// [A, −B; B, A], which is A + iB in real numbers.
SparseMatrix as_real(const SparseMatrix& A, const SparseMatrix& B) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto rows = static_cast<Index>(A.rows()), cols = static_cast<Index>(A.cols());
  for (Index j = 0; j < cols; ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      entries.emplace_back(i, j, entry.value());
      entries.emplace_back(rows + i, cols + j, entry.value());
    }
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      entries.emplace_back(i, cols + j, -entry.value());
      entries.emplace_back(rows + i, j, entry.value());
    }
  }
  SparseMatrix both(2 * rows, 2 * cols);
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

/// (T36) for any ρ.
class GrowthBound {
 public:
  explicit GrowthBound(const BorderedProblem& problem)
      : problem_(problem),
        M_(symmetric_part(problem.M())),
        S_(symmetric_part(problem.K())),
        D_(symmetric_part(problem.C())),
        A_(problem.K() - S_),
        has_potential_(is_symmetric(problem.K())) {}

  bool has_potential() const { return has_potential_; }
  bool holds(double radius) const {
    return negative_on_motions(S_ + radius * radius * M_, problem_.J()) == 0 &&
           (has_potential_ || damping_outweighs(radius));
  }

 private:
  bool damping_outweighs(double radius) const {
    const SparseMatrix none(problem_.J().rows(), problem_.J().cols());
    return negative_on_motions(as_real(radius * D_, A_), as_real(problem_.J(), none)) == 0;
  }

  const BorderedProblem& problem_;
  SparseMatrix M_, S_, D_, A_;
  bool has_potential_;
};

/// With s* inside the region, where all are known.
std::optional<Index> count_growing(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                   const KnownRegion& known) {
  for (double part = 0.5; part > 0.1; part *= 0.7) {
    const double s = part * known.radius;
    SymmetricFactor factor(pencil.pattern());
    factor.factor(pencil.matrix(s));
    if (!factor.has_clear_signs()) continue;
    const auto below = std::count_if(known.modes.begin(), known.modes.end(), [&](const Mode& mode) {
      return mode.s.real() > mode.error && mode.s.real() < problem.frequency_scale() * s;
    });
    return factor.signs().negative - static_cast<Index>(problem.J().rows()) + static_cast<Index>(below);
  }
  return {};
}

// What has neither mass nor a damper and is pushed away has a negative sign at any s, and no eigenvalue.
bool is_pushed_without_mass(const BorderedProblem& problem) {
  constexpr double beyond_all = 1e6;  // of the typical frequency
  const SparseMatrix B = symmetric_part(problem.K()) + beyond_all * symmetric_part(problem.C()) +
                         beyond_all * beyond_all * symmetric_part(problem.M());
  return negative_on_motions(B, problem.J()).value_or(1) > 0;
}

std::optional<Index> count_growing_with_potential(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const KnownRegion& known, bool is_damped) {
  std::optional<Index> growing;
  if (pencil.is_symmetric() && known.radius > 0) {
    growing = count_growing(problem, pencil, known);
  } else {
    const std::optional<Index> negative = negative_on_motions(symmetric_part(problem.K()), problem.J());
    if (negative && (*negative == 0 || is_damped || pencil.is_symmetric())) growing = negative;
  }
  if (growing.value_or(0) > 0 && is_pushed_without_mass(problem)) return {};
  return growing;
}

// Of a zero: no stiffness resists that motion, but a force like a damper drives it. One of its two roots grows then,
// though within the error bar of zero.
bool is_driven_at_zero(const Mode& mode, const BorderedProblem& problem) {
  if (mode.s != 0.0) return false;
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(problem.J().rows());
  const Sandwich at = problem.sandwich({mode.shape, none}, {mode.left, none});
  return (-at.c / at.m).real() > rounding_of_sums * at.c_size / std::abs(at.m);
}

bool is_any_driven(const std::vector<Mode>& modes, const BorderedProblem& problem) {
  return std::any_of(modes.begin(), modes.end(), [&](const Mode& mode) { return is_driven_at_zero(mode, problem); });
}

// Where the bound holds at the edge of what is known, that says it all.
std::optional<Counted> count_within_bound(const BorderedProblem& problem, const KnownRegion& known) {
  if (!(known.radius > 0) || !GrowthBound(problem).holds(known.radius)) return {};
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
    else if (mode.s.real() > mode.error) ++counted.growing;
    else if (mode.s.real() > -mode.error) return {};
  }
  return counted;
}

std::optional<Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                       const KnownRegion& known) {
  if (!is_symmetric(problem.M()) || !pencil.is_passive()) return {};
  if (!is_symmetric(problem.K())) return count_within_bound(problem, known);
  if (is_any_driven(known.modes, problem)) return {};
  Counted counted;
  counted.at_zero = static_cast<Index>(
      std::count_if(known.modes.begin(), known.modes.end(), [](const Mode& mode) { return mode.s == 0.0; }));
  const SparseMatrix D = symmetric_part(problem.C());
  const bool is_complete = largest_entry(D) > 0 && negative_on_motions(D, problem.J()) == 0;
  counted.damping = is_complete            ? Counted::Damping::complete
                    : is_skew(problem.C()) ? Counted::Damping::none
                                           : Counted::Damping::partial;
  const std::optional<Index> growing = count_growing_with_potential(problem, pencil, known, is_complete);
  if (!growing) return {};
  counted.growing = *growing;
  return counted;
}

std::optional<double> radius_of_growth(const BorderedProblem& problem, const QuadraticPencil& pencil) {
  constexpr double least = 1e-3, most = 1e9, close_enough = 1.1;
  if (!is_symmetric(problem.M()) || !pencil.is_passive()) return {};
  const GrowthBound bound(problem);
  double too_small = least, radius = least;
  while (!bound.holds(radius)) {
    if (radius > most) return {};
    too_small = radius;
    radius *= 10;
  }
  while (radius > close_enough * too_small) {
    const double middle = std::sqrt(radius * too_small);
    (bound.holds(middle) ? radius : too_small) = middle;
  }
  return radius;
}

}  // namespace stillpoint
