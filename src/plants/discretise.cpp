// Discrete plants by the matrix exponential, as [Franklin 1998] and SciPy's cont2discrete define them.
#include "stillpoint/discretise.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "base/at.h"
#include "plants/plant_parts.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// A delay counts as a whole number of samples if it is one to so much of a sample.
constexpr double part_of_sample = 1e-9;

// More delayed samples than this are rather a mistake of units.
constexpr double most_delayed = 10'000;

struct Dense {
  MatrixXd A, B, C, D;
  MatrixXd T, S;  ///< δq = T x + S w
};

void require_continuous_state_space(const Plant& plant) {
  if (plant.sampling) throw Error("the plant is in discrete time already");
  const bool is_explicit = plant.form == PlantForm::state_space || plant.form == PlantForm::modal;
  if (is_explicit && plant.first.E.size() == 0) return;
  throw Error("a plant is made discrete as a state space: choose form 'state-space' or form 'modal', or reduce it");
}

void require_held_inputs(const Plant& plant, InputHold hold) {
  if (hold == InputHold::tustin) return;
  for (std::size_t k = 0; k < plant.channels.size(); ++k) {
    if (plant.channels[k].order == 0) continue;
    throw Error(
        fmt::format("the plant has the rate '{}' of an input as a channel of its own, which does not fit an "
                    "input that is held between samples: take 'tustin', or an input that is a force",
                    plant.input_names[k]));
  }
}

/// x(T) for inputs that are constant: [A B; 0 0] T has the exponential [A' B'; 0 I].
Dense by_zero_order_hold(Dense plant, double T) {
  const Eigen::Index n = plant.A.rows(), m = plant.B.cols();
  MatrixXd generator = MatrixXd::Zero(n + m, n + m);
  generator.topLeftCorner(n, n) = plant.A * T;
  generator.topRightCorner(n, m) = plant.B * T;
  const MatrixXd exponential = generator.exp();
  plant.A = exponential.topLeftCorner(n, n);
  plant.B = exponential.topRightCorner(n, m);
  return plant;
}

/// Inputs that are linear, with the states x − Γ₂ w so that no later sample is needed.
Dense by_first_order_hold(Dense plant, double T) {
  const Eigen::Index n = plant.A.rows(), m = plant.B.cols();
  MatrixXd generator = MatrixXd::Zero(n + 2 * m, n + 2 * m);
  generator.topLeftCorner(n, n) = plant.A * T;
  generator.block(0, n, n, m) = plant.B * T;
  generator.block(n, n + m, m, m).setIdentity();
  const MatrixXd exponential = generator.exp();
  const MatrixXd gamma_1 = exponential.block(0, n, n, m), gamma_2 = exponential.block(0, n + m, n, m);
  plant.A = exponential.topLeftCorner(n, n);
  plant.B = gamma_1 - gamma_2 + plant.A * gamma_2;
  plant.D += plant.C * gamma_2;
  plant.S += plant.T * gamma_2;
  return plant;
}

/// The trapezoidal rule, with the states (I − A T/2) x − B w T/2.
Dense by_tustin(Dense plant, double T) {
  const Eigen::Index n = plant.A.rows();
  const MatrixXd identity = MatrixXd::Identity(n, n);
  const Eigen::PartialPivLU<MatrixXd> implicit(identity - plant.A * (T / 2));
  if (n > 0 && !(implicit.rcond() > 1e-15))
    throw Error(
        fmt::format("2/T = {:g} rad/s is a pole of the plant, where Tustin's rule has no value: take another "
                    "sample time",
                    2 / T));
  const MatrixXd rates = plant.A, inputs = plant.B * T;
  plant.A = implicit.solve(identity + rates * (T / 2));
  plant.B = implicit.solve(inputs);
  plant.D += plant.C * plant.B / 2;
  const Eigen::PartialPivLU<MatrixXd> transposed((identity - rates * (T / 2)).transpose());
  plant.C = transposed.solve(plant.C.transpose()).transpose().eval();
  plant.T = transposed.solve(plant.T.transpose()).transpose().eval();
  plant.S += plant.T * inputs / 2;
  return plant;
}

Dense sampled(const Dense& plant, const DiscretiseOptions& options) {
  switch (options.hold) {
    case InputHold::zoh:
      return by_zero_order_hold(plant, options.time);
    case InputHold::foh:
      return by_first_order_hold(plant, options.time);
    default:
      return by_tustin(plant, options.time);
  }
}

/// How many samples each channel is delayed.
std::vector<Eigen::Index> delayed_samples(const Plant& plant, const DiscretiseOptions& options) {
  std::vector<Eigen::Index> samples(plant.input_names.size(), 0);
  for (const auto& [name, delay] : options.delays) {
    const auto input = std::find(plant.input_names.begin(), plant.input_names.end(), name);
    if (input == plant.input_names.end())
      throw Error(fmt::format("there is no input '{}' to be delayed{}", name, did_you_mean(name, plant.input_names)));
    const double count = delay / options.time, whole = std::round(count);
    if (!(delay >= 0) || std::abs(count - whole) > part_of_sample * std::max(1.0, count) || whole > most_delayed)
      throw Error(
          fmt::format("a delay of {:g} s of '{}' is {:.6g} samples of {:g} s: it must be a whole number of "
                      "samples, at most {:g}",
                      delay, name, count, options.time, most_delayed));
    samples[at(input - plant.input_names.begin())] = static_cast<Eigen::Index>(whole);
  }
  return samples;
}

