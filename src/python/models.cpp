// Models and equilibria.
#include <pybind11/stl.h>

#include <algorithm>

#include "equilibrium/words.h"
#include "python/arrays.h"
#include "python/handles.h"
#include "python/watched.h"
#include "python/words.h"
#include "read/find_model_file.h"
#include "stillpoint/check.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/read_controllers.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

using Parameter = std::pair<std::string, double>;

// ---------------------------------------------------------------------------------------------------------------------
// Models

ModelHandle read_text(const std::string& text, const std::string& file, const Parameters& settings, bool controllers) {
  const py::gil_scoped_release free;
  const BlasAtOneThread serial;
  ModelFamily family = ModelFamily::from_text(text, file, settings);
  Model model = family.at();
  std::vector<Controller> found;
  if (controllers) found = controllers_from_text(text, file, model, settings);
  ControllerSource source{found.empty() ? "" : text, file, settings};
  return {std::move(model), std::move(family), std::move(source), std::move(found)};
}

ModelHandle read(const std::string& path, const Parameters& settings, bool controllers) {
  const std::string file = find_model_file(path);
  return read_text(text_of_model_file(file), file, settings, controllers);
}

ModelHandle at(const ModelHandle& handle, const Parameters& settings) {
  if (!handle.family) throw Error("this model was not read from a file or a text, so that it has no parameters to set");
  const py::gil_scoped_release free;
  const BlasAtOneThread serial;
  Model model = handle.family->at(settings);
  Parameters all = handle.source.settings;
  for (const auto& [name, value] : settings) {
    std::erase_if(all, [&key = name](const auto& setting) { return setting.first == key; });
    all.emplace_back(name, value);
  }
  std::vector<Controller> controllers = controllers_from_text(handle.source.text, handle.source.file, model, all);
  return {std::move(model), ModelFamily(*handle.family), handle.source, std::move(controllers)};
}

template <class NameOfIndex>
std::vector<std::string> list_of(Index count, NameOfIndex name) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) names.push_back(name(i));
  return names;
}

