// Answers in time by the matrix exponential of the plant with its input as one more state [Van Loan 1978].
#include "stillpoint/time_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "base/in_parallel.h"
#include "response/step_figures.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::VectorXd;

// Poles with a smaller share in the answer do not choose the window.
constexpr double relevant = 1e-3;

constexpr double time_constants_shown = 5, periods_shown = 20;  // of the slowest relevant pole
constexpr double growth_shown = 1000;                           // of an unstable answer
constexpr double time_constants_searched = 10;                  // for figures: then 5e-5 is left

constexpr Index least_points = 401, most_points = 5001;
constexpr double points_of_period = 16;  // of the fastest relevant oscillation
constexpr double most_work = 4e8;        // entries of states: memory and time of the search for figures
constexpr Index most_intervals = 200'000;

// Above this the measured error is told as a warning.
constexpr double noticeable_error = 1e-9;

/// What the poles of some channels ask for (s; 1/s).
struct Window {
  double shown = 0, searched = 0, fastest = 0;
  double growth = 0;  ///< largest real part of an unstable pole
};

void widen(const VisiblePoles::Pole& pole, Window& window) {
  if (!(pole.part > 0)) return;
  const double rate = -pole.s.real(), omega = std::abs(pole.s.imag());
  if (rate < 0 && omega * 1e-9 < -rate) window.growth = std::max(window.growth, -rate);
  if (pole.part < relevant) return;
  const double constant = rate > 1e-9 * omega ? 1 / rate : std::numeric_limits<double>::infinity();
  const double period = omega > 0 ? 2 * std::numbers::pi / omega : std::numeric_limits<double>::infinity();
  window.shown = std::max(window.shown, std::min(time_constants_shown * constant, periods_shown * period));
  window.searched = std::max(window.searched, std::min(time_constants_searched * constant, 1e4 * period));
  window.fastest = std::max(window.fastest, omega);
}

/// Two digits are enough for the end of a picture.
double rounded_up(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  const double rounded = std::ceil(value / unit * (1 - 1e-12)) * unit;
  return std::isfinite(rounded) && rounded > 0 ? rounded : value;
}

Window window_of(const std::vector<VisiblePoles::Channel>& channels) {
  Window window;
  for (const VisiblePoles::Channel& channel : channels) {
    for (const VisiblePoles::Pole& pole : channel.poles) widen(pole, window);
  }
  if (window.growth > 0) window.shown = std::log(growth_shown) / window.growth;
  if (!(window.shown > 0) || !std::isfinite(window.shown)) window.shown = 1;
  window.shown = rounded_up(window.shown);
  if (window.growth > 0 || !(window.searched > 0) || !std::isfinite(window.searched)) window.searched = window.shown;
  return window;
}

Index points_for(const Window& window, double until) {
  const double wanted = until * window.fastest / (2 * std::numbers::pi) * points_of_period + 1;
  return static_cast<Index>(std::clamp(wanted, double(least_points), double(most_points)));
}

/// Intervals for the search, as many as the fastest relevant oscillation asks for and memory allows.
Index intervals_for(const Window& window, Eigen::Index states) {
  const double wanted = window.searched * window.fastest / (2 * std::numbers::pi) * points_of_period;
  const double allowed = std::min(double(most_intervals), most_work / double((states + 1) * (states + 1)) + 1000);
  return static_cast<Index>(std::clamp(wanted, std::min(1000.0, allowed), allowed));
}

std::vector<double> impulses_of(const PlantDynamics& dynamics, Eigen::Index output, Eigen::Index input,
                                TimeInput kind) {
  std::vector<double> areas;
  for (std::size_t k = kind == TimeInput::step ? 1 : 0; k < dynamics.d.size(); ++k)
    areas.push_back(dynamics.d[k](output, input));
  while (!areas.empty() && areas.back() == 0) areas.pop_back();
  return areas;
}

std::complex<double> leading_pole_of(const VisiblePoles::Channel& channel) {
  std::complex<double> leading = channel.has_zero ? 0 : TimeFigures::none;
  for (const VisiblePoles::Pole& pole : channel.poles) {
    const bool leads = std::isnan(leading.real()) || pole.s.real() > leading.real();
    if (pole.part > 0 && leads) leading = {pole.s.real(), std::abs(pole.s.imag())};
  }
  return leading;
}

TimeChannel named_channel(const Plant& plant, const PlantDynamics& dynamics, Eigen::Index output, Eigen::Index input) {
  TimeChannel channel;
  channel.input = dynamics.input_names[at(input)];
  channel.input_unit = dynamics.input_units[at(input)];
  channel.output = plant.output_names[at(output)];
  if (at(output) < plant.output_units.size()) channel.output_unit = plant.output_units[at(output)];
  return channel;
}

/// Keeps what is measured by the difference of two ways to the end.
double measured_error_at_end(const TimeTrace& trace, const std::vector<TimeChannel*>& channels) {
  const VectorXd at_once = trace.at_end_at_once();
  double error = 0;
  for (Eigen::Index i = 0; i < at_once.size(); ++i) {
    const VectorXd& values = channels[at(i)]->value;
    const double largest = values.cwiseAbs().maxCoeff();
    if (largest > 0) error = std::max(error, std::abs(values[values.size() - 1] - at_once[i]) / largest);
  }
  return error;
}

