#include "modes/count/argument_principle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/at.h"
#include "base/in_parallel.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr std::int64_t steps_in_half = 8, least_in_step = 512, most_in_step = std::int64_t{1} << 36;
constexpr int most_values_in_quarter = 300, most_values_in_level = 30;
constexpr double radial_offset = 1e-3;  // relative to the radius

// A zero no farther from the edge than the step h changes the second difference of log |g| at the nearest value by log
// 2 or more.
constexpr double largest_bend = 0.35, largest_turn = 0.7;
constexpr double largest_difference = 0.1;  // of differences of fourth and higher order
constexpr int highest_half_order = 4;
constexpr std::size_t most_nodes = 8;
constexpr double phase_tolerance = 1e-2;  // in units of π: on the real axis g is real

Complex without(Complex log_determinant, Complex s, const std::vector<Complex>& known) {
  for (const Complex& zero : known) log_determinant -= std::log(s - zero);
  return log_determinant;
}

// Returns the number of smallest steps in a regular step: a power of two for which the smallest step is at most a tenth
// of the room.
std::int64_t smallest_in_step_for(double room) {
  std::int64_t parts = least_in_step;
  while (parts < most_in_step && pi / static_cast<double>(steps_in_half * parts) > 0.1 * room) parts *= 2;
  return parts;
}

double nearest_phase(double phase, double expected) { return expected + std::remainder(phase - expected, 2 * pi); }

/// Tells whether the second difference of log |g| at a place is small.
template <class LogMagnitude>
bool has_small_curvature(const LogMagnitude& log_magnitude, std::int64_t place, std::int64_t step) {
  return std::abs(log_magnitude(place - step) - 2 * log_magnitude(place) + log_magnitude(place + step)) < largest_bend;
}

// Very many distant zeros bend log |g| too, but as a polynomial does: its higher differences vanish. A zero within one
// and a half steps keeps them large.
template <class LogMagnitude>
bool is_smooth(const LogMagnitude& log_magnitude, std::int64_t place, std::int64_t step) {
  double last = std::numeric_limits<double>::infinity();
  for (int half_order = 2; half_order <= highest_half_order; ++half_order) {
    double difference = 0, binomial = 1;
    for (int k = -half_order; k <= half_order; ++k) {
      difference += binomial * log_magnitude(place + k * step);
      binomial *= -static_cast<double>(half_order - k) / (half_order + k + 1);
    }
    if (std::abs(difference) < largest_difference) return true;
    if (!(std::abs(difference) < last)) return false;
    last = std::abs(difference);
  }
  return false;
}

/// The phase along the quarter at all places passed so far.
class Phase {
 public:
  explicit Phase(double rate) : rate_(rate) {}

  double turn() const { return turns_.back(); }
  void advance(std::int64_t step, double turned) {
    rate_ = turned / static_cast<double>(step);
    places_.push_back(places_.back() + static_cast<double>(step));
    turns_.push_back(turns_.back() + turned);
  }

  /// Returns the change of phase if it continues at the rate of the last step; nothing otherwise.
  std::optional<double> turned_evenly(std::int64_t step, double phase) const {
    const double expected = rate_ * static_cast<double>(step), turned = nearest_phase(phase, expected);
    return std::abs(turned - expected) < largest_turn ? std::optional(turned) : std::nullopt;
  }

  /// Returns the change of phase if it agrees with polynomial extrapolation of two consecutive degrees; nothing
  /// otherwise.
  std::optional<double> turned_smoothly(std::int64_t step, double phase) const {
    double last = rate_ * static_cast<double>(step);
    for (std::size_t nodes = 3; nodes <= std::min(most_nodes, places_.size()); ++nodes) {
      const double expected = extrapolated(nodes, places_.back() + static_cast<double>(step)) - turn();
      const double turned = nearest_phase(phase, expected);
      if (std::abs(expected - last) < largest_turn && std::abs(turned - expected) < largest_turn) return turned;
      last = expected;
    }
    return {};
  }

 private:
  // Extrapolates through the last nodes by Neville's scheme.
  double extrapolated(std::size_t nodes, double place) const {
    const std::size_t first = places_.size() - nodes;
    std::vector<double> value(turns_.begin() + static_cast<std::ptrdiff_t>(first), turns_.end());
    for (std::size_t degree = 1; degree < nodes; ++degree) {
      for (std::size_t i = 0; i + degree < nodes; ++i) {
        const double a = places_[first + i], b = places_[first + i + degree];
        value[i] = ((place - b) * value[i] - (place - a) * value[i + 1]) / (a - b);
      }
    }
    return value[0];
  }

  double rate_;  ///< in the last step
  std::vector<double> places_{0}, turns_{0};
};

}  // namespace

LogDeterminant log_determinant_of(const QuadraticPencil& pencil) {
  return [&pencil, analysed = std::make_shared<const ComplexLu>(pencil.complex_lu())](Complex s) -> Complex {
    ComplexLu lu = analysed->share_analysis();
    if (!lu.factor(pencil.matrix(s))) return std::numeric_limits<double>::quiet_NaN();
    return lu.log_determinant();
  };
}

