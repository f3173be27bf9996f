// Frequency response: the steady state of the outputs for sinusoidal inputs.
//
//   [ −ω²M + iωC + K   Jᵀ ] [ q ]   [ F ]
//   [        J         0  ] [ λ ] = [ G ] u,     y = (H_q + iω H_v − ω² H_a) q + H_λ λ + H_u u              (12.4)
//
// ω is in rad/s. Systems of any size are solved by one sparse LU factorization for each frequency, analysed once.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"
#include "stillpoint/plant.h"

namespace stillpoint {

struct FrequencyResponse {
  Eigen::VectorXd omega;                   ///< rad/s
  std::vector<Eigen::MatrixXcd> response;  ///< outputs × inputs for each ω; NaN if iω is a pole
  Eigen::VectorXd backward_error;          ///< of the solution for each ω, relative; NaN if iω is a pole
  std::vector<std::string> input_names, output_names;
  std::vector<std::string> warnings;
};

struct ResponseOptions {
  bool minimum_norm_reactions = false;  ///< as in PlantOptions
  std::function<void(const std::string&)> progress{};
};

/// Computes the response of the whole system. Throws Error if ω is negative or not finite, and if a reaction is not
/// determined.
FrequencyResponse frequency_response(const LinearSystem& system, const Eigen::VectorXd& omega,
                                     const ResponseOptions& options = {});

/// Computes the response of a plant to its channels w.
std::vector<Eigen::MatrixXcd> response_of(const Plant& plant, const Eigen::VectorXd& omega);
/// Computes the response of a plant to the inputs u, with u̇ = iω u and ü = −ω² u.
std::vector<Eigen::MatrixXcd> input_response_of(const Plant& plant, const Eigen::VectorXd& omega);

/// The error of a plant relative to the system that it is made from.
struct ResponseError {
  /// The largest |H − H_plant| of a pair, relative to the largest |H| over ω of the pair, or of all components of its
  /// output ("tip.x" and "tip.y") if that is more.
  double relative = 0;
  double omega = 0;  ///< the frequency of the largest error (rad/s)
};
ResponseError response_error(const FrequencyResponse& exact, const Plant& plant);

/// Returns `points` frequencies (rad/s), equally spaced in the logarithm.
Eigen::VectorXd log_spaced(double from, double to, Index points);

/// The frequency range of a plot (rad/s).
struct ResponseRange {
  double from = 0.1, to = 100;
  std::vector<std::complex<double>> poles;  ///< known poles in the range, Im ≥ 0
};
/// Returns the range of the ten lowest modes that are not zero, with a decade on both sides; the default range if no
/// mode is known.
ResponseRange range_of_modes(const LinearSystem& system);
/// Returns 400 frequencies in the range, and more near the peaks of its poles.
Eigen::VectorXd frequencies_for_plot(const ResponseRange& range);

/// Returns CSV with a line for each frequency, and Re, Im, dB and degrees (unwrapped) for each pair.
std::string to_csv(const FrequencyResponse& response);
/// Returns one JSON object, schema stillpoint.response/1.
std::string to_json(const FrequencyResponse& response, const std::string& model);
/// Returns a Bode plot in SVG: magnitude in dB and unwrapped phase over log ω, or log Hz. Throws Error for more than
/// ten pairs.
std::string to_svg(const FrequencyResponse& response, const std::string& title, bool hertz = true);

}  // namespace stillpoint
