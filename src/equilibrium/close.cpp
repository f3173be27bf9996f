#include "equilibrium/close.h"

#include <algorithm>

namespace stillpoint {

namespace {

constexpr int most_steps = 200;
constexpr double longest = 0.5;          // of a step, in typical lengths and radians
constexpr double least_damping = 1e-12;  // keeps the matrix regular where rows depend on each other
constexpr double hopeless = 1e8;         // damping at which no step helps

// A step that closes the gaps by less than this share of themselves is one at a minimum of their squares.
constexpr double no_progress = 1e-3;

}  // namespace

Closing close_constraints(Statics& statics, const State& start) {
  Closing closing;
  Point here = statics.at(start);
  double damping = 1e-2;
  for (; closing.iterations < most_steps; ++closing.iterations) {
    const double opening = here.opening();
    if (opening <= statics.closing_noise(here.state)) break;
    const Matrices& at = statics.linearize(here);
    const double mu = std::max(least_damping, damping * std::min(1.0, opening));
    if (!statics.factor_metric(at, mu)) {
      damping *= 10;
      continue;
    }
    Eigen::VectorXd x = statics.solve_for_gap(here.gap);
    const double size = x.lpNorm<Eigen::Infinity>();
    if (size > longest) x *= longest / size;
    Point there = statics.at(statics.displaced(here.state, x));
    const double before = here.gap.squaredNorm(), after = there.gap.squaredNorm();
    if (!(after < before)) {
      if (opening <= 100 * statics.closing_noise(here.state)) break;
      damping *= 8;
      if (mu > hopeless || size < 1e-14) {
        closing.stationary = true;
        break;
      }
      continue;
    }
    here = std::move(there);
    damping = std::max(1e-12, damping / 8);
    if (after > (1 - no_progress) * before && mu <= 1e-6 && size < longest) {
      closing.stationary = true;
      break;
    }
  }
  closing.gap = here.gap;
  closing.state = std::move(here.state);
  return closing;
}

}  // namespace stillpoint