void bind_model(py::module_& module) {
  py::class_<ModelHandle>(module, "Model")
      .def_property_readonly("name", [](const ModelHandle& h) { return h.model.name(); })
      .def_property_readonly("parameters", [](const ModelHandle& h) { return h.model.parameters(); })
      .def_property_readonly("size",
                             [](const ModelHandle& h) {
                               const Model& model = h.model;
                               return py::make_tuple(model.coordinates(), model.constraints(), model.inputs(),
                                                     model.outputs());
                             })
      .def("coordinate_names",
           [](const ModelHandle& h) {
             return list_of(h.model.coordinates(), [&](Index i) { return h.model.coordinate_name(i); });
           })
      .def("constraint_names",
           [](const ModelHandle& h) {
             return list_of(h.model.constraints(), [&](Index i) { return h.model.constraint_name(i); });
           })
      .def("input_names",
           [](const ModelHandle& h) {
             return list_of(h.model.inputs(), [&](Index i) { return h.model.input_name(i); });
           })
      .def("output_names",
           [](const ModelHandle& h) {
             return list_of(h.model.outputs(), [&](Index i) { return h.model.output_name(i); });
           })
      .def("at", &at, "settings"_a)
      .def(
          "check_json", [](const ModelHandle& h) { return to_json(check_model(h.model)); },
          py::call_guard<py::gil_scoped_release, BlasAtOneThread>())
      .def(
          "check_text", [](const ModelHandle& h) { return to_text(check_model(h.model)); },
          py::call_guard<py::gil_scoped_release, BlasAtOneThread>());
  module.def("read_model", &read, "path"_a, "settings"_a, "controllers"_a);
  module.def("model_from_text", &read_text, "text"_a, "file"_a, "settings"_a, "controllers"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Equilibria

const WordTable<EquilibriumRequest> requests{{"stable", EquilibriumRequest::stable},
                                             {"nearest", EquilibriumRequest::nearest},
                                             {"check", EquilibriumRequest::check}};

/// Where the search begins, and how it is done.
struct SearchRequest {
  Model model;
  OperatingPoint point;
  EquilibriumOptions how;
  std::vector<Parameter> trim{}, preload{};
  std::vector<Controller> controllers{};
};

void require_rank(std::optional<Index> rank, const Model& model) {
  const Index most = std::min(model.coordinates(), model.constraints());
  if (rank && (*rank < 0 || *rank > most))
    throw Error(fmt::format("rank={}: a Jacobian of {} constraints and {} coordinates has a rank of 0 to {}", *rank,
                            model.constraints(), model.coordinates(), most));
}

SearchRequest search_request(const ModelHandle& handle, const std::string& rest, const Settings& at,
                             std::optional<Index> rank, double precision) {
  require_rank(rank, handle.model);
  SearchRequest request{handle.model, operating_point(handle.model, at), {}};
  request.how.rest = meaning("rest", rest, requests);
  request.how.rank = rank;
  request.how.precision = precision;
  request.how.held = request.point.coordinates;
  request.controllers = handle.controllers;
  return request;
}

/// The guess with what holds it is the equilibrium, whether or not it is stable.
void rest_at(const State& state, SearchRequest& request) {
  request.point.state = state;
  request.how.rest = EquilibriumRequest::nearest;
  request.how.held = {};
}

Index input_called(const Model& model, const std::string& name) {
  const std::vector<std::string> known = list_of(model.inputs(), [&](Index i) { return model.input_name(i); });
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw Error(fmt::format("there is no input '{}'{}", name, did_you_mean(name, known)));
  return static_cast<Index>(found - known.begin());
}

Trim trim_of(const SearchRequest& request, const std::vector<std::string>& inputs) {
  TrimOptions how{.inputs = {}, .precision = request.how.precision};
  for (const std::string& name : inputs) how.inputs.push_back(input_called(request.model, name));
  return find_trim(request.model, request.point.state, how);
}

/// An equilibrium that does not exist because nothing holds the guess.
Equilibrium not_held(const State& state, const std::string& message) {
  Equilibrium none;
  none.status = EquilibriumStatus::not_converged;
  none.state = state;
  none.message = message;
  return none;
}

RestHandle find_rest(SearchRequest request, const std::optional<std::vector<std::string>>& trim,
                     const std::vector<std::string>& preload) {
  const bool preloads = !preload.empty() || !request.model.preloaded().empty();
  if (trim && preloads)
    throw Error(
        "trim and preload both hold the guess, one by inputs and one by springs: leave one of them out (springs with "
        "'preload: true' in the model count)");
  if (trim) {
    const Trim found = trim_of(request, *trim);
    if (!found.balanced) return {request.model, not_held(found.state, found.message), {}};
    rest_at(found.state, request);
    for (const Index input : found.inputs)
      request.trim.emplace_back(request.model.input_name(input), found.state.u[input] + 0.0);
  }
  if (preloads) {
    const Preload found =
        find_preload(request.model, request.point.state, {.elements = preload, .precision = request.how.precision});
    if (!found.balanced) return {request.model, not_held(found.state, found.message), {}};
    request.model = found.model;
    rest_at(found.state, request);
    for (const ElementNumber& number : found.numbers)
      request.preload.emplace_back(request.model.name_of(number), number.value + 0.0);
  }
  Equilibrium rest = find_equilibrium(request.model, request.point.state, request.how);
  rest.trim = request.trim;
  rest.preload = request.preload;
  return {request.model, std::move(rest), request.controllers};
}

py::dict numbers_of(const RestHandle& handle) {
  const Equilibrium& rest = handle.rest;
  Eigen::VectorXd values(handle.model.coordinates());
  for (Index i = 0; i < handle.model.coordinates(); ++i)
    values[i] = coordinate_value(handle.model, rest.state, i) + 0.0;
  return py::dict("q"_a = std::move(values), "multipliers"_a = rest.state.lambda, "u"_a = rest.state.u,
                  "status"_a = word_of(rest.status), "message"_a = rest.message, "verdict"_a = rest.verdict,
                  "verdict_basis"_a = rest.verdict_basis, "unstable_directions"_a = rest.unstable_directions,
                  "neutral_directions"_a = rest.neutral_directions, "force_residual"_a = rest.force_residual,
                  "constraint_residual"_a = rest.constraint_residual, "dof"_a = rest.dof, "family"_a = rest.family,
                  "trim"_a = rest.trim, "preload"_a = rest.preload, "warnings"_a = rest.warnings);
}

void bind_equilibria(py::module_& module) {
  py::class_<RestHandle>(module, "Rest")
      .def_property_readonly("name", [](const RestHandle& h) { return h.model.name(); })
      .def("coordinate_names",
           [](const RestHandle& h) {
             return list_of(h.model.coordinates(), [&](Index i) { return h.model.coordinate_name(i); });
           })
      .def("numbers", &numbers_of)
      .def(
          "json", [](const RestHandle& h, bool all) { return to_json(h.model, h.rest, {.all_coordinates = all}); },
          "all_coordinates"_a)
      .def("text", [](const RestHandle& h) { return to_text(h.model, h.rest); });
  module.def(
      "find_equilibrium",
      [](const ModelHandle& handle, const std::string& rest, const Settings& at,
         const std::optional<std::vector<std::string>>& trim, const std::vector<std::string>& preload,
         std::optional<Index> rank, double precision, const py::object& show) {
        SearchRequest request = search_request(handle, rest, at, rank, precision);
        return watched(show, [=](Watch&) { return find_rest(request, trim, preload); });
      },
      "model"_a, "rest"_a, "at"_a, "trim"_a, "preload"_a, "rank"_a, "precision"_a, "show"_a);
  module.def(
      "find_equilibria",
      [](const ModelHandle& handle, const Settings& at, int starts, unsigned seed, double precision,
         const py::object& show) {
        const SearchRequest request = search_request(handle, "stable", at, {}, precision);
        const std::vector<Equilibrium> found = watched(show, [=](Watch&) {
          SearchOptions how;
          static_cast<EquilibriumOptions&>(how) = request.how;
          how.held = {};  // the starts are random
          how.starts = starts;
          how.seed = seed;
          return find_equilibria(request.model, request.point.state, how);
        });
        std::vector<RestHandle> handles;
        for (const Equilibrium& one : found) handles.push_back({handle.model, one, handle.controllers});
        return handles;
      },
      "model"_a, "at"_a, "starts"_a, "seed"_a, "precision"_a, "show"_a);
}

}  // namespace

void require_no_controllers(const Model& model, const std::vector<Controller>& controllers) {
  if (!controllers.empty())
    throw Error(
        fmt::format("'{}' has controllers, which act on the linearized model; this works on the mechanism alone: "
                    "read_model(..., controllers=False) leaves them out",
                    model.name()));
}

void bind_models(py::module_& module) {
  module.def(
      "refuse_name",
      [](const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
        throw Error(fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, known)));
      },
      "kind"_a, "name"_a, "known"_a, "Raises the Error about a name that does not exist.");
  module.def(
      "refuse_options",
      [](const std::vector<std::string>& options) {
        throw Error(fmt::format("{}: an equilibrium is given, so that none is searched with these options",
                                fmt::join(options, ", ")));
      },
      "options"_a);
  bind_model(module);
  bind_equilibria(module);
}

}  // namespace stillpoint::python
