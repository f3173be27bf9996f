// Margins by roots of the exact response, and the stability of closed loops by Nyquist's criterion [Nyquist 1932].
#include "stillpoint/margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "forms/motion_outputs.h"
#include "response/curve_sampling.h"
#include "response/poles.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXd;

constexpr double pi = std::numbers::pi;
constexpr double root_width = 4 * std::numeric_limits<double>::epsilon();  // in ln ω
constexpr int most_root_steps = 80, golden_steps = 60;
constexpr double near_zero = 1e-3;    // of the lowest frequency: H differs from H(0) by the square of this
constexpr double whole_turn = 0.02;   // sums of angles must be whole turns up to this
constexpr double whole_order = 0.25;  // slopes at a pole must be whole up to this
constexpr double settled_end = 0.3;   // angle of 1 + L at the last frequency (rad), from which it turns no further

/// One curve of a matrix of responses.
class Curve {
 public:
  Curve(const ResponseAt& response, const CurveSamples& samples, Eigen::Index output, Eigen::Index input)
      : response_(response), samples_(samples), output_(output), input_(input) {}

  std::size_t size() const { return samples_.omega.size(); }
  double omega(std::size_t k) const { return samples_.omega[k]; }
  Complex sampled(std::size_t k) const { return samples_.response[k](output_, input_); }
  Complex at(double omega) const { return response_(VectorXd::Constant(1, omega))[0](output_, input_); }
  /// Whether no pole on the axis lies between a sample and the next.
  bool is_joined(std::size_t k) const {
    return std::none_of(samples_.axis_poles.begin(), samples_.axis_poles.end(),
                        [&](double pole) { return pole > omega(k) && pole < omega(k + 1); });
  }
  const std::vector<double>& axis_poles() const { return samples_.axis_poles; }
  bool is_zero() const {
    return std::all_of(samples_.response.begin(), samples_.response.end(),
                       [&](const MatrixXcd& H) { return H(output_, input_) == 0.0; });
  }

 private:
  const ResponseAt& response_;
  const CurveSamples& samples_;
  Eigen::Index output_, input_;
};

/// A root of f between samples k and k + 1, where its sign changes: regula falsi with halved values at an end that
/// stays [Dowell & Jarratt 1971], over ln ω.
template <class Value>
double root_between(const Curve& curve, std::size_t k, const Value& f) {
  double a = std::log(curve.omega(k)), b = std::log(curve.omega(k + 1));
  double fa = f(curve.sampled(k)), fb = f(curve.sampled(k + 1));
  for (int step = 0; step < most_root_steps && std::abs(b - a) > root_width * std::max(1.0, std::abs(b)); ++step) {
    double middle = step % 8 == 7 ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
    if (!(middle > std::min(a, b) && middle < std::max(a, b))) break;
    const double value = f(curve.at(std::exp(middle)));
    if (std::abs(value) <= std::numeric_limits<double>::epsilon()) return std::exp(middle);
    if ((value < 0) != (fb < 0)) {
      a = b;
      fa = fb;
    } else {
      fa *= 0.5;
    }
    b = middle;
    fb = value;
  }
  return std::exp(std::abs(fb) < std::abs(fa) ? b : a);
}

double log_magnitude(Complex value) { return std::log(std::abs(value)); }
double sine_of(Complex value) { return value.imag() / std::abs(value); }

bool changes_sign(double before, double after) { return (before < 0) != (after < 0); }

std::vector<PhaseMargin> phase_margins_of(const Curve& curve) {
  std::vector<PhaseMargin> margins;
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    if (!curve.is_joined(k) || !changes_sign(log_magnitude(curve.sampled(k)), log_magnitude(curve.sampled(k + 1))))
      continue;
    const double omega = root_between(curve, k, log_magnitude);
    const double turn = std::arg(-curve.at(omega));
    margins.push_back({omega, turn * 180 / pi, (turn > 0 ? turn : turn + 2 * pi) / omega});
  }
  return margins;
}

std::vector<GainMargin> gain_margins_of(const Curve& curve) {
  std::vector<GainMargin> margins;
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    const Complex a = curve.sampled(k), b = curve.sampled(k + 1);
    if (!curve.is_joined(k) || !(a.real() < 0) || !(b.real() < 0) || !changes_sign(a.imag(), b.imag())) continue;
    const double omega = root_between(curve, k, sine_of);
    margins.push_back({omega, 1 / std::abs(curve.at(omega))});
  }
  return margins;
}

struct Extreme {
  double omega = LoopFigures::none, value = LoopFigures::none;
};

