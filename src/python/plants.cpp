// Plants for control design.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <cmath>
#include <numbers>

#include "base/utc_now.h"
#include "plants/files/plant_files.h"
#include "python/arrays.h"
#include "python/channels.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/responses.h"
#include "python/watched.h"
#include "python/words.h"
#include "report/plant_evidence.h"
#include "stillpoint/discretise.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/reduce.h"
#include "stillpoint/version.h"
#include "stillpoint/write_plant.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct PlantHandle {
  Plant plant;
  std::optional<ReducedPlant> reduced{};  ///< without its plant
  /// What speaks against the plant: the option that exports it nevertheless, and the reason.
  std::vector<std::pair<std::string, std::string>> objections{};
};

const WordTable<Reduction> reductions{{"modal", Reduction::modal},
                                      {"balanced", Reduction::balanced},
                                      {"craig-bampton", Reduction::craig_bampton},
                                      {"krylov", Reduction::krylov},
                                      {"minimal", Reduction::minimal}};

const WordTable<Importance> importances{{"frequency", Importance::frequency},
                                        {"participation", Importance::participation},
                                        {"gramian", Importance::gramian}};

const WordTable<PlantForm> plant_forms{{"state-space", PlantForm::state_space},
                                       {"second-order", PlantForm::second_order},
                                       {"modal", PlantForm::modal},
                                       {"descriptor", PlantForm::descriptor}};

const char* word_of(PlantForm form) {
  for (const auto& [word, value] : plant_forms) {
    if (value == form) return word;
  }
  return "";
}

// ---------------------------------------------------------------------------------------------------------------------
// Which plant

void require_its_reduction(const py::dict& asked, const std::string& reduction) {
  for (const auto& [option, owner] :
       {std::pair{"keep", "modal"}, std::pair{"boundary", "craig-bampton"}, std::pair{"match", "krylov"}}) {
    if (asked.contains(option) && reduction != owner)
      throw Error(fmt::format("{} belongs to reduce='{}'", option, owner));
  }
  if (asked.contains("order") && reduction.empty()) throw Error("order belongs to reduce, which names the reduction");
}

struct PlantRequest {
  PlantForm form = PlantForm::state_space;
  Method method = Method::mcs;
  std::optional<ReduceOptions> reduction{};
  PlantOptions making{};
  AnalysisOptions search{};  ///< of the modes
  bool corrected = false;
  std::optional<DiscretiseOptions> sampling{};
};

/// The default form of a method, and the default method of a form.
void choose_form(const py::dict& asked, PlantRequest& request) {
  const auto form = given<std::string>(asked, "form"), method = given<std::string>(asked, "method");
  if (method) request.method = method_called(*method);
  if (form) request.form = meaning("form", *form, plant_forms);
  else if (request.method == Method::rcs) request.form = PlantForm::descriptor;
  if (!method && request.form == PlantForm::descriptor) request.method = Method::rcs;
  const bool fits = request.method == Method::rcs   ? request.form == PlantForm::descriptor
                    : request.method == Method::ucs ? request.form == PlantForm::state_space
                                                    : request.form != PlantForm::descriptor;
  if (!fits)
    throw Error(
        fmt::format("form='{}' is not made by method='{}': mcs gives state-space, second-order and modal, rcs gives "
                    "descriptor, and ucs gives state-space",
                    word_of(request.form), key_of(request.method)));
}

ReduceOptions reduction_of(const py::dict& asked, const std::string& word) {
  ReduceOptions how;
  how.method = meaning("reduce", word, reductions);
  how.order = given<Index>(asked, "order").value_or(0);
  how.tolerance = given<double>(asked, "tolerance").value_or(how.tolerance);
  if (const auto keep = given<std::string>(asked, "keep")) how.keep = meaning("keep", *keep, importances);
  how.boundary = given<std::vector<std::string>>(asked, "boundary").value_or(how.boundary);
  if (const auto hertz = given<Eigen::VectorXd>(asked, "match")) how.frequencies = 2 * std::numbers::pi * *hertz;
  return how;
}

