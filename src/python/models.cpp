// Models and equilibria.
#include <pybind11/stl.h>

#include <algorithm>

#include "base/usual_requests.h"
#include "equilibrium/words.h"
#include "python/arrays.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/rest_request.h"
#include "python/watched.h"
#include "python/words.h"
#include "read/find_model_file.h"
#include "stillpoint/assemble.h"
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

ModelHandle read_text(const std::string& text, const std::string& file, const std::string& words,
                      const Parameters& settings, bool controllers) {
  const py::gil_scoped_release free;
  const BlasAtOneThread serial;
  ModelFamily family = ModelFamily::from_text(text, file, settings);
  Model model = family.at();
  std::vector<Controller> found;
  if (controllers) found = controllers_from_text(text, file, model, settings);
  ModelSource source{std::make_shared<const std::string>(text), file, words, settings, controllers};
  return {std::move(model), std::move(family), false, std::move(source), std::move(found)};
}

ModelHandle read(const std::string& path, const Parameters& settings, bool controllers) {
  const std::string file = find_model_file(path);
  return read_text(text_of_model_file(file), file, path, settings, controllers);
}

/// Settings that come later replace those for the same names.
Parameters merged(Parameters settings, const Parameters& later) {
  for (const auto& [name, value] : later) {
    std::erase_if(settings, [&key = name](const auto& setting) { return setting.first == key; });
    settings.emplace_back(name, value);
  }
  return settings;
}

ModelHandle at(const ModelHandle& handle, const Parameters& settings) {
  const py::gil_scoped_release free;
  const BlasAtOneThread serial;
  return with_settings(handle, settings);
}

py::tuple parts_of(const ModelSource& source) {
  return py::make_tuple(*source.text, source.file, source.words, source.settings, source.with_controllers);
}

/// The coordinates in which the constraints are satisfied, as text, and notes.
py::tuple assembled_guess(const ModelHandle& handle) {
  const AssembledGuess found = assemble(handle.model, handle.model.initial_state());
  if (!found.assembled) throw Undecided(found.message);
  return py::make_tuple(to_guess(handle.model, found.state), found.notes);
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
             return names_of([&](Index i) { return h.model.coordinate_name(i); }, h.model.coordinates());
           })
      .def("constraint_names",
           [](const ModelHandle& h) {
             return names_of([&](Index i) { return h.model.constraint_name(i); }, h.model.constraints());
           })
      .def("input_names",
           [](const ModelHandle& h) {
             return names_of([&](Index i) { return h.model.input_name(i); }, h.model.inputs());
           })
      .def("output_names",
           [](const ModelHandle& h) {
             return names_of([&](Index i) { return h.model.output_name(i); }, h.model.outputs());
           })
      .def("at", &at, "settings"_a)
      .def(
          "source", [](const ModelHandle& h) { return parts_of(h.source); },
          "Text, file, what the user named it, settings, and whether it has its controllers.")
      .def("assembled", &assembled_guess)
      .def(
          "check_json", [](const ModelHandle& h) { return to_json(check_model(h.model)); },
          py::call_guard<py::gil_scoped_release, BlasAtOneThread>())
      .def(
          "check_text", [](const ModelHandle& h) { return to_text(check_model(h.model)); },
          py::call_guard<py::gil_scoped_release, BlasAtOneThread>());
  module.def("read_model", &read, "path"_a, "settings"_a, "controllers"_a);
  module.def("model_from_text", &read_text, "text"_a, "file"_a, "words"_a, "settings"_a, "controllers"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Equilibria

const WordTable<EquilibriumRequest> requests{{"stable", EquilibriumRequest::stable},
                                             {"nearest", EquilibriumRequest::nearest},
                                             {"check", EquilibriumRequest::check}};

void require_rank(std::optional<Index> rank, const Model& model) {
  const Index most = std::min(model.coordinates(), model.constraints());
  if (rank && (*rank < 0 || *rank > most))
    throw Error(fmt::format("rank={}: a Jacobian of {} constraints and {} coordinates has a rank of 0 to {}", *rank,
                            model.constraints(), model.coordinates(), most));
}

/// The guess with what holds it is the equilibrium, whether or not it is stable.
void rest_at(const State& state, RestSearch& search) {
  search.point.state = state;
  search.how.rest = EquilibriumRequest::nearest;
  search.how.held = {};
}

Index input_called(const Model& model, const std::string& name) {
  const std::vector<std::string> known = names_of([&](Index i) { return model.input_name(i); }, model.inputs());
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw Error(fmt::format("there is no input '{}'{}", name, did_you_mean(name, known)));
  return static_cast<Index>(found - known.begin());
}

Trim trim_of(const RestSearch& search, const std::vector<std::string>& inputs) {
  TrimOptions how{.inputs = {}, .precision = search.how.precision};
  for (const std::string& name : inputs) how.inputs.push_back(input_called(search.model, name));
  return find_trim(search.model, search.point.state, how);
}

/// An equilibrium that does not exist because nothing holds the guess.
Equilibrium not_held(const State& state, const std::string& message) {
  Equilibrium none;
  none.status = EquilibriumStatus::not_converged;
  none.state = state;
  none.message = message;
  return none;
}

struct RestsHandle {
  Model model;
  std::vector<Equilibrium> found;
  std::vector<Controller> controllers;
};

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
             return names_of([&](Index i) { return h.model.coordinate_name(i); }, h.model.coordinates());
           })
      .def("numbers", &numbers_of)
      .def(
          "json", [](const RestHandle& h, bool all) { return to_json(h.model, h.rest, {.all_coordinates = all}); },
          "all_coordinates"_a)
      .def("text", [](const RestHandle& h) { return to_text(h.model, h.rest); });
  py::class_<RestsHandle>(module, "Rests")
      .def_property_readonly("rests",
                             [](const RestsHandle& h) {
                               std::vector<RestHandle> each;
                               for (const Equilibrium& one : h.found) each.push_back({h.model, one, h.controllers});
                               return each;
                             })
      .def(
          "json", [](const RestsHandle& h, bool all) { return to_json(h.model, h.found, {.all_coordinates = all}); },
          "all_coordinates"_a)
      .def(
          "text", [](const RestsHandle& h, bool each) { return to_text(h.model, h.found, each); }, "each"_a);
  module.def(
      "find_equilibrium",
      [](const ModelHandle& handle, const py::dict& asked, const py::object& show) {
        const RestSearch search = search_for(handle.model, rest_request(asked), handle.controllers);
        return watched(show, [=](Watch&) { return find_rest(search); });
      },
      "model"_a, "asked"_a, "show"_a);
  module.def(
      "find_equilibria",
      [](const ModelHandle& handle, const py::dict& asked, int starts, unsigned seed, const py::object& show) {
        const RestSearch begin = search_for(handle.model, rest_request(asked), handle.controllers);
        return watched(show, [=](Watch&) {
          RestSearch search = begin;
          if (const Holding holding = hold(search); holding.failed) throw Undecided(holding.failed->message);
          SearchOptions how;
          static_cast<EquilibriumOptions&>(how) = search.how;
          how.held = {};  // the starts are random
          how.starts = starts;
          how.seed = seed;
          return RestsHandle{search.model, find_equilibria(search.model, search.point.state, how), search.controllers};
        });
      },
      "model"_a, "asked"_a, "starts"_a, "seed"_a, "show"_a);
}

}  // namespace

