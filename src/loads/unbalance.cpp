// Responses to rotating unbalance, theory (16.4) and (16.5), from the frequency response to its two forces.
#include "stillpoint/unbalance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/at.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// A part of an ellipse that is no larger than this part of its outputs is only rounding: the whirl is on a circle.
constexpr double rounding_of_orbits = 64 * std::numeric_limits<double>::epsilon();

// Peaks below this part of the largest amplitude are not looked at closely.
constexpr double least_peak = 1e-6;

/// The inputs that unbalances act on, each once, with their amplitudes at Ω = 1 rad/s.
struct RotatingForces {
  std::vector<std::string> inputs;
  std::vector<Complex> amplitudes;

  void add(const std::string& input, Complex amplitude) {
    const auto found = std::find(inputs.begin(), inputs.end(), input);
    if (found == inputs.end()) {
      inputs.push_back(input);
      amplitudes.push_back(amplitude);
    } else {
      amplitudes[static_cast<std::size_t>(found - inputs.begin())] += amplitude;
    }
  }
};

RotatingForces forces_of(const std::vector<Unbalance>& unbalances) {
  if (unbalances.empty()) throw Error("the response to unbalance needs an unbalance");
  RotatingForces forces;
  for (const Unbalance& one : unbalances) {
    if (one.first == one.second)
      throw Error(fmt::format("an unbalance of '{0}' and '{0}': it needs two inputs, for two directions", one.first));
    if (!std::isfinite(one.amount) || !std::isfinite(one.phase))
      throw Error(fmt::format("the unbalance of '{}' and '{}' has a number that is not finite", one.first, one.second));
    const Complex first = std::polar(one.amount, one.phase);
    forces.add(one.first, first);
    forces.add(one.second, Complex(0, -1) * first);
  }
  return forces;
}

/// Outputs that are asked for, and those that orbits need; each once.
std::vector<std::string> observed(const LinearSystem& system, std::vector<std::string> outputs,
                                  const std::vector<Orbit>& orbits) {
  if (outputs.empty() && orbits.empty()) {
    for (Index i = 0; i < system.outputs(); ++i) outputs.push_back(system.output_name(i));
  }
  for (const Orbit& orbit : orbits) {
    for (const std::string& name : {orbit.first, orbit.second}) {
      if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) outputs.push_back(name);
    }
  }
  if (outputs.empty())
    throw Error(fmt::format("'{}' has no outputs: name a coordinate whose motion is the output", system.name));
  return outputs;
}

void append_orbits(const std::vector<Orbit>& orbits, FrequencyResponse& response) {
  std::vector<std::pair<Eigen::Index, Eigen::Index>> rows;
  const auto row_of = [&](const std::string& name) {
    const auto found = std::find(response.output_names.begin(), response.output_names.end(), name);
    return static_cast<Eigen::Index>(found - response.output_names.begin());
  };
  for (const Orbit& orbit : orbits) rows.emplace_back(row_of(orbit.first), row_of(orbit.second));
  for (const Orbit& orbit : orbits) {
    response.output_names.push_back(fmt::format("forward({},{})", orbit.first, orbit.second));
    response.output_names.push_back(fmt::format("backward({},{})", orbit.first, orbit.second));
  }
  const Complex i(0, 1);
  for (Eigen::MatrixXcd& Y : response.response) {
    Eigen::Index next = Y.rows();
    Y.conservativeResize(next + 2 * static_cast<Eigen::Index>(rows.size()), Eigen::NoChange);
    for (const auto& [first, second] : rows) {
      const double rounding = rounding_of_orbits * (std::abs(Y(first, 0)) + std::abs(Y(second, 0)));
      const Complex f = 0.5 * (Y(first, 0) + i * Y(second, 0)), b = 0.5 * std::conj(Y(first, 0) - i * Y(second, 0));
      Y(next++, 0) = std::abs(f) <= rounding ? 0 : f;
      Y(next++, 0) = std::abs(b) <= rounding ? 0 : b;
    }
  }
}