std::optional<DiscretiseOptions> sampling_of(const py::dict& asked) {
  const auto time = given<double>(asked, "sample_time");
  const auto hold = given<std::string>(asked, "discretise");
  const auto delays = given<std::map<std::string, double>>(asked, "delay");
  if (!time && hold) throw Error("discretise belongs to sample_time, which gives the time between samples");
  if (!time && delays) throw Error("delay belongs to sample_time: a delay is a whole number of samples");
  if (!time) return {};
  if (!(*time > 0 && std::isfinite(*time)))
    throw Error(fmt::format("sample_time={:g}: this must be above zero", *time));
  const WordTable<InputHold> holds{{"zoh", InputHold::zoh}, {"foh", InputHold::foh}, {"tustin", InputHold::tustin}};
  return DiscretiseOptions{.time = *time,
                           .hold = hold ? meaning("discretise", *hold, holds) : DiscretiseOptions().hold,
                           .delays = delays.value_or(std::map<std::string, double>{})};
}

PlantRequest plant_request(const LinearSystem& system, const py::dict& asked) {
  PlantRequest request;
  choose_form(asked, request);
  request.sampling = sampling_of(asked);
  const auto reduce_by = given<std::string>(asked, "reduce").value_or("");
  require_its_reduction(asked, reduce_by);
  request.corrected = given<bool>(asked, "corrected").value_or(false);
  if (request.corrected && request.method != Method::ucs)
    throw Error("corrected belongs to method='ucs': the other methods have no compliance to correct");
  request.search = analysis_options(system, asked);
  request.making = {.minimal = request.search.minimal,
                    .minimum_norm_reactions = given<bool>(asked, "minimum_norm").value_or(false)};
  if (reduce_by.empty()) return request;
  if (request.form != PlantForm::state_space || request.method != Method::mcs)
    throw Error(
        fmt::format("reduce='{}' makes a state space of the minimal form: leave out form and method", reduce_by));
  request.reduction = reduction_of(asked, reduce_by);
  return request;
}

PlantHandle make(const LinearSystem& system, const PlantRequest& request) {
  if (request.reduction) {
    ReducedPlant found = reduce(system, *request.reduction);
    Plant plant = std::move(found.plant);
    found.plant = {};
    return {std::move(plant), std::move(found)};
  }
  if (request.method == Method::ucs && request.corrected)
    return {corrected_penalty(system, request.search.penalty, request.making)};
  if (request.method == Method::ucs) return {explicit_penalty(system, request.search.penalty, request.making)};
  switch (request.form) {
    case PlantForm::descriptor:
      return {descriptor(system, request.making)};
    case PlantForm::second_order:
      return {second_order(system, request.making)};
    case PlantForm::modal:
      return {modal_form(system, request.making)};
    case PlantForm::state_space:
      break;
  }
  return {state_space(system, request.making)};
}

const char* word_of(PlantObjection::Kind kind) {
  switch (kind) {
    case PlantObjection::off_equilibrium:
      return "off_equilibrium";
    case PlantObjection::rank_undecided:
    case PlantObjection::uncertified:
      return "uncertified";
    case PlantObjection::singular:
      break;
  }
  return "singular";
}

PlantHandle plant_of(const SystemHandle& handle, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const py::dict& asked, const py::object& show) {
  const PlantRequest request = plant_request(handle.system(), asked);
  return watched(show, [request, inputs, outputs, analysis = handle.analysis](Watch& watch) {
    const LinearSystem system = with_named_channels(analysis->system, inputs, outputs);
    AnalysisOptions how = request.search;
    how.modes.progress = watch.sink();
    const ModesReport poles = poles_for_plant(*analysis, how);
    PlantRequest with_poles = request;
    if (poles.result.computed) with_poles.making.modes = &poles.result.spectrum;
    if (with_poles.reduction) with_poles.reduction->plant = with_poles.making;
    PlantHandle made = make(system, with_poles);
    if (request.sampling) made.plant = discretise(made.plant, *request.sampling);
    for (const PlantObjection& objection : objections_to_plant(*analysis, poles))
      made.objections.emplace_back(word_of(objection.kind), objection.reason);
    if (is_useless(made.plant)) made.objections.emplace_back("anyway", error_of_reduction(made.plant));
    made.plant.at.is_rest = !analysis->rest || analysis->rest->status == EquilibriumStatus::at_rest;
    made.plant.origin = {version(), "stillpoint in Python", "", utc_now(), {}};
    return made;
  });
}

