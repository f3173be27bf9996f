#include "modes/winding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr std::size_t first_intervals = 8, most_intervals = 256;
constexpr double beside = 1e-3;  // relative, of the radius

// A zero no farther from the edge than the step h bends log |g| by log 2 or more at the nearest value.
constexpr double most_bend = 0.35, most_turn = 0.7;
constexpr double little_phase = 1e-2;  // of π: at the real axis g is real

Complex without(Complex log_determinant, Complex s, const std::vector<Complex>& known) {
  for (const Complex& zero : known) log_determinant -= std::log(s - zero);
  return log_determinant;
}

double nearest_turn(double phase, double expected) { return expected + std::remainder(phase - expected, 2 * pi); }

// The phase on the half circle, where every step is as the ones before let expect.
std::optional<double> total_turn(const std::vector<Complex>& g, double first_step) {
  const std::size_t last = g.size() - 1;
  double turn = 0, expected = first_step;
  for (std::size_t i = 0; i < last; ++i) {
    // Beyond both ends the values mirror.
    const double before = g[i > 0 ? i - 1 : 1].real(), after = g[i + 1].real();
    if (!(std::abs(before - 2 * g[i].real() + after) < most_bend)) return {};
    const double step = nearest_turn((g[i + 1] - g[i]).imag(), expected);
    if (!(std::abs(step - expected) < most_turn)) return {};
    turn += step;
    expected = step;
  }
  if (!(2 * std::abs(g[last - 1].real() - g[last].real()) < most_bend)) return {};
  return turn;
}

}  // namespace

Winding::Winding(const QuadraticPencil& pencil, double radius)
    : pencil_(pencil), lu_(pencil.pattern()), radius_(radius), beside_(log_determinant(radius * (1 + beside))) {
  for (std::size_t i = 0; i <= first_intervals; ++i) {
    values_.push_back(log_determinant(std::polar(radius, pi * static_cast<double>(i) / first_intervals)));
  }
}

Complex Winding::log_determinant(Complex s) {
  ++evaluations_;
  if (!lu_.factor(pencil_.matrix(s))) return std::numeric_limits<double>::quiet_NaN();
  return lu_.log_determinant();
}

void Winding::refine() {
  std::vector<Complex> finer;
  const auto intervals = static_cast<double>(values_.size() - 1);
  for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
    finer.push_back(values_[i]);
    finer.push_back(log_determinant(std::polar(radius_, pi * (static_cast<double>(i) + 0.5) / intervals)));
  }
  finer.push_back(values_.back());
  values_ = std::move(finer);
}

// By Cauchy and Riemann the phase turns along the edge as fast as log |g| grows across it.
std::optional<Index> Winding::unknown(const std::vector<Complex>& known) {
  while (true) {
    const std::size_t intervals = values_.size() - 1;
    std::vector<Complex> g;
    for (std::size_t i = 0; i <= intervals; ++i) {
      const double angle = pi * static_cast<double>(i) / static_cast<double>(intervals);
      g.push_back(without(values_[i], std::polar(radius_, angle), known));
    }
    const double growth = (without(beside_, radius_ * (1 + beside), known) - g[0]).real() / std::log1p(beside);
    if (const auto turn = total_turn(g, growth * pi / static_cast<double>(intervals))) {
      const double zeros = *turn / pi;
      if (std::abs(zeros - std::round(zeros)) < little_phase) return static_cast<Index>(std::round(zeros));
    }
    if (intervals >= most_intervals) return {};
    refine();
  }
}

}  // namespace stillpoint
