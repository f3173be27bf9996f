// What sinusoids at the inputs do at the outputs, in the steady state.
//
//   [ −ω²M + iωC + K   Jᵀ ] [ q ]   [ F ]
//   [        J         0  ] [ λ ] = [ G ] u,     y = (H_q + iω H_v − ω² H_a) q + H_λ λ + H_u u               (T43)
//
// ω in rad/s. Of any size: one sparse LU for each frequency, analysed once.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"
#include "stillpoint/plant.h"

namespace stillpoint {

struct FrequencyResponse {
  Eigen::VectorXd omega;                   ///< rad/s
  std::vector<Eigen::MatrixXcd> response;  ///< at each: outputs × inputs; NaN where iω is a pole
  Eigen::VectorXd backward_error;          ///< of the solution at each, relative; NaN where iω is a pole
  std::vector<std::string> input_names, output_names;
  std::vector<std::string> warnings;
};

struct ResponseOptions {
  bool minimum_norm_reactions = false;  ///< as for plants
};

/// Of the whole system. Throws Error if ω is negative or not finite, and if a reaction is not determined.
FrequencyResponse frequency_response(const LinearSystem& system, const Eigen::VectorXd& omega,
                                     const ResponseOptions& options = {});

/// Of a plant, by its channels w.
std::vector<Eigen::MatrixXcd> response_of(const Plant& plant, const Eigen::VectorXd& omega);
/// Of a plant, by the inputs u: its channels together, u̇ = iω u and ü = −ω² u.
std::vector<Eigen::MatrixXcd> input_response_of(const Plant& plant, const Eigen::VectorXd& omega);

/// How far a plant is from the system that it was made from.
struct ResponseError {
  /// The largest |H − H_plant| of a pair, relative to the largest |H| over ω of the pair, or of all components of its
  /// output ("tip.x" and "tip.y") if that is more.
  double relative = 0;
  double omega = 0;  ///< where
};
ResponseError response_error(const FrequencyResponse& exact, const Plant& plant);

/// Frequencies, rad/s: `points` of them, even in the logarithm.
Eigen::VectorXd log_spaced(double from, double to, Index points);

/// What a plot should show, rad/s.
struct ResponseRange {
  double from = 0.1, to = 100;
  std::vector<std::complex<double>> poles;  ///< those known in it, Im ≥ 0
};
/// A decade on both sides of the ten lowest modes that do not stand still; the default if none is known.
ResponseRange range_of_modes(const LinearSystem& system);
/// 400 in the range, and more near the peaks of its poles.
Eigen::VectorXd frequencies_for_plot(const ResponseRange& range);

/// One line for each frequency; for each pair Re, Im, dB and degrees (unwrapped).
std::string to_csv(const FrequencyResponse& response);
/// One object, schema stillpoint.response/1.
std::string to_json(const FrequencyResponse& response, const std::string& model);
/// A Bode plot: magnitude in dB and unwrapped phase over log ω, or log Hz. At most ten pairs; Error otherwise.
std::string to_svg(const FrequencyResponse& response, const std::string& title, bool hertz = true);

}  // namespace stillpoint