/// Writes the plant; `overrides` are the objections in spite of which it is written.
void write(const PlantHandle& handle, const std::string& path, const std::vector<std::string>& overrides) {
  if (plant_format(path) == PlantFormat::modelica && handle.plant.sampling)
    throw Error("sample_time: a Modelica model (.mo) is written in continuous time: choose another format");
  Plant plant = handle.plant;
  plant.origin.overrides = overrides;
  write_plant(plant, path);
}

// ---------------------------------------------------------------------------------------------------------------------
// What a plant consists of

py::dict facts_of(const PlantHandle& handle) {
  const Plant& plant = handle.plant;
  const bool is_second = plant.form == PlantForm::second_order;
  Eigen::VectorXcd poles(std::ssize(plant.poles));
  Eigen::VectorXd errors(std::ssize(plant.poles));
  for (Eigen::Index i = 0; i < poles.size(); ++i) {
    poles[i] = plant.poles[static_cast<std::size_t>(i)].s;
    errors[i] = plant.poles[static_cast<std::size_t>(i)].error;
  }
  py::dict matrices;
  const auto add = [&](const char* name, const SparseMatrix& A) { matrices[name] = A; };
  if (is_second) {
    add("M", plant.second.M), add("C", plant.second.C), add("K", plant.second.K), add("B", plant.second.B);
    add("F", plant.second.F), add("G", plant.second.G), add("D", plant.second.D);
  } else {
    add("A", plant.first.A), add("B", plant.first.B), add("C", plant.first.C), add("D", plant.first.D);
    if (plant.first.E.size() > 0) add("E", plant.first.E);
  }
  add("T", plant.T), add("S", plant.S);
  py::dict facts("form"_a = word_of(plant.form), "name"_a = plant.name, "method"_a = plant.method,
                 "matrices"_a = matrices, "states"_a = plant.state_names, "inputs"_a = plant.input_names,
                 "outputs"_a = plant.output_names, "state_units"_a = plant.state_units,
                 "input_units"_a = plant.input_units, "output_units"_a = plant.output_units,
                 "coordinates"_a = plant.coordinate_names, "poles"_a = std::move(poles),
                 "pole_errors"_a = std::move(errors), "notes"_a = plant.notes, "is_rest"_a = plant.at.is_rest,
                 "operating_point"_a = py::dict("x"_a = plant.at.x, "u"_a = plant.at.u, "y"_a = plant.at.y));
  facts["sample_time"] = plant.sampling ? py::object(py::float_(plant.sampling->time)) : py::none();
  facts["sampled_by"] = plant.sampling ? plant.sampling->method : std::string();
  facts["objections"] = handle.objections;
  facts["response_error"] = plant.reduced ? py::object(py::float_(plant.reduced->error)) : py::none();
  facts["hankel"] = handle.reduced ? py::cast(handle.reduced->hankel) : py::none();
  facts["error_bound"] = handle.reduced ? py::object(py::float_(handle.reduced->bound)) : py::none();
  facts["full_order"] = handle.reduced ? py::object(py::int_(handle.reduced->full_order)) : py::none();
  return facts;
}

}  // namespace

void bind_plants(py::module_& module) {
  py::class_<PlantHandle>(module, "Plant")
      .def("facts", &facts_of)
      .def("json", [](const PlantHandle& h) { return to_plant_json(h.plant); })
      .def("write", &write, "path"_a, "overrides"_a)
      .def(
          "response",
          [](const PlantHandle& h, const Eigen::VectorXd& omega) {
            return stacked(response_of(h.plant, omega), std::ssize(h.plant.output_names),
                           std::ssize(h.plant.input_names));
          },
          "omega"_a);
  module.def(
      "require_plant_options",
      [](const py::dict& asked) {
        require_known(
            asked, {"form", "method", "reduce", "order", "tolerance", "keep", "boundary", "match", "minimum_norm",
                    "corrected", "sample_time", "discretise", "delay", "basis", "independent", "alpha", "xi", "omega"});
      },
      "asked"_a);
  module.def("plant", &plant_of, "system"_a, "inputs"_a, "outputs"_a, "asked"_a, "show"_a);
}

}  // namespace stillpoint::python