/// The least value of a measure over the samples, refined by golden sections around the best sample.
template <class Measure>
Extreme least_of(const Curve& curve, const Measure& measure) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    if (measure(curve.sampled(k)) < measure(curve.sampled(best))) best = k;
  }
  Extreme extreme{curve.omega(best), measure(curve.sampled(best))};
  const bool is_inside = best > 0 && best + 1 < curve.size() && curve.is_joined(best - 1) && curve.is_joined(best);
  if (!is_inside || curve.omega(best - 1) <= 0) return extreme;
  double a = std::log(curve.omega(best - 1)), b = std::log(curve.omega(best + 1));
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int step = 0; step < golden_steps && b - a > 1e-9; ++step) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    const double at_left = measure(curve.at(std::exp(left))), at_right = measure(curve.at(std::exp(right)));
    if (std::min(at_left, at_right) < extreme.value)
      extreme = at_left < at_right ? Extreme{std::exp(left), at_left} : Extreme{std::exp(right), at_right};
    (at_left < at_right ? b : a) = at_left < at_right ? right : left;
  }
  return extreme;
}

/// The order of a pole on the axis, by the slope of ln|L| beside it; −1 if that is not clear.
int order_at(const Curve& curve, double pole) {
  const double near = pole > 0 ? CurveSamples::indentation * pole : curve.omega(0) / 30, far = 3 * near;
  const double slope = std::log(std::abs(curve.at(pole + near)) / std::abs(curve.at(pole + far))) / std::log(3.0);
  const double order = std::round(slope);
  if (!std::isfinite(slope) || std::abs(slope - order) > whole_order) return -1;
  return std::max(0, static_cast<int>(order));
}

/// The angle that is congruent to `angle` and nearest to `to`.
double congruent(double angle, double to) { return to + std::remainder(angle - to, 2 * pi); }

double angle_between(Complex from, Complex to) { return std::arg(to * std::conj(from)); }

/// How 1 + L turns for ω from −∞ to ∞, as the path goes to the right of poles on the axis (rad). The half of ω < 0 is
/// the mirror image.
double turning_of(const Curve& curve, const LoopFigures& figures) {
  const auto F = [&](std::size_t k) { return 1.0 + curve.sampled(k); };
  double half = 0;
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    const double direct = angle_between(F(k), F(k + 1));
    int order = 0;
    for (const AxisPole& pole : figures.axis_poles) {
      if (pole.omega > curve.omega(k) && pole.omega < curve.omega(k + 1)) order += pole.order;
    }
    half += order > 0 ? congruent(direct, -order * pi) : direct;
  }
  const bool has_origin = !figures.axis_poles.empty() && figures.axis_poles[0].omega == 0;
  const int at_origin = has_origin ? figures.axis_poles[0].order : 0;
  const double first = std::arg(F(0)), last = std::arg(F(curve.size() - 1));
  return 2 * half + congruent(2 * first, -at_origin * pi) + congruent(-2 * last, 0);
}

void count_turns(const Curve& curve, LoopFigures& figures) {
  const auto refuse = [&](const std::string& why) {
    figures.is_counted = false;
    if (figures.why_not_counted.empty()) figures.why_not_counted = why;
  };
  if (!figures.is_counted) return;
  for (const AxisPole& pole : figures.axis_poles) {
    if (pole.order < 0) return refuse(fmt::format("the order of the pole at {:.6g}i rad/s is not clear", pole.omega));
  }
  const Complex end = 1.0 + curve.sampled(curve.size() - 1);
  if (std::min(std::abs(std::arg(end)), pi - std::abs(std::arg(end))) > settled_end)
    return refuse("the curve still turns at the last frequency");
  const double turns = turning_of(curve, figures) / (2 * pi);
  if (!(std::abs(turns - std::round(turns)) < whole_turn)) return refuse("the curve passes too close to -1");
  figures.clockwise_turns = -static_cast<Index>(std::round(turns));
  figures.closed_unstable = figures.open_unstable + figures.clockwise_turns;
  if (figures.closed_unstable < 0) refuse("the turns around -1 do not agree with the poles");
}

