// The generalised-α method [Chung & Hulbert 1993] for constraints of index three and orientations [Arnold & Brüls
// 2007]:
//
//   x = h v_n + h² ((½ − β) a_n + β a),   v = v_n + h ((1 − γ) a_n + γ a),   q = q_n ⊕ x
//   (1 − α_m) a + α_m a_n = (1 − α_f) v̇ + α_f v̇_n
//   M v̇ + h(q, v) + Jᵀλ = f,   Φ(q) = 0                                                                       (13.4)
//
// Newton's method has the matrix (13.12) with β' = h²β (1 − α_f) / (1 − α_m) and τ = β'γ / (hβ). High frequencies are
// damped numerically: their amplitude shrinks by 0.8 in a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/newton_matrix.h"
#include "motion/step_method.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

namespace {

constexpr double rho = 0.8;  // what is left of an infinite frequency after a step
constexpr double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
constexpr double gamma_ = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
constexpr int most_newton_steps = 10;
constexpr double settled = 1e-3;  // of the tolerance

class Implicit final : public StepMethod {
 public:
  Implicit(Dynamics& dynamics, const ErrorScales& scales, double proximal, double tolerance)
      : dynamics_(dynamics), scales_(scales), tolerance_(tolerance), newton_(dynamics.model(), proximal) {}

  int order() const override { return 3; }
  int order_of_convergence() const override { return 2; }
  long evaluations() const override { return evaluations_; }
  long factorisations() const override { return newton_.factorisations(); }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    const Model& model = dynamics_.model();
    const Eigen::Index n = model.coordinates(), m = model.constraints();
    const Eigen::VectorXd& a_n = from.remembered.size() > 0 ? from.remembered : from.state.a;
    const double of_positions = h * h * beta * (1 - alpha_f) / (1 - alpha_m),
                 of_rates = of_positions * gamma_ / (h * beta);
    // The guess: accelerations stay as they are.
    Eigen::VectorXd a = (from.state.a - alpha_m * a_n) / (1 - alpha_m);
    Eigen::VectorXd x = h * from.state.v + h * h * ((0.5 - beta) * a_n + beta * a);
    Eigen::VectorXd v = from.state.v + h * ((1 - gamma_) * a_n + gamma_ * a), acceleration = from.state.a;
    Eigen::VectorXd lambda = from.state.lambda;
    MotionPoint next;
    next.time = from.time + h;
    const TrialStep failed{std::numeric_limits<double>::infinity()};
    for (int k = 0;; ++k) {
      if (k == most_newton_steps || !x.allFinite()) return failed;
      next.state = model.displaced(from.state, x);
      next.state.v = v;
      next.state.a = acceleration;
      next.state.lambda = lambda;
      dynamics_.put_inputs(next.time, next.state);
      ++evaluations_;
      const Eigen::VectorXd forces = applied_forces(model, next.state);
      const Matrices& at = newton_.assemble(next.state);
      Eigen::VectorXd right(n + m);
      right << forces - inertia_forces(model, next.state) - at.J.transpose() * lambda,
          -constraint_residual(model, next.state) / of_positions;
      if (!right.allFinite() || !newton_.factor(of_rates, of_positions)) return failed;
      const Eigen::VectorXd change = newton_.solve(right);
      x += of_positions * change.head(n);
      v += of_rates * change.head(n);
      acceleration += change.head(n);
      lambda += change.tail(m);
      Eigen::VectorXd size = Eigen::VectorXd::Zero(2 * n);
      size.head(n) = of_positions * change.head(n);
      if (scales_.size_of(size) < settled * tolerance_) break;
    }
    next.state = model.displaced(from.state, x);
    next.state.v = v;
    next.state.a = acceleration;
    next.state.lambda = lambda;
    dynamics_.put_inputs(next.time, next.state);
    next.remembered = ((1 - alpha_f) * acceleration + alpha_f * from.state.a - alpha_m * a_n) / (1 - alpha_m);
    // The first term that the positions of the method leave out.
    Eigen::VectorXd error = Eigen::VectorXd::Zero(2 * n);
    error.head(n) = h * h * std::abs(beta - 1.0 / 6) * (next.remembered - a_n);
    TrialStep trial{scales_.size_of(error)};
    if (!(trial.error <= largest_error)) return trial;
    // −λᵀ J v with J v = G u̇ is what prescribed motions do.
    next.power = applied_forces(model, next.state).dot(v) -
                 lambda.dot(newton_.assemble(next.state).G * dynamics_.inputs_at(next.time, next.state).rate);
    next.work = from.work + 0.5 * h * (from.power + next.power);
    trial.end = std::move(next);
    return trial;
  }

 private:
  Dynamics& dynamics_;
  const ErrorScales& scales_;
  double tolerance_;
  NewtonMatrix newton_;
  long evaluations_ = 0;
};

}  // namespace

std::unique_ptr<StepMethod> implicit_method(Dynamics& dynamics, const ErrorScales& scales, double proximal,
                                            double tolerance) {
  return std::make_unique<Implicit>(dynamics, scales, proximal, tolerance);
}

}  // namespace stillpoint