/// Adds the last values of delayed inputs as states: w_{k−1}, ..., w_{k−N}, of which the last one acts.
Dense with_delays(const Dense& plant, const std::vector<Eigen::Index>& samples) {
  Eigen::Index more = 0;
  for (const Eigen::Index count : samples) more += count;
  const Eigen::Index n = plant.A.rows();
  Dense longer{MatrixXd::Zero(n + more, n + more),       MatrixXd::Zero(n + more, plant.B.cols()),
               MatrixXd::Zero(plant.C.rows(), n + more), plant.D,
               MatrixXd::Zero(plant.T.rows(), n + more), plant.S};
  longer.A.topLeftCorner(n, n) = plant.A;
  longer.B.topRows(n) = plant.B;
  longer.C.leftCols(n) = plant.C;
  longer.T.leftCols(n) = plant.T;
  Eigen::Index first = n;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k] == 0) continue;
    const auto input = static_cast<Eigen::Index>(k);
    const Eigen::Index last = first + samples[k] - 1;
    longer.A.col(last).head(n) = plant.B.col(input);
    longer.C.col(last) = plant.D.col(input);
    if (longer.T.rows() > 0) longer.T.col(last) = plant.S.col(input);
    for (Eigen::Index i = first + 1; i <= last; ++i) longer.A(i, i - 1) = 1;
    longer.B.col(input).setZero();
    longer.B(first, input) = 1;
    longer.D.col(input).setZero();
    if (longer.S.rows() > 0) longer.S.col(input).setZero();
    first = last + 1;
  }
  return longer;
}

void name_delayed(const std::vector<Eigen::Index>& samples, Plant& plant) {
  for (std::size_t k = 0; k < samples.size(); ++k) {
    for (Eigen::Index i = 1; i <= samples[k]; ++i) {
      plant.state_names.push_back(fmt::format("{}[k-{}]", plant.input_names[k], i));
      plant.state_units.push_back(k < plant.input_units.size() ? plant.input_units[k] : "");
    }
  }
}

/// States of foh and Tustin's rule are no coordinates, and have no values at the operating point.
void set_states(const Plant& given, const DiscretiseOptions& options, Plant& plant) {
  const auto states = std::ssize(plant.state_names);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(states);
  if (options.hold == InputHold::zoh && given.at.x.size() > 0) x.head(given.at.x.size()) = given.at.x;
  for (std::size_t k = 0, i = given.state_names.size(); i < plant.state_names.size(); ++i) {
    while (!plant.state_names[i].starts_with(plant.input_names[k] + "[k-")) ++k;
    if (given.at.u.size() > 0) x[static_cast<Eigen::Index>(i)] = given.at.u[static_cast<Eigen::Index>(k)];
  }
  plant.at.x = given.at.x.size() > 0 || states == 0 ? x : Eigen::VectorXd();
  if (options.hold != InputHold::zoh)
    plant.notes.push_back(
        "the states differ from those in continuous time by the inputs: T and S lead back to the "
        "coordinates");
}

/// The frequencies of the check that are below the Nyquist frequency, or some below it.
void check_again(Plant& plant) {
  const double limit = std::numbers::pi / plant.sampling->time;
  std::vector<double> kept;
  for (const double omega : plant.check.omega) {
    if (omega < 0.9 * limit) kept.push_back(omega);
  }
  if (kept.size() < 2) kept = {kept_away(limit / 100, plant.poles), kept_away(limit / 8, plant.poles)};
  plant.check.omega = Eigen::Map<const Eigen::VectorXd>(kept.data(), std::ssize(kept));
  plant.check.response = response_of(plant, plant.check.omega);
}

}  // namespace

const char* key_of(InputHold hold) {
  return hold == InputHold::zoh ? "zoh" : hold == InputHold::foh ? "foh" : "tustin";
}

Plant discretise(const Plant& plant, const DiscretiseOptions& options) {
  require_continuous_state_space(plant);
  if (!(options.time > 0) || !std::isfinite(options.time))
    throw Error(fmt::format("a sample time of {} s: it must be a positive number", options.time));
  require_held_inputs(plant, options.hold);
  const std::vector<Eigen::Index> samples = delayed_samples(plant, options);
  const Dense continuous{plant.first.A.toDense(), plant.first.B.toDense(), plant.first.C.toDense(),
                         plant.first.D.toDense(), plant.T.toDense(),       plant.S.toDense()};
  const Dense result = with_delays(sampled(continuous, options), samples);
  Plant discrete = plant;
  discrete.sampling = Plant::Sampling{options.time, key_of(options.hold)};
  discrete.first = {{}, result.A.sparseView(), result.B.sparseView(), result.C.sparseView(), result.D.sparseView()};
  discrete.T = result.T.sparseView();
  discrete.S = result.S.sparseView();
  discrete.state_units.resize(plant.state_names.size());
  name_delayed(samples, discrete);
  set_states(plant, options, discrete);
  discrete.notes.push_back("modes are those in continuous time");
  if (!plant.first.A.toDense().allFinite() || !result.A.allFinite())
    throw Error(
        fmt::format("the matrix exponential for a sample time of {:g} s is beyond the range of numbers", options.time));
  check_again(discrete);
  return discrete;
}

}  // namespace stillpoint
