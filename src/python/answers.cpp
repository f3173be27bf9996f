#include "python/answers.h"

#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "python/arrays.h"
#include "python/channels.h"
#include "python/handles.h"
#include "python/watched.h"
#include "python/words.h"
#include "reduction/plant_in_time.h"
#include "stillpoint/error.h"
#include "stillpoint/margins.h"
#include "stillpoint/time_response.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct TimeResponseHandle {
  TimeResponse response;
  std::string name;
  std::vector<std::string> inputs, outputs;
};
struct LoopsHandle {
  LoopAnalysis loops;
  std::string name;
};

const WordTable<TimeInput> time_inputs{{"step", TimeInput::step}, {"impulse", TimeInput::impulse}};

// ---------------------------------------------------------------------------------------------------------------------
// In time

struct TimeAnswerRequest {
  std::optional<double> until;
  std::optional<Index> points, order;
  bool minimum_norm = false;
};

void require_positive(const TimeAnswerRequest& request) {
  if (request.until && !(*request.until > 0 && std::isfinite(*request.until)))
    throw Error(fmt::format("until={:g}: this must be above zero (s)", *request.until));
  if (request.points && *request.points < 1)
    throw Error(fmt::format("points={}: this must be 1 or more", *request.points));
  if (request.order && *request.order < 1) throw Error(fmt::format("order={}: this must be 1 or more", *request.order));
}

TimeResponseHandle answer_in_time(const SystemHandle& handle, const std::string& input,
                                  const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                  const TimeAnswerRequest& request, const py::object& show) {
  const TimeInput kind = meaning("input", input, time_inputs);
  require_positive(request);
  return watched(show, [=, analysis = handle.analysis](Watch&) {
    const LinearSystem system = with_named_channels(analysis->system, inputs, outputs);
    std::vector<std::string> warnings;
    const Plant plant = plant_in_time(
        system, {.order = request.order.value_or(0), .minimum_norm_reactions = request.minimum_norm}, warnings);
    TimeResponse response =
        time_response(plant, {.input = kind, .until = request.until, .points = request.points.value_or(0)});
    response.warnings.insert(response.warnings.begin(), warnings.begin(), warnings.end());
    return TimeResponseHandle{std::move(response), system.name, names_of(system.input_name, system.inputs()),
                              names_of(system.output_name, system.outputs())};
  });
}

py::dict facts_of_channel(const TimeChannel& channel) {
  const TimeFigures& figures = channel.figures;
  return py::dict("input"_a = channel.input, "output"_a = channel.output, "behaviour"_a = key_of(channel.behaviour),
                  "leading_pole"_a = channel.leading_pole, "impulses"_a = channel.impulses,
                  "initial"_a = figures.initial, "final_value"_a = figures.final_value, "peak"_a = figures.peak,
                  "peak_time"_a = figures.peak_time, "rise_time"_a = figures.rise_time,
                  "settling_time"_a = figures.settling_time, "overshoot"_a = figures.overshoot,
                  "undershoot"_a = figures.undershoot, "searched"_a = figures.searched);
}

/// Outputs × inputs × times.
py::array_t<double> values_of(const TimeResponseHandle& handle) {
  const TimeResponse& response = handle.response;
  py::array_t<double> array(
      {std::ssize(handle.outputs), std::ssize(handle.inputs), static_cast<std::ptrdiff_t>(response.times.size())});
  double* entry = array.mutable_data();
  for (const TimeChannel& channel : response.channels)
    entry = std::copy_n(channel.value.data(), channel.value.size(), entry);
  return array;
}

py::dict facts_of_time_response(const TimeResponseHandle& handle) {
  py::list figures;
  for (const TimeChannel& channel : handle.response.channels) figures.append(facts_of_channel(channel));
  return py::dict("name"_a = handle.name, "inputs"_a = handle.inputs, "outputs"_a = handle.outputs,
                  "times"_a = handle.response.times, "y"_a = values_of(handle), "figures"_a = figures,
                  "error"_a = handle.response.error, "warnings"_a = handle.response.warnings);
}

