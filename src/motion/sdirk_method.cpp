// The singly diagonally implicit method of Kennedy and Carpenter for the equations of index one, in coordinates centred
// at the beginning of the step:
//
//   M v̇_i + h(q_i, v_i) + Jᵀλ_i = f,   J v̇_i = G ü − curvature,   q_i = q_n ⊕ y_i                              (13.13)
//   v_i = v_n + h Σ a_ij v̇_j,   y_i = h Σ a_ij ẏ_j,   ẏ_i by (13.2) from y_i and v_i
//
// The simplified Newton method has one matrix (13.12) for all stages, with τ = hγ and β' = (hγ)²: that of the
// beginning of a step, kept for later ones as long as the iteration converges fast. What it leaves out, as the
// derivatives of the curvature, slows the convergence, which is watched; a stage that does not converge refuses the
// step. The derivatives that a step begins with are those of the last stage: computed anew at the projected state, they
// would multiply its error by the square of the highest frequency [Hosea & Shampine 1996].
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "motion/chart.h"
#include "motion/kennedy_carpenter.h"
#include "motion/newton_matrix.h"
#include "motion/step_method.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

namespace {

using Tableau = KennedyCarpenter;

constexpr int most_iterations = 10;
constexpr double negligible = 1e-2;          // of the tolerance: what the iteration may leave in a stage
constexpr double rounding_of_stage = 1e-14;  // in units of the scales
constexpr double fast = 0.03;                // a matrix that converges slower is not used for another step
constexpr double slow_iteration = 0.9;       // an iteration that converges slower is given up
constexpr double least_decrease = 0.3;       // of the estimated rate of convergence from one iteration to the next
constexpr double alike = 0.05;               // lengths of steps that share a matrix differ by less
// Redundant rows at a stage are not redundant with those of the matrix, and multipliers along them would diverge.
constexpr double of_old_rows = 100;
constexpr int most_projections = 8;
constexpr double worthwhile = 0.5;  // reduction of what is open by a correction

/// What a step has at a stage.
struct SdirkStage {
  Eigen::VectorXd y, v, a, lambda;
  Eigen::VectorXd slope;  // ẏ
  double power = 0;
};

class Sdirk final : public StepMethod {
 public:
  Sdirk(Dynamics& dynamics, const ErrorScales& scales, double proximal, double tolerance)
      : dynamics_(dynamics),
        model_(dynamics.model()),
        scales_(scales),
        tolerance_(tolerance),
        chart_(model_),
        newton_(model_, of_old_rows * proximal),
        assembly_(model_) {}

  int order() const override { return Tableau::order; }
  int order_of_convergence() const override { return Tableau::order; }
  long evaluations() const override { return evaluations_; }
  long factorisations() const override { return newton_.factorisations(); }

  void set_proximal(double proximal) override {
    newton_.set_proximal(of_old_rows * proximal);
    is_kept_ = false;
  }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    const TrialStep failed{std::numeric_limits<double>::infinity()};
    const bool is_solved = (serves(h) && solve_stages(from, h)) || (factor(from.state, h) && solve_stages(from, h));
    is_kept_ = is_solved && rate_ <= fast;
    if (!is_solved) return failed;
    TrialStep trial{scales_.size_of(estimated_error(h))};
    if (trial.error <= largest_error) trial.end = moved(from, h);
    return trial;
  }

 private:
  Eigen::Index coordinates() const { return model_.coordinates(); }

  // Whether the matrix of an earlier step serves for one of this length.
  bool serves(double h) const { return is_kept_ && std::abs(h / matrix_step_ - 1) < alike; }

  bool factor(const State& state, double h) {
    constexpr double g = Tableau::gamma;
    newton_.assemble(state);
    matrix_step_ = h;
    rate_ = 1;
    return newton_.factor(g * h, g * h * g * h);
  }

  bool solve_stages(const MotionPoint& from, double h) {
    const Eigen::Index n = coordinates();
    stages_[0] = {Eigen::VectorXd::Zero(n), from.state.v, from.state.a, from.state.lambda, from.state.v, from.power};
    for (int i = 1; i < Tableau::stages; ++i) {
      if (!solve_stage(from, h, i)) return false;
    }
    return true;
  }

