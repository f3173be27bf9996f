#include "response/curve_sampling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/at.h"
#include "response/poles.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXcd, Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr double largest_turn = 7 * std::numbers::pi / 180;  // between adjacent values, seen from 0 and from −1
constexpr double largest_ratio = 1.35;                       // of the magnitudes of adjacent values
constexpr double seen = 1e-4;        // magnitudes below this, relative to 1 or to the largest, need not be smooth
constexpr double narrowest = 1e-10;  // of an interval, relative to its frequency
constexpr int most_rounds = 40;

// The range grows by decades until the curve is this small at its upper end, or no longer changes.
constexpr double small_at_end = 0.02;
constexpr int most_decades = 8;

constexpr double undamped_part = 1e-9;  // real parts below this, relative to |s|, are rounding

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

using SampleMap = std::map<double, MatrixXcd>;

void add_samples(const ResponseAt& response, const std::vector<double>& omega, SampleMap& samples) {
  if (omega.empty()) return;
  std::vector<MatrixXcd> values = response(vector_of(omega));
  for (std::size_t k = 0; k < omega.size(); ++k) {
    if (values[k].allFinite()) samples[omega[k]] = std::move(values[k]);
  }
}

bool is_smooth_between(const Complex& a, const Complex& b, double least) {
  const double near = std::abs(a), far = std::abs(b);
  if (std::max(near, far) < least) return true;
  if (near == 0 || far == 0) return false;
  const auto turn = [](const Complex& from, const Complex& to) { return std::abs(std::arg(to * std::conj(from))); };
  if (turn(1.0 + a, 1.0 + b) > largest_turn) return false;
  if (std::min(near, far) < least) return true;
  return turn(a, b) <= largest_turn && std::max(near, far) <= largest_ratio * std::min(near, far);
}

bool all_smooth(const MatrixXcd& a, const MatrixXcd& b, const Eigen::MatrixXd& largest) {
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      if (!is_smooth_between(a(i, j), b(i, j), seen * std::min(1.0, largest(i, j)))) return false;
    }
  }
  return true;
}

bool has_axis_pole_between(const std::vector<double>& poles, double from, double to) {
  return std::any_of(poles.begin(), poles.end(), [&](double pole) { return pole > from && pole < to; });
}

/// The largest magnitudes away from poles on the axis: their median would do as well.
Eigen::MatrixXd typical_magnitudes(const SampleMap& samples) {
  Eigen::MatrixXd largest = Eigen::MatrixXd::Zero(samples.begin()->second.rows(), samples.begin()->second.cols());
  for (const auto& [omega, value] : samples) largest = largest.cwiseMax(value.cwiseAbs());
  return largest;
}

/// The middles of all intervals in which a curve turns too much.
std::vector<double> wanted_frequencies(const SampleMap& samples, const std::vector<double>& axis_poles) {
  std::vector<double> wanted;
  const Eigen::MatrixXd largest = typical_magnitudes(samples);
  for (auto next = samples.begin(), one = next++; next != samples.end(); one = next++) {
    const double from = one->first, to = next->first;
    if (from <= 0 || to - from <= narrowest * to || has_axis_pole_between(axis_poles, from, to)) continue;
    if (!all_smooth(one->second, next->second, largest)) wanted.push_back(std::sqrt(from * to));
  }
  return wanted;
}

/// Whether a curve still changes, or may cross |L| = 1, beyond an end of the range. `inner` is half a decade inside.
bool asks_for_more(const MatrixXcd& end, const MatrixXcd& inner) {
  for (Eigen::Index i = 0; i < end.rows(); ++i) {
    for (Eigen::Index j = 0; j < end.cols(); ++j) {
      const double now = std::abs(end(i, j)), before = std::abs(inner(i, j));
      if (now == 0 || before == 0) continue;
      const double slope = std::log(now / before) / std::log(10) * 2;  // decades of magnitude for a decade outwards
      const bool falls_from_above = slope < -0.1 && now > small_at_end, rises_from_below = slope > 0.1 && now < 1;
      if (falls_from_above || (rises_from_below && now > 1e-9)) return true;
    }
  }
  return false;
}

SamplingRange grown(const ResponseAt& response, SamplingRange range) {
  if (!range.may_grow) return range;
  const double half_decade = std::sqrt(10.0);
  for (int decade = 0; decade < most_decades; ++decade) {
    const std::vector<MatrixXcd> ends = response(vector_of({range.to / half_decade, range.to}));
    if (!ends[1].allFinite() || !asks_for_more(ends[1], ends[0])) break;
    range.to *= 10;
  }
  for (int decade = 0; decade < most_decades; ++decade) {
    const std::vector<MatrixXcd> ends = response(vector_of({range.from, range.from * half_decade}));
    if (!ends[0].allFinite() || !asks_for_more(ends[0], ends[1])) break;
    range.from /= 10;
  }
  return range;
}

std::vector<double> first_frequencies(const SamplingRange& range, const std::vector<Plant::Pole>& poles,
                                      const std::vector<double>& axis_poles) {
  ResponseRange plotted{range.from, range.to, {}};
  for (const Plant::Pole& pole : poles) {
    if (pole.s.imag() > 0 && !is_on_axis(pole)) plotted.poles.push_back(pole.s);
  }
  const VectorXd even = frequencies_for_plot(plotted);
  std::vector<double> omega;
  const auto is_clear = [&](double value) {
    return std::none_of(axis_poles.begin(), axis_poles.end(), [&](double pole) {
      return std::abs(value - pole) < CurveSamples::indentation * pole * (1 - 1e-9);
    });
  };
  for (const double value : even) {
    if (is_clear(value)) omega.push_back(value);
  }
  for (const double pole : axis_poles) {
    for (const double side : {-1.0, 1.0}) {
      const double value = pole * (1 + side * CurveSamples::indentation);
      if (value > range.from && value < range.to && is_clear(value)) omega.push_back(value);
    }
  }
  return omega;
}

}  // namespace

bool is_on_axis(const Plant::Pole& pole) {
  return std::abs(pole.s.real()) <= std::max(pole.error, undamped_part * std::abs(pole.s));
}

CurveSamples sample_curves(const ResponseAt& response, const std::vector<Plant::Pole>& poles,
                           const SamplingRange& range) {
  CurveSamples curves;
  for (const Plant::Pole& pole : poles) {
    if (!is_on_axis(pole) || pole.s.imag() < 0) continue;
    const double omega = std::abs(pole.s) <= pole.error ? 0 : pole.s.imag();
    const bool is_known = std::any_of(curves.axis_poles.begin(), curves.axis_poles.end(), [&](double known) {
      return std::abs(known - omega) <= 2 * CurveSamples::indentation * omega + 2 * pole.error;
    });
    if (!is_known) curves.axis_poles.push_back(omega);
  }
  std::sort(curves.axis_poles.begin(), curves.axis_poles.end());
  SampleMap samples;
  add_samples(response, first_frequencies(grown(response, range), poles, curves.axis_poles), samples);
  if (samples.empty()) return curves;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<double> wanted = wanted_frequencies(samples, curves.axis_poles);
    if (wanted.empty()) break;
    curves.is_complete = samples.size() + wanted.size() <= at(range.most_points) && round + 1 < most_rounds;
    if (!curves.is_complete) break;
    const std::size_t before = samples.size();
    add_samples(response, wanted, samples);
    if (samples.size() == before) break;
  }
  for (auto& [omega, value] : samples) {
    curves.omega.push_back(omega);
    curves.response.push_back(std::move(value));
  }
  return curves;
}

}  // namespace stillpoint
