// Integration step by step: the choice of steps, records, events and singular configurations, and the account of the
// energy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/at.h"
#include "model/displacement.h"
#include "motion/step_method.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/outputs.h"

namespace stillpoint {

namespace {

constexpr double safety = 0.9, most_growth = 5, most_shrinkage = 0.1;
constexpr double least_step = 1e-12;  // relative to the whole time
// Of the tolerance of a step: so exactly its accelerations are solved for.
constexpr double of_tolerance = 1e-5;
constexpr double least_tolerance = 1e-14, largest_tolerance = 0.1;

void check(const Model& model, const MotionOptions& options) {
  if (options.times.empty()) throw Error("the motion has no times at which it is recorded");
  if (!(options.times.front() >= options.start_time) || !std::isfinite(options.times.back()) ||
      !std::isfinite(options.start_time) ||
      std::adjacent_find(options.times.begin(), options.times.end(), [](double a, double b) { return !(a < b); }) !=
          options.times.end())
    throw Error("the times at which the motion is recorded must ascend, from its start on");
  if (!(options.tolerance >= least_tolerance && options.tolerance <= largest_tolerance))
    throw Error(fmt::format("the tolerance {:g} of the motion is not between {:g} and {:g}", options.tolerance,
                            least_tolerance, largest_tolerance));
  if (!(options.largest_step > 0)) throw Error("the largest step of the motion must be positive");
  for (const Crossing& crossing : options.crossings) {
    const Index end = crossing.is_coordinate ? model.coordinates() : model.outputs();
    if (crossing.index < 0 || crossing.index >= end || !std::isfinite(crossing.value))
      throw Error("what is to end the motion does not exist, or its value is not finite");
  }
  const bool is_usual = options.form.form == DynamicForm::augmented && options.projects;
  if (options.method != MotionMethod::explicit_order_8 && !is_usual)
    throw Error(
        fmt::format("other forms of the equations, and other stabilizations than the projection, are for the "
                    "explicit method, not for '{}'",
                    name_of(options.method)));
  if (options.method == MotionMethod::taylor && options.inputs)
    throw Error("power series of the motion need inputs that keep their values: take the explicit method");
  if (!(options.proximal >= 0 && options.proximal < 1)) throw Error("the proximal term must be in [0, 1)");
}

std::unique_ptr<StepMethod> method_for(const MotionOptions& options, Dynamics& dynamics, const ErrorScales& scales) {
  const double proximal = options.proximal > 0 ? options.proximal : MotionOptions().proximal;
  switch (options.method) {
    case MotionMethod::minimal:
      return minimal_method(dynamics, scales);
    case MotionMethod::taylor:
      return taylor_method(dynamics, scales, options.tolerance);
    case MotionMethod::implicit:
      return implicit_method(dynamics, scales, proximal, options.tolerance);
    case MotionMethod::sdirk:
      return sdirk_method(dynamics, scales, proximal, options.tolerance);
    case MotionMethod::explicit_order_8:
      break;
  }
  return explicit_method(dynamics, scales, options.projects);
}

/// How long a step may be that could have this length, which ends at a record or is cut short otherwise; how large its
/// error; and how large that of steps should be. More is allowed for noise, which says nothing about their lengths.
struct StepRules {
  std::function<double(double h, bool ends_there)> length;
  std::function<double(double h)> tolerance;
  double usual_tolerance;
};

class Integration {
 public:
  Integration(const Model& model, const State& start, const MotionOptions& options)
      : model_(model),
        options_(options),
        dynamics_(model, options.inputs, options.proximal, options.form),
        whole_(options.times.back() - options.start_time),
        scales_(model, start, std::max(whole_, 1e-300), options.tolerance),
        method_(method_for(options, dynamics_, scales_)) {
    here_.time = options.start_time;
    here_.state = start;
    if (here_.state.v.size() == 0) here_.state.v = Eigen::VectorXd::Zero(model.coordinates());
    dynamics_.put_inputs(here_.time, here_.state);
    dynamics_.set_accuracy(of_tolerance * options.tolerance);
    // In minimal coordinates no motion passes a singular configuration.
    const bool watches = options.watches_singular || options.method == MotionMethod::minimal;
    if (!watches || options.method == MotionMethod::implicit || model.constraints() == 0) return;
    const bool has_usual_form =
        options.form.form == DynamicForm::augmented && options.projects && options.proximal == MotionOptions().proximal;
    if (!has_usual_form) {
      usual_ = std::make_unique<Dynamics>(model, options.inputs, MotionOptions().proximal);
      usual_->set_accuracy(of_tolerance * options.tolerance);
      usual_method_ = method_for({.method = options.method, .tolerance = options.tolerance}, *usual_, scales_);
    }
    watch_ = std::make_unique<SingularWatch>(usual_ ? *usual_ : dynamics_);
  }

