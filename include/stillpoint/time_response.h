// Answers of a plant in time to a step and to an impulse at each input, exact at all times.
//
//   G(s) = C (sI − A)⁻¹ (B₀ + s B₁ + s² B₂) + D₀ + s D₁ + s² D₂       (B₁, B₂, ... act on derivatives of inputs)
//        = C (sI − A)⁻¹ b + d₀ + s d₁ + s² d₂,   b = B₀ + A B₁ + A² B₂
//   impulse: y(t) = C e^{At} b,   step: y(t) = C ∫₀ᵗ e^{Aτ} b dτ + d₀,   both for t > 0
//
//   const TimeResponse step = time_response(state_space(system));
//
// At t = 0 an impulse, and a step where d₁ or d₂ is not zero, bring impulses of the output, which are told apart.
#pragma once

#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/plant.h"

namespace stillpoint {

enum class TimeInput { step, impulse };

/// What becomes of an output for t → ∞, by the poles that its channel shows.
enum class Behaviour {
  settles,     ///< it approaches a value
  oscillates,  ///< a pole on the imaginary axis goes on for ever
  integrates,  ///< a pole at zero: it grows as a power of the time, or stays where it was pushed
  unstable     ///< it grows exponentially
};
/// "settles", "oscillates", "integrates", "unstable"
const char* key_of(Behaviour behaviour);

/// Figures of one channel. NaN: there is none. Those of a step from rise_time on need a final value other than zero.
struct TimeFigures {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double initial = none;        ///< y at t = 0⁺
  double final_value = none;    ///< y for t → ∞, of a step the gain at ω = 0; only if it settles
  double peak = none;           ///< y where |y| is largest, up to the end of `searched`
  double peak_time = none;      ///< s
  double rise_time = none;      ///< from the first 10 % to the first 90 % of the final value (s)
  double settling_time = none;  ///< the last time when y is 2 % of the final value away from it (s)
  double overshoot = none;      ///< how far y goes beyond the final value, relative to it; zero: not at all
  double undershoot = none;     ///< how far y goes to the other side of zero, relative to the final value
  double searched = none;       ///< until when the figures were looked for (s)
};

struct TimeChannel {
  std::string input, output, input_unit, output_unit;
  Eigen::VectorXd value;         ///< at `times`; the first one at t = 0⁺
  std::vector<double> impulses;  ///< areas of δ, δ', δ'' in the output at t = 0, without trailing zeros
  Behaviour behaviour = Behaviour::settles;
  std::complex<double> leading_pole = TimeFigures::none;  ///< the visible one with the largest real part
  TimeFigures figures;
};

struct TimeResponse {
  TimeInput input = TimeInput::step;
  Eigen::VectorXd times;              ///< s, equally spaced from 0
  std::vector<TimeChannel> channels;  ///< all inputs of the first output, then of the next
  double error =
      0;  ///< of the last values, as measured by a second exponential; relative to the largest of the channel
  std::vector<std::string> warnings;
};

struct TimeOptions {
  TimeInput input = TimeInput::step;
  std::optional<double> until{};  ///< s; none: from the poles that the outputs show
  Index points = 0;               ///< 0: from these poles
  Index largest = 600;            ///< states: matrix exponentials are dense
};

/// Computes the answers of a continuous state space with E = I, about its operating point. Throws Error for another
/// form, for more states than `largest`, and if an output or a time is beyond the range of numbers.
TimeResponse time_response(const Plant& plant, const TimeOptions& options = {});

/// Returns CSV with a line for each time and a column for each channel.
std::string to_csv(const TimeResponse& response);
/// Returns one JSON object, schema stillpoint.time_response/1.
std::string to_json(const TimeResponse& response, const std::string& model);
/// Returns a table of the figures.
std::string to_text(const TimeResponse& response, const std::string& model);
/// Returns a panel for each channel in SVG. Throws Error for more channels than a picture shows.
std::string to_svg(const TimeResponse& response, const std::string& title);

}  // namespace stillpoint