void bind_answers_in_time(py::module_& module) {
  py::class_<TimeResponseHandle>(module, "TimeResponseReport")
      .def("facts", &facts_of_time_response)
      .def("json", [](const TimeResponseHandle& h) { return to_json(h.response, h.name); })
      .def("text", [](const TimeResponseHandle& h) { return to_text(h.response, h.name); })
      .def("csv", [](const TimeResponseHandle& h) { return to_csv(h.response); })
      .def("svg", [](const TimeResponseHandle& h) {
        const bool is_step = h.response.input == TimeInput::step;
        return to_svg(h.response, h.name + (is_step ? ": step response" : ": impulse response"));
      });
  module.def(
      "time_response",
      [](const SystemHandle& system, const std::string& input, const std::vector<std::string>& inputs,
         const std::vector<std::string>& outputs, std::optional<double> until, std::optional<Index> points,
         std::optional<Index> order, bool minimum_norm, const py::object& show) {
        return answer_in_time(system, input, inputs, outputs, {until, points, order, minimum_norm}, show);
      },
      "system"_a, "input"_a, "inputs"_a, "outputs"_a, "until"_a, "points"_a, "order"_a, "minimum_norm"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Of loops

LoopsHandle answer_of_loops(const SystemHandle& handle, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs, const LoopOptions& how, const py::object& show) {
  return watched(show, [=, analysis = handle.analysis](Watch&) {
    const LinearSystem system = with_named_channels(analysis->system, inputs, outputs);
    return LoopsHandle{analyse_loops(system, how), system.name};
  });
}

py::dict facts_of_loop(const LoopFigures& loop) {
  py::list gains, phases;
  for (const GainMargin& one : loop.gain_margins) gains.append(py::make_tuple(one.omega, one.factor));
  for (const PhaseMargin& one : loop.phase_margins) phases.append(py::make_tuple(one.omega, one.degrees, one.delay));
  const PhaseMargin* const least = loop.least_phase_margin();
  py::dict facts("input"_a = loop.input, "output"_a = loop.output, "gain_margins"_a = gains, "phase_margins"_a = phases,
                 "gain_margin_above"_a = loop.gain_margin_above(), "gain_margin_below"_a = loop.gain_margin_below(),
                 "delay_margin"_a = loop.delay_margin(), "least_distance"_a = loop.least_distance,
                 "static_gain"_a = loop.static_gain, "bandwidth"_a = loop.bandwidth, "peak"_a = loop.peak,
                 "peak_omega"_a = loop.peak_omega, "open_unstable"_a = loop.open_unstable);
  facts["phase_margin"] = least ? py::object(py::float_(least->degrees)) : py::none();
  facts["closed_unstable"] = loop.is_counted ? py::object(py::int_(loop.closed_unstable)) : py::none();
  facts["why_not_counted"] = loop.why_not_counted;
  return facts;
}

py::dict facts_of_loops(const LoopsHandle& handle) {
  py::list figures;
  for (const LoopFigures& loop : handle.loops.channels) figures.append(facts_of_loop(loop));
  const FrequencyResponse& response = handle.loops.response;
  return py::dict("name"_a = handle.name, "inputs"_a = response.input_names, "outputs"_a = response.output_names,
                  "omega"_a = response.omega, "figures"_a = figures, "warnings"_a = handle.loops.warnings);
}

void bind_loops(py::module_& module) {
  const WordTable<LoopPlot> plots{{"nyquist", LoopPlot::nyquist}, {"nichols", LoopPlot::nichols}};
  py::class_<LoopsHandle>(module, "LoopsReport")
      .def("facts", &facts_of_loops)
      .def("json", [](const LoopsHandle& h) { return to_json(h.loops, h.name); })
      .def(
          "text",
          [](const LoopsHandle& h, bool as_loops, bool hertz) { return to_text(h.loops, h.name, as_loops, hertz); },
          "as_loops"_a, "hertz"_a)
      .def("csv", [](const LoopsHandle& h) { return to_csv(h.loops); })
      .def(
          "svg",
          [plots](const LoopsHandle& h, const std::string& plot, bool hertz) {
            const LoopPlot shown = meaning("plot", plot, plots);
            return to_svg(h.loops, shown, h.name + (shown == LoopPlot::nyquist ? ": Nyquist plot" : ": Nichols chart"),
                          hertz);
          },
          "plot"_a, "hertz"_a);
  module.def(
      "loops",
      [](const SystemHandle& system, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
         std::optional<double> from, std::optional<double> to, bool minimum_norm, const py::object& show) {
        for (const auto& end : {from, to}) {
          if (end && !(*end > 0 && std::isfinite(*end)))
            throw Error(fmt::format("band: {:g} rad/s must be above zero", *end));
        }
        const LoopOptions how{.from = from.value_or(0), .to = to.value_or(0), .minimum_norm_reactions = minimum_norm};
        return answer_of_loops(system, inputs, outputs, how, show);
      },
      "system"_a, "inputs"_a, "outputs"_a, "from_"_a, "to"_a, "minimum_norm"_a, "show"_a);
}

}  // namespace

void bind_answers(py::module_& module) {
  bind_answers_in_time(module);
  bind_loops(module);
}

}  // namespace stillpoint::python
