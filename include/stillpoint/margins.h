// Figures of frequency responses, and of loops that are closed around them: each pair of input and output is the open
// loop L(s) of a negative feedback of its own, the others stay open.
//
//   gain crossover |L(iω)| = 1:      phase margin 180° + arg L, delay margin (phase margin in radians)/ω
//   phase crossover L(iω) < 0:       gain margin 1/|L|
//   Z = P + N                        unstable poles of the closed loop, of the open one, clockwise turns of L around −1
//                                    for iω from −i∞ to i∞, with poles on the axis to the left of the path
//
//   const LoopAnalysis loop = analyse_loops(with_channels(system, {"balance.error"}, {"balance.feedback"}));
//
// The curves are sampled as densely as they turn, seen from 0 and from −1; crossings are roots of the exact response.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "stillpoint/frequency_response.h"

namespace stillpoint {

/// Where |L| = 1.
struct PhaseMargin {
  double omega = 0;    ///< rad/s
  double degrees = 0;  ///< 180° + arg L, in (−180°, 180°]
  double delay = 0;    ///< that takes L to −1 (s)
};

/// Where L is real and negative.
struct GainMargin {
  double omega = 0;   ///< rad/s
  double factor = 0;  ///< by which the gain grows, or falls if it is below 1, until L = −1
};

/// A pole of L on the imaginary axis.
struct AxisPole {
  double omega = 0;  ///< rad/s
  int order = 0;     ///< as this pair of input and output shows it; 0: not at all
};

struct LoopFigures {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::string input, output;
  std::vector<PhaseMargin> phase_margins;  ///< all, by ascending ω
  std::vector<GainMargin> gain_margins;    ///< all, by ascending ω
  double least_distance = none;            ///< of L from −1: 1/‖1/(1 + L)‖∞
  double least_distance_omega = none;      ///< rad/s
  std::vector<AxisPole> axis_poles;

  double static_gain = none;  ///< H(0), if it is finite
  double bandwidth = none;    ///< lowest ω where |H| = |H(0)|/√2 (rad/s)
  double peak = none;         ///< largest |H| in the range; infinite: a pole on the axis
  double peak_omega = none;   ///< rad/s

  Index open_unstable = 0;    ///< P
  Index clockwise_turns = 0;  ///< N
  Index closed_unstable = 0;  ///< Z
  bool is_counted = true;     ///< whether N and Z are known
  std::string why_not_counted;

  /// The smallest that the gain may grow by; infinite if there is none. (Below: the largest factor below 1, or 0.)
  double gain_margin_above() const;
  double gain_margin_below() const;
  /// The margin with the smallest |degrees|, or null.
  const PhaseMargin* least_phase_margin() const;
  /// The smallest delay margin (s); infinite if |L| is never 1.
  double delay_margin() const;
};

struct LoopAnalysis {
  FrequencyResponse response;         ///< at the sampled frequencies
  std::vector<LoopFigures> channels;  ///< all inputs of the first output, then of the next
  std::vector<std::string> warnings;
};

struct LoopOptions {
  double from = 0, to = 0;  ///< rad/s; zero: from the poles, and as far as the curve asks for
  Index most_points = 20000;
  bool minimum_norm_reactions = false;  ///< as in PlantOptions
};

/// Analyses the whole sparse system, of any size.
LoopAnalysis analyse_loops(const LinearSystem& system, const LoopOptions& options = {});
/// Analyses a continuous plant.
LoopAnalysis analyse_loops(const Plant& plant, const LoopOptions& options = {});

/// What a plot of loops shows.
enum class LoopPlot { nyquist, nichols };

/// Returns CSV with a line for each frequency, and Re, Im, dB and degrees (unwrapped) for each pair.
std::string to_csv(const LoopAnalysis& loops);
/// Returns one JSON object, schema stillpoint.loops/1.
std::string to_json(const LoopAnalysis& loops, const std::string& model);
/// Returns tables of the figures: of the loops, or of the responses as they are (bandwidth and peak).
std::string to_text(const LoopAnalysis& loops, const std::string& model, bool as_loops = true, bool hertz = true);
/// Returns a panel for each pair in SVG, with −1 marked; on a Nichols chart with contours of the closed loop.
std::string to_svg(const LoopAnalysis& loops, LoopPlot plot, const std::string& title, bool hertz = true);

/// The singular values of the matrix of all pairs.
struct SingularValueCurves {
  Eigen::VectorXd omega;   ///< rad/s
  Eigen::MatrixXd values;  ///< a row for each ω, descending; NaN if iω is a pole
};
SingularValueCurves singular_values_of(const FrequencyResponse& response);
std::string to_csv(const SingularValueCurves& curves);
/// Returns one JSON object, schema stillpoint.singular_values/1.
std::string to_json(const SingularValueCurves& curves, const FrequencyResponse& response, const std::string& model);
std::string to_svg(const SingularValueCurves& curves, const std::string& title, bool hertz = true);

}  // namespace stillpoint
