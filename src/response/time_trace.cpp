#include "response/time_trace.h"

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr std::size_t halvings = 8;  // of an interval, before a polynomial takes over
constexpr int most_bisections = 60;
constexpr int derivatives = 6;  // of an output: the polynomial of order 3 needs those up to the fifth

/// The polynomial of degree 5 with given values, slopes and curvatures at both ends of [0, h], at τ.
double quintic(const double (&left)[3], const double (&right)[3], double h, double tau) {
  const double x = tau / h, y = 1 - x;
  const auto half = [](const double(&end)[3], double length, double near, double far) {
    const double value = end[0], slope = end[1] * length, curvature = end[2] * length * length;
    return far * far * far *
           (value * (1 + 3 * near + 6 * near * near) + slope * near * (1 + 3 * near) + curvature * near * near / 2);
  };
  return half(left, h, x, y) + half(right, -h, y, x);
}

}  // namespace

TimeTrace::TimeTrace(const PlantDynamics& dynamics, Eigen::Index input, TimeInput kind, double step, Index intervals)
    : step_(step) {
  const Eigen::Index n = dynamics.A.rows(), more = kind == TimeInput::step ? 1 : 0;
  generator_ = Eigen::MatrixXd::Zero(n + more, n + more);
  generator_.topLeftCorner(n, n) = dynamics.A;
  Eigen::MatrixXd outputs = Eigen::MatrixXd::Zero(dynamics.d[0].rows(), n + more);
  outputs.leftCols(n) = dynamics.C;
  states_ = Eigen::MatrixXd::Zero(n + more, intervals + 1);
  if (kind == TimeInput::step) {
    generator_.topRightCorner(n, 1) = dynamics.b.col(input);
    outputs.rightCols(1) = dynamics.d[0].col(input);
    states_(n, 0) = 1;
  } else {
    states_.col(0) = dynamics.b.col(input);
  }
  for (int k = 0; k < derivatives; ++k) {
    rows_.push_back(outputs);
    outputs = (outputs * generator_).eval();
  }
  for (Eigen::Index k = 0; k < intervals; ++k) states_.col(k + 1).noalias() = power(0) * states_.col(k);
}

const Eigen::MatrixXd& TimeTrace::power(std::size_t level) const {
  while (powers_.size() <= level)
    powers_.emplace_back((generator_ * std::ldexp(step_, -static_cast<int>(powers_.size()))).exp());
  return powers_[level];
}

double TimeTrace::at_start(Eigen::Index output, Index interval, int order) const {
  return rows_[stillpoint::at(order)].row(output).dot(states_.col(interval));
}

double TimeTrace::at(Eigen::Index output, Index interval, double tau, int order) const {
  Eigen::VectorXd z = states_.col(interval);
  double part = step_;
  for (std::size_t level = 1; level <= halvings; ++level) {
    part = std::ldexp(step_, -static_cast<int>(level));
    if (tau < part) continue;
    z = power(level) * z;
    tau -= part;
  }
  const Eigen::VectorXd next = power(halvings) * z;
  double left[3], right[3];
  for (int k = 0; k < 3; ++k) {
    const auto row = rows_[stillpoint::at(order + k)].row(output);
    left[k] = row.dot(z);
    right[k] = row.dot(next);
  }
  return quintic(left, right, part, tau);
}

double TimeTrace::root(Eigen::Index output, Index interval, double value, int order, double from, double to) const {
  const bool rises = at(output, interval, to, order) > at(output, interval, from, order);
  for (int k = 0; k < most_bisections && to - from > 1e-15 * step_; ++k) {
    const double middle = (from + to) / 2;
    const bool is_above = at(output, interval, middle, order) > value;
    (is_above == rises ? to : from) = middle;
  }
  return (from + to) / 2;
}

Eigen::VectorXd TimeTrace::at_end_at_once() const {
  const Eigen::MatrixXd whole = (generator_ * (step_ * intervals())).exp();
  return rows_[0] * (whole * states_.col(0));
}

}  // namespace stillpoint