/// Adds up the responses to all forces, at their amplitudes.
FrequencyResponse superposed(FrequencyResponse each, const RotatingForces& forces) {
  each.input_names = {"unbalance"};
  for (std::size_t k = 0; k < each.response.size(); ++k) {
    const double Omega = each.omega[static_cast<Eigen::Index>(k)];
    Eigen::VectorXcd amplitudes(static_cast<Eigen::Index>(forces.amplitudes.size()));
    for (std::size_t j = 0; j < forces.amplitudes.size(); ++j)
      amplitudes[static_cast<Eigen::Index>(j)] = Omega * Omega * forces.amplitudes[j];
    each.response[k] = (each.response[k] * amplitudes).eval();
  }
  return each;
}

/// The responses at single speeds, in the order of the speeds.
using AtSpeeds = std::map<double, FrequencyResponse>;

double size_at(const FrequencyResponse& response, Eigen::Index output) {
  return std::abs(response.response[0](output, 0));
}

/// The speeds halfway between each peak and the adjacent ones.
std::vector<double> beside_peaks(const AtSpeeds& found) {
  std::vector<double> speeds;
  std::vector<const FrequencyResponse*> in_order;
  double largest = 0;
  for (const auto& [speed, response] : found) {
    in_order.push_back(&response);
    if (response.response[0].allFinite()) largest = std::max(largest, response.response[0].cwiseAbs().maxCoeff());
  }
  for (std::size_t k = 1; k + 1 < in_order.size(); ++k) {
    const Eigen::Index outputs = in_order[k]->response[0].rows();
    bool is_peak = false;
    for (Eigen::Index i = 0; i < outputs; ++i) {
      const double here = size_at(*in_order[k], i);
      is_peak |=
          here > least_peak * largest && here > size_at(*in_order[k - 1], i) && here >= size_at(*in_order[k + 1], i);
    }
    if (!is_peak) continue;
    for (const std::size_t side : {k - 1, k + 1})
      speeds.push_back((in_order[k]->omega[0] + in_order[side]->omega[0]) / 2);
  }
  return speeds;
}

FrequencyResponse joined(const AtSpeeds& found) {
  FrequencyResponse all = found.begin()->second;
  const auto count = static_cast<Eigen::Index>(found.size());
  all.omega.resize(count);
  all.backward_error.resize(count);
  all.response.clear();
  all.warnings.clear();
  for (const auto& [speed, response] : found) {
    const auto k = static_cast<Eigen::Index>(all.response.size());
    all.omega[k] = speed;
    all.backward_error[k] = response.backward_error[0];
    all.response.push_back(response.response[0]);
    for (const std::string& warning : response.warnings) {
      if (std::find(all.warnings.begin(), all.warnings.end(), warning) == all.warnings.end())
        all.warnings.push_back(warning);
    }
  }
  return all;
}

}  // namespace

FrequencyResponse unbalance_response(const LinearSystem& system, const std::vector<Unbalance>& unbalances,
                                     const std::vector<std::string>& outputs, const std::vector<Orbit>& orbits,
                                     const Eigen::VectorXd& speeds, const ResponseOptions& options) {
  const RotatingForces forces = forces_of(unbalances);
  const LinearSystem chosen = with_channels(system, forces.inputs, observed(system, outputs, orbits));
  FrequencyResponse response = superposed(frequency_response(chosen, speeds, options), forces);
  append_orbits(orbits, response);
  return response;
}

FrequencyResponse unbalance_response(const std::function<LinearSystem(double speed)>& system_at,
                                     const std::vector<Unbalance>& unbalances, const std::vector<std::string>& outputs,
                                     const std::vector<Orbit>& orbits, const Eigen::VectorXd& speeds, int refinements,
                                     const ResponseOptions& options) {
  if (speeds.size() == 0) throw Error("the response to unbalance needs a speed");
  AtSpeeds found;
  const auto find = [&](double speed) {
    if (found.contains(speed)) return;  // adjacent peaks share the speeds between them
    found.emplace(speed, unbalance_response(system_at(speed), unbalances, outputs, orbits,
                                            Eigen::VectorXd::Constant(1, speed), options));
  };
  for (const double speed : speeds) find(speed);
  for (int k = 0; k < refinements; ++k) {
    for (const double speed : beside_peaks(found)) find(speed);
  }
  return joined(found);
}

}  // namespace stillpoint
