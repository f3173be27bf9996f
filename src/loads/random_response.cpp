// Stationary random responses, theory (16.6) to (16.8).
#include "stillpoint/random_response.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algebra/dense/lyapunov.h"
#include "base/at.h"
#include "loads/kronrod.h"
#include "response/poles.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double two_pi = 2 * std::numbers::pi;

// Panels begin with so many per decade, and with limits beside resonances, in multiples of their half widths.
constexpr int panels_per_decade = 10;
constexpr double beside[] = {1, 3, 10, 30, 100};

// A resonance without damping is as narrow as this, relative to its frequency: its own width is rounding.
constexpr double narrowest_resonance = 1e-8;

// A quadrature from zero on has its first panel up to this part of the highest frequency, or to the lowest resonance.
constexpr double lowest_part = 1e-6;

// A variance with a larger error, relative, is not given.
constexpr double least_accuracy = 1e-4;

// Rounding in a coherence matrix may make an eigenvalue so negative.
constexpr double coherence_rounding = 1e-12;

void require_inputs(const std::vector<RandomInput>& inputs) {
  if (inputs.empty()) throw Error("a random response needs an input with a spectral density");
  for (const RandomInput& one : inputs) {
    const SpectralDensity& S = one.density;
    if (one.derivative < 0 || one.derivative > 2)
      throw Error(
          fmt::format("input '{}': derivative {} of an input; 0, 1 and 2 are allowed", one.input, one.derivative));
    if (S.is_white != inputs.front().density.is_white)
      throw Error("white noise of all frequencies on one input and a table on another: give the noise a band");
    if (S.is_white ? S.value.size() != 1 : S.frequency.size() < 2 || S.value.size() != S.frequency.size())
      throw Error(fmt::format("input '{}': its spectral density needs a frequency and a value in two lines at least",
                              one.input));
    for (std::size_t k = 1; k < S.frequency.size(); ++k) {
      if (!(S.frequency[k - 1] < S.frequency[k]))
        throw Error(fmt::format("input '{}': the frequencies of its spectral density must ascend", one.input));
    }
    if (one.derivative == 0) continue;
    if (S.is_white)
      throw Error(
          fmt::format("input '{}': white noise of a derivative gives no finite response: give it a band", one.input));
    if (S.frequency.front() == 0 && S.value.front() > 0)
      throw Error(fmt::format(
          "input '{}': its position has no finite density at 0 Hz when a derivative has one: begin above zero",
          one.input));
  }
}

/// The cross-spectra of the inputs at a frequency.
MatrixXcd input_spectra(const std::vector<RandomInput>& inputs, const RandomOptions& options, double hertz) {
  const auto count = static_cast<Eigen::Index>(inputs.size());
  VectorXd root(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const RandomInput& one = inputs[at(j)];
    const double S = one.density.at(hertz);
    root[j] = S == 0 ? 0 : std::sqrt(S) / std::pow(two_pi * hertz, one.derivative);
  }
  if (!options.coherence) return root.cwiseAbs2().asDiagonal().toDenseMatrix().cast<std::complex<double>>();
  const MatrixXcd gamma = options.coherence(hertz);
  if (gamma.rows() != count || gamma.cols() != count)
    throw Error(fmt::format("a coherence of {} × {} for {} inputs", gamma.rows(), gamma.cols(), count));
  const bool is_hermitian = (gamma - gamma.adjoint()).cwiseAbs().maxCoeff() <= coherence_rounding &&
                            (gamma.diagonal().array() - 1.0).abs().maxCoeff() <= coherence_rounding;
  if (!is_hermitian ||
      Eigen::SelfAdjointEigenSolver<MatrixXcd>(gamma, Eigen::EigenvaluesOnly).eigenvalues().minCoeff() <
          -coherence_rounding * static_cast<double>(count))
    throw Error(
        fmt::format("the coherence at {:g} Hz is none: it must be Hermitian with ones on the diagonal, and without "
                    "negative eigenvalues",
                    hertz));
  return root.asDiagonal() * gamma * root.asDiagonal();
}

