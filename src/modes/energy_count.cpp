#include "modes/energy_count.h"

#include <algorithm>
#include <cmath>

#include "algebra/symmetry.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Counted = Spectrum::Counted;

/// How many negative eigenvalues a symmetric matrix has on null(J); nothing if one is zero to working precision.
std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& J) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto n = static_cast<Index>(A.cols()), size = static_cast<Index>(n + J.rows());
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), j, entry.value());
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      const auto i = static_cast<Index>(n + entry.row());
      entries.emplace_back(i, j, entry.value());
      entries.emplace_back(j, i, entry.value());
    }
  }
  for (Index i = 0; i < size; ++i) entries.emplace_back(i, i, 0);
  SparseMatrix bordered(size, size);
  bordered.setFromTriplets(entries.begin(), entries.end());
  SymmetricFactor factor(bordered);
  factor.factor(bordered);
  if (factor.signs().zero > 0) return {};
  return factor.signs().negative - static_cast<Index>(J.rows());
}

/// With s* inside the region, where all are known.
std::optional<Index> count_growing(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius,
                                   const std::vector<Mode>& known) {
  for (double part = 0.5; part > 0.1; part *= 0.7) {
    const double s = part * radius;
    SymmetricFactor factor(pencil.pattern());
    factor.factor(pencil.matrix(s));
    if (factor.signs().zero > 0) continue;
    const auto below = std::count_if(known.begin(), known.end(), [&](const Mode& mode) {
      return mode.s.real() > mode.error && mode.s.real() < problem.frequency_scale() * s;
    });
    return factor.signs().negative - static_cast<Index>(problem.J().rows()) + static_cast<Index>(below);
  }
  return {};
}

}  // namespace

std::optional<Counted> count_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius,
                                       const std::vector<Mode>& known) {
  if (!is_symmetric(problem.M()) || !is_symmetric(problem.K()) || !pencil.is_passive()) return {};
  const SparseMatrix D = symmetric_part(problem.C());
  Counted counted;
  counted.at_zero =
      static_cast<Index>(std::count_if(known.begin(), known.end(), [](const Mode& mode) { return mode.s == 0.0; }));
  const bool is_complete = largest_entry(D) > 0 && negative_on_motions(D, problem.J()) == 0;
  counted.damping = is_complete                      ? Counted::Damping::complete
                    : largest_entry(problem.C()) > 0 ? Counted::Damping::partial
                                                     : Counted::Damping::none;
  std::optional<Index> growing;
  if (pencil.is_symmetric()) {
    growing = count_growing(problem, pencil, radius, known);
  } else if (const auto negative = negative_on_motions(symmetric_part(problem.K()), problem.J())) {
    if (*negative == 0 || is_complete) growing = negative;
  }
  if (!growing) return {};
  counted.growing = *growing;
  return counted;
}

}  // namespace stillpoint
