// Sensitivity of an equilibrium to rounding: the coordinates have an error of one unit in the last place, which changes
// the force and constraint residuals and so moves the equilibrium, theory (6.8). Random signs of these changes give
// samples of perturbed equilibria.

#include <limits>
#include <random>

#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double still_linear =
    1e-3;  // typical lengths and radians: a larger displacement is not predicted by one Newton step

// Each sample takes another evaluation of the matrices.
int samples_for(Index coordinates) {
  constexpr Index large = 100'000;
  return coordinates <= large ? 3 : 1;
}

struct Uncertainty {
  Eigen::VectorXd force, constraint;  ///< dimensionless, as in Statics
};

// The change of the residuals by rounding of each coordinate.
Uncertainty uncertainty_at(const Statics& statics, const Matrices& at, const Point& point) {
  const Scales& scales = statics.scales();
  const Eigen::VectorXd reach = rounding * (scales.s + point.state.q.cwiseAbs());
  Uncertainty result{Eigen::VectorXd::Zero(statics.n()), Eigen::VectorXd::Zero(statics.m())};
  for (Index j = 0; j < statics.n(); ++j) {
    for (SparseMatrix::InnerIterator entry(at.K, j); entry; ++entry)
      result.force[entry.row()] += std::abs(entry.value()) * reach[j];
    for (SparseMatrix::InnerIterator entry(at.J, j); entry; ++entry)
      result.constraint[entry.row()] += std::abs(entry.value()) * reach[j];
  }
  result.force = scales.s.cwiseProduct(result.force);
  result.constraint = scales.w.cwiseProduct(result.constraint);
  return result;
}

Eigen::VectorXd with_random_signs(Eigen::VectorXd x, std::mt19937& random) {
  for (double& value : x) {
    if ((random() & 1U) != 0) value = -value;
  }
  return x;
}

}  // namespace

void find_perturbed_equilibria(Search& search) {
  Equilibrium& rest = search.rest;
  Statics& statics = search.statics;
  if (rest.neutral_directions > 0 || rest.kind == ConfigurationType::singular ||
      rest.kind == ConfigurationType::isolated)
    return;
  const Matrices& at = statics.linearize(search.point);
  if (!statics.factor(at, {})) return;
  const Uncertainty uncertain = uncertainty_at(statics, at, search.point);
  std::mt19937 random(3);
  for (int k = 0; k < samples_for(statics.n()); ++k) {
    // The residual at the point is added with its known sign.
    const Statics::Step step = statics.solve(search.point.r + with_random_signs(uncertain.force, random),
                                             search.point.phi + with_random_signs(uncertain.constraint, random));
    if (!(largest(step.x) < still_linear)) continue;
    State beside = statics.displaced(search.point.state, step.x);
    beside.lambda += step.lambda;
    rest.perturbed.push_back(std::move(beside));
  }
}

}  // namespace stillpoint