/// The band that all tables together cover (Hz).
void find_band(const std::vector<RandomInput>& inputs, RandomResponse& result) {
  result.from = inputs.front().density.frequency.front();
  result.to = inputs.front().density.frequency.back();
  for (const RandomInput& one : inputs) {
    result.from = std::min(result.from, one.density.frequency.front());
    result.to = std::max(result.to, one.density.frequency.back());
  }
}

/// The poles: all of a small system, and of a large one those in the band.
std::vector<Plant::Pole> poles_in_band(const LinearSystem& system, const RandomOptions& options,
                                       RandomResponse& result) {
  if (system.dof() <= few_dof) return poles_of(modes_of(system, {}));
  if (system.singular) return {};
  const FoundModes found =
      find_modes(system, Method::mcs, {.modes = {.which = Band{result.from, result.to}, .progress = options.progress}});
  if (!found.spectrum.certified)
    result.warnings.emplace_back(
        "not all resonances in the band are certified: one that is narrow and not known may be missing in the RMS");
  return poles_of(found.spectrum);
}

void require_no_instability(const std::vector<Plant::Pole>& poles) {
  for (const Plant::Pole& pole : poles) {
    if (pole.s.real() > pole.error)
      throw Error(fmt::format("there is no stationary response: the pole {:.6g} + {:.6g}i is unstable", pole.s.real(),
                              pole.s.imag()));
  }
}

/// The panels: at the entries of all tables, at equal ratios, and around resonances.
std::vector<double> limits_of_panels(const std::vector<RandomInput>& inputs, const std::vector<Plant::Pole>& poles,
                                     const RandomResponse& result) {
  std::vector<double> limits{result.from, result.to};
  const auto add = [&](double hertz) {
    if (hertz > result.from && hertz < result.to) limits.push_back(hertz);
  };
  for (const RandomInput& one : inputs) std::for_each(one.density.frequency.begin(), one.density.frequency.end(), add);
  const double lowest = result.from > 0 ? result.from : lowest_part * result.to;
  const double decades = std::log10(result.to / lowest);
  const Index panels = static_cast<Index>(std::ceil(panels_per_decade * decades)) + 2;
  for (const double hertz : log_spaced(lowest, result.to, panels)) add(hertz);
  for (const Plant::Pole& pole : poles) {
    const double peak = std::abs(pole.s.imag()) / two_pi;
    const double half_width = std::max(std::abs(pole.s.real()) / two_pi, narrowest_resonance * peak);
    add(peak);
    for (const double multiple : beside) {
      add(peak - multiple * half_width);
      add(peak + multiple * half_width);
    }
  }
  std::sort(limits.begin(), limits.end());
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  return limits;
}

/// S_yy at some frequencies, of a system whose inputs are those of the list.
class OutputSpectra {
 public:
  OutputSpectra(const LinearSystem& system, const std::vector<RandomInput>& inputs, const RandomOptions& options)
      : system_(system), inputs_(inputs), options_(options) {}

  std::vector<MatrixXcd> at_frequencies(const std::vector<double>& hertz, std::vector<std::string>* warnings) const {
    const VectorXd omega = two_pi * Eigen::Map<const VectorXd>(hertz.data(), static_cast<Eigen::Index>(hertz.size()));
    const FrequencyResponse H = frequency_response(
        system_, omega, {.minimum_norm_reactions = options_.minimum_norm_reactions, .progress = options_.progress});
    if (warnings) warnings->insert(warnings->end(), H.warnings.begin(), H.warnings.end());
    std::vector<MatrixXcd> spectra;
    for (std::size_t k = 0; k < hertz.size(); ++k) {
      const MatrixXcd S = input_spectra(inputs_, options_, hertz[k]);
      if (S.isZero(0)) spectra.push_back(MatrixXcd::Zero(system_.outputs(), system_.outputs()));
      else spectra.push_back(H.response[k] * S * H.response[k].adjoint());
    }
    return spectra;
  }