void find_bandwidth(const Curve& curve, LoopFigures& figures) {
  const bool has_origin = !figures.axis_poles.empty() && figures.axis_poles[0].omega == 0;
  if (!has_origin || figures.axis_poles[0].order == 0) {
    // A pole at zero that this pair does not show makes the equations singular at ω = 0 all the same.
    const Complex still = curve.at(has_origin ? curve.omega(0) * near_zero : 0);
    figures.static_gain = std::isfinite(still.real()) ? still.real() : LoopFigures::none;
  }
  const double gain = std::abs(figures.static_gain);
  if (gain > 0) {
    const auto above = [gain](Complex value) { return std::log(std::abs(value) / gain) + std::log(2.0) / 2; };
    for (std::size_t k = 0; k + 1 < curve.size() && std::isnan(figures.bandwidth); ++k) {
      if (above(curve.sampled(k)) >= 0 && above(curve.sampled(k + 1)) < 0 && curve.is_joined(k))
        figures.bandwidth = root_between(curve, k, above);
    }
  }
  const Extreme peak = least_of(curve, [](Complex value) { return -std::abs(value); });
  figures.peak = -peak.value;
  figures.peak_omega = peak.omega;
  for (const AxisPole& pole : figures.axis_poles) {
    if (pole.order <= 0) continue;
    figures.peak = std::numeric_limits<double>::infinity();
    figures.peak_omega = pole.omega;
    break;
  }
}

LoopFigures loop_figures_of(const Curve& curve, LoopFigures figures) {
  if (curve.size() < 2 || curve.is_zero()) {
    figures.is_counted = figures.is_counted && curve.size() >= 2;
    figures.closed_unstable = figures.open_unstable;
    return figures;
  }
  for (const double pole : curve.axis_poles()) figures.axis_poles.push_back({pole, order_at(curve, pole)});
  figures.phase_margins = phase_margins_of(curve);
  figures.gain_margins = gain_margins_of(curve);
  const Extreme distance = least_of(curve, [](Complex value) { return std::abs(1.0 + value); });
  figures.least_distance = distance.value;
  figures.least_distance_omega = distance.omega;
  find_bandwidth(curve, figures);
  count_turns(curve, figures);
  return figures;
}

struct LoopProblem {
  ResponseAt response;
  std::vector<std::string> input_names, output_names;
  std::vector<Plant::Pole> poles;
  bool knows_all_poles = true;
};

SamplingRange sampling_range(const LoopProblem& problem, const LoopOptions& options) {
  const ResponseRange seen = range_of_poles(problem.poles);
  SamplingRange range{seen.from / 10, seen.to, options.from <= 0 && options.to <= 0, options.most_points};
  for (const std::complex<double> pole : seen.poles) range.to = std::max(range.to, 10 * std::abs(pole));
  if (options.from > 0) range.from = options.from;
  if (options.to > 0) range.to = options.to;
  if (!(range.from < range.to))
    throw Error(
        fmt::format("frequencies from {:g} to {:g} rad/s: the first must be below the second", range.from, range.to));
  return range;
}

/// Tells those poles on the axis that some pair shows.
void warn_of_axis_poles(const std::vector<double>& axis_poles, LoopAnalysis& loops) {
  std::vector<double> shown_poles;
  for (std::size_t k = 0; k < axis_poles.size(); ++k) {
    const bool is_shown = std::any_of(loops.channels.begin(), loops.channels.end(), [k](const LoopFigures& figures) {
      return k < figures.axis_poles.size() && figures.axis_poles[k].order != 0;
    });
    if (is_shown) shown_poles.push_back(axis_poles[k]);
  }
  if (shown_poles.empty()) return;
  loops.warnings.push_back(
      fmt::format("there is a pole on the imaginary axis, at {:.6g} rad/s{}: the path passes it on the right, and the "
                  "curve is open there",
                  shown_poles[0], shown_poles.size() > 1 ? fmt::format(", and {} more", shown_poles.size() - 1) : ""));
}

LoopAnalysis analysed(const LoopProblem& problem, const LoopOptions& options) {
  const SamplingRange range = sampling_range(problem, options);
  const CurveSamples samples = sample_curves(problem.response, problem.poles, range);
  LoopAnalysis loops;
  loops.response.omega = Eigen::Map<const VectorXd>(samples.omega.data(), std::ssize(samples.omega));
  loops.response.response = samples.response;
  loops.response.input_names = problem.input_names;
  loops.response.output_names = problem.output_names;
  LoopFigures common;
  for (const Plant::Pole& pole : problem.poles) common.open_unstable += pole.s.real() > 0 && !is_on_axis(pole);
  common.is_counted = problem.knows_all_poles && range.may_grow && samples.is_complete;
  if (!common.is_counted)
    common.why_not_counted = !problem.knows_all_poles ? "not all poles of so large a model are known"
                             : !range.may_grow        ? "the range of frequencies was given"
                                                      : "the curve needs more frequencies than are allowed";
  for (std::size_t i = 0; i < problem.output_names.size(); ++i) {
    for (std::size_t j = 0; j < problem.input_names.size(); ++j) {
      LoopFigures figures = common;
      figures.input = problem.input_names[j];
      figures.output = problem.output_names[i];
      loops.channels.push_back(loop_figures_of(
          Curve(problem.response, samples, static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), figures));
    }
  }
  if (!samples.is_complete)
    loops.warnings.push_back(
        fmt::format("the curves turn faster than {} frequencies show: give a range", options.most_points));
  warn_of_axis_poles(samples.axis_poles, loops);
  if (!problem.knows_all_poles)
    loops.warnings.emplace_back("not all poles of so large a model are known: further ones may lie on the axis");
  return loops;
}