ArgumentCount::ArgumentCount(LogDeterminant log_determinant, Complex centre, double radius, double room,
                             const Supervision& supervision)
    : determinant_(std::move(log_determinant)),
      centre_(centre),
      radius_(radius),
      is_half_(centre.imag() == 0),
      smallest_in_step_(smallest_in_step_for(room)),
      end_((is_half_ ? 1 : 2) * steps_in_half * smallest_in_step_),
      supervision_(supervision) {
  const Place half = steps_in_half * smallest_in_step_;
  walks_ = {{.start = 0, .direction = 1}, {.start = half, .direction = -1}};
  if (!is_half_) walks_.insert(walks_.end(), {{.start = half, .direction = 1}, {.start = end_, .direction = -1}});
}

int ArgumentCount::evaluations() const {
  return std::accumulate(walks_.begin(), walks_.end(), 0,
                         [](int sum, const Walk& walk) { return sum + walk.evaluations; });
}

Complex ArgumentCount::point(Place place, double radius) const {
  return centre_ +
         std::polar(radius, pi * static_cast<double>(place) / static_cast<double>(steps_in_half * smallest_in_step_));
}

Complex ArgumentCount::log_determinant(Walk& walk, Complex s) const {
  ++walk.evaluations;
  return determinant_(s);
}

ArgumentCount::Place ArgumentCount::folded(Place place) const {
  if (!is_half_) return (place + end_) % end_;
  return place < 0 ? -place : place > end_ ? 2 * end_ - place : place;
}

Complex ArgumentCount::value(Walk& walk, Place place) const {
  const auto known = walk.values.find(place);
  if (known != walk.values.end()) return known->second;
  return walk.values[place] = log_determinant(walk, point(place, radius_));
}

Complex ArgumentCount::value_outside(Walk& walk) const {
  if (!walk.outside) walk.outside = log_determinant(walk, point(walk.start, radius_ * (1 + radial_offset)));
  return *walk.outside;
}

// By the Cauchy–Riemann equations the rate of the phase along the edge equals the rate of log |g| across it.
std::optional<double> ArgumentCount::turn_along(Walk& walk, const std::vector<Complex>& known) const {
  const auto g = [&](Place on_the_way) {
    const Place place = folded(walk.start + walk.direction * on_the_way);
    return without(value(walk, place), point(place, radius_), known);
  };
  const auto log_magnitude = [&](Place on_the_way) { return g(on_the_way).real(); };
  const Complex outside = without(value_outside(walk), point(walk.start, radius_ * (1 + radial_offset)), known);
  const double radial_rate = (outside - g(0)).real() / std::log1p(radial_offset);
  const double levels = std::log2(static_cast<double>(smallest_in_step_ / least_in_step));
  const int most = walk.evaluations + most_values_in_quarter + most_values_in_level * static_cast<int>(levels);
  Phase phase(walk.direction * radial_rate * pi / static_cast<double>(steps_in_half * smallest_in_step_));
  const Place quarter = steps_in_half / 2 * smallest_in_step_;
  for (Place from = 0, step = smallest_in_step_; from < quarter;) {
    if (supervision_.is_time_over()) return {};
    report(walk, static_cast<double>(from) / static_cast<double>(quarter));
    const Complex before = g(from), after = g(from + step);
    const std::optional<double> turned =
        has_small_curvature(log_magnitude, from, step) && has_small_curvature(log_magnitude, from + step, step)
            ? phase.turned_evenly(step, (after - before).imag())
        : is_smooth(log_magnitude, from, step) && is_smooth(log_magnitude, from + step, step)
            ? phase.turned_smoothly(step, (after - before).imag())
            : std::nullopt;
    if (turned) {
      phase.advance(step, *turned);
      from += step;
      if (step < smallest_in_step_ && from % (2 * step) == 0) step *= 2;
      continue;
    }
    if (step == 1 || walk.evaluations > most) return {};
    step /= 2;
  }
  return phase.turn();
}

void ArgumentCount::report(Walk& walk, double passed) const {
  if (!supervision_.progress) return;
  const std::lock_guard lock(reporting_);  // the quarters are walked by several threads
  walk.passed = passed;
  double part = 0;
  for (const Walk& each : walks_) part += each.passed / static_cast<double>(walks_.size());
  const double left = part > 0 ? watch_.seconds() * (1 - part) / part : 0;
  supervision_.say(part > 0 ? fmt::format("counting: {:.0f} % of the edge, about {:.0f} s more", 100 * part, left)
                            : "counting");
}

std::optional<Index> ArgumentCount::unknown(const std::vector<Complex>& known) {
  std::vector<std::optional<double>> turns(walks_.size());
  watch_ = Stopwatch();
  for (Walk& walk : walks_) walk.passed = 0;
  in_parallel(static_cast<Index>(walks_.size()), [&](Index k) { turns[at(k)] = turn_along(walks_[at(k)], known); });
  double turn = 0;
  for (std::size_t k = 0; k < walks_.size(); ++k) {
    if (!turns[k]) return {};
    turn += walks_[k].direction * *turns[k];
  }
  const double zeros = turn / (is_half_ ? pi : 2 * pi);
  if (std::abs(zeros - std::round(zeros)) > phase_tolerance) return {};
  return static_cast<Index>(std::round(zeros));
}

}  // namespace stillpoint
