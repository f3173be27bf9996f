// The equations of motion with their inputs: accelerations at a state, and projection onto the constraints.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "motion/kkt.h"
#include "stillpoint/motion.h"

namespace stillpoint {

class Dynamics {
 public:
  Dynamics(const Model& model, InputMotion inputs, double proximal, const FormOptions& form = {});

  const Model& model() const { return model_; }
  /// Accelerations need no more digits than this, relative to the terms of their equations. Returns what it was.
  double set_accuracy(double accuracy) { return std::exchange(accuracy_, accuracy); }
  /// Puts the inputs of a time into a state.
  void put_inputs(double time, State& state);

  InputSample inputs_at(double time, const State& state) const;

  struct Answer {
    Accelerations solution;
    double power = 0;  ///< of all applied forces, and of prescribed motions
  };
  /// Accelerations at a state that holds the inputs of the time. Nothing if a motion has no inertia.
  std::optional<Answer> accelerations(double time, const State& state);
  /// The same by the matrix that was factored last, which must be that of the state.
  std::optional<Answer> accelerations_here(double time, const State& state);

  struct Open {
    double size = 0;   ///< the largest residual, as a displacement or a rate
    Index worst = -1;  ///< its row
  };
  /// Moves the state to Φ = 0 by Newton's method in the metric of the masses; a matrix is kept as long as it serves.
  /// What is left may be as large as `enough`, relative to the size of the model. Returns what is left; nothing if a
  /// motion has no inertia.
  std::optional<Open> project_positions(State& state, double enough = 0);
  /// The same from a state beside that of the matrix that was factored last.
  std::optional<Open> project_positions_nearby(State& state, double enough = 0);
  /// Replaces the rates by the nearest ones with J v = G u̇. The matrix must be that of the state.
  Open project_rates(double time, State& state);
  /// The least motion in the metric of the masses, J x = 0, that changes some coordinates by this much, or as nearly as
  /// the constraints allow. The matrix must be that of the state.
  Eigen::VectorXd motion_of(const std::vector<Index>& coordinates, const Eigen::VectorXd& change);
  bool factor(const State& state) { return kkt_.factor(state); }
  /// Makes the matrix that of the state, without its factors.
  void assemble(const State& state) { kkt_.assemble(state); }
  MotionKkt::Solution solve(const Eigen::VectorXd& b, const Eigen::VectorXd& c, double accuracy = 0) {
    return kkt_.solve(b, c, accuracy);
  }
  void set_proximal(double proximal, double least = 0) { kkt_.set_proximal(proximal, least); }
  /// Why the last factorisation failed, with the name of a coordinate without inertia.
  std::string reason_without_inertia() const;

  /// What is left of Φ and of J v − G u̇. The matrix must be that of the state, or of one beside it.
  Open open_positions(const State& state) const;
  Open open_rates(double time, const State& state) const;
  const MotionKkt& kkt() const { return kkt_; }
  MotionKkt::Response respond(const Eigen::MatrixXd& r) { return kkt_.respond(r); }
  long evaluations() const { return evaluations_; }

 private:
  bool uses_factors() const { return form_.form == DynamicForm::augmented || form_.form == DynamicForm::baumgarte; }
  /// Forces, and γ without the inputs' accelerations.
  struct RightSide {
    Eigen::VectorXd applied, inertia, curvature;
  };
  RightSide right_side(const State& state, const InputSample& input) const;
  std::optional<Answer> by_matrix(const State& state, const InputSample& input, const RightSide& right);
  std::optional<Answer> by_form(const State& state, const InputSample& input);
  std::optional<Open> correct_positions(State& state, bool matrix_is_new, double enough = 0);
  bool correct_once(State& state, Open& open, double accuracy);
  Open worst_of(const Eigen::VectorXd& residual) const;

  const Model model_;
  InputMotion inputs_;
  FormOptions form_;
  MotionKkt kkt_;
  double size_;  ///< of the largest coordinate
  double accuracy_ = 0;
  long evaluations_ = 0;
};

/// Whether the model can move at all by these equations. Throws Error with the name of an element that cannot.
void require_motion(const Model& model);

}  // namespace stillpoint
