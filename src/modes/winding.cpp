#include "modes/winding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/at.h"
#include "base/in_parallel.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr std::int64_t steps_in_half = 8, least_in_step = 512, most_in_step = std::int64_t{1} << 36;
constexpr int most_values_in_quarter = 300, most_values_in_level = 30;
constexpr double beside = 1e-3;  // relative, of the radius

// A zero no farther from the edge than the step h bends log |g| by log 2 or more at the nearest value.
constexpr double most_bend = 0.35, most_turn = 0.7;
constexpr double most_difference = 0.1;  // of fourth and higher order
constexpr int highest_half_order = 4;
constexpr std::size_t most_nodes = 8;
constexpr double little_phase = 1e-2;  // of π: at the real axis g is real

Complex without(Complex log_determinant, Complex s, const std::vector<Complex>& known) {
  for (const Complex& zero : known) log_determinant -= std::log(s - zero);
  return log_determinant;
}

// A power of two, so that the smallest is a tenth of the room or less.
std::int64_t smallest_in_step_for(double room) {
  std::int64_t parts = least_in_step;
  while (parts < most_in_step && pi / static_cast<double>(steps_in_half * parts) > 0.1 * room) parts *= 2;
  return parts;
}

double nearest_turn(double phase, double expected) { return expected + std::remainder(phase - expected, 2 * pi); }

/// Of log |g| around a place.
template <class Size>
bool bends_little(const Size& size, std::int64_t place, std::int64_t step) {
  return std::abs(size(place - step) - 2 * size(place) + size(place + step)) < most_bend;
}

// Very many zeros that are far away bend it, too, but as a polynomial would: their higher differences vanish, and those
// of a zero within the step, or half as far again, do not.
template <class Size>
bool bends_smoothly(const Size& size, std::int64_t place, std::int64_t step) {
  double last = std::numeric_limits<double>::infinity();
  for (int half_order = 2; half_order <= highest_half_order; ++half_order) {
    double difference = 0, binomial = 1;
    for (int k = -half_order; k <= half_order; ++k) {
      difference += binomial * size(place + k * step);
      binomial *= -static_cast<double>(half_order - k) / (half_order + k + 1);
    }
    if (std::abs(difference) < most_difference) return true;
    if (!(std::abs(difference) < last)) return false;
    last = std::abs(difference);
  }
  return false;
}

/// How it has turned so far, at all the places that were passed.
class Phase {
 public:
  explicit Phase(double rate) : rate_(rate) {}

  double turn() const { return turns_.back(); }
  void go_on(std::int64_t step, double turned) {
    rate_ = turned / static_cast<double>(step);
    places_.push_back(places_.back() + static_cast<double>(step));
    turns_.push_back(turns_.back() + turned);
  }

  /// As fast as in the last step. Nothing if that is not so.
  std::optional<double> turned_evenly(std::int64_t step, double phase) const {
    const double expected = rate_ * static_cast<double>(step), turned = nearest_turn(phase, expected);
    return std::abs(turned - expected) < most_turn ? std::optional(turned) : std::nullopt;
  }

  /// As a polynomial through the last places says, and that of the degree below.
  std::optional<double> turned_smoothly(std::int64_t step, double phase) const {
    double last = rate_ * static_cast<double>(step);
    for (std::size_t nodes = 3; nodes <= std::min(most_nodes, places_.size()); ++nodes) {
      const double expected = extrapolated(nodes, places_.back() + static_cast<double>(step)) - turn();
      const double turned = nearest_turn(phase, expected);
      if (std::abs(expected - last) < most_turn && std::abs(turned - expected) < most_turn) return turned;
      last = expected;
    }
    return {};
  }

