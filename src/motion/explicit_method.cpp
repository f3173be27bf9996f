// Steps in coordinates that are centred at their beginning, by the method of Fehlberg, with projection of their ends.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/chart.h"
#include "motion/runge_kutta.h"
#include "motion/step_method.h"

namespace stillpoint {

namespace {

class Explicit final : public StepMethod {
 public:
  Explicit(Dynamics& dynamics, const ErrorScales& scales, bool projects)
      : dynamics_(dynamics), scales_(scales), chart_(dynamics.model()), projects_(projects) {}

  int order() const override { return static_cast<int>(Fehlberg::order); }
  int order_of_convergence() const override { return static_cast<int>(Fehlberg::order); }
  double part_of_tolerance() const override { return 1.0 / 8; }

  // Before the first stage, or in the middle of a wide gap between two, in the next step if it is too far for this one.
  // What is expected is not known exactly, and need not be in the middle.
  double length_past(double distance, double h) const override {
    constexpr double first = 1.0 / 27, first_gap = 1.0 / 4, last_gap = 7.0 / 12, room = 1.0 / 24;
    const double part = distance / h;
    const auto lies_in = [&](double gap) { return std::abs(part - gap) <= room; };
    if (part <= first || part >= 1 + last_gap || lies_in(first_gap) || lies_in(last_gap)) return h;
    if (part > last_gap) return distance - last_gap * h;
    return distance / (part > first_gap ? last_gap : first_gap);
  }
  // The stage that is nearest to the configuration has most of it. Of n bodies that are rounded by chance, the motion
  // that belongs to σ feels a part of 1/√n.
  double noise_of_rounding(double distance, double h) const override {
    constexpr double roundings = 20;
    double nearest = std::abs(distance);
    for (const double c : Fehlberg::c) nearest = std::min(nearest, std::abs(distance - c * h));
    nearest = std::max(nearest, std::numeric_limits<double>::min());
    const double bodies = std::max<double>(1, static_cast<double>(dynamics_.model().blocks().size()));
    return roundings / std::sqrt(bodies) * (std::abs(distance) / nearest) / nearest;
  }
  void set_proximal(double proximal) override { dynamics_.set_proximal(proximal); }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    const auto step = fehlberg_step([&](double time, const Eigen::VectorXd& y) { return slope(from, time, y); },
                                    stacked(from.state.v, from.state.a, from.power), from.time, h);
    if (!step) return {std::numeric_limits<double>::infinity()};
    TrialStep trial{scales_.size_of(step->error.head(2 * coordinates()), energy_of_error(*step, from.state), order(),
                                    largest_error)};
    if (trial.error <= largest_error) trial.end = moved(from, h, step->change);
    return trial;
  }

 private:
  Eigen::Index coordinates() const { return dynamics_.model().coordinates(); }

  static Eigen::VectorXd stacked(const Eigen::VectorXd& rates, const Eigen::VectorXd& a, double power) {
    Eigen::VectorXd all(2 * rates.size() + 1);
    all << rates, a, power;
    return all;
  }

  // The unknowns are increments, changes of the rates, and the work.
  std::optional<Eigen::VectorXd> slope(const MotionPoint& from, double time, const Eigen::VectorXd& y) {
    if (!y.allFinite()) return {};
    const Eigen::Index n = coordinates();
    State there = dynamics_.model().displaced(from.state, y.head(n));
    there.v = from.state.v + y.segment(n, n);
    dynamics_.put_inputs(time, there);
    const auto found = dynamics_.accelerations(time, there);
    if (!found) return {};
    return stacked(chart_.rates(y.head(n), there.v), found->solution.a, found->power);
  }

  // What the error changes, vᵀM δv − aᵀM δq, with the inertia of the last stage.
  double energy_of_error(const RungeKuttaStep& step, const State& from) const {
    const Eigen::Index n = coordinates();
    const SparseMatrix& M = dynamics_.kkt().M();
    return (M * (from.v + step.change.segment(n, n))).dot(step.error.segment(n, n)) -
           (M * from.a).dot(step.error.head(n));
  }

  // Nothing where the projection fails.
  std::optional<MotionPoint> moved(const MotionPoint& from, double h, const Eigen::VectorXd& change) {
    const Eigen::Index n = coordinates();
    MotionPoint next;
    next.time = from.time + h;
    next.state = dynamics_.model().displaced(from.state, change.head(n));
    next.state.v = from.state.v + change.segment(n, n);
    next.work = from.work + change[2 * n];
    dynamics_.put_inputs(next.time, next.state);
    // The last stage, whose matrix is the last one, is close to the end.
    const bool is_projected = projects_ && dynamics_.model().constraints() > 0;
    if (is_projected) {
      if (!dynamics_.project_positions_nearby(next.state) || !dynamics_.factor(next.state)) return {};
      dynamics_.project_rates(next.time, next.state);
    }
    if (!next.state.q.allFinite() || !next.state.v.allFinite()) return {};
    if (!(is_projected ? accelerate_here(dynamics_, next) : accelerate(dynamics_, next))) return {};
    return next;
  }

  Dynamics& dynamics_;
  const ErrorScales& scales_;
  Chart chart_;
  bool projects_;
};

}  // namespace

std::unique_ptr<StepMethod> explicit_method(Dynamics& dynamics, const ErrorScales& scales, bool projects) {
  return std::make_unique<Explicit>(dynamics, scales, projects);
}

}  // namespace stillpoint
