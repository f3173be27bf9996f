#include "stillpoint/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::VectorXd;
using std::numbers::pi;

constexpr double no_change = 1e-9;     // of the values: what remains of them after a cancellation of 7 digits
constexpr double least_swing = 1e-3;   // of the largest range: smaller swings are noise beside it
constexpr Index least_extrema = 4;     // three swings: two ratios, which must agree
constexpr double most_scatter = 0.05;  // beyond that it is not one oscillation
constexpr double least_peak = 1e-3;    // of the largest peak
constexpr std::size_t most_peaks = 5;
constexpr double lobe = 4;  // half the width of the main lobe of the window, in units of 1/length
constexpr Eigen::Index least_samples = 16;

void require_equal_steps(const std::vector<double>& times, const VectorXd& values) {
  if (std::ssize(times) != values.size()) throw Error("a signal needs a value at each of its times");
  if (!values.allFinite()) throw Error("a signal that is identified must be finite");
  for (std::size_t k = 2; k + 1 < times.size(); ++k) {
    const double step = times[1] - times[0];
    if (!(std::abs(times[k] - times[k - 1] - step) <= 1e-6 * step))
      throw Error(
          fmt::format("a signal is identified from values at equal steps of time: after {:g} s it is not one of "
                      "{:g} s",
                      times[k - 1], step));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Extrema and the logarithmic decrement

struct Extremum {
  double time = 0, value = 0;
};

/// The indices of extrema that differ by more than a threshold from those before and after them; never the ends.
std::vector<Eigen::Index> extrema_of(const VectorXd& x, double threshold) {
  std::vector<Eigen::Index> found;
  Eigen::Index highest = 0, lowest = 0;
  int direction = 0;  // +1: it rises since the last extremum
  for (Eigen::Index k = 1; k < x.size(); ++k) {
    if (x[k] > x[highest]) highest = k;
    if (x[k] < x[lowest]) lowest = k;
    const bool has_turned_down = direction >= 0 && x[highest] - x[k] > threshold;
    const bool has_turned_up = direction <= 0 && x[k] - x[lowest] > threshold;
    if (!has_turned_down && !has_turned_up) continue;
    const Eigen::Index turn = has_turned_down ? highest : lowest;
    if (turn > 0) found.push_back(turn);
    direction = has_turned_down ? -1 : 1;
    highest = lowest = k;
  }
  return found;
}

/// The extremum of the polynomial through the samples beside this one, in the unit of the step.
Extremum refined(const std::vector<double>& times, const VectorXd& x, Eigen::Index place) {
  constexpr Eigen::Index most = 7;
  const Eigen::Index count = std::min<Eigen::Index>(most, x.size() - 1);
  const Eigen::Index first = std::clamp<Eigen::Index>(place - count / 2, 0, x.size() - 1 - count);
  const double step = times[1] - times[0];
  // Divided differences in τ = (t − t_place)/step; the last sample, which may come too early, is left out.
  std::array<double, most> tau{}, c{};
  for (Eigen::Index i = 0; i < count; ++i) {
    tau[static_cast<std::size_t>(i)] = static_cast<double>(first + i - place);
    c[static_cast<std::size_t>(i)] = x[first + i];
  }
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t order = 1; order < n; ++order) {
    for (std::size_t i = n - 1; i >= order; --i) c[i] = (c[i] - c[i - 1]) / (tau[i] - tau[i - order]);
  }
  const auto at = [&](double t) {
    std::array<double, 3> p{};  // value, slope, half the curvature
    for (std::size_t i = n; i-- > 0;) {
      p[2] = p[2] * (t - tau[i]) + p[1];
      p[1] = p[1] * (t - tau[i]) + p[0];
      p[0] = p[0] * (t - tau[i]) + c[i];
    }
    return p;
  };
  double t = 0;
  constexpr int most_steps = 20;
  for (int k = 0; k < most_steps; ++k) {
    const auto [value, slope, curvature] = at(t);
    const double next = std::clamp(t - slope / (2 * curvature), -1.0, 1.0);
    if (!std::isfinite(next)) break;
    const bool is_there = std::abs(next - t) < 1e-14;
    t = next;
    if (is_there) break;
  }
  return {times[static_cast<std::size_t>(place)] + t * step, at(t)[0]};
}

struct Line {
  double start = 0, slope = 0, largest_deviation = 0;
};

/// The line through values at 0, 1, 2, …, by least squares.
Line line_through(const VectorXd& y) {
  const VectorXd k = VectorXd::LinSpaced(y.size(), 0, static_cast<double>(y.size() - 1));
  const VectorXd centred = k.array() - k.mean();
  Line line;
  line.slope = centred.dot(y) / centred.squaredNorm();
  line.start = y.mean() - line.slope * k.mean();
  line.largest_deviation = (y - (line.start + line.slope * k.array()).matrix()).lpNorm<Eigen::Infinity>();
  return line;
}

void find_decay(const std::vector<double>& times, const VectorXd& x, double range, Identified& found) {
  std::vector<Extremum> extrema;
  for (const Eigen::Index place : extrema_of(x, least_swing * range)) extrema.push_back(refined(times, x, place));
  const auto count = static_cast<Index>(extrema.size());
  if (count < least_extrema) {
    found.note = fmt::format("{} extrema are too few for a decrement, which needs {}", count, least_extrema);
    return;
  }
  VectorXd instants(count), swings(count - 1);
  for (Index k = 0; k < count; ++k) {
    const Extremum& here = extrema[static_cast<std::size_t>(k)];
    instants[k] = here.time;
    if (k > 0) swings[k - 1] = std::log(std::abs(here.value - extrema[static_cast<std::size_t>(k - 1)].value));
  }
  const Line time = line_through(instants), swing = line_through(swings);
  const std::complex<double> s(swing.slope / time.slope, pi / time.slope);
  const double scatter = std::max(swing.largest_deviation, time.largest_deviation / time.slope);
  if (!(scatter <= most_scatter)) {
    found.note =
        fmt::format("it is not one oscillation: its swings and half periods scatter by {:.0f} %", 100 * scatter);
    return;
  }
  found.decay = IdentifiedDecay{s.imag() / (2 * pi), -s.real() / std::abs(s), count, scatter};
}

// ---------------------------------------------------------------------------------------------------------------------
// The spectrum

VectorXd blackman_harris(Eigen::Index count) {
  constexpr std::array a{0.35875, 0.48829, 0.14128, 0.01168};
  VectorXd w(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(count);
    w[k] = a[0] - a[1] * std::cos(angle) + a[2] * std::cos(2 * angle) - a[3] * std::cos(3 * angle);
  }
  return w;
}

/// |Σ x e^{−iωkh}| at any frequency, in cycles per step.
double transform_at(const VectorXd& x, double cycles) {
  const std::complex<double> turn = std::polar(1.0, -2 * pi * cycles);
  std::complex<double> sum = 0;
  for (Eigen::Index k = x.size(); k-- > 0;) sum = sum * turn + x[k];
  return std::abs(sum);
}

/// The largest value beside a frequency, by parabolas of the logarithm through ever nearer points.
double top_beside(const VectorXd& x, double cycles, double width) {
  for (double d = width; d > 1e-7 * width; d /= 4) {
    const double left = std::log(transform_at(x, cycles - d)), middle = std::log(transform_at(x, cycles)),
                 right = std::log(transform_at(x, cycles + d));
    const double move = (left - right) / (2 * (left - 2 * middle + right));
    if (!std::isfinite(move)) break;
    cycles += d * std::clamp(move, -1.0, 1.0);
  }
  return cycles;
}

void find_peaks(const std::vector<double>& times, const VectorXd& x, double range, Identified& found) {
  const Eigen::Index count = x.size() - 1;  // the last sample may come too early
  if (count < least_samples) return;
  const VectorXd window = blackman_harris(count);
  const double mean = window.dot(x.head(count)) / window.sum();
  const VectorXd windowed = window.cwiseProduct((x.head(count).array() - mean).matrix());
  Eigen::Index padded = 1;
  while (padded < 4 * count) padded *= 2;
  VectorXd signal = VectorXd::Zero(padded);
  signal.head(count) = windowed;
  Eigen::FFT<double> fft;
  Eigen::VectorXcd transform;
  fft.fwd(transform, signal);
  const VectorXd size = transform.head(padded / 2 + 1).cwiseAbs();
  const double bins_per_lobe = lobe * static_cast<double>(padded) / static_cast<double>(count);
  const auto first = static_cast<Eigen::Index>(std::ceil(bins_per_lobe));
  const Eigen::Index last = padded / 2 - first;
  const double step = times[1] - times[0];
  for (Eigen::Index k = first; k <= last; ++k) {
    if (!(size[k] > size[k - 1] && size[k] >= size[k + 1])) continue;
    const double cycles =
        top_beside(windowed, static_cast<double>(k) / static_cast<double>(padded), 1 / static_cast<double>(padded));
    found.peaks.push_back({cycles / step, 2 * transform_at(windowed, cycles) / window.sum()});
  }
  std::sort(found.peaks.begin(), found.peaks.end(),
            [](const SpectralPeak& a, const SpectralPeak& b) { return a.amplitude > b.amplitude; });
  const double least =
      found.peaks.empty() ? 0 : std::max(least_peak * found.peaks.front().amplitude, no_change * range);
  std::erase_if(found.peaks, [least](const SpectralPeak& peak) { return peak.amplitude < least; });
  if (found.peaks.size() > most_peaks) found.peaks.resize(most_peaks);
}

}  // namespace

