#include "equilibrium/assembly_problem.h"

#include <algorithm>

namespace stillpoint {

namespace {

constexpr int most_steps = 200;
constexpr double longest = 0.5;          // longest step, in typical lengths and radians
constexpr double least_damping = 1e-12;  // keeps the matrix regular where rows depend on each other
constexpr double hopeless = 1e8;         // damping beyond which a step is negligible

// A step that reduces the residual by less than this share of itself indicates a local minimum.
constexpr double no_progress = 1e-3;

}  // namespace

AssemblyResult assemble_constraints(Statics& statics, const State& start) {
  AssemblyResult assembled;
  Point here = statics.at(start);
  double damping = 1e-2;
  for (; assembled.iterations < most_steps; ++assembled.iterations) {
    const double residual = here.constraint_residual();
    if (residual <= statics.constraint_noise(here.state)) break;
    const Matrices& at = statics.linearize(here);
    const double mu = std::max(least_damping, damping * std::min(1.0, residual));
    if (!statics.factor_metric(at, mu)) {
      damping *= 10;
      continue;
    }
    Eigen::VectorXd x = statics.solve_for_constraints(here.phi);
    const double size = x.lpNorm<Eigen::Infinity>();
    if (size > longest) x *= longest / size;
    Point there = statics.at(statics.displaced(here.state, x));
    const double before = here.phi.squaredNorm(), after = there.phi.squaredNorm();
    if (!(after < before)) {
      if (residual <= 100 * statics.constraint_noise(here.state)) break;
      damping *= 8;
      if (mu > hopeless || size < 1e-14) {
        assembled.stationary = true;
        break;
      }
      continue;
    }
    here = std::move(there);
    damping = std::max(1e-12, damping / 8);
    if (after > (1 - no_progress) * before && mu <= 1e-6 && size < longest) {
      assembled.stationary = true;
      break;
    }
  }
  assembled.phi = here.phi;
  assembled.state = std::move(here.state);
  return assembled;
}

}  // namespace stillpoint