  /// The densities of all outputs, and below them the same times f².
  MatrixXd densities(const std::vector<double>& hertz) const {
    const std::vector<MatrixXcd> spectra = at_frequencies(hertz, nullptr);
    const Eigen::Index outputs = system_.outputs();
    MatrixXd values(2 * outputs, static_cast<Eigen::Index>(hertz.size()));
    for (std::size_t k = 0; k < hertz.size(); ++k) {
      const VectorXd S = spectra[k].diagonal().real();
      values.col(static_cast<Eigen::Index>(k)) << S, hertz[k] * hertz[k] * S;
    }
    return values;
  }

 private:
  const LinearSystem& system_;
  const std::vector<RandomInput>& inputs_;
  const RandomOptions& options_;
};

void integrate_band(const OutputSpectra& spectra, const std::vector<double>& limits, Eigen::Index outputs,
                    const RandomOptions& options, RandomResponse& result) {
  const Quadrature found = integrate_adaptively(
      [&](const std::vector<double>& hertz) { return spectra.densities(hertz); }, limits, options.tolerance, outputs);
  result.method = "Gauss-Kronrod quadrature";
  result.evaluations = found.evaluations;
  result.converged = found.converged;
  result.variance = found.value.head(outputs);
  result.error = found.error.head(outputs);
  result.crossing_rate = VectorXd::Constant(outputs, RandomResponse::unset);
  for (Eigen::Index i = 0; i < outputs; ++i) {
    if (result.variance[i] > 0) result.crossing_rate[i] = std::sqrt(found.value[outputs + i] / result.variance[i]);
  }
  const bool is_known = (result.error.array() <= least_accuracy * result.variance.array()).all();
  if (is_known && !found.converged) {
    result.converged = true;
    result.warnings.push_back(fmt::format("σ² is known to a part of {:.1e} only, by rounding of the frequency response",
                                          (result.error.array() / result.variance.array()).maxCoeff()));
  }
  if (result.converged) return;
  result.variance.setConstant(RandomResponse::unset);
  result.crossing_rate.setConstant(RandomResponse::unset);
  result.warnings.push_back(
      fmt::format("the RMS did not converge to a part of {:g}: a resonance in the band has no damping, or nearly none",
                  options.tolerance));
}

void require_white_response(const Plant& plant, const std::vector<RandomInput>& inputs) {
  for (const Plant::Channel& channel : plant.channels) {
    if (channel.order > 0)
      throw Error(fmt::format("white noise as a prescribed motion, '{}', has no finite velocity: give it a band",
                              inputs[at(channel.input)].input));
  }
  for (const Plant::Pole& pole : plant.poles) {
    if (!(pole.s.real() < -pole.error))
      throw Error(fmt::format("there is no stationary response to white noise: the pole {:.6g} + {:.6g}i is not damped",
                              pole.s.real(), std::abs(pole.s.imag())));
  }
  const MatrixXd D = plant.first.D;
  for (Eigen::Index i = 0; i < D.rows(); ++i) {
    if (!D.row(i).isZero(0))
      throw Error(
          fmt::format("white noise acts on the output '{}' directly, whose RMS is infinite: give the noise a band",
                      plant.output_names[at(i)]));
  }
}