void require_finite(const TimeChannel& channel, double until) {
  if (channel.value.allFinite()) return;
  throw Error(
      fmt::format("the answer of '{}' to '{}' is beyond the range of numbers before {:g} s: ask for a shorter time",
                  channel.output, channel.input, until));
}

/// The answers to one input.
void answer_input(const PlantDynamics& dynamics, const std::vector<VisiblePoles::Channel>& visible, Eigen::Index input,
                  TimeResponse& response) {
  const Eigen::Index inputs = dynamics.b.cols(), outputs = dynamics.C.rows();
  const double until = response.times[response.times.size() - 1];
  const auto points = static_cast<Index>(response.times.size());
  const TimeTrace shown(dynamics, input, response.input, points > 1 ? until / (points - 1) : 0, points - 1);
  std::vector<TimeChannel*> channels;
  for (Eigen::Index i = 0; i < outputs; ++i) {
    TimeChannel& channel = response.channels[at(i * inputs + input)];
    channel.value.resize(points);
    for (Index k = 0; k < points; ++k) channel.value[k] = shown.at_start(i, k);
    require_finite(channel, until);
    channels.push_back(&channel);
  }
  response.error = std::max(response.error, measured_error_at_end(shown, channels));
  std::vector<VisiblePoles::Channel> settling;
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const VisiblePoles::Channel& channel = visible[at(i * inputs + input)];
    if (channel.behaviour == Behaviour::settles) settling.push_back(channel);
    else channels[at(i)]->figures = figures_of(shown, i, response.input, TimeFigures::none);
  }
  if (settling.empty()) return;
  const Window window = window_of(settling);
  const Index intervals = intervals_for(window, dynamics.A.rows());
  const TimeTrace searched(dynamics, input, response.input, window.searched / intervals, intervals);
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const VisiblePoles::Channel& channel = visible[at(i * inputs + input)];
    if (channel.behaviour != Behaviour::settles) continue;
    channels[at(i)]->figures = figures_of(searched, i, response.input, channel.gain);
  }
}

void warn_of_behaviour(TimeResponse& response) {
  for (const TimeChannel& channel : response.channels) {
    if (channel.behaviour == Behaviour::unstable)
      response.warnings.push_back(fmt::format("unstable: '{}' grows after {} of '{}', by the pole {:.6g} ± {:.6g}i 1/s",
                                              channel.output,
                                              response.input == TimeInput::step ? "a step" : "an impulse",
                                              channel.input, channel.leading_pole.real(), channel.leading_pole.imag()));
    if (!channel.impulses.empty())
      response.warnings.push_back(
          fmt::format("at t = 0 '{}' has an impulse of area {:g}{} after {} of '{}', which the values do not show",
                      channel.output, channel.impulses[0], channel.impulses.size() > 1 ? ", and its derivatives," : "",
                      response.input == TimeInput::step ? "a step" : "an impulse", channel.input));
  }
}

}  // namespace

const char* key_of(Behaviour behaviour) {
  switch (behaviour) {
    case Behaviour::settles:
      return "settles";
    case Behaviour::oscillates:
      return "oscillates";
    case Behaviour::integrates:
      return "integrates";
    default:
      return "unstable";
  }
}

TimeResponse time_response(const Plant& plant, const TimeOptions& options) {
  if (options.until && (!(*options.until > 0) || !std::isfinite(*options.until)))
    throw Error(fmt::format("an answer until {} s: it must be a positive number", *options.until));
  const PlantDynamics dynamics = dynamics_of(plant, options.largest);
  const VisiblePoles poles(dynamics);
  TimeResponse response;
  response.input = options.input;
  std::vector<VisiblePoles::Channel> visible;
  for (Eigen::Index i = 0; i < dynamics.C.rows(); ++i) {
    for (Eigen::Index j = 0; j < dynamics.b.cols(); ++j) {
      visible.push_back(poles.channel(i, j, options.input));
      TimeChannel channel = named_channel(plant, dynamics, i, j);
      channel.impulses = impulses_of(dynamics, i, j, options.input);
      channel.behaviour = visible.back().behaviour;
      channel.leading_pole = leading_pole_of(visible.back());
      response.channels.push_back(std::move(channel));
    }
  }
  const Window window = window_of(visible);
  const double until = options.until.value_or(window.shown);
  const Index points = options.points > 0 ? options.points : points_for(window, until);
  response.times = VectorXd::LinSpaced(points, 0, until);
  for (Eigen::Index j = 0; j < dynamics.b.cols(); ++j) answer_input(dynamics, visible, j, response);
  warn_of_behaviour(response);
  if (response.error > noticeable_error)
    response.warnings.push_back(fmt::format(
        "two ways to the last values differ by {:.1e} of the largest ones, because slow and fast motions are far apart",
        response.error));
  return response;
}

}  // namespace stillpoint
