// The response to rotating unbalance: a small mass m at the distance e from the axis of a rotor that turns at Ω. The
// force rotates, which is two inputs a quarter turn apart, and grows with the square of the speed:
//
//   F₁ = m e Ω² cos(Ωt + φ),   F₂ = m e Ω² sin(Ωt + φ)        amplitudes  m e Ω² e^{iφ} (1, −i)                (16.4)
//
// in y(t) = Re(Y e^{iΩt}). Of several unbalances, on one disc or several, the responses are added: they turn together.
// Two outputs y₁, y₂ of one place, in the same two directions, move on an ellipse,
//
//   y₁ + i y₂ = f e^{iΩt} + b e^{−iΩt},   f = (Y₁ + i Y₂)/2,   b = conj(Y₁ − i Y₂)/2                        (16.5)
//
// whose half axes are |f| + |b| and ||f| − |b||; |f| > |b| is forward whirl, with the rotation, |f| < |b| backward.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/frequency_response.h"

namespace stillpoint {

struct Unbalance {
  std::string first,
      second;         ///< inputs, or coordinates on which forces act; the rotor turns from the first to the second
  double amount = 0;  ///< m e (kg m)
  double phase = 0;   ///< φ (rad)
};

/// Two outputs whose ellipse is to be told.
struct Orbit {
  std::string first, second;
};

/// Returns the amplitudes of outputs (names of outputs or coordinates; empty: all outputs) at rotational speeds Ω
/// (rad/s) as a response with the one input "unbalance" (backward error and warnings as in frequency_response). For
/// each orbit the outputs "forward(a,b)" and "backward(a,b)" follow, the amplitudes f and b. Throws Error for an
/// unknown name, if there is no unbalance, and under the conditions of frequency_response.
FrequencyResponse unbalance_response(const LinearSystem& system, const std::vector<Unbalance>& unbalances,
                                     const std::vector<std::string>& outputs, const std::vector<Orbit>& orbits,
                                     const Eigen::VectorXd& speeds, const ResponseOptions& options = {});

/// The same for a rotor whose linear system depends on its speed, by gyroscopic forces: `system_at` gives the system at
/// each speed, from the lowest on. Near the peaks of the outputs, at most `refinements` times, speeds are added halfway
/// to the adjacent ones, since no spectrum tells where the peaks are.
FrequencyResponse unbalance_response(const std::function<LinearSystem(double speed)>& system_at,
                                     const std::vector<Unbalance>& unbalances, const std::vector<std::string>& outputs,
                                     const std::vector<Orbit>& orbits, const Eigen::VectorXd& speeds,
                                     int refinements = 0, const ResponseOptions& options = {});

}  // namespace stillpoint
