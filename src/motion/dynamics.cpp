#include "motion/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "base/in_parallel.h"
#include "motion/dynamic_forms.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr int most_corrections = 12;
constexpr double slow = 0.1;  // a correction that reduces Φ by less takes a new matrix
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

Dynamics::Dynamics(const Model& model, InputMotion inputs, double proximal, const FormOptions& form)
    : model_(model),
      inputs_(std::move(inputs)),
      form_(form),
      kkt_(model, proximal),
      size_(std::max(1e-6, largest_entry(model.initial_state().q))) {}

InputSample Dynamics::inputs_at(double time, const State& state) const {
  if (inputs_) return inputs_(time);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model_.inputs());
  return {state.u, none, none};
}

void Dynamics::put_inputs(double time, State& state) {
  if (inputs_) state.u = inputs_(time).u;
}

// The matrix and the right side are evaluated at the same time.
std::optional<Dynamics::Answer> Dynamics::accelerations(double time, const State& state) {
  constexpr Index many = 5000;  // coordinates
  const InputSample input = inputs_at(time, state);
  if (!uses_factors()) return by_form(state, input);
  RightSide right;
  const auto evaluate = [&](Index what) {
    if (what == 0) kkt_.assemble(state);
    else right = right_side(state, input);
  };
  in_parallel(2, evaluate, model_.coordinates() >= many);
  if (!kkt_.factor(state)) return {};
  return by_matrix(state, input, right);
}

std::optional<Dynamics::Answer> Dynamics::accelerations_here(double time, const State& state) {
  const InputSample input = inputs_at(time, state);
  return uses_factors() ? by_matrix(state, input, right_side(state, input)) : by_form(state, input);
}

Dynamics::RightSide Dynamics::right_side(const State& state, const InputSample& input) const {
  State moving = state;
  moving.a.resize(0);
  moving.lambda.resize(0);
  return {applied_forces(model_, moving), inertia_forces(model_, moving),
          constraint_curvature(model_, moving, input.rate)};
}

std::optional<Dynamics::Answer> Dynamics::by_matrix(const State& state, const InputSample& input,
                                                    const RightSide& right) {
  ++evaluations_;
  const auto& [f, h, curvature] = right;
  if (!f.allFinite() || !h.allFinite() || !curvature.allFinite()) return {};
  Eigen::VectorXd c = kkt_.G() * input.acceleration - curvature;
  if (form_.form == DynamicForm::baumgarte) {
    const double alpha = form_.baumgarte;
    c -= 2 * alpha * (kkt_.J() * state.v - kkt_.G() * input.rate);
    c -= alpha * alpha * constraint_residual(model_, state);
  }
  MotionKkt::Solution solution = kkt_.solve(f - h, c, accuracy_);
  if (!solution.x.allFinite()) return {};
  // −λᵀ J v with J v = G u̇ is what prescribed motions do.
  const double power = f.dot(state.v) - solution.lambda.dot(kkt_.G() * input.rate);
  const double open = kkt_.open_part(solution.x, c);
  return Answer{{std::move(solution.x), std::move(solution.lambda), open}, power};
}

std::optional<Dynamics::Answer> Dynamics::by_form(const State& state, const InputSample& input) {
  ++evaluations_;
  kkt_.assemble(state);
  const EquationsOfMotion equations = equations_at(model_, kkt_.parts(), state, input);
  if (!equations.b.allFinite() || !equations.c.allFinite()) return {};
  Answer answer{solve_by_form(model_, state, equations, form_)};
  if (!answer.solution.a.allFinite()) return {};
  const Eigen::VectorXd& lambda = answer.solution.lambda;
  // −λᵀ G u̇, with G u̇ = J v − Φ̇
  answer.power = applied_forces(model_, state).dot(state.v) - lambda.dot(equations.J * state.v - equations.open_rate);
  return answer;
}

Dynamics::Open Dynamics::worst_of(const Eigen::VectorXd& residual) const {
  Open open;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const double norm = kkt_.row_norms()[i], size = norm > 0 ? std::abs(residual[i]) / norm : std::abs(residual[i]);
    if (!(size <= open.size) || open.worst < 0) open = {size, static_cast<Index>(i)};
  }
  return open;
}

Dynamics::Open Dynamics::open_positions(const State& state) const {
  return worst_of(constraint_residual(model_, state));
}

Dynamics::Open Dynamics::open_rates(double time, const State& state) const {
  return worst_of(kkt_.J() * state.v - kkt_.G() * inputs_at(time, state).rate);
}

std::optional<Dynamics::Open> Dynamics::project_positions(State& state, double enough) {
  if (!kkt_.factor(state)) return {};
  return correct_positions(state, true, enough);
}

std::optional<Dynamics::Open> Dynamics::project_positions_nearby(State& state, double enough) {
  return uses_factors() ? correct_positions(state, false, enough) : project_positions(state, enough);
}

// A correction for which an error is enough need not be solved for to more digits than the root of that; nor, with one
// more behind it, to all of them.
std::optional<Dynamics::Open> Dynamics::correct_positions(State& state, bool is_new, double enough) {
  constexpr double before_improvement = 1e-6;
  const double accuracy = enough > 0 ? std::sqrt(enough) : before_improvement;
  Open open = open_positions(state);
  for (int k = 0; k < most_corrections && open.size > std::max(rounding, enough) * size_; ++k) {
    const double before = open.size;
    const bool is_better = correct_once(state, open, accuracy);
    const bool is_slow = !(open.size < slow * before);
    if (!is_better && is_new) break;
    is_new = is_slow;
    if (is_slow && !kkt_.factor(state)) return {};
  }
  // Near singular configurations the rates feel what is open, σ'/σ² times as much: so little that one correction more
  // by the same factors, where it serves, is worth its solution.
  constexpr double of_little = 1e-2;
  if (enough == 0 && open.size > 0) correct_once(state, open, of_little);
  return open;
}

