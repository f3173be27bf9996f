// Steps in independent coordinates z, which are selected anew when they serve no longer [Wehage & Haug 1982], [Blajer
// 1994]: the method of Fehlberg integrates z and the independent rates only. The dependent positions follow from Φ = 0
// by Newton's method with z held, the dependent rates from J v = G u̇, theory (13.11), so that nothing drifts.
//
// Where J loses rank each choice of coordinates is singular. There nothing is selected anew, and what a step needs may
// not exist.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "motion/independent_coordinates.h"
#include "motion/runge_kutta.h"
#include "motion/step_method.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr double is_unfit = 0.3;  // of the fitness, or of the regularity, at the selection
// Of the regularity of the best selection so far: then the configuration is nearly singular, whatever is selected.
constexpr double nearly_singular = 1e-2, is_singular_choice = 1e-9;
constexpr int most_closing_steps = 12;
constexpr double largest_open = 1e-9;  // of a row that was dropped, relative to the largest coordinate

class MinimalCoordinates final : public StepMethod {
 public:
  MinimalCoordinates(Dynamics& dynamics, const ErrorScales& scales)
      : dynamics_(dynamics), model_(dynamics.model()), scales_(scales), chart_(model_), assembly_(model_) {}

  int order() const override { return static_cast<int>(Fehlberg::order); }
  int order_of_convergence() const override { return static_cast<int>(Fehlberg::order); }
  long evaluations() const override { return evaluations_; }
  int reselections() const override { return std::max(0, selections_ - 1); }
  std::string failure() const override { return failure_; }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    TrialStep trial{std::numeric_limits<double>::infinity()};
    failure_.clear();
    prepare(from);
    const auto step = fehlberg_step([&](double time, const VectorXd& y) { return slope(from, time, y); },
                                    slope_at_start(from), from.time, h);
    if (step) trial.error = error_of(step->error);
    if (step && trial.error <= largest_error) trial.end = moved(from, h, step->change);
    has_failed_ = !step;
    return trial;
  }

 private:
  /// A position on the constraints, and what is solved for there.
  struct Reached {
    MotionPoint point;
    VectorXd increments;
    EquationsOfMotion equations;
    PartitionedConstraints partition;
  };

  void prepare(const MotionPoint& from);
  void select(const MotionPoint& from, const EquationsOfMotion& here);
  EquationsOfMotion equations_of(const MotionPoint& point);

  VectorXd slope_at_start(const MotionPoint& from) const {
    VectorXd all(2 * count() + 1);
    all << from.state.v(choice_.independent), from.state.a(choice_.independent), from.power;
    return all;
  }
  std::optional<VectorXd> slope(const MotionPoint& from, double time, const VectorXd& y);
  std::optional<MotionPoint> moved(const MotionPoint& from, double h, const VectorXd& change);
  std::optional<Reached> reach(const MotionPoint& from, double time, const VectorXd& y);
  std::optional<VectorXd> close(const MotionPoint& from, State& state, VectorXd increments);
  bool accelerate_in(Reached& there);
  double error_of(const VectorXd& error) const;
  Eigen::Index count() const { return std::ssize(choice_.independent); }
  std::string names() const;
  std::optional<VectorXd> fail(const std::string& why) {
    failure_ = why;
    return {};
  }

  Dynamics& dynamics_;
  const Model& model_;
  const ErrorScales& scales_;
  Chart chart_;
  MotionAssembly assembly_;
  IndependentChoice choice_;
  VectorXd fitness_;  ///< at the selection
  double regularity_ = 0, best_ = 0;
  MatrixXd motions_;  ///< at the beginning of the step
  int selections_ = 0;
  bool has_failed_ = false;
  std::string failure_;
  long evaluations_ = 0;
};

EquationsOfMotion MinimalCoordinates::equations_of(const MotionPoint& point) {
  return equations_at(model_, assembly_.at(point.state), point.state, dynamics_.inputs_at(point.time, point.state));
}

// Selects when the coordinates serve no longer.
void MinimalCoordinates::prepare(const MotionPoint& from) {
  const EquationsOfMotion here = equations_of(from);
  if (selections_ == 0) select(from, here);
  const PartitionedConstraints partition(choice_, here.J);
  motions_ = partition.motions();
  const bool serves = partition.regularity() > is_unfit * regularity_ &&
                      (fitness(here.M, motions_).array() > is_unfit * fitness_.array()).all();
  if (serves && !has_failed_) return;
  select(from, here);
  motions_ = PartitionedConstraints(choice_, here.J).motions();
}

// Near a singular configuration the selection stays: none is better.
void MinimalCoordinates::select(const MotionPoint& from, const EquationsOfMotion& here) {
  const IndependentChoice found = choose_independent(model_, from.state, here);
  if (selections_ > 0 && found.rows.size() < choice_.rows.size()) return;
  if (selections_ > 0 && found.rows.size() > choice_.rows.size())
    throw Error(
        "the motion began in a singular configuration, where independent coordinates do not determine the others; it "
        "cannot be followed in minimal coordinates: take the explicit method");
  const PartitionedConstraints partition(found, here.J);
  if (partition.regularity() < nearly_singular * best_) return;
  if (selections_ == 0 || found.independent != choice_.independent || found.rows != choice_.rows) ++selections_;
  choice_ = found;
  regularity_ = partition.regularity();
  best_ = std::max(best_, regularity_);
  fitness_ = fitness(here.M, partition.motions());
}

