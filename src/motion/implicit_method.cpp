// The generalised-α method [Chung & Hulbert 1993] for constraints of index three and orientations [Arnold & Brüls
// 2007]:
//
//   x = h v_n + h² ((½ − β) a_n + β a),   v = v_n + h ((1 − γ) a_n + γ a),   q = q_n ⊕ x
//   (1 − α_m) a + α_m a_n = (1 − α_f) v̇ + α_f v̇_n
//   M v̇ + h(q, v) + Jᵀλ = f,   Φ(q) = 0                                                                       (13.4)
//
// Newton's method has the matrix [β'M + γ'C + K, Jᵀ; J, −E/β'] with the proximal term of (13.3). High frequencies are
// damped numerically: their amplitude shrinks by 0.8 in a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/lu/sparse_lu.h"
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
  Implicit(Dynamics& dynamics, const ErrorScales& scales, double proximal)
      : dynamics_(dynamics),
        scales_(scales),
        proximal_(proximal_for(proximal, dynamics.model().constraints())),
        assembly_(dynamics.model(), Assembly::Motion::moving) {}

  int order() const override { return 3; }
  int order_of_convergence() const override { return 2; }
  long evaluations() const override { return evaluations_; }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    const Model& model = dynamics_.model();
    const Eigen::Index n = model.coordinates(), m = model.constraints();
    const Eigen::VectorXd& a_n = from.remembered.size() > 0 ? from.remembered : from.state.a;
    const double of_rates = gamma_ / (h * beta), of_accelerations = (1 - alpha_m) / (h * h * beta * (1 - alpha_f));
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
      const Matrices& at = assembly_.at(next.state);
      Eigen::VectorXd right(n + m);
      right << forces - inertia_forces(model, next.state) - at.J.transpose() * lambda,
          -constraint_residual(model, next.state);
      if (!right.allFinite() || !factor(at, of_rates, of_accelerations)) return failed;
      const Eigen::VectorXd change = lu_->solve_once(right);
      x += change.head(n);
      v += of_rates * change.head(n);
      acceleration += of_accelerations * change.head(n);
      lambda += change.tail(m);
      Eigen::VectorXd size = Eigen::VectorXd::Zero(2 * n);
      size.head(n) = change.head(n);
      if (scales_.size_of(size) < settled * largest_error) break;
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
                 lambda.dot(assembly_.at(next.state).G * dynamics_.inputs_at(next.time, next.state).rate);
    next.work = from.work + 0.5 * h * (from.power + next.power);
    trial.end = std::move(next);
    return trial;
  }

 private:
  bool factor(const Matrices& at, double of_rates, double of_accelerations) {
    const auto n = static_cast<Index>(at.M.rows()), m = static_cast<Index>(at.J.rows());
    std::vector<Eigen::Triplet<double, Index>> entries;
    const auto add = [&](const SparseMatrix& A, Index row, Index column, double factor, bool transposed = false) {
      for (Index j = 0; j < A.outerSize(); ++j) {
        for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
          const auto i = static_cast<Index>(entry.row());
          entries.emplace_back(row + (transposed ? j : i), column + (transposed ? i : j), factor * entry.value());
        }
      }
    };
    add(at.M, 0, 0, of_accelerations);
    add(at.C, 0, 0, of_rates);
    add(at.K, 0, 0, 1);
    add(at.J, n, 0, 1);
    add(at.J, 0, n, 1, true);
    const Eigen::VectorXd mobility = mobility_of_rows(at.M, at.J);
    for (Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, -proximal_ / of_accelerations * mobility[i]);
    matrix_.resize(n + m, n + m);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    if (!lu_) lu_ = std::make_unique<SparseLu>(matrix_);
    return lu_->factor(matrix_);
  }

  Dynamics& dynamics_;
  const ErrorScales& scales_;
  double proximal_;
  Assembly assembly_;
  SparseMatrix matrix_;
  std::unique_ptr<SparseLu> lu_;
  long evaluations_ = 0;
};

}  // namespace

std::unique_ptr<StepMethod> implicit_method(Dynamics& dynamics, const ErrorScales& scales, double proximal) {
  return std::make_unique<Implicit>(dynamics, scales, proximal);
}

}  // namespace stillpoint