// Solves for a correction to this accuracy and returns true if it closes the constraints; otherwise all stays as it is.
bool Dynamics::correct_once(State& state, Open& open, double accuracy) {
  const auto correction =
      kkt_.solve(Eigen::VectorXd::Zero(model_.coordinates()), -constraint_residual(model_, state), accuracy);
  State next = model_.displaced(state, correction.x);
  const Open then = open_positions(next);
  if (!(then.size < open.size)) return false;
  state = std::move(next);
  open = then;
  return true;
}

Dynamics::Open Dynamics::project_rates(double time, State& state) {
  const Eigen::VectorXd target = kkt_.G() * inputs_at(time, state).rate;
  state.v = kkt_.solve(kkt_.M() * state.v, target).x;
  return open_rates(time, state);
}

// It is a sum of motions that impulses on these coordinates would cause.
Eigen::VectorXd Dynamics::motion_of(const std::vector<Index>& coordinates, const Eigen::VectorXd& change) {
  const auto count = static_cast<Eigen::Index>(coordinates.size());
  Eigen::MatrixXd motions(model_.coordinates(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXd impulse = Eigen::VectorXd::Unit(model_.coordinates(), coordinates[at(k)]);
    motions.col(k) = kkt_.solve(impulse, Eigen::VectorXd::Zero(model_.constraints())).x;
  }
  const Eigen::MatrixXd mobility = motions(coordinates, Eigen::all);
  return motions * (pseudoinverse(mobility).matrix * change);
}

std::string Dynamics::reason_without_inertia() const {
  if (const std::string name = name_without_inertia(model_, kkt_.M()); !name.empty())
    return fmt::format("a motion of '{}' has no inertia: give it a mass, or hold it by a constraint", name);
  return "a motion has no inertia, or a force has no value";
}

void require_motion(const Model& model) {
  for (std::size_t a = 0; a < model.arrays().size(); ++a) {
    const ModelArray& array = model.arrays()[a];
    if (array.elements->size() > 0 && array.elements->info().keyword == "flexible_body")
      throw Error(fmt::format(
          "{}: flexible bodies from matrices are known at rest only, so that the model cannot be set in motion",
          model.element_name(a, 0)));
  }
}

namespace {

/// Moves some coordinates to their given values as far as the constraints allow.
void hold_positions(Dynamics& dynamics, const Eigen::VectorXd& given, const std::vector<Index>& held, State& state) {
  constexpr int most_steps = 10;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_steps && !held.empty(); ++k) {
    const Eigen::VectorXd missing = given(held) - state.q(held);
    const double size = largest_entry(missing);
    if (!(size < 0.5 * before) || size == 0 || !dynamics.factor(state)) return;
    before = size;
    State next = dynamics.model().displaced(state, dynamics.motion_of(held, missing));
    if (!next.q.allFinite() || !dynamics.project_positions(next)) return;
    if (largest_entry(given(held) - next.q(held)) < size) state = std::move(next);
  }
}

}  // namespace

State consistent_state(const Model& model, const State& guess, const ConsistentOptions& options) {
  require_motion(model);
  constexpr double largest_open = 1e-9;
  Dynamics dynamics(model, options.inputs, options.proximal);
  State state = guess;
  if (state.v.size() == 0) state.v = Eigen::VectorXd::Zero(model.coordinates());
  state.a.resize(0);
  state.lambda.resize(0);
  dynamics.put_inputs(options.time, state);
  const double length = std::max(1.0, largest_entry(state.q));
  const auto open = dynamics.project_positions(state);
  if (!open) throw Undecided("the motion is not determined: " + dynamics.reason_without_inertia());
  if (open->size > largest_open * length)
    throw Error(
        fmt::format("the position is too far from one that satisfies the constraints: constraint '{}' stays open "
                    "by {:.2g}",
                    model.constraint_name(open->worst), open->size));
  hold_positions(dynamics, guess.q, options.held_positions, state);
  if (!dynamics.factor(state)) throw Undecided("the motion is not determined: " + dynamics.reason_without_inertia());
  const double rate = std::max(1e-3, largest_entry(state.v));
  const Dynamics::Open left = dynamics.project_rates(options.time, state);
  if (left.size > 1e-6 * rate)
    throw Error(fmt::format("no rates satisfy the constraints: '{}' would open at a rate of {:.2g}",
                            model.constraint_name(left.worst), left.size));
  if (!options.held.empty()) {
    const Eigen::VectorXd given = guess.v(options.held);
    state.v += dynamics.motion_of(options.held, given - state.v(options.held));
    const double missed = largest_entry(given - state.v(options.held));
    if (missed > 1e-6 * rate)
      throw Error(
          fmt::format("the constraints do not allow the given rates together: one is missed by {:.2g}", missed));
    // What hardly moves a coordinate would have to be so fast that nothing is left of the constraints but rounding.
    const Dynamics::Open then = dynamics.open_rates(options.time, state);
    if (then.size > 1e-6 * rate)
      throw Error(
          fmt::format("the constraints do not allow the given rates together: '{}' would open at a rate of {:.2g}",
                      model.constraint_name(then.worst), then.size));
  }
  return state;
}

}  // namespace stillpoint