/// The poles that a plant knows, or else the eigenvalues of A, of which a double zero comes back as ±√ε of the norm.
std::vector<Plant::Pole> poles_of_plant(const Plant& plant) {
  const MatrixXd A = plant.first.A;
  if (std::ssize(plant.poles) == A.rows()) return plant.poles;
  std::vector<Plant::Pole> poles;
  if (A.rows() == 0) return poles;
  const double norm = A.norm(), rounding = std::numeric_limits<double>::epsilon() * norm * double(A.rows());
  for (const Complex s : solve_unsymmetric(A).values) {
    const bool may_be_zero = std::abs(s) < std::sqrt(std::numeric_limits<double>::epsilon()) * norm;
    poles.push_back({s, may_be_zero ? std::max(std::abs(s), rounding) : rounding});
  }
  return poles;
}

}  // namespace

double LoopFigures::gain_margin_above() const {
  double least = std::numeric_limits<double>::infinity();
  for (const GainMargin& margin : gain_margins) {
    if (margin.factor > 1) least = std::min(least, margin.factor);
  }
  return least;
}

double LoopFigures::gain_margin_below() const {
  double largest = 0;
  for (const GainMargin& margin : gain_margins) {
    if (margin.factor < 1) largest = std::max(largest, margin.factor);
  }
  return largest;
}

const PhaseMargin* LoopFigures::least_phase_margin() const {
  const auto least = std::min_element(
      phase_margins.begin(), phase_margins.end(),
      [](const PhaseMargin& a, const PhaseMargin& b) { return std::abs(a.degrees) < std::abs(b.degrees); });
  return least == phase_margins.end() ? nullptr : &*least;
}

double LoopFigures::delay_margin() const {
  double least = std::numeric_limits<double>::infinity();
  for (const PhaseMargin& margin : phase_margins) least = std::min(least, margin.delay);
  return least;
}

LoopAnalysis analyse_loops(const LinearSystem& system, const LoopOptions& options) {
  LoopProblem problem;
  const Spectrum modes = modes_of(system, {});
  problem.poles = poles_of(modes);
  problem.knows_all_poles = system.dof() <= few_dof && !system.singular;
  for (Index j = 0; j < system.inputs(); ++j) problem.input_names.push_back(system.input_name(j));
  for (Index i = 0; i < system.outputs(); ++i) problem.output_names.push_back(system.output_name(i));
  std::vector<std::string> warnings;
  LinearSystem determined = system;
  determined.Hl = determined_reactions(system, options.minimum_norm_reactions, warnings);
  problem.response = [&determined](const VectorXd& omega) {
    return frequency_response(determined, omega, {.minimum_norm_reactions = true}).response;
  };
  LoopAnalysis loops = analysed(problem, options);
  loops.warnings.insert(loops.warnings.begin(), warnings.begin(), warnings.end());
  return loops;
}

LoopAnalysis analyse_loops(const Plant& plant, const LoopOptions& options) {
  const bool is_explicit = plant.form == PlantForm::state_space || plant.form == PlantForm::modal;
  if (!is_explicit || plant.first.E.size() > 0 || plant.sampling)
    throw Error("a loop is analysed of a state space in continuous time: choose form 'state-space' or 'modal'");
  LoopProblem problem;
  problem.poles = poles_of_plant(plant);
  problem.output_names = plant.output_names;
  for (std::size_t k = 0; k < plant.channels.size(); ++k) {
    if (plant.channels[k].order == 0) problem.input_names.push_back(plant.input_names[k]);
  }
  const bool has_channels = !plant.channels.empty();
  if (!has_channels) problem.input_names = plant.input_names;
  problem.response = [&plant, has_channels](const VectorXd& omega) {
    return has_channels ? input_response_of(plant, omega) : response_of(plant, omega);
  };
  return analysed(problem, options);
}

}  // namespace stillpoint