 private:
  // Neville's scheme through the last nodes.
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

Winding::Winding(const QuadraticPencil& pencil, Complex centre, double radius, double room)
    : pencil_(pencil),
      analysed_(pencil.pattern()),
      centre_(centre),
      radius_(radius),
      is_half_(centre.imag() == 0),
      smallest_in_step_(smallest_in_step_for(room)),
      end_((is_half_ ? 1 : 2) * steps_in_half * smallest_in_step_) {
  const Place half = steps_in_half * smallest_in_step_;
  walks_ = {{.start = 0, .direction = 1}, {.start = half, .direction = -1}};
  if (!is_half_) walks_.insert(walks_.end(), {{.start = half, .direction = 1}, {.start = end_, .direction = -1}});
}

int Winding::evaluations() const {
  return std::accumulate(walks_.begin(), walks_.end(), 0,
                         [](int sum, const Walk& walk) { return sum + walk.evaluations; });
}

Complex Winding::point(Place place, double radius) const {
  return centre_ +
         std::polar(radius, pi * static_cast<double>(place) / static_cast<double>(steps_in_half * smallest_in_step_));
}

Complex Winding::log_determinant(Walk& walk, Complex s) const {
  ++walk.evaluations;
  ComplexLu lu = analysed_.another();
  if (!lu.factor(pencil_.matrix(s))) return std::numeric_limits<double>::quiet_NaN();
  return lu.log_determinant();
}

Winding::Place Winding::folded(Place place) const {
  if (!is_half_) return (place + end_) % end_;
  return place < 0 ? -place : place > end_ ? 2 * end_ - place : place;
}

Complex Winding::value(Walk& walk, Place place) const {
  const auto known = walk.values.find(place);
  if (known != walk.values.end()) return known->second;
  return walk.values[place] = log_determinant(walk, point(place, radius_));
}

Complex Winding::value_beside(Walk& walk) const {
  if (!walk.beside) walk.beside = log_determinant(walk, point(walk.start, radius_ * (1 + beside)));
  return *walk.beside;
}

// By Cauchy and Riemann the phase turns along the edge as fast as log |g| grows across it.
std::optional<double> Winding::turn_along(Walk& walk, const std::vector<Complex>& known) const {
  const auto g = [&](Place on_the_way) {
    const Place place = folded(walk.start + walk.direction * on_the_way);
    return without(value(walk, place), point(place, radius_), known);
  };
  const auto size = [&](Place on_the_way) { return g(on_the_way).real(); };
  const Complex outside = without(value_beside(walk), point(walk.start, radius_ * (1 + beside)), known);
  const double growth = (outside - g(0)).real() / std::log1p(beside);
  const double levels = std::log2(static_cast<double>(smallest_in_step_ / least_in_step));
  const int most = walk.evaluations + most_values_in_quarter + most_values_in_level * static_cast<int>(levels);
  Phase phase(walk.direction * growth * pi / static_cast<double>(steps_in_half * smallest_in_step_));
  const Place quarter = steps_in_half / 2 * smallest_in_step_;
  for (Place from = 0, step = smallest_in_step_; from < quarter;) {
    const Complex before = g(from), after = g(from + step);
    const std::optional<double> turned = bends_little(size, from, step) && bends_little(size, from + step, step)
                                             ? phase.turned_evenly(step, (after - before).imag())
                                         : bends_smoothly(size, from, step) && bends_smoothly(size, from + step, step)
                                             ? phase.turned_smoothly(step, (after - before).imag())
                                             : std::nullopt;
    if (turned) {
      phase.go_on(step, *turned);
      from += step;
      if (step < smallest_in_step_ && from % (2 * step) == 0) step *= 2;
      continue;
    }
    if (step == 1 || walk.evaluations > most) return {};
    step /= 2;
  }
  return phase.turn();
}

std::optional<Index> Winding::unknown(const std::vector<Complex>& known) {
  std::vector<std::optional<double>> turns(walks_.size());
  in_parallel(static_cast<Index>(walks_.size()), [&](Index k) { turns[at(k)] = turn_along(walks_[at(k)], known); });
  double turn = 0;
  for (std::size_t k = 0; k < walks_.size(); ++k) {
    if (!turns[k]) return {};
    turn += walks_[k].direction * *turns[k];
  }
  const double zeros = turn / (is_half_ ? pi : 2 * pi);
  if (std::abs(zeros - std::round(zeros)) > little_phase) return {};
  return static_cast<Index>(std::round(zeros));
}

}  // namespace stillpoint