  // The polynomial through the stages so far.
  SdirkStage predicted(int i) const {
    SdirkStage guess = stages_[0];
    guess.a.setZero();
    guess.lambda.setZero();
    for (int j = 0; j < i; ++j) {
      double weight = 1;
      for (int k = 0; k < i; ++k) {
        if (k != j) weight *= (Tableau::c[at(i)] - Tableau::c[at(k)]) / (Tableau::c[at(j)] - Tableau::c[at(k)]);
      }
      guess.a += weight * stages_[at(j)].a;
      guess.lambda += weight * stages_[at(j)].lambda;
    }
    return guess;
  }

  // Newton's method for the accelerations and multipliers of a stage. Returns false if it does not converge.
  bool solve_stage(const MotionPoint& from, double h, int i) {
    const Eigen::Index n = coordinates();
    const double step = Tableau::gamma * h, time = from.time + Tableau::c[at(i)] * h;
    const SdirkStage known = sum_before(from, h, i);
    SdirkStage stage = predicted(i);
    stage.v = known.v + step * stage.a;
    stage.y = known.y + step * chart_.rates(known.y + step * stage.v, stage.v);
    const InputSample input = dynamics_.inputs_at(time, from.state);
    const auto state_there = [&] {
      State there = model_.displaced(from.state, stage.y);
      there.v = stage.v;
      dynamics_.put_inputs(time, there);
      return there;
    };
    // Rates are known no better than positions in a step.
    const double rounding = std::max(rounding_of_stage, scales_.time_of_rounding() / step);
    double before = 0;
    for (int k = 0;; ++k) {
      if (k == most_iterations || !stage.y.allFinite()) return false;
      const Eigen::VectorXd left = residual(state_there(), stage, input);
      if (!left.allFinite()) return false;
      const Eigen::VectorXd change = newton_.solve(left);
      stage.a += change.head(n);
      stage.lambda += change.tail(model_.constraints());
      const Eigen::VectorXd v = known.v + step * stage.a;
      const Eigen::VectorXd y = known.y + step * chart_.rates(stage.y + step * step * change.head(n), v);
      Eigen::VectorXd moved_by(2 * n);
      moved_by << y - stage.y, v - stage.v;
      stage.v = v;
      stage.y = y;
      const double size = scales_.size_of(moved_by);
      if (k > 0 && before > rounding) rate_ = std::max(least_decrease * rate_, size / before);
      if (size <= rounding || (rate_ < 1 && rate_ / (1 - rate_) * size <= negligible * tolerance_)) break;
      if (k > 0 && rate_ > slow_iteration) return false;
      before = size;
    }
    stage.slope = (stage.y - known.y) / step;
    // −λᵀ J v with J v = G u̇ is what prescribed motions do.
    stage.power =
        applied_forces(model_, state_there()).dot(stage.v) - stage.lambda.dot(assembly_.parts().G * input.rate);
    stages_[at(i)] = std::move(stage);
    return true;
  }

  // Increments and rates without the part of the stage itself.
  SdirkStage sum_before(const MotionPoint& from, double h, int i) const {
    SdirkStage known;
    known.y = Eigen::VectorXd::Zero(coordinates());
    known.v = from.state.v;
    for (int j = 0; j < i; ++j) {
      known.y += h * Tableau::a[at(i)][at(j)] * stages_[at(j)].slope;
      known.v += h * Tableau::a[at(i)][at(j)] * stages_[at(j)].a;
    }
    return known;
  }

  // What is left of the equations of a stage.
  Eigen::VectorXd residual(const State& there, const SdirkStage& stage, const InputSample& input) {
    ++evaluations_;
    State moving = there;
    const Eigen::VectorXd forces = applied_forces(model_, moving);
    const Eigen::VectorXd curvature = constraint_curvature(model_, moving, input.rate);
    const MotionAssembly::Parts& parts = assembly_.at(moving);
    moving.a = stage.a;
    Eigen::VectorXd left(coordinates() + model_.constraints());
    left << forces - inertia_forces(model_, moving) - parts.J.transpose() * stage.lambda,
        parts.G * input.acceleration - curvature - parts.J * stage.a;
    return left;
  }

