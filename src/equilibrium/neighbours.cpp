// Positions that are as much at rest as the one found, for all that double precision can tell: what rounding of the
// coordinates changes in the forces and in the gaps of the constraints moves the rest position (T52).

#include <limits>
#include <random>

#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double still_linear = 1e-3;  // typical lengths and radians: what goes farther is not known by one step

// Each takes another assembly.
int samples_for(Index coordinates) {
  constexpr Index large = 100'000;
  return coordinates <= large ? 3 : 1;
}

struct Uncertainty {
  Eigen::VectorXd force, gap;  ///< in numbers without units, as Statics has them
};

// What the last digit of each coordinate changes.
Uncertainty uncertainty_at(const Statics& statics, const Matrices& at, const Point& point) {
  const Scales& scales = statics.scales();
  const Eigen::VectorXd reach = rounding * (scales.s + point.state.q.cwiseAbs());
  Uncertainty result{Eigen::VectorXd::Zero(statics.n()), Eigen::VectorXd::Zero(statics.m())};
  for (Index j = 0; j < statics.n(); ++j) {
    for (SparseMatrix::InnerIterator entry(at.K, j); entry; ++entry)
      result.force[entry.row()] += std::abs(entry.value()) * reach[j];
    for (SparseMatrix::InnerIterator entry(at.J, j); entry; ++entry)
      result.gap[entry.row()] += std::abs(entry.value()) * reach[j];
  }
  result.force = scales.s.cwiseProduct(result.force);
  result.gap = scales.w.cwiseProduct(result.gap);
  return result;
}

Eigen::VectorXd with_random_signs(Eigen::VectorXd x, std::mt19937& random) {
  for (double& value : x) {
    if ((random() & 1U) != 0) value = -value;
  }
  return x;
}

}  // namespace

void find_neighbours(Search& search) {
  Equilibrium& rest = search.rest;
  Statics& statics = search.statics;
  if (rest.neutral_directions > 0 || rest.kind == Freedom::singular || rest.kind == Freedom::isolated) return;
  const Matrices& at = statics.linearize(search.point);
  if (!statics.factor(at, {})) return;
  const Uncertainty uncertain = uncertainty_at(statics, at, search.point);
  std::mt19937 random(3);
  for (int k = 0; k < samples_for(statics.n()); ++k) {
    // With what is left over at the point: its sign is known.
    const Statics::Step step = statics.solve(search.point.r + with_random_signs(uncertain.force, random),
                                             search.point.gap + with_random_signs(uncertain.gap, random));
    if (!(largest(step.x) < still_linear)) continue;
    State beside = statics.displaced(search.point.state, step.x);
    beside.lambda += step.lambda;
    rest.neighbours.push_back(std::move(beside));
  }
}

}  // namespace stillpoint
