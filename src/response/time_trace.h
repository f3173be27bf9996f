// The answer to one input over equal intervals, exact between them, too: z(t_k + τ) = e^{Gτ} z(t_k), with the states of
// the plant and, for a step, the input as one more state.
#pragma once

#include <optional>
#include <vector>

#include "response/plant_dynamics.h"

namespace stillpoint {

class TimeTrace {
 public:
  /// Intervals of the length `step` (s).
  TimeTrace(const PlantDynamics& dynamics, Eigen::Index input, TimeInput kind, double step, Index intervals);

  Index intervals() const { return static_cast<Index>(states_.cols()) - 1; }
  double step() const { return step_; }

  /// The derivative of an output at the start of an interval; the order is 0 to 3.
  double at_start(Eigen::Index output, Index interval, int order = 0) const;
  /// The same at τ after the start of an interval, 0 ≤ τ ≤ step.
  double at(Eigen::Index output, Index interval, double tau, int order = 0) const;
  /// The time in an interval where the derivative of this order takes a value that lies between those at its ends; by
  /// bisection of the exact answer.
  double root(Eigen::Index output, Index interval, double value, int order, double from, double to) const;
  /// The last values of all outputs, by one exponential over all the time.
  Eigen::VectorXd at_end_at_once() const;

 private:
  const Eigen::MatrixXd& power(std::size_t level) const;

  double step_;
  Eigen::MatrixXd generator_;
  std::vector<Eigen::MatrixXd> rows_;            // C Gᵏ: derivatives of the outputs
  Eigen::MatrixXd states_;                       // at the starts of intervals
  mutable std::vector<Eigen::MatrixXd> powers_;  // e^{G step/2ᵏ}, as far as they were asked for
};

}  // namespace stillpoint
