// Singular configurations on the way: where the rank of J drops for a moment, and the motions branch.
//
// The least singular value σ of J M^(−1/2), beyond those that redundant constraints make zero, vanishes there linearly
// in time. With its sign it is a smooth function of time,
//
//   s(t) = −λᵀ J(t) w,   w = −M⁻¹ Jᵀλ,   of unit size at the time at which λ belongs to σ
//
// whose zero is that of σ to the square of its distance from there. The least two pairs (λ, w) of both ends of a step
// are evaluated at the ends and in the middle, without further factors; where one of the parabolas vanishes or comes
// near zero within the step, the place is refined with pairs of its own. Pairs are found by subspace iteration with the
// factors of the proximal matrix at the end of a step, where the next one begins.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "motion/dynamics.h"

namespace stillpoint {

/// A state at a time, with its accelerations.
struct TimedState {
  double time = 0;
  State state;
};

class SingularWatch {
 public:
  /// The state at a time in a step or close to it.
  using StateAt = std::function<State(double time)>;

  /// The factors of `dynamics` are used, with the usual proximal term: whoever has put another one takes no notice of
  /// passages.
  explicit SingularWatch(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// The singular configurations that lie in the step between two states, one after the other. Steps are given in
  /// order. Without `state_at` a polynomial through both ends is taken.
  std::vector<SingularPassage> look(const TimedState& before, const TimedState& after, const StateAt& state_at = {});
  /// The time behind the last step at which σ vanishes if it goes on like a parabola; nothing if it does not.
  std::optional<double> expected() const { return expected_; }
  /// Whether the end of the last step is well away from singular configurations.
  bool is_clear() const;
  /// σ at the end of the last step.
  double least_singular_value() const { return last_; }

 private:
  struct Pair {
    Eigen::VectorXd lambda, motion;
    double value = 0;  ///< σ
  };
  /// Where s vanishes.
  struct Place {
    double time = 0, slope = 0;  ///< ṡ
    bool is_settled = false;     ///< the pair was found so close to it that s is σ
    Eigen::VectorXd lambda{}, motion{};
  };
  struct Step {
    const TimedState& before;
    const TimedState& after;
    StateAt state_at;

    double length() const { return after.time - before.time; }
    double center() const { return 0.5 * (before.time + after.time); }
  };

  void begin(const TimedState& before, const TimedState& after);
  std::vector<Pair> least_pairs();
  double least_at(const State& state);
  std::vector<double> places_in(const Step& step);
  bool is_left_between(const Step& step, double first, double second);
  std::optional<Place> refined(const Step& step, double time);
  std::optional<SingularPassage> passage_at(const Step& step, const Place& place);
  bool reactions_are_bounded(const Step& step, const Place& place);

  Dynamics& dynamics_;
  Index redundant_ = 0;
  int steps_ = 0;
  Eigen::MatrixXd vectors_;
  unsigned random_vectors_ = 0;
  std::vector<Pair> pairs_, pairs_before_;  ///< at the end of the last step, as J, and at its beginning
  SparseMatrix J_, J_before_;
  double largest_ = 0, last_ = 0;   ///< σ, the largest so far, and at the end of the last step
  TimedState clear_;                ///< the last one that was not near a singular configuration
  std::optional<double> reported_;  ///< time of the last one that was found
  std::optional<double> expected_;
};

/// The state at a time between two states, or close to them, on the constraints: a polynomial through positions, rates
/// and accelerations at both.
TimedState state_between(Dynamics& dynamics, const TimedState& before, const TimedState& after, double time);

}  // namespace stillpoint
