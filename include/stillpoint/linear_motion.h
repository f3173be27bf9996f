// The motion of the linear model beside that of the mechanism: ẋ = A x + B w from the same start, exact in time.
//
//   x(t + h) = e^{Ah} x(t) + ∫₀ʰ e^{A(h−τ)} B w(t + τ) dτ,   y = y* + C x + D w                               (13.8)
//
// Where the channels w (inputs less their values at the equilibrium, and derivatives of prescribed motions) change,
// they are polynomials of degree 5 between the times, whose integrals a matrix exponential gives as well, and the times
// are halved until that changes nothing.
#pragma once

#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/motion.h"

namespace stillpoint {

struct LinearMotionOptions {
  double start_time = 0;
  std::vector<double> times{};  ///< ascending, from start_time on
  InputMotion inputs{};         ///< as of the motion beside it
  double tolerance = 1e-9;      ///< of what changes inputs bring about, relative to the largest state so far
  Index largest = 200;          ///< degrees of freedom: matrix exponentials are dense
};

/// The outputs of the linear model at the times, one column for each. `system` is the linearization at `rest`; the
/// deviations of the positions and rates of `start` from `rest` are those at which it begins. Throws Error if the model
/// has no outputs or is too large, if the equilibrium is singular, and if the system has no state space.
Eigen::MatrixXd linear_motion(const Model& model, const Equilibrium& rest, const LinearSystem& system,
                              const State& start, const LinearMotionOptions& options);

}  // namespace stillpoint
