// Frequency and damping of a recorded signal, by two methods that know nothing of the mechanism.
//
// Logarithmic decrement: of one oscillation x = c + a e^{−σt} cos(ωt + φ) about any mean c, the swings from each
// extremum to the next shrink by e^{−σπ/ω}, and last π/ω each. The mean cancels in them.
//
// Spectrum: the peaks of the Fourier transform after removal of the mean, through the window of Blackman and Harris,
// whose side lobes are 92 dB below a peak [Harris 1978], at the frequency where the transform itself is largest. Peaks
// of less than four periods in the record, and such as are nearer to each other than eight in its length, are not
// resolved.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// One oscillation that decays, or grows.
struct IdentifiedDecay {
  double frequency = 0;      ///< |Im s|/2π (Hz), as of a mode
  double damping_ratio = 0;  ///< −Re s/|s|; negative if it grows
  Index extrema = 0;         ///< whose swings were used
  double scatter = 0;        ///< the largest deviation of a swing or of a half period from this oscillation, relative
};

struct SpectralPeak {
  double frequency = 0;  ///< Hz
  double amplitude = 0;  ///< of a steady oscillation; of one that decays, an average over the record
};

struct Identified {
  std::optional<IdentifiedDecay> decay{};  ///< nothing if the signal is not one oscillation: `note` says why
  std::vector<SpectralPeak> peaks{};       ///< the largest ones, by their amplitude
  std::string note{};
};

/// Values at ascending times, of which all but the last must be equally far apart. Throws Error if they are not, or if
/// a value is not finite.
Identified identify(const std::vector<double>& times, const Eigen::VectorXd& values);

/// A line for each signal.
std::string identification_table(const std::vector<std::pair<std::string, Identified>>& signals);

}  // namespace stillpoint