  Motion run();

 private:
  double first_step();
  std::optional<MotionPoint> stepped(StepMethod& method, const MotionPoint& from, double& next_step, double end,
                                     const StepRules& rules, Motion* counts = nullptr);
  bool step_towards(double end);
  double distance_to_singular() const;
  double length_past_singular(double h, bool ends_there) const;
  double usual_tolerance() const {
    return std::max(least_tolerance, method_->part_of_tolerance() * options_.tolerance);
  }
  double tolerance_of(double h) const;
  std::string why_no_step_towards(double end);
  bool cross();
  bool redo_last_step(double h);
  Eigen::VectorXd outputs_of(const State& state) const {
    return model_.outputs() > 0 ? observe(model_, state).y : Eigen::VectorXd();
  }
  bool pass_singular();
  bool goes_on_beside();
  void account();
  void record();
  void finish(MotionStatus status, const std::string& message = {});
  MotionRecord record_here(const Eigen::VectorXd& y) const {
    return {here_.time, here_.state, y, kinetic_, potential_, work_, imbalance_};
  }

  const Model& model_;
  const MotionOptions& options_;
  Dynamics dynamics_;
  double whole_;
  ErrorScales scales_;
  std::unique_ptr<StepMethod> method_;
  std::unique_ptr<Dynamics> usual_;           ///< where the motion is computed by another form or proximal term, for
  std::unique_ptr<StepMethod> usual_method_;  ///< the watch and for the second computation of passages
  std::unique_ptr<SingularWatch> watch_;      ///< if singular configurations are watched
  MotionPoint here_, before_;                 ///< and at the beginning of the last step
  std::optional<MotionPoint> beside_;         ///< of the second computation about a singular configuration
  double next_step_ = 0;
  long factorisations_of_watch_ = 0;
  double kinetic_ = 0, potential_ = 0, start_kinetic_ = 0, start_potential_ = 0, work_ = 0, imbalance_ = 0;
  std::string uncertain_;  ///< why the motion ends at a singular configuration
  Eigen::VectorXd y_;
  std::vector<Eigen::VectorXd> outputs_;
  Motion motion_;
};

// So short that the first two terms of the series differ by little [Hairer et al. 1993].
double Integration::first_step() {
  const Eigen::Index n = model_.coordinates();
  Eigen::VectorXd slope_here(2 * n);
  slope_here << here_.state.v, here_.state.a;
  const double rate = scales_.size_of(slope_here);
  return std::min({whole_, options_.largest_step, rate > 0 ? 0.01 / rate : 0.01 * whole_});
}

// Infinite: none is expected.
double Integration::distance_to_singular() const {
  return watch_ && watch_->expected() ? *watch_->expected() - here_.time : std::numeric_limits<double>::infinity();
}

// A step that ends at a record near a singular configuration cannot avoid it.
double Integration::length_past_singular(double h, bool ends_there) const {
  constexpr double near_end = 1.0 / 24;
  const double distance = distance_to_singular();
  return ends_there && distance > (1 - near_end) * h ? h : method_->length_past(distance, h);
}

// Near a singular configuration rounding δ of positions turns the rates by δ σ'/σ², where σ' is the change of σ with
// the positions. Steps that were shorter for less than that would only be made in more of that noise.
double Integration::tolerance_of(double h) const {
  constexpr double most = 1e-5;
  if (!watch_) return usual_tolerance();
  double noise = 0;
  const auto add = [&](double time) {
    noise = std::max(noise, scales_.time_of_rounding() * method_->noise_of_rounding(time - here_.time, h) /
                                watch_->least_singular_value());
  };
  if (watch_->expected()) add(*watch_->expected());
  if (!watch_->is_clear() && !motion_.singular.empty()) add(motion_.singular.back().time);
  return std::max(usual_tolerance(), std::min(most, noise));
}

// Nothing if no step can be made. Counts what is accepted and rejected, if that is wanted.
std::optional<MotionPoint> Integration::stepped(StepMethod& method, const MotionPoint& from, double& next_step,
                                                double end, const StepRules& rules, Motion* counts) {
  constexpr double nearly_all = 1 - 1e-9;
  for (;;) {
    const double left = end - from.time;
    const bool reaches_end = next_step >= nearly_all * left;
    const double most = reaches_end ? left : std::min(next_step, options_.largest_step);
    const double h = rules.length(most, reaches_end);
    const bool is_last = reaches_end && h == left;
    if (!is_last && h < least_step * whole_) return {};
    const double tolerance = rules.tolerance(h);
    TrialStep trial = method.step(from, h, tolerance);
    const double error = trial.error / tolerance;
    std::optional<MotionPoint>& next = trial.end;
    if (next) {
      next->time = is_last ? end : next->time;
      const double growth =
          trial.error > 0 ? safety * std::pow(trial.error / rules.usual_tolerance, -1.0 / method.order()) : most_growth;
      const double proposed = h * std::clamp(growth, most_shrinkage, most_growth);
      // A step that was cut short says little against a longer one.
      next_step = std::min(h < next_step ? std::max(next_step, proposed) : proposed, options_.largest_step);
      if (counts) ++counts->accepted;
      return std::move(next);
    }
    if (counts) ++counts->rejected;
    const double shrinkage = error > 1 && std::isfinite(error) ? safety * std::pow(error, -1.0 / method.order()) : 0.25;
    next_step = h * std::clamp(shrinkage, most_shrinkage, 0.9);
  }
}

// Returns false if no step can be made.
bool Integration::step_towards(double end) {
  const StepRoom room{.left = end - here_.time, .to_singular = distance_to_singular()};
  next_step_ = method_->longest_step(here_, next_step_, room, tolerance_of(0));
  const StepRules rules{[this](double h, bool ends_there) { return length_past_singular(h, ends_there); },
                        [this](double h) { return tolerance_of(h); }, usual_tolerance()};
  std::optional<MotionPoint> next = stepped(*method_, here_, next_step_, end, rules, &motion_);
  if (!next) return false;
  before_ = std::exchange(here_, *std::move(next));
  return true;
}

// Makes a step. Returns why there is none; what was computed before that is no less right.
std::string Integration::why_no_step_towards(double end) {
  try {
    if (step_towards(end)) return "";
    const std::string failure = method_->failure();
    return fmt::format("the step became shorter than {:.1g} s{}", least_step * whole_,
                       failure.empty() ? "" : ": " + failure);
  } catch (const Error& error) {  // an input has no value there, or a form does not suit the configuration
    if (motion_.accepted == 0) throw;
    return error.what();
  }
}

// Makes a shorter step from the beginning of the last one.
bool Integration::redo_last_step(double h) {
  TrialStep trial = method_->step(before_, h, std::numeric_limits<double>::infinity());
  if (trial.end) here_ = *std::move(trial.end);
  return trial.end.has_value();
}

// Ends the step where an output or a coordinate crosses its value. The steps are exact, so that the secant method needs
// few of them.
bool Integration::cross() {
  if (options_.crossings.empty()) return false;
  for (const Crossing& crossing : options_.crossings) {
    const auto beyond = [&](const State& state) {
      return (crossing.is_coordinate ? coordinate_value(model_, state, crossing.index)
                                     : observe(model_, state).y[crossing.index]) -
             crossing.value;
    };
    double left = 0, right = here_.time - before_.time, f_left = beyond(before_.state), f_right = beyond(here_.state);
    const double change = std::abs(f_right - f_left);
    if (f_left == 0 || !(f_left * f_right <= 0)) continue;
    constexpr int most_steps = 30;
    for (int i = 0; i < most_steps && f_right != 0; ++i) {
      double h = left - f_left * (right - left) / (f_right - f_left);
      if (i % 3 == 2) h = 0.5 * (left + right);  // so that both ends move
      if (!(h > left && h < right) || !redo_last_step(h)) break;
      const double f = beyond(here_.state);
      if (std::abs(f) <= options_.tolerance * (std::abs(crossing.value) + change)) return true;
      (f_left * f < 0 ? right : left) = h;
      (f_left * f < 0 ? f_right : f_left) = f;
    }
    return true;
  }
  return false;
}

// Returns false if the motion cannot go on there.
bool Integration::pass_singular() {
  if (!watch_) return true;
  const auto state_at = [&](double time) { return *method_->state_in_last_step(time); };
  const bool knows_states = method_->state_in_last_step(here_.time).has_value();
  const long before = dynamics_.kkt().factorisations();
  const std::vector<SingularPassage> passages =
      watch_->look(before_, here_, knows_states ? SingularWatch::StateAt(state_at) : nullptr);
  factorisations_of_watch_ += dynamics_.kkt().factorisations() - before;
  if (passages.empty() && !beside_) return true;
  if (options_.method == MotionMethod::minimal) {
    here_ = before_;
    --motion_.accepted;
    ++motion_.rejected;
    uncertain_ = fmt::format(
        "at {:.9g} s the mechanism reaches a singular configuration, where no choice of independent coordinates "
        "determines the others, so that its motion cannot be followed in minimal coordinates: take the explicit "
        "method, which passes it",
        passages.front().time);
    return false;
  }
  if (!passages.empty()) beside_ = before_;
  const bool is_confirmed = goes_on_beside();
  motion_.singular.insert(motion_.singular.end(), passages.begin(), passages.end());
  if (is_confirmed) return true;
  motion_.singular.back().is_confirmed = false;
  uncertain_ = fmt::format(
      "at {:.9g} s the mechanism passes a singular configuration, and two computations leave it on different branches "
      "of its motions",
      motion_.singular.back().time);
  return false;
}

// The motion about a singular configuration is computed once more, with another proximal term: branches differ by their
// rates. A step that ends there does not show them, so that this goes on until the configuration is left.
bool Integration::goes_on_beside() {
  constexpr double other_proximal = 1e-7, other_branch = 1e-2, fine_enough = 1e-5;
  constexpr int most_steps = 10'000;
  StepMethod& method = usual_method_ ? *usual_method_ : *method_;
  method.set_proximal(other_proximal);
  double next_step = here_.time - before_.time;
  try {
    const double tolerance = std::max(options_.tolerance, fine_enough);
    const StepRules rules{[](double h, bool) { return h; }, [tolerance](double) { return tolerance; }, tolerance};
    for (int k = 0; k < most_steps && beside_ && beside_->time < here_.time; ++k) {
      const StepRoom room{.left = here_.time - beside_->time, .ends_there = true};
      next_step = method.longest_step(*beside_, next_step, room, tolerance);
      beside_ = stepped(method, *beside_, next_step, here_.time, rules);
    }
  } catch (const Error&) {  // it leads where something has no value, as the first one did not
    beside_.reset();
  }
  method.set_proximal(MotionOptions().proximal);
  if (!beside_ || beside_->time < here_.time) return false;
  Eigen::VectorXd apart(2 * model_.coordinates());
  apart << displacement_between(model_, here_.state, beside_->state), here_.state.v - beside_->state.v;
  if (watch_->is_clear()) beside_.reset();
  return scales_.size_of(apart) < other_branch;
}

void Integration::account() {
  kinetic_ = kinetic_energy(model_, here_.state);
  potential_ = potential_energy(model_, here_.state);
  if (motion_.accepted == 0) {
    start_kinetic_ = kinetic_;
    start_potential_ = potential_;
  }
  motion_.largest_energy = std::max({motion_.largest_energy, kinetic_, std::abs(potential_ - start_potential_)});
  scales_.see(here_.state.v, motion_.largest_energy);
  work_ = here_.work + potential_ - start_potential_;
  imbalance_ = kinetic_ - start_kinetic_ - here_.work;
  motion_.largest_imbalance = std::max(motion_.largest_imbalance, std::abs(imbalance_));
}

void Integration::record() {
  if (model_.outputs() > 0) y_ = outputs_of(here_.state);
  motion_.times.push_back(here_.time);
  outputs_.push_back(y_);
  motion_.kinetic.push_back(kinetic_);
  motion_.potential.push_back(potential_);
  motion_.work.push_back(work_);
  motion_.imbalance.push_back(imbalance_);
  if (options_.keeps_states) motion_.states.push_back(here_.state);
  if (model_.constraints() > 0) {
    dynamics_.assemble(here_.state);
    motion_.position_drift = std::max(motion_.position_drift, dynamics_.open_positions(here_.state).size);
    motion_.rate_drift = std::max(motion_.rate_drift, dynamics_.open_rates(here_.time, here_.state).size);
  }
  if (options_.record) options_.record(record_here(y_));
}

void Integration::finish(MotionStatus status, const std::string& message) {
  motion_.status = status;
  motion_.method = options_.method;
  motion_.order = method_->order_of_convergence();
  motion_.form = options_.form.form;
  motion_.is_projected = options_.projects;
  motion_.message = message;
  motion_.start_time = options_.start_time;
  motion_.end_time = here_.time;
  motion_.end = here_.state;
  motion_.reselections = method_->reselections();
  motion_.evaluations = dynamics_.evaluations() + method_->evaluations();
  motion_.factorisations = dynamics_.kkt().factorisations() - factorisations_of_watch_ + method_->factorisations();
  motion_.outputs.resize(model_.outputs(), static_cast<Eigen::Index>(outputs_.size()));
  for (std::size_t k = 0; k < outputs_.size(); ++k) motion_.outputs.col(static_cast<Eigen::Index>(k)) = outputs_[k];
}

Motion Integration::run() {
  y_ = Eigen::VectorXd::Zero(model_.outputs());
  if (!accelerate(dynamics_, here_)) {
    finish(MotionStatus::stuck,
           "the accelerations at the start are not determined: " + dynamics_.reason_without_inertia());
    return std::move(motion_);
  }
  scales_ = ErrorScales(model_, here_.state, std::max(whole_, 1e-300), options_.tolerance);
  account();
  if (next_step_ == 0) next_step_ = first_step();
  for (const double end : options_.times) {
    while (here_.time < end) {
      if (motion_.accepted + motion_.rejected >= options_.most_steps) {
        finish(MotionStatus::stuck, fmt::format("{} steps led to {:.3g} s only", options_.most_steps, here_.time));
        return std::move(motion_);
      }
      if (const std::string reason = why_no_step_towards(end); !reason.empty()) {
        finish(MotionStatus::stuck, fmt::format("at {:.6g} s {}", here_.time, reason));
        return std::move(motion_);
      }
      if (!pass_singular()) {
        account();
        if (motion_.times.empty() || here_.time > motion_.times.back()) record();
        finish(MotionStatus::stuck, uncertain_);
        return std::move(motion_);
      }
      const bool has_crossed = cross();
      account();
      if (options_.progress)
        options_.progress(here_.time, fmt::format("{:.3g} of {:.3g} s", here_.time, options_.times.back()));
      const bool is_stopped = has_crossed || (options_.stops && options_.stops(record_here(y_)));
      if (is_stopped || options_.deadline.is_over()) {
        record();
        finish(is_stopped ? MotionStatus::stopped : MotionStatus::out_of_time);
        return std::move(motion_);
      }
    }
    record();
  }
  finish(MotionStatus::done);
  return std::move(motion_);
}

}  // namespace

Motion integrate(const Model& model, const State& start, const MotionOptions& options) {
  check(model, options);
  require_motion(model);
  return Integration(model, start, options).run();
}

std::vector<double> times_until(double end, double step, double start) {
  const double length = end - start;
  if (!(length > 0 && step > 0 && std::isfinite(length)))
    throw Error("a motion needs an end after its start, and a step of records above zero");
  if (!(length / step <= 1e8)) throw Error("more than 100 million records were asked for");
  std::vector<double> times;
  const auto whole = static_cast<std::int64_t>(std::floor(length / step * (1 + 1e-12)));
  for (std::int64_t k = 0; k <= whole; ++k) times.push_back(std::min(end, start + static_cast<double>(k) * step));
  if (times.back() < end - 1e-12 * length) times.push_back(end);
  else times.back() = end;
  return times;
}

}  // namespace stillpoint
