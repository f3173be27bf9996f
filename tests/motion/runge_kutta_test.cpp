// The coefficients of Fehlberg's method satisfy the conditions that can be written down, and its steps have order 8.
#include "motion/runge_kutta.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/at.h"

using namespace stillpoint;

TEST_CASE("Fehlberg: the weights integrate powers of the time up to the seventh, and rows sum to the times") {
  for (int power = 0; power < 8; ++power) {
    CAPTURE(power);
    double sum = 0;
    for (int i = 0; i < Fehlberg::stages; ++i) sum += Fehlberg::b[at(i)] * std::pow(Fehlberg::c[at(i)], power);
    CHECK(sum == doctest::Approx(1.0 / (power + 1)).epsilon(1e-14));
  }
  double of_error = 0;
  for (int i = 0; i < Fehlberg::stages; ++i) {
    CAPTURE(i);
    double sum = 0;
    for (const double entry : Fehlberg::a[at(i)]) sum += entry;
    CHECK(sum == doctest::Approx(Fehlberg::c[at(i)]).epsilon(1e-13));
    of_error += Fehlberg::error[at(i)];
  }
  CHECK(std::abs(of_error) < 1e-16);
}

TEST_CASE("Fehlberg: the error of an oscillation falls with the eighth power of the step") {
  const auto slope = [](double time, const Eigen::VectorXd& y) {
    // x¨ = −x + cos 2t from x = 1, ẋ = 0, in changes
    return std::optional(Eigen::VectorXd(Eigen::Vector2d(y[1], -(1 + y[0]) + std::cos(2 * time))));
  };
  const auto error_after = [&](int steps) {
    Eigen::Vector2d y(0, 0);
    for (int k = 0; k < steps; ++k) {
      const double h = 4.0 / steps, time = k * h;
      const Eigen::Vector2d here = y;
      const auto step = fehlberg_step([&](double t, const Eigen::VectorXd& change) { return slope(t, here + change); },
                                      *slope(time, here), time, h);
      REQUIRE(step);
      y += step->change;
    }
    const double exact = 4.0 / 3 * std::cos(4.0) - 1.0 / 3 * std::cos(8.0);
    return std::abs(1 + y[0] - exact);
  };
  const double order = std::log2(error_after(8) / error_after(16));
  CHECK(order > 7.5);
  CHECK(order < 9.5);
}