ModelHandle with_settings(const ModelHandle& handle, const Parameters& settings) {
  ModelSource source = handle.source;
  source.settings = merged(source.settings, settings);
  Model model = handle.family.at(source.settings);
  std::vector<Controller> controllers;
  if (!handle.controllers.empty())
    controllers = controllers_from_text(*source.text, source.file, model, source.settings);
  return {std::move(model), handle.family, true, std::move(source), std::move(controllers)};
}

RestRequest rest_request(const py::dict& asked) {
  require_known(asked, {"rest", "at", "guess", "trim", "preload", "rank", "precision"});
  RestRequest request;
  request.rest = meaning("rest", given<std::string>(asked, "rest").value_or(usual::rest), requests);
  request.at = given<Settings>(asked, "at").value_or(Settings{});
  request.guess = given<Settings>(asked, "guess").value_or(Settings{});
  request.trim = given<std::vector<std::string>>(asked, "trim");
  request.preload = given<std::vector<std::string>>(asked, "preload").value_or(request.preload);
  request.rank = given<Index>(asked, "rank");
  request.precision = given<double>(asked, "precision").value_or(request.precision);
  return request;
}

RestSearch search_for(const Model& model, const RestRequest& request, const std::vector<Controller>& controllers) {
  require_rank(request.rank, model);
  RestSearch search{model, operating_point(model, request.at), {}, request, controllers};
  search.how.rest = request.rest;
  search.how.rank = request.rank;
  search.how.precision = request.precision;
  search.how.held = search.point.coordinates;
  if (request.guess.empty()) return search;
  Settings settings = request.at;  // of two values for one name the first counts
  settings.insert(settings.end(), request.guess.begin(), request.guess.end());
  search.point = operating_point(model, settings);
  return search;
}

Holding hold(RestSearch& search) {
  const RestRequest& request = search.request;
  Holding holding;
  const bool preloads = !request.preload.empty() || !search.model.preloaded().empty();
  if (request.trim && preloads)
    throw Error(
        "trim and preload both hold the guess, one by inputs and one by springs: leave one of them out (springs with "
        "'preload: true' in the model count)");
  if (request.trim) {
    const Trim found = trim_of(search, *request.trim);
    if (!found.balanced) return {{}, {}, not_held(found.state, found.message)};
    rest_at(found.state, search);
    for (const Index input : found.inputs)
      holding.trim.emplace_back(search.model.input_name(input), found.state.u[input] + 0.0);
  }
  if (preloads) {
    const Preload found = find_preload(search.model, search.point.state,
                                       {.elements = request.preload, .precision = search.how.precision});
    if (!found.balanced) return {{}, {}, not_held(found.state, found.message)};
    search.model = found.model;
    rest_at(found.state, search);
    for (const ElementNumber& number : found.numbers)
      holding.preload.emplace_back(search.model.name_of(number), number.value + 0.0);
  }
  return holding;
}

RestHandle find_rest(RestSearch search) {
  Holding holding = hold(search);
  if (holding.failed) return {search.model, std::move(*holding.failed), search.controllers};
  Equilibrium rest = find_equilibrium(search.model, search.point.state, search.how);
  rest.trim = std::move(holding.trim);
  rest.preload = std::move(holding.preload);
  return {search.model, std::move(rest), search.controllers};
}

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
