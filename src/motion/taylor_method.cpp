// Steps along the power series of the motion [Jorba & Zou 2005]: one factorisation, and one solution for each power.
// Steps that end within the reach of the last series, as those to records do, cost a projection only.
//
// Near a singular configuration the coefficients grow like those of a pole with a tiny residue, from some power on. The
// sum ends at the power with which it reaches farthest.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "motion/motion_series.h"
#include "motion/step_method.h"

namespace stillpoint {

namespace {

constexpr int least_order = 5;
constexpr double infinity = std::numeric_limits<double>::infinity();
// Of the reach of a series: what is left of it must save the projection and the watch at the end of a step.
constexpr double most_of_it = 0.9, worth_a_step = 0.3;
// What a step costs besides its terms, in those: two factorisations, the projection and the watch.
constexpr double fixed_costs = 10;

/// The largest number of terms that can cost least for a tolerance: a step grows as ρ tol^(1/order), its work with the
/// order, and what the step costs besides.
int order_for(double tolerance) {
  constexpr double with_the_rest = 1.4;  // of the order that were best without
  constexpr int most = SeriesTape::most_terms - 4;
  return std::clamp(static_cast<int>(std::lround(-with_the_rest * std::log(tolerance))), 2 * least_order, most);
}

class Taylor final : public StepMethod {
 public:
  Taylor(Dynamics& dynamics, const ErrorScales& scales, double tolerance)
      : dynamics_(dynamics), scales_(scales), tolerance_(tolerance), series_(dynamics.model(), order_for(tolerance)) {}

  int order() const override { return last_power_ + 1; }
  int order_of_convergence() const override { return series_.order(); }
  long evaluations() const override { return evaluations_; }

  std::optional<State> state_in_last_step(double time) const override { return series_.at_time(time - center_); }
  void set_proximal(double proximal) override {
    dynamics_.set_proximal(proximal);
    center_ = std::numeric_limits<double>::quiet_NaN();
  }

  // As far as the series at hand reaches, unless most of it lies behind, or not far enough to pass what is singular.
  double longest_step(const MotionPoint& from, double h, const StepRoom& room, double largest_error) override {
    const auto longest = [&] {
      const double far = reach(last_power_, largest_error), gone = from.time - center_;
      return gone + room.left <= far ? room.left : most_of_it * far - gone;
    };
    if (lies_on_series(from)) {
      const double far = longest();
      const auto is_worth_it = [&] {
        return length_past(room.to_singular, far) >= worth_a_step * reach(last_power_, largest_error);
      };
      if (far >= room.left || is_worth_it()) return far;
    }
    return expand(from, largest_error, room.ends_there ? room.left : infinity) ? longest() : h;
  }

  TrialStep step(const MotionPoint& from, double h, double largest_error) override {
    TrialStep trial{infinity};
    const bool is_new = !lies_on_series(from) || error_at(from.time + h - center_) > largest_error;
    if (is_new && from.time != center_ && !expand(from, largest_error)) return trial;
    const double first = from.time - center_, last = first + h;
    trial.error = error_at(last);
    if (!(trial.error <= largest_error)) return trial;
    MotionPoint next;
    next.time = from.time + h;
    next.state = series_.at_time(last);
    next.power = series_.power(last);
    next.work = from.work + series_.work(last) - series_.work(first);
    next.remembered = Eigen::VectorXd::Constant(1, center_);
    if (dynamics_.model().constraints() > 0) {
      if (!dynamics_.project_positions(next.state)) return {infinity};
      dynamics_.assemble(next.state);  // the factors, of a state beside it, serve with refinements
      dynamics_.project_rates(next.time, next.state);
    }
    if (next.state.q.allFinite() && next.state.v.allFinite()) trial.end = std::move(next);
    return trial;
  }

 private:
  bool lies_on_series(const MotionPoint& from) const {
    return from.time == center_ || (from.remembered.size() > 0 && from.remembered[0] == center_);
  }

  /// With no more terms than a step of this length needs, nor than lengthen the step by more than they cost.
  bool expand(const MotionPoint& from, double tolerance, double needed = infinity) {
    constexpr int patience = 2;  // so many terms may be worth less than those before
    center_ = std::numeric_limits<double>::quiet_NaN();
    last_power_ = least_order;
    double best = 0;
    int best_power = least_order;
    dynamics_.assemble(from.state);
    const Eigen::VectorXd momentum = dynamics_.kkt().M() * from.state.v;
    const auto is_enough = [&](int k, const Eigen::VectorXd& a) {
      Eigen::VectorXd terms(2 * a.size());  // of coordinates and rates
      terms << a / ((k + 1.0) * (k + 2.0)), a / (k + 1.0);
      sizes_[at(k)] = scales_.size_of(terms, momentum.dot(a) / (k + 1.0), k + 1, tolerance);
      if (k <= least_order) return false;
      if (reach(k, tolerance) > reach(last_power_, tolerance)) last_power_ = k;
      const double per_cost = reach(k, tolerance) / (k + 1 + fixed_costs);
      if (per_cost > best) {
        best = per_cost;
        best_power = k;
      }
      return reach(last_power_, tolerance) >= needed || k >= best_power + patience;
    };
    if (!series_.expand(dynamics_, from.state, tolerance_, is_enough)) return false;
    series_.end_with(last_power_);
    evaluations_ += series_.last_power() + 1;
    center_ = from.time;
    return true;
  }

  // Where the last two terms are as large as the tolerance. (Two: so that an even or odd series is not taken for one
  // that has ended.)
  double reach(int power, double tolerance) const {
    const auto of = [&](int k) { return std::pow(tolerance / sizes_[at(k)], 1.0 / (k + 1)); };
    return std::min(of(power), of(power - 1));
  }
  double error_at(double time) const {
    const auto of = [&](int k) { return sizes_[at(k)] * std::pow(time, k + 1); };
    return std::max(of(last_power_), of(last_power_ - 1));
  }

  Dynamics& dynamics_;
  const ErrorScales& scales_;
  double tolerance_;
  MotionSeries series_;
  double center_ = std::numeric_limits<double>::quiet_NaN();  ///< time of the expansion
  std::array<double, SeriesTape::most_terms> sizes_{};        ///< of the terms of each power at time 1
  int last_power_ = 0;
  long evaluations_ = 0;
};

}  // namespace

std::unique_ptr<StepMethod> taylor_method(Dynamics& dynamics, const ErrorScales& scales, double tolerance) {
  return std::make_unique<Taylor>(dynamics, scales, tolerance);
}

}  // namespace stillpoint
