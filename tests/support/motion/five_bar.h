// The redundant five-bar linkage of [de Falco 2005] moves like a pendulum, θ̈ = −w² cos θ.
#pragma once

#include <algorithm>
#include <cmath>

namespace stillpoint::five_bar {

constexpr double w2 = 3.5 / 3.05 * 9.81;

struct Pendulum {
  double angle = 0, rate = 0;
};

/// By the classical Runge–Kutta method with steps so short that only rounding is left.
inline Pendulum after(Pendulum p, double time, double longest_step = 2e-4) {
  const int steps = std::max(1, static_cast<int>(time / longest_step));
  const double h = time / steps;
  const auto f = [](double x) { return -w2 * std::cos(x); };
  for (int k = 0; k < steps; ++k) {
    const double a1 = f(p.angle), a2 = f(p.angle + h / 2 * p.rate), a3 = f(p.angle + h / 2 * p.rate + h * h / 4 * a1),
                 a4 = f(p.angle + h * p.rate + h * h / 2 * a2);
    p.angle += h * p.rate + h * h / 6 * (a1 + a2 + a3);
    p.rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return p;
}

}  // namespace stillpoint::five_bar
