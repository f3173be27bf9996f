// One step of a motion by some method, and what counts as a large error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "motion/passage.h"

namespace stillpoint {

/// What counts as large: the size of the model for lengths, one radian for angles, and the largest rates so far, at
/// first those that the start leads to in the whole time T, |v| + T |a|. They are no more than the size over T, and no
/// less than a thousandth of that, or than what rounding of positions needs.
class ErrorScales {
 public:
  ErrorScales(const Model& model, const State& start, double whole_time, double tolerance);

  void see(const Eigen::VectorXd& v, double energy = 0);
  /// The largest error, in units of the scales; increments first, then rates.
  double size_of(const Eigen::VectorXd& error) const;
  /// The same for an error that vanishes with a power of the step, and its energy [J] relative to the largest one:
  /// small vibrations of a large model have much of theirs in little of its size. For the energy, a step need not be
  /// shorter than half of what it is otherwise; and where more than the tolerance is allowed, for the noise that there
  /// is, not at all.
  double size_of(const Eigen::VectorXd& error, double energy, int order, double allowed) const;
  /// The time in which the fastest coordinates move by their rounding.
  double time_of_rounding() const;

 private:
  std::vector<bool> is_length_;
  double tolerance_, length_, length_rate_, angle_rate_, energy_ = 0;
};

/// A state on its way: with accelerations, multipliers, and the work done so far.
struct MotionPoint : TimedState {
  double power = 0, work = 0;    ///< of all forces, weight and springs included
  Eigen::VectorXd remembered{};  ///< what a method keeps from step to step
};

struct TrialStep {
  double error = 0;                  ///< the estimate, in units of the scales
  std::optional<MotionPoint> end{};  ///< nothing if the error is too large, or if the step fails otherwise
};

/// What lies before a step.
struct StepRoom {
  double left = 0;          ///< to the end of the motion or to a record
  bool ends_there = false;  ///< the motion need not be known farther
  /// To the singular configuration that is expected; infinite: none is.
  double to_singular = std::numeric_limits<double>::infinity();
};

class StepMethod {
 public:
  virtual ~StepMethod() = default;
  /// A step of length h; its end is computed if the error is at most this.
  virtual TrialStep step(const MotionPoint& from, double h, double largest_error) = 0;
  /// The length of the next step if nothing is in its way, where the last one speaks for h. By default it is h; a
  /// method may know how far it reaches.
  virtual double longest_step(const MotionPoint&, double h, const StepRoom&, double /*largest_error*/) { return h; }
  /// The state at a time in the last step or close to it, if the method knows it better than a polynomial through both
  /// ends.
  virtual std::optional<State> state_in_last_step(double) const { return {}; }
  /// The length of the next step, at most h, where a singular configuration is expected at this distance: it should be
  /// far from where the motion is evaluated. Steps that end close to it are followed by short ones.
  virtual double length_past(double distance, double h) const {
    constexpr double middle = 0.5, close = 0.75, far = 1.5;  // of the step
    return distance > close * h && distance < far * h ? distance - middle * h : h;
  }
  /// What rounding of coordinates does to a step of length h with a singular configuration at this distance from its
  /// beginning, which may lie behind it: as so many roundings over the distance.
  virtual double noise_of_rounding(double distance, double /*h*/) const {
    return 1 / std::max(std::abs(distance), std::numeric_limits<double>::min());
  }
  /// Takes another proximal term for the steps that follow, if the method passes singular configurations.
  virtual void set_proximal(double) {}
  /// Of the tolerance, how large the estimate of the error of a step may be.
  virtual double part_of_tolerance() const { return 1; }
  /// The power of h with which the estimate vanishes.
  virtual int order() const = 0;
  /// The order of convergence.
  virtual int order_of_convergence() const = 0;
  /// Evaluations of the equations that are not those of `Dynamics`.
  virtual long evaluations() const { return 0; }
  /// How often the unknowns were selected anew.
  virtual int reselections() const { return 0; }
  /// Why the last step failed, if not by its error.
  virtual std::string failure() const { return {}; }
  /// Factorisations that are not those of `Dynamics`.
  virtual long factorisations() const { return 0; }
};

/// Computes accelerations, multipliers and power at a point. Returns false if a motion has no inertia.
bool accelerate(Dynamics& dynamics, MotionPoint& point);
/// The same by the matrix that was factored last, which must be that of the state.
bool accelerate_here(Dynamics& dynamics, MotionPoint& point);

/// The method of Fehlberg, with projection of each step unless that is not wanted.
std::unique_ptr<StepMethod> explicit_method(Dynamics& dynamics, const ErrorScales& scales, bool projects);

/// Power series of the motion, of an order that suits the tolerance; the inputs must keep their values.
std::unique_ptr<StepMethod> taylor_method(Dynamics& dynamics, const ErrorScales& scales, double tolerance);

/// The generalised-α method for stiff mechanisms; Newton's method goes on to a part of the tolerance.
std::unique_ptr<StepMethod> implicit_method(Dynamics& dynamics, const ErrorScales& scales, double proximal,
                                            double tolerance);

/// The singly diagonally implicit method of Kennedy and Carpenter, of order 5, for stiff mechanisms.
std::unique_ptr<StepMethod> sdirk_method(Dynamics& dynamics, const ErrorScales& scales, double proximal,
                                         double tolerance);

/// Fehlberg's method for independent coordinates, selected anew where they serve no longer.
std::unique_ptr<StepMethod> minimal_method(Dynamics& dynamics, const ErrorScales& scales);

}  // namespace stillpoint
