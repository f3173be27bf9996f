#include "response/step_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stillpoint {

namespace {

constexpr double rise_from = 0.1, rise_to = 0.9;  // of the final value
constexpr double settled_band = 0.02;             // of the final value

// An overshoot below this is rounding of the final value.
constexpr double no_overshoot = 1e-12;

// A final value below this part of the peak is rounding of zero.
constexpr double no_final_value = 1e-11;

struct TracePoint {
  Index interval = 0;
  double tau = 0, value = 0;
};

/// The turning points of an output and its values at the grid points, in the order of time.
class TurningPoints {
 public:
  TurningPoints(const TimeTrace& trace, Eigen::Index output) : trace_(trace), output_(output) {
    for (Index k = 0; k < trace.intervals(); ++k) {
      points_.push_back({k, 0, trace.at_start(output, k)});
      if (!(trace.at_start(output, k, 1) * trace.at_start(output, k + 1, 1) < 0)) continue;
      const double tau = trace.root(output, k, 0, 1, 0, trace.step());
      points_.push_back({k, tau, trace.at(output, k, tau)});
    }
    points_.push_back({trace.intervals(), 0, trace.at_start(output, trace.intervals())});
  }

  double time(const TracePoint& point) const { return point.interval * trace_.step() + point.tau; }

  TracePoint largest(const std::function<double(double)>& measure) const {
    return *std::max_element(points_.begin(), points_.end(), [&](const TracePoint& a, const TracePoint& b) {
      return measure(a.value) < measure(b.value);
    });
  }

  /// The first time when the values reach a level, times `sign`.
  double first_at(double level, double sign) const {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!(sign * (points_[i].value - level) >= 0)) continue;
      return i == 0 ? 0 : crossing(i - 1, level);
    }
    return TimeFigures::none;
  }

  /// The last time when the values are as far from the final one as this.
  double last_outside(double final_value, double distance) const {
    for (std::size_t i = points_.size(); i-- > 0;) {
      const double off = points_[i].value - final_value;
      if (!(std::abs(off) > distance)) continue;
      if (i + 1 == points_.size()) return TimeFigures::none;
      return crossing(i, final_value + std::copysign(distance, off));
    }
    return 0;
  }

 private:
  /// Where the values pass a level between a point and the next, between which they are monotonic.
  double crossing(std::size_t i, double level) const {
    const TracePoint &from = points_[i], &to = points_[i + 1];
    const double end = to.interval == from.interval ? to.tau : trace_.step();
    return from.interval * trace_.step() + trace_.root(output_, from.interval, level, 0, from.tau, end);
  }

  const TimeTrace& trace_;
  Eigen::Index output_;
  std::vector<TracePoint> points_;
};

void add_step_figures(const TurningPoints& points, double gain, TimeFigures& figures) {
  const double sign = gain < 0 ? -1 : 1;
  const double rise_begin = points.first_at(rise_from * gain, sign), rise_end = points.first_at(rise_to * gain, sign);
  figures.rise_time = rise_end - rise_begin;
  figures.settling_time = points.last_outside(gain, settled_band * std::abs(gain));
  const TracePoint highest = points.largest([sign](double value) { return sign * value; }),
                   lowest = points.largest([sign](double value) { return -sign * value; });
  const double over = (highest.value - gain) / gain, under = -lowest.value / gain;
  figures.overshoot = over > no_overshoot ? over : 0;
  figures.undershoot = under > no_overshoot ? under : 0;
}

}  // namespace

TimeFigures figures_of(const TimeTrace& trace, Eigen::Index output, TimeInput kind, double gain) {
  const TurningPoints points(trace, output);
  TimeFigures figures;
  figures.searched = trace.intervals() * trace.step();
  figures.initial = trace.at_start(output, 0);
  figures.final_value = kind == TimeInput::impulse && std::isfinite(gain) ? 0 : gain;
  const TracePoint peak = points.largest([](double value) { return std::abs(value); });
  figures.peak = peak.value;
  figures.peak_time = points.time(peak);
  if (std::abs(figures.final_value) <= no_final_value * std::abs(peak.value)) figures.final_value = 0;
  const bool has_final_value = std::isfinite(figures.final_value) && figures.final_value != 0;
  if (kind == TimeInput::step && has_final_value) add_step_figures(points, figures.final_value, figures);
  return figures;
}

}  // namespace stillpoint
