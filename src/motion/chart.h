// Coordinates centred at one state: the increments of Model::displaced, and their rates.
//
// For an orientation the increment θ is a rotation vector and the rate of the state the angular velocity ω in the axes
// of the body. With the right Jacobian of the exponential map [Bullo & Murray 1995],
//
//   θ̇ = ω + ½ θ × ω + c(|θ|) θ × (θ × ω),   c(φ) = 1/φ² − (1 + cos φ) / (2 φ sin φ)                             (13.2)
//
// (θ̇ = ω instead would bring a method of any order down to the order two.)
#pragma once

#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

class Chart {
 public:
  explicit Chart(const Model& model);

  /// The rates of the increments at these increments, for the rates v of the state there.
  Eigen::VectorXd rates(const Eigen::VectorXd& increments, Eigen::VectorXd v) const;

  /// J ∂v/∂ḋ: a matrix that multiplies rates of the state, made one that multiplies rates of the increments d.
  Eigen::MatrixXd for_increments(const Eigen::VectorXd& increments, Eigen::MatrixXd J) const;

 private:
  std::vector<Index> turns_;  ///< first coordinate of each orientation
};

}  // namespace stillpoint
