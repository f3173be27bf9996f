#include "python/loads.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <numbers>
#include <variant>

#include "base/usual_requests.h"
#include "python/handles.h"
#include "python/responses.h"
#include "python/rest_request.h"
#include "python/watched.h"
#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/random_response.h"
#include "stillpoint/unbalance.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Rotating unbalance

using UnbalanceWords = std::vector<std::tuple<std::string, std::string, double, double>>;  // the last one in degrees
using OrbitWords = std::vector<std::pair<std::string, std::string>>;

struct UnbalanceRequest {
  std::vector<Unbalance> unbalances;
  std::vector<Orbit> orbits;
  std::vector<std::string> outputs;
  bool minimum_norm = false;
  FrequencyRequest speeds{};
};

UnbalanceRequest unbalance_request(const UnbalanceWords& unbalances, const OrbitWords& orbits,
                                   const std::vector<std::string>& outputs, bool minimum_norm, const py::dict& range) {
  UnbalanceRequest request{.unbalances = {},
                           .orbits = {},
                           .outputs = outputs,
                           .minimum_norm = minimum_norm,
                           .speeds = frequency_request(range)};
  for (const auto& [first, second, amount, degrees] : unbalances)
    request.unbalances.push_back({first, second, amount, degrees * std::numbers::pi / 180});
  for (const auto& [first, second] : orbits) request.orbits.push_back({first, second});
  return request;
}

ResponseHandle unbalanced(const LinearSystem& system, const UnbalanceRequest& request, Watch& watch) {
  return {unbalance_response(system, request.unbalances, request.outputs, request.orbits,
                             frequencies(system, request.speeds),
                             {.minimum_norm_reactions = request.minimum_norm, .progress = watch.sink()}),
          system.name, "response to unbalance"};
}

LinearSystem linearized(const ModelHandle& handle, const RestRequest& rest) {
  const RestHandle found = find_rest(search_for(handle.model, rest, handle.controllers));
  return close_loops(linearize(found.model, found.rest), found.controllers);
}

/// The same of a rotor that is linearized at each speed, which is a parameter of its model.
ResponseHandle unbalanced_at_speeds(const ModelHandle& handle, const std::string& parameter, const RestRequest& rest,
                                    const UnbalanceRequest& request, Watch& watch) {
  const LinearSystem system = linearized(handle, rest);
  const auto system_at = [&](double speed) {
    watch.say(fmt::format("linearized at {:.6g} rad/s", speed));
    return linearized(with_settings(handle, {{parameter, speed}}), rest);
  };
  const bool is_listed = request.speeds.omega || request.speeds.points;
  return {unbalance_response(system_at, request.unbalances, request.outputs, request.orbits,
                             frequencies(system, request.speeds), is_listed ? 0 : usual::refinements_of_peaks,
                             {.minimum_norm_reactions = request.minimum_norm}),
          system.name, "response to unbalance"};
}

