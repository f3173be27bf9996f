// Signals that are linear functions of the states and of the inputs with their derivatives: each is a row of a matrix
// that is multiplied by (x, u, u̇, ü, ...).
#pragma once

#include <Eigen/Core>

namespace stillpoint {

struct Signals {
  /// Prescribed motion has two derivatives, and coordinates without mass that follow it need two more.
  static constexpr int orders = 5;

  Eigen::Index states = 0, inputs = 0;

  Eigen::Index columns() const { return states + orders * inputs; }
  Eigen::MatrixXd zero(Eigen::Index rows) const { return Eigen::MatrixXd::Zero(rows, columns()); }
  /// Returns the states from `first` on as signals.
  Eigen::MatrixXd unit(Eigen::Index first, Eigen::Index rows) const {
    Eigen::MatrixXd signal = zero(rows);
    signal.middleCols(first, rows).setIdentity();
    return signal;
  }

  auto of_states(const Eigen::MatrixXd& signal) const { return signal.leftCols(states); }
  auto of_order(const Eigen::MatrixXd& signal, int k) const { return signal.middleCols(states + k * inputs, inputs); }
  auto of_order(Eigen::MatrixXd& signal, int k) const { return signal.middleCols(states + k * inputs, inputs); }

  /// Returns the time derivative, with ẋ = rates. The highest order of the signal must be zero.
  Eigen::MatrixXd derivative(const Eigen::MatrixXd& signal, const Eigen::MatrixXd& rates) const {
    Eigen::MatrixXd result = of_states(signal) * rates;
    for (int k = 0; k + 1 < orders; ++k) of_order(result, k + 1) += of_order(signal, k);
    return result;
  }
};

}  // namespace stillpoint