  // The difference of both orders e, of which (I − hγ A)⁻¹ e is the estimate, ẏ = A y being the linear equations: of
  // stiff parts, which the embedded method does not damp, e itself is far too large [Hosea & Shampine 1996].
  Eigen::VectorXd estimated_error(double h) {
    const Eigen::Index n = coordinates(), m = model_.constraints();
    Eigen::VectorXd of_y = Eigen::VectorXd::Zero(n), of_v = of_y;
    for (int i = 0; i < Tableau::stages; ++i) {
      const double weight = h * (Tableau::a.back()[at(i)] - Tableau::embedded[at(i)]);
      of_y += weight * stages_[at(i)].slope;
      of_v += weight * stages_[at(i)].a;
    }
    const auto& [M, C, K, J, F, G] = newton_.matrices();
    Eigen::VectorXd right(n + m), error(2 * n);
    right << M * of_v - Tableau::gamma * h * (K * of_y), J * of_v;
    of_v = newton_.solve(right).head(n);
    error << of_y + Tableau::gamma * h * of_v, of_v;
    return error;
  }

  // The end of the step, on the constraints. Nothing where the projection fails.
  std::optional<MotionPoint> moved(const MotionPoint& from, double h) {
    const SdirkStage& last = stages_.back();
    MotionPoint next;
    next.time = from.time + h;
    next.state = model_.displaced(from.state, last.y);
    next.state.v = last.v;
    next.state.a = last.a;
    next.power = last.power;
    next.work = from.work;
    for (int i = 0; i < Tableau::stages; ++i) next.work += h * Tableau::a.back()[at(i)] * stages_[at(i)].power;
    dynamics_.put_inputs(next.time, next.state);
    if (model_.constraints() > 0) {
      project_positions(next.state);
      assembly_.at(next.state);
      project_rates(next.time, next.state);
    }
    next.state.lambda = of_least_norm(last.lambda);
    if (!next.state.q.allFinite() || !next.state.v.allFinite()) return {};
    return next;
  }

  // The nearest motion that changes the residuals by this much, in the metric of Newton's matrix: it strains no stiff
  // part, as the nearest one in the metric of the masses would.
  Eigen::VectorXd motion_of(const Eigen::VectorXd& change) {
    const Eigen::Index n = coordinates();
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + change.size());
    right.tail(change.size()) = change;
    return newton_.solve(right).head(n);
  }

  void project_positions(State& state) {
    Eigen::VectorXd open = constraint_residual(model_, state);
    for (int k = 0; k < most_projections; ++k) {
      const State next = model_.displaced(state, motion_of(-open));
      const Eigen::VectorXd then = constraint_residual(model_, next);
      const double reduction = largest_entry(then) / largest_entry(open);
      if (!(reduction < 1)) return;
      state = next;
      open = then;
      if (reduction > worthwhile) return;
    }
  }

  // The matrices are those of the state.
  void project_rates(double time, State& state) {
    const auto& [M, J, G] = assembly_.parts();
    const Eigen::VectorXd target = G * dynamics_.inputs_at(time, state).rate;
    Eigen::VectorXd open = J * state.v - target;
    for (int k = 0; k < most_projections; ++k) {
      const Eigen::VectorXd next = state.v + motion_of(-open);
      const Eigen::VectorXd then = J * next - target;
      const double reduction = largest_entry(then) / largest_entry(open);
      if (!(reduction < 1)) return;
      state.v = next;
      open = then;
      if (reduction > worthwhile) return;
    }
  }

  // Multipliers with the same Jᵀλ. What redundant rows leave open would grow from step to step.
  Eigen::VectorXd of_least_norm(const Eigen::VectorXd& lambda) {
    constexpr int repetitions = 3;
    const Eigen::Index n = coordinates(), m = lambda.size();
    Eigen::VectorXd found = Eigen::VectorXd::Zero(m), right = Eigen::VectorXd::Zero(n + m);
    for (int k = 0; k < repetitions && m > 0; ++k) {
      right.head(n) = assembly_.parts().J.transpose() * (lambda - found);
      found += newton_.solve(right).tail(m);
    }
    return found;
  }

  Dynamics& dynamics_;
  const Model& model_;
  const ErrorScales& scales_;
  double tolerance_;
  Chart chart_;
  NewtonMatrix newton_;
  MotionAssembly assembly_;
  std::array<SdirkStage, Tableau::stages> stages_;
  bool is_kept_ = false;  ///< whether the matrix may be used again
  double matrix_step_ = 0;
  double rate_ = 1;  ///< of convergence, of the last iteration
  long evaluations_ = 0;
};

}  // namespace

std::unique_ptr<StepMethod> sdirk_method(Dynamics& dynamics, const ErrorScales& scales, double proximal,
                                         double tolerance) {
  return std::make_unique<Sdirk>(dynamics, scales, proximal, tolerance);
}

}  // namespace stillpoint