/// Solves (16.8). The velocity of an output has a variance of its own, unless noise acts on it directly.
/// Returns the poles.
std::vector<Plant::Pole> solve_lyapunov(const LinearSystem& system, const std::vector<RandomInput>& inputs,
                                        const RandomOptions& options, RandomResponse& result) {
  const Plant plant = state_space(system, {.minimum_norm_reactions = options.minimum_norm_reactions});
  require_white_response(plant, inputs);
  const MatrixXcd S = input_spectra(inputs, options, 1);
  if (!S.imag().isZero(0)) throw Error("white noise of all frequencies has a real coherence");
  const Eigen::SelfAdjointEigenSolver<MatrixXd> split(S.real() / 2);
  const MatrixXd root = split.eigenvectors() * split.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const MatrixXd A = plant.first.A, B = plant.first.B * root, C = plant.first.C;
  const MatrixXd L = gramian_factor(A, B);
  result.method = "Lyapunov's equation";
  result.variance = (C * L).rowwise().squaredNorm();
  const MatrixXd residual = A * L * L.transpose() + L * (A * L).transpose() + B * B.transpose();
  const double size = (A * L * L.transpose()).norm() + B.squaredNorm();
  result.error = (size > 0 ? residual.norm() / size : 0) * result.variance;
  const VectorXd rate = (C * A * L).rowwise().squaredNorm();
  const MatrixXd direct = C * B;
  result.crossing_rate = VectorXd::Constant(result.variance.size(), RandomResponse::unset);
  for (Eigen::Index i = 0; i < result.variance.size(); ++i) {
    const bool is_rough = direct.row(i).norm() > 1e-12 * C.row(i).norm() * B.norm();  // its velocity is white, too
    if (result.variance[i] > 0 && !is_rough) result.crossing_rate[i] = std::sqrt(rate[i] / result.variance[i]) / two_pi;
  }
  return plant.poles;
}

std::vector<double> frequencies_to_show(const std::vector<RandomInput>& inputs, const std::vector<Plant::Pole>& poles,
                                        const RandomResponse& result) {
  ResponseRange range = range_of_poles(poles);
  if (std::isfinite(result.to)) {
    range.to = two_pi * result.to;
    range.from = result.from > 0 ? two_pi * result.from : std::min(range.from, range.to / 1000);
  }
  const VectorXd omega = frequencies_for_plot(range);
  std::vector<double> hertz;
  for (const double value : omega) hertz.push_back(std::clamp(value, range.from, range.to) / two_pi);
  for (const RandomInput& one : inputs) {
    for (const double knot : one.density.frequency) {
      if (knot > 0) hertz.push_back(knot);
    }
  }
  std::sort(hertz.begin(), hertz.end());
  hertz.erase(std::unique(hertz.begin(), hertz.end()), hertz.end());
  return hertz;
}

}  // namespace

RandomResponse random_response(const LinearSystem& system, const std::vector<RandomInput>& inputs,
                               const std::vector<std::string>& outputs, const RandomOptions& options) {
  require_inputs(inputs);
  RandomResponse result;
  for (const RandomInput& one : inputs) result.input_names.push_back(one.input);
  const LinearSystem chosen = with_channels(system, result.input_names, outputs);
  if (chosen.outputs() == 0)
    throw Error(fmt::format("'{}' has no outputs: name a coordinate whose motion is the output", system.name));
  for (Index i = 0; i < chosen.outputs(); ++i) {
    result.output_names.push_back(chosen.output_name(i));
    result.output_units.push_back(chosen.output_unit ? chosen.output_unit(i) : "");
  }
  const OutputSpectra spectra(chosen, inputs, options);
  std::vector<Plant::Pole> poles;
  if (inputs.front().density.is_white) {
    result.to = std::numeric_limits<double>::infinity();
    poles = solve_lyapunov(chosen, inputs, options, result);
  } else {
    find_band(inputs, result);
    poles = poles_in_band(chosen, options, result);
    require_no_instability(poles);
    integrate_band(spectra, limits_of_panels(inputs, poles, result), chosen.outputs(), options, result);
  }
  const std::vector<double> hertz =
      options.frequencies.empty() ? frequencies_to_show(inputs, poles, result) : options.frequencies;
  result.frequency = Eigen::Map<const VectorXd>(hertz.data(), static_cast<Eigen::Index>(hertz.size()));
  result.psd = spectra.at_frequencies(hertz, &result.warnings);
  return result;
}

}  // namespace stillpoint