Identified identify(const std::vector<double>& times, const VectorXd& values) {
  require_equal_steps(times, values);
  Identified found;
  if (values.size() < least_samples) {
    found.note = fmt::format("{} values are too few; {} are needed", values.size(), least_samples);
    return found;
  }
  const double range = values.maxCoeff() - values.minCoeff();
  if (!(range > no_change * values.lpNorm<Eigen::Infinity>())) {
    found.note = "it is constant";
    return found;
  }
  find_decay(times, values, range, found);
  find_peaks(times, values, range, found);
  return found;
}

std::string identification_table(const std::vector<std::pair<std::string, Identified>>& signals) {
  std::size_t width = std::string("signal").size();
  for (const auto& [name, found] : signals) width = std::max(width, name.size());
  std::string table =
      fmt::format("{:<{}}{:>12}{:>12}{:>10}  spectral peaks (Hz)\n", "signal", width, "Hz", "damping", "extrema");
  for (const auto& [name, found] : signals) {
    const bool decays = found.decay.has_value();
    table += fmt::format("{:<{}}{:>12}{:>12}{:>10}", name, width,
                         decays ? fmt::format("{:.6g}", found.decay->frequency) : "-",
                         decays ? fmt::format("{:.4g}", found.decay->damping_ratio) : "-",
                         decays ? std::to_string(found.decay->extrema) : "-");
    std::string peaks;
    for (const SpectralPeak& peak : found.peaks)
      peaks += fmt::format("{}{:.6g}", peaks.empty() ? "" : ", ", peak.frequency);
    table += "  " + (peaks.empty() ? "-" : peaks) + (found.note.empty() ? "" : "; " + found.note) + "\n";
  }
  return table;
}

}  // namespace stillpoint
