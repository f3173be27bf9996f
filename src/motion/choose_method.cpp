// The choice of the method by the fastest motion: an explicit method needs steps as short as its period.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/sparse/random_start.h"
#include "motion/dynamics.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

namespace {

constexpr int power_iterations = 12;
constexpr double reach = 3;                     // steps of the explicit method are stable up to about h ω = 3
constexpr double most_explicit_steps = 50'000;  // beyond that an implicit method takes over

/// The largest |eigenvalue| of A x = μ M x on J x = 0 within some per cent, by the power method.
double largest_ratio(MotionKkt& kkt, const SparseMatrix& A) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(kkt.J().rows());
  Eigen::VectorXd x = kkt.solve(kkt.M() * random_start(static_cast<Index>(A.rows())), none).x;
  double ratio = 0;
  for (int k = 0; k < power_iterations; ++k) {
    const double size = x.norm();
    if (!(size > 0)) return 0;
    x /= size;
    x = kkt.solve(A * x, none).x;
    ratio = x.norm();
  }
  return std::isfinite(ratio) ? ratio : 0;
}

}  // namespace

MethodChoice choose_method(const Model& model, const State& state, double time) {
  require_motion(model);
  MotionKkt kkt(model, MotionOptions().proximal);
  if (model.coordinates() == 0 || !kkt.factor(state)) return {};
  State still = state;
  still.v.resize(0);
  still.a.resize(0);
  Assembly assembly(model);
  const Matrices& at = assembly.at(still);
  MethodChoice choice;
  choice.fastest = std::max(std::sqrt(largest_ratio(kkt, at.K)), largest_ratio(kkt, at.C));
  const double steps = time * choice.fastest / reach;
  if (steps > most_explicit_steps) choice.method = MotionMethod::sdirk;
  choice.why = fmt::format("the fastest motion has about {:.2g} rad/s or 1/s, which asks for {:.2g} explicit steps",
                           choice.fastest, steps);
  return choice;
}

}  // namespace stillpoint