std::string MinimalCoordinates::names() const {
  constexpr Eigen::Index most = 5;
  std::string text;
  for (Eigen::Index k = 0; k < std::min(count(), most); ++k)
    text += (k > 0 ? ", " : "") + model_.coordinate_name(choice_.independent[at(k)]);
  return count() > most ? text + ", ..." : text;
}

// The increments with Φ = 0 and the given independent ones, by Newton's method.
std::optional<VectorXd> MinimalCoordinates::close(const MotionPoint& from, State& state, VectorXd increments) {
  const double length = std::max(1e-6, largest_entry(from.state.q));
  const double precision = 16 * std::numeric_limits<double>::epsilon() * length;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_closing_steps; ++k) {
    if (!increments.allFinite()) break;
    const State there = model_.displaced(from.state, increments);
    state.q = there.q;
    state.orientations = there.orientations;
    const VectorXd open = -constraint_residual(model_, state);
    const PartitionedConstraints partition(choice_, assembly_.at(state).J, chart_, increments);
    if (partition.regularity() < is_singular_choice * best_)
      return fail(fmt::format("{} do not determine the other coordinates, which are singular there", names()));
    const VectorXd change = partition.completed(VectorXd::Zero(count()), open);
    const double size = largest_entry(open(choice_.rows));
    if (size <= precision || (size < largest_open * length && !(size < 0.5 * before))) {
      if (largest_entry(open) < largest_open * length) return increments;
      return fail("constraints that depended on others no longer do");
    }
    before = size;
    increments += change;
  }
  return fail(fmt::format("no position with Φ = 0 was found for the values of {}", names()));
}

// The unknowns are increments and changes of the rates of the independent coordinates, and the work.
std::optional<MinimalCoordinates::Reached> MinimalCoordinates::reach(const MotionPoint& from, double time,
                                                                     const VectorXd& y) {
  if (!y.allFinite()) return {};
  const Eigen::Index k = count();
  MotionPoint point{{time, from.state}};
  dynamics_.put_inputs(time, point.state);
  point.state.a.resize(0);
  point.state.lambda.resize(0);
  // To second order in time, and then along the motions that the constraints allow.
  const double h = time - from.time;
  VectorXd predicted = h * (from.state.v + 0.5 * h * from.state.a);
  predicted += motions_ * (y.head(k) - predicted(choice_.independent));
  const auto increments = close(from, point.state, std::move(predicted));
  if (!increments) return {};
  point.work = from.work + y[2 * k];
  const InputSample input = dynamics_.inputs_at(time, point.state);
  const MotionAssembly::Parts& parts = assembly_.at(point.state);
  PartitionedConstraints partition(choice_, parts.J);
  point.state.v = partition.completed(from.state.v(choice_.independent) + y.segment(k, k), parts.G * input.rate);
  EquationsOfMotion equations = equations_at(model_, parts, point.state, input);
  return Reached{std::move(point), *increments, std::move(equations), std::move(partition)};
}

bool MinimalCoordinates::accelerate_in(Reached& there) {
  ++evaluations_;
  const EquationsOfMotion& at = there.equations;
  if (!at.b.allFinite() || !at.c.allFinite()) return false;
  State& state = there.point.state;
  Accelerations found = there.partition.accelerations(at);
  if (found.a.size() != state.v.size() || !found.a.allFinite()) {
    failure_ = dynamics_.reason_without_inertia();
    return false;
  }
  state.a = std::move(found.a);
  state.lambda = std::move(found.lambda);
  // −λᵀ G u̇, with G u̇ = J v − Φ̇
  there.point.power = applied_forces(model_, state).dot(state.v) - state.lambda.dot(at.J * state.v - at.open_rate);
  return true;
}

std::optional<VectorXd> MinimalCoordinates::slope(const MotionPoint& from, double time, const VectorXd& y) {
  std::optional<Reached> there = reach(from, time, y);
  if (!there || !accelerate_in(*there)) return {};
  const State& state = there->point.state;
  VectorXd all(2 * count() + 1);
  all << chart_.rates(there->increments, state.v)(choice_.independent), state.a(choice_.independent),
      there->point.power;
  return all;
}

// Of redundant constraints the multipliers are those of least norm.
std::optional<MotionPoint> MinimalCoordinates::moved(const MotionPoint& from, double h, const VectorXd& change) {
  std::optional<Reached> there = reach(from, from.time + h, change);
  if (!there || !accelerate_in(*there)) return {};
  if (choice_.dropped > 0) {
    const EquationsOfMotion& at = there->equations;
    State& state = there->point.state;
    state.lambda = minimum_norm_multipliers(at.J, at.b - at.M * state.a, find_dependent_rows(at.J));
  }
  return std::move(there->point);
}

// Dependent coordinates err as the independent ones make them.
double MinimalCoordinates::error_of(const VectorXd& error) const {
  const Eigen::Index k = count();
  VectorXd all(2 * model_.coordinates());
  all << motions_ * error.head(k), motions_ * error.segment(k, k);
  return scales_.size_of(all);
}

}  // namespace

std::unique_ptr<StepMethod> minimal_method(Dynamics& dynamics, const ErrorScales& scales) {
  return std::make_unique<MinimalCoordinates>(dynamics, scales);
}

}  // namespace stillpoint
