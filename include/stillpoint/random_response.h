// The stationary random response: power spectral densities (PSD) and RMS values of the outputs, from those of the
// inputs.
//
// All spectral densities are one-sided and per Hz: of a signal with mean zero, in the unit of the signal squared per
// Hz,
//
//   σ² = ∫₀^∞ S(f) df                                                                                        (16.6)
//
// (The two-sided density over ω in rad/s, S₂, is S(f) = 4π S₂(2πf).) With the frequency response H, and the
// cross-spectra of the inputs S_jk = γ_jk √(S_j S_k), the outputs have
//
//   S_yy(f) = H S_uu Hᴴ,    rate of upward crossings of the mean  ν² = ∫ f² S df / σ²   [Rice 1944]             (16.7)
//
// Inputs are uncorrelated, γ = I, unless the options say otherwise. σ² is integrated adaptively by the rule of Gauss
// and Kronrod with 15 points [Piessens 1983], with limits of the panels at the resonances. White noise of all
// frequencies needs no quadrature: with S₀/2 its two-sided density, the covariance P of the states x obeys Lyapunov's
// equation,
//
//   A P + P Aᵀ + ½ B S₀ Bᵀ = 0,    σ² = diag(C P Cᵀ)                                                          (16.8)
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// A one-sided spectral density per Hz, as a table; zero outside of it. Between two entries that are positive it is a
/// power of the frequency, a straight line in a log-log plot, and otherwise linear.
struct SpectralDensity {
  std::vector<double> frequency;  ///< Hz, ascending
  std::vector<double> value;      ///< not negative
  bool is_white = false;          ///< value[0] at all frequencies, without a table

  double at(double hertz) const;
};

/// White noise of all frequencies, and within a band (Hz). Throw Error for numbers that are not allowed.
SpectralDensity white_noise(double value);
SpectralDensity white_noise(double value, double from, double to);
/// Reads a table: a frequency in Hz and a value in each line, with commas or blanks between; lines before the first
/// number and those that begin with # are skipped. Throws Error with file and line.
SpectralDensity read_spectral_density(const std::string& path);

/// The density of an input, or of a derivative of it: that of the acceleration of a base whose position is the input.
struct RandomInput {
  std::string input;   ///< an input, or a coordinate on which a force acts
  int derivative = 0;  ///< 0, 1 or 2
  SpectralDensity density;
};

/// The input with this name, in which each apostrophe at the end stands for a derivative: "base''".
RandomInput random_input(const std::string& name, SpectralDensity density);

/// The coherence of two inputs, which is the same at all frequencies.
struct Coherence {
  std::string first, second;
  double value = 0;
};
/// Returns γ for these inputs, for RandomOptions; the empty function if no two are coherent. Throws Error for a name
/// that no input has.
std::function<Eigen::MatrixXcd(double hertz)> coherence_between(const std::vector<RandomInput>& inputs,
                                                                const std::vector<Coherence>& pairs);

struct RandomOptions {
  /// γ at a frequency (Hz), inputs × inputs: Hermitian, with ones on the diagonal. Empty: the identity.
  std::function<Eigen::MatrixXcd(double hertz)> coherence{};
  double tolerance = 1e-9;            ///< of each σ², relative
  std::vector<double> frequencies{};  ///< Hz, where the PSD is shown; empty: chosen by the modes and tables
  bool minimum_norm_reactions = false;
  std::function<void(const std::string&)> progress{};
};

struct RandomResponse {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  std::vector<std::string> output_names, output_units, input_names;
  Eigen::VectorXd frequency;          ///< Hz
  std::vector<Eigen::MatrixXcd> psd;  ///< outputs × outputs for each frequency: cross-spectra, one-sided per Hz
  Eigen::VectorXd variance;           ///< σ²
  Eigen::VectorXd error;              ///< estimated error of σ², absolute
  Eigen::VectorXd crossing_rate;      ///< ν (Hz); NaN where it does not exist
  double from = 0, to = 0;            ///< the band (Hz); `to` is infinite for white noise of all frequencies
  std::string method;                 ///< "Gauss-Kronrod quadrature", "Lyapunov's equation"
  Index evaluations = 0;              ///< of the frequency response, for the quadrature
  bool converged = true;              ///< the tolerance was reached, or with a warning a part of 1e-4
  std::vector<std::string> warnings;

  Eigen::VectorXd rms() const { return variance.cwiseSqrt(); }
};

/// Computes the response of some outputs (names of outputs or coordinates; empty: all outputs). Throws Error if there
/// is no input or no output, if a pole has a positive real part (there is no stationary response), for tables and
/// coherences that are not allowed, if white noise of all frequencies is mixed with tables, acts on an output directly
/// (σ² is infinite) or on a system that is not asymptotically stable, and under the conditions of frequency_response.
RandomResponse random_response(const LinearSystem& system, const std::vector<RandomInput>& inputs,
                               const std::vector<std::string>& outputs = {}, const RandomOptions& options = {});

/// Returns a table for a terminal: RMS values, their errors and crossing rates.
std::string to_text(const RandomResponse& response, const std::string& model);
/// Returns CSV with a line for each frequency and the PSD of each output.
std::string to_csv(const RandomResponse& response);
/// Returns one JSON object, schema stillpoint.random/1.
std::string to_json(const RandomResponse& response, const std::string& model);
/// Returns a log-log plot of the PSD of each output. Throws Error for more than ten, and if there is nothing to show.
std::string to_svg(const RandomResponse& response, const std::string& title);

}  // namespace stillpoint
