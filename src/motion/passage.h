// Singular configurations on the way: where the rank of J drops for a moment, and the motions branch.
//
// The least singular value σ of J M^(−1/2), beyond those that redundant constraints make zero, vanishes there linearly
// in time. It is found by subspace iteration with the factors of the proximal matrix, at both ends and in the middle of
// each step; where the parabola through σ² comes near zero within a step, the time is refined.
#pragma once

#include <cmath>
#include <optional>

#include "motion/dynamics.h"

namespace stillpoint {

/// A state at a time, with its accelerations.
struct TimedState {
  double time = 0;
  State state;
};

class SingularWatch {
 public:
  SingularWatch(const Model& model, const InputMotion& inputs);

  /// The singular configuration that lies in the step between two states, if there is one. Steps are given in order.
  std::optional<SingularPassage> look(const TimedState& before, const TimedState& after);
  /// The time behind the last step at which σ² vanishes if it goes on like a parabola; nothing if it does not.
  std::optional<double> expected() const { return expected_; }
  /// σ at the end of the last step.
  double least_singular_value() const { return std::sqrt(last_); }

 private:
  double least_square(const State& state);
  double least_square_here();
  double least_square_between(const TimedState& before, const TimedState& after, double time);
  std::optional<double> lowest_between(const TimedState& before, const TimedState& after);
  bool reactions_are_bounded(const TimedState& before, const TimedState& after, double time);

  const Model& model_;
  Dynamics dynamics_;
  Dynamics nearly_plain_;  ///< whose multipliers show that they are unbounded
  Index redundant_ = 0;
  int steps_ = 0;
  Eigen::MatrixXd vectors_;
  double largest_ = 0, last_ = 0;  ///< σ², the largest so far, and at the end of the last step
  TimedState clear_;               ///< the last one that was not near a singular configuration
  double reported_ = -1;           ///< time of the last one that was found
  std::optional<double> expected_;
};

/// The state at a time between two states, or close to them, on the constraints: a polynomial through positions, rates
/// and accelerations at both.
TimedState state_between(Dynamics& dynamics, const TimedState& before, const TimedState& after, double time);

}  // namespace stillpoint
