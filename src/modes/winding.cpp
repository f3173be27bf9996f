#include "modes/winding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr std::int64_t steps_in_half = 8, smallest_in_step = 512;
constexpr int most_values_in_half = 400;
constexpr double beside = 1e-3;  // relative, of the radius

// A zero no farther from the edge than the step h bends log |g| by log 2 or more at the nearest value.
constexpr double most_bend = 0.35, most_turn = 0.7;
constexpr double little_phase = 1e-2;  // of π: at the real axis g is real

Complex without(Complex log_determinant, Complex s, const std::vector<Complex>& known) {
  for (const Complex& zero : known) log_determinant -= std::log(s - zero);
  return log_determinant;
}

double nearest_turn(double phase, double expected) { return expected + std::remainder(phase - expected, 2 * pi); }

}  // namespace

Winding::Winding(const QuadraticPencil& pencil, Complex centre, double radius)
    : pencil_(pencil),
      lu_(pencil.pattern()),
      centre_(centre),
      radius_(radius),
      is_half_(centre.imag() == 0),
      end_((is_half_ ? 1 : 2) * steps_in_half * smallest_in_step),
      beside_(log_determinant(point(0, radius * (1 + beside)))) {}

Complex Winding::point(Place place, double radius) const {
  return centre_ + std::polar(radius, pi * static_cast<double>(place) / (steps_in_half * smallest_in_step));
}

Complex Winding::log_determinant(Complex s) {
  ++evaluations_;
  if (!lu_.factor(pencil_.matrix(s))) return std::numeric_limits<double>::quiet_NaN();
  return lu_.log_determinant();
}

Winding::Place Winding::folded(Place place) const {
  if (!is_half_) return (place + end_) % end_;
  return place < 0 ? -place : place > end_ ? 2 * end_ - place : place;
}

Complex Winding::value(Place place) {
  const auto known = values_.find(folded(place));
  if (known != values_.end()) return known->second;
  return values_[folded(place)] = log_determinant(point(folded(place), radius_));
}

// By Cauchy and Riemann the phase turns along the edge as fast as log |g| grows across it.
std::optional<Index> Winding::unknown(const std::vector<Complex>& known) {
  const auto g = [&](Place place) { return without(value(place), point(folded(place), radius_), known); };
  const auto bends_little = [&](Place place, Place step) {
    return std::abs((g(place - step) - 2.0 * g(place) + g(place + step)).real()) < most_bend;
  };
  const double growth = (without(beside_, point(0, radius_ * (1 + beside)), known) - g(0)).real() / std::log1p(beside);
  const int most = evaluations_ + most_values_in_half * (is_half_ ? 1 : 2);
  double turn = 0, rate = growth * pi / (steps_in_half * smallest_in_step);
  for (Place from = 0, step = smallest_in_step; from < end_;) {
    const double expected = rate * static_cast<double>(step);
    const double turned = nearest_turn((g(from + step) - g(from)).imag(), expected);
    if (bends_little(from, step) && bends_little(from + step, step) && std::abs(turned - expected) < most_turn) {
      turn += turned;
      rate = turned / static_cast<double>(step);
      from += step;
      if (step < smallest_in_step && from % (2 * step) == 0) step *= 2;
      continue;
    }
    if (step == 1 || evaluations_ > most) return {};
    step /= 2;
  }
  const double zeros = turn / (is_half_ ? pi : 2 * pi);
  if (std::abs(zeros - std::round(zeros)) > little_phase) return {};
  return static_cast<Index>(std::round(zeros));
}

}  // namespace stillpoint
