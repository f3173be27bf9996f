// The explicit Runge–Kutta method of Fehlberg of order 8 with an error estimate of order 7 [Fehlberg 1968].
//
//   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y⁺ = y + h Σ b_i k_i,   error: h 41/840 (k_1 + k_11 − k_12 − k_13)
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>

namespace stillpoint {

struct Fehlberg {
  static constexpr int stages = 13;
  static constexpr double order = 8;
  static const std::array<double, stages> c;
  static const std::array<std::array<double, stages>, stages> a;
  static const std::array<double, stages> b;
  static const std::array<double, stages> error;  ///< weights of the estimate
};

struct RungeKuttaStep {
  Eigen::VectorXd change;  ///< y⁺ − y
  Eigen::VectorXd error;
};

/// One step from y = 0 of ẏ = f(time, y). `first` is f(t, 0). Returns nothing if f has no value at a stage.
std::optional<RungeKuttaStep> fehlberg_step(
    const std::function<std::optional<Eigen::VectorXd>(double time, const Eigen::VectorXd& y)>& f,
    const Eigen::VectorXd& first, double time, double h);

}  // namespace stillpoint
