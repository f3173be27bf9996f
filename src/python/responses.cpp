#include "python/responses.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "python/channels.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/watched.h"
#include "stillpoint/error.h"
#include "stillpoint/margins.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct SingularValuesHandle {
  SingularValueCurves curves;
  FrequencyResponse response;
  std::string name;
};

/// The response of the chosen channels.
ResponseHandle respond(const LinearSystem& whole, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, bool minimum_norm, const FrequencyRequest& at,
                       Watch& watch) {
  const LinearSystem system = with_named_channels(whole, inputs, outputs);
  return {frequency_response(system, frequencies(system, at),
                             {.minimum_norm_reactions = minimum_norm, .progress = watch.sink()}),
          system.name};
}

py::dict facts_of_response(const ResponseHandle& handle) {
  const FrequencyResponse& response = handle.response;
  return py::dict(
      "omega"_a = response.omega,
      "H"_a = stacked(response.response, std::ssize(response.output_names), std::ssize(response.input_names)),
      "backward_error"_a = response.backward_error, "inputs"_a = response.input_names,
      "outputs"_a = response.output_names, "warnings"_a = response.warnings, "name"_a = handle.name);
}

py::dict facts_of_singular_values(const SingularValuesHandle& handle) {
  return py::dict("omega"_a = handle.curves.omega, "values"_a = Eigen::MatrixXd(handle.curves.values.transpose()),
                  "inputs"_a = handle.response.input_names, "outputs"_a = handle.response.output_names,
                  "warnings"_a = handle.response.warnings, "name"_a = handle.name);
}

}  // namespace

FrequencyRequest frequency_request(const py::dict& asked) {
  FrequencyRequest request{given<Eigen::VectorXd>(asked, "omega"), given<double>(asked, "from"),
                           given<double>(asked, "to"), given<Index>(asked, "points")};
  if (request.omega && (request.from || request.to || request.points))
    throw Error("omega and band or points exclude each other");
  if (request.points && *request.points < 1)
    throw Error(fmt::format("points={}: this must be 1 or more", *request.points));
  return request;
}

Eigen::VectorXd frequencies(const LinearSystem& system, const FrequencyRequest& request) {
  if (request.omega) return *request.omega;
  const bool is_given = request.from && request.to && request.points;
  ResponseRange range = is_given ? ResponseRange() : range_of_modes(system);
  range.from = request.from.value_or(range.from);
  range.to = request.to.value_or(range.to);
  if (!(range.from < range.to))
    throw Error(
        fmt::format("from {:g} to {:g} rad/s: the first frequency must be below the second", range.from, range.to));
  return request.points ? log_spaced(range.from, range.to, *request.points) : frequencies_for_plot(range);
}

py::array_t<std::complex<double>> stacked(const std::vector<Eigen::MatrixXcd>& each, Eigen::Index rows,
                                          Eigen::Index columns) {
  const auto count = static_cast<py::ssize_t>(each.size());
  py::array_t<std::complex<double>> array({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns), count});
  auto entry = array.mutable_unchecked<3>();
  for (py::ssize_t k = 0; k < count; ++k) {
    for (py::ssize_t j = 0; j < columns; ++j) {
      for (py::ssize_t i = 0; i < rows; ++i) entry(i, j, k) = each[static_cast<std::size_t>(k)](i, j);
    }
  }
  return array;
}

void bind_responses(py::module_& module) {
  py::class_<ResponseHandle>(module, "Response")
      .def("facts", &facts_of_response)
      .def("json", [](const ResponseHandle& h) { return to_json(h.response, h.name); })
      .def("text", [](const ResponseHandle& h) { return to_csv(h.response); })
      .def(
          "svg", [](const ResponseHandle& h, bool hertz) { return to_svg(h.response, h.name + ": " + h.what, hertz); },
          "hertz"_a);
  py::class_<SingularValuesHandle>(module, "SingularValuesReport")
      .def("facts", &facts_of_singular_values)
      .def("json", [](const SingularValuesHandle& h) { return to_json(h.curves, h.response, h.name); })
      .def("text", [](const SingularValuesHandle& h) { return to_csv(h.curves); })
      .def(
          "svg",
          [](const SingularValuesHandle& h, bool hertz) {
            return to_svg(h.curves, h.name + ": singular values", hertz);
          },
          "hertz"_a);
  module.def(
      "response",
      [](const SystemHandle& system, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
         bool minimum_norm, const py::dict& range, const py::object& show) {
        return watched(show, [=, analysis = system.analysis, at = frequency_request(range)](Watch& watch) {
          return respond(analysis->system, inputs, outputs, minimum_norm, at, watch);
        });
      },
      "system"_a, "inputs"_a, "outputs"_a, "minimum_norm"_a, "range"_a, "show"_a);
  module.def(
      "singular_values",
      [](const SystemHandle& system, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
         bool minimum_norm, const py::dict& range, const py::object& show) {
        return watched(show, [=, analysis = system.analysis, at = frequency_request(range)](Watch& watch) {
          ResponseHandle found = respond(analysis->system, inputs, outputs, minimum_norm, at, watch);
          return SingularValuesHandle{singular_values_of(found.response), std::move(found.response),
                                      std::move(found.name)};
        });
      },
      "system"_a, "inputs"_a, "outputs"_a, "minimum_norm"_a, "range"_a, "show"_a);
}

}  // namespace stillpoint::python