void bind_unbalance(py::module_& module) {
  module.def(
      "unbalance",
      [](const SystemHandle& system, const UnbalanceWords& unbalances, const OrbitWords& orbits,
         const std::vector<std::string>& outputs, bool minimum_norm, const py::dict& range, const py::object& show) {
        return watched(
            show, [request = unbalance_request(unbalances, orbits, outputs, minimum_norm, range),
                   analysis = system.analysis](Watch& watch) { return unbalanced(analysis->system, request, watch); });
      },
      "system"_a, "unbalances"_a, "orbits"_a, "outputs"_a, "minimum_norm"_a, "range"_a, "show"_a);
  module.def(
      "unbalance_at_speeds",
      [](const ModelHandle& model, const std::string& parameter, const py::dict& rest, const UnbalanceWords& unbalances,
         const OrbitWords& orbits, const std::vector<std::string>& outputs, bool minimum_norm, const py::dict& range,
         const py::object& show) {
        return watched(show, [=, request = unbalance_request(unbalances, orbits, outputs, minimum_norm, range),
                              how = rest_request(rest)](Watch& watch) {
          return unbalanced_at_speeds(model, parameter, how, request, watch);
        });
      },
      "model"_a, "parameter"_a, "rest"_a, "unbalances"_a, "orbits"_a, "outputs"_a, "minimum_norm"_a, "range"_a,
      "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Random loads

struct RandomHandle {
  RandomResponse response;
  std::string name;
};

using Table = std::pair<std::vector<double>, std::vector<double>>;
/// White noise of all frequencies; value, from, to (Hz); frequencies (Hz) and values; or a file.
using DensityWords = std::variant<double, std::tuple<double, double, double>, Table, std::string>;

SpectralDensity density_of(const DensityWords& words) {
  if (const auto* const value = std::get_if<double>(&words)) return white_noise(*value);
  if (const auto* const file = std::get_if<std::string>(&words)) return read_spectral_density(*file);
  if (const auto* const table = std::get_if<Table>(&words)) return {.frequency = table->first, .value = table->second};
  const auto& [value, from, to] = std::get<std::tuple<double, double, double>>(words);
  return white_noise(value, from, to);
}

RandomHandle shaken(const LinearSystem& system, const std::vector<RandomInput>& inputs,
                    const std::vector<std::string>& outputs, RandomOptions how, const FrequencyRequest& shown) {
  if (!shown.is_empty()) {
    for (const double omega : frequencies(system, shown)) how.frequencies.push_back(omega / (2 * std::numbers::pi));
  }
  return {random_response(system, inputs, outputs, how), system.name};
}

py::dict facts_of_random(const RandomHandle& handle) {
  const RandomResponse& found = handle.response;
  const auto outputs = std::ssize(found.output_names);
  return py::dict("name"_a = handle.name, "inputs"_a = found.input_names, "outputs"_a = found.output_names,
                  "output_units"_a = found.output_units, "frequency"_a = found.frequency,
                  "psd"_a = stacked(found.psd, outputs, outputs), "rms"_a = found.rms(), "variance"_a = found.variance,
                  "error"_a = found.error, "crossing_rate"_a = found.crossing_rate,
                  "band"_a = py::make_tuple(found.from, found.to), "method"_a = found.method,
                  "evaluations"_a = found.evaluations, "converged"_a = found.converged, "warnings"_a = found.warnings);
}

void bind_random(py::module_& module) {
  py::class_<RandomHandle>(module, "RandomReport")
      .def("facts", &facts_of_random)
      .def("json", [](const RandomHandle& h) { return to_json(h.response, h.name); })
      .def("text", [](const RandomHandle& h) { return to_text(h.response, h.name); })
      .def("csv", [](const RandomHandle& h) { return to_csv(h.response); })
      .def("svg", [](const RandomHandle& h) { return to_svg(h.response, h.name + ": random response"); });
  module.def(
      "random_response",
      [](const SystemHandle& system, const std::vector<std::pair<std::string, DensityWords>>& densities,
         const std::vector<std::tuple<std::string, std::string, double>>& coherence,
         const std::vector<std::string>& outputs, bool minimum_norm, const py::dict& range, const py::object& show) {
        std::vector<RandomInput> inputs;
        for (const auto& [name, words] : densities) inputs.push_back(random_input(name, density_of(words)));
        std::vector<Coherence> pairs;
        for (const auto& [first, second, value] : coherence) pairs.push_back({first, second, value});
        const RandomOptions how{.coherence = coherence_between(inputs, pairs), .minimum_norm_reactions = minimum_norm};
        return watched(show, [=, analysis = system.analysis, shown = frequency_request(range)](Watch& watch) {
          RandomOptions watched_how = how;
          watched_how.progress = watch.sink();
          return shaken(analysis->system, inputs, outputs, watched_how, shown);
        });
      },
      "system"_a, "densities"_a, "coherence"_a, "outputs"_a, "minimum_norm"_a, "range"_a, "show"_a);
}

}  // namespace

void bind_loads(py::module_& module) {
  bind_unbalance(module);
  bind_random(module);
}

}  // namespace stillpoint::python
