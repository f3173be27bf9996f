// A plant as ẋ = A x + b u, y = C x + d₀ u + d₁ u̇ + d₂ ü, with balanced states, and the poles that its channels show.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "stillpoint/time_response.h"

namespace stillpoint {

struct PlantDynamics {
  Eigen::MatrixXd A, b, C;
  std::vector<Eigen::MatrixXd> d;  ///< of u, u̇, ü: outputs × inputs
  std::vector<std::string> input_names, input_units;
  std::vector<std::complex<double>> given_poles;  ///< of the plant, those that are zero as exact zeros
};

/// Throws Error if the plant is no continuous state space.
PlantDynamics dynamics_of(const Plant& plant, Index largest);

/// The spectrum of A, with the part at zero split off, which may be defective: rigid motion is a double zero.
class VisiblePoles {
 public:
  explicit VisiblePoles(const PlantDynamics& dynamics);

  struct Pole {
    std::complex<double> s;
    double part = 0;  ///< its share in the answer, relative to the largest share of a pole of the channel
  };
  struct Channel {
    std::vector<Pole> poles;  ///< other than zero
    bool has_zero = false;    ///< a pole at zero is seen
    Behaviour behaviour = Behaviour::settles;
    double gain = TimeFigures::none;  ///< at ω = 0, if no pole at zero is seen
  };
  Channel channel(Eigen::Index output, Eigen::Index input, TimeInput kind) const;

 private:
  bool shows_zero(Eigen::Index output, Eigen::Index input) const;

  const PlantDynamics& dynamics_;
  Eigen::MatrixXd P0_;             // spectral projector of the poles at zero; empty if there are none
  Eigen::VectorXcd values_;        // the other poles
  Eigen::MatrixXcd left_, right_;  // W b and C V of these
  double axis_ = 0;                // real parts up to here are rounding of the imaginary axis
  Eigen::MatrixXd gain_;
};

}  // namespace stillpoint
