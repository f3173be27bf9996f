// What is found about a linear system or its mechanism beside modes: zeros, controllability, sparsity, explanations and
// scenes. And what the library says of itself.
#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <limits>
#include <mutex>

#include "explain/topic_words.h"
#include "installation/installation.h"
#include "python/arrays.h"
#include "python/channels.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/rest_request.h"
#include "python/study_beginning.h"
#include "python/watched.h"
#include "report/shapes_of_modes.h"
#include "stillpoint/controllability.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/zeros.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct ZerosHandle {
  LinearSystem system;
  Zeros found;
};
struct ControllabilityHandle {
  LinearSystem system;
  Controllability found;
};
struct SparsityHandle {
  SparsityReport report;
};
struct ExplanationHandle {
  Explanation found;
};
struct SceneHandle {
  Scene scene;
};

// ---------------------------------------------------------------------------------------------------------------------
// Zeros

ZerosHandle zeros_of(const SystemHandle& handle, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const ZeroOptions& how, const py::object& show) {
  return watched(show, [=, analysis = handle.analysis](Watch& watch) {
    LinearSystem system = with_named_channels(analysis->system, inputs, outputs);
    ZeroOptions watched_how = how;
    watched_how.progress = watch.sink();
    Zeros found = find_zeros(system, watched_how);
    return ZerosHandle{std::move(system), std::move(found)};
  });
}

py::dict table_of(const std::vector<Zero>& zeros) {
  const auto count = std::ssize(zeros);
  Eigen::VectorXcd s(count);
  Eigen::VectorXd error(count);
  std::vector<Index> multiplicity, transmission, unmoved, unshown;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Zero& zero = zeros[static_cast<std::size_t>(k)];
    s[k] = zero.s;
    error[k] = zero.error;
    multiplicity.push_back(zero.multiplicity);
    transmission.push_back(zero.transmission);
    unmoved.push_back(zero.input_decoupling);
    unshown.push_back(zero.output_decoupling);
  }
  return py::dict("s"_a = std::move(s), "error"_a = std::move(error), "multiplicity"_a = multiplicity,
                  "transmission"_a = transmission, "input_decoupling"_a = unmoved, "output_decoupling"_a = unshown);
}

py::dict facts_of_zeros(const ZerosHandle& handle) {
  const Zeros& found = handle.found;
  py::dict facts = table_of(found.invariant);
  facts["name"] = handle.system.name;
  facts["inputs"] = names_of(handle.system.input_name, handle.system.inputs());
  facts["outputs"] = names_of(handle.system.output_name, handle.system.outputs());
  facts["unmoved"] = table_of(found.unmoved)["s"];
  facts["unshown"] = table_of(found.unshown)["s"];
  facts["solver"] = found.solver;
  facts["region"] = found.region;
  facts["normal_rank"] = found.normal_rank;
  facts["certified"] = found.certified;
  facts["reasons"] = found.reasons;
  facts["warnings"] = found.warnings;
  return facts;
}

void bind_zeros(py::module_& module) {
  py::class_<ZerosHandle>(module, "ZerosReport")
      .def("facts", &facts_of_zeros)
      .def("json", [](const ZerosHandle& h) { return to_json(h.found, h.system); })
      .def("text", [](const ZerosHandle& h) { return to_text(h.found, h.system); });
  module.def(
      "zeros",
      [](const SystemHandle& system, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
         std::optional<std::complex<double>> near, std::optional<Index> count, bool minimum_norm,
         const py::object& show) {
        if (count && !near) throw Error("count belongs to near: without a point all zeros are found");
        if (count && *count < 1) throw Error(fmt::format("count={}: this must be 1 or more", *count));
        ZeroOptions how{.near = near, .minimum_norm_reactions = minimum_norm};
        how.count = count.value_or(how.count);
        return zeros_of(system, inputs, outputs, how, show);
      },
      "system"_a, "inputs"_a, "outputs"_a, "near"_a, "count"_a, "minimum_norm"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Controllability and observability

py::dict facts_of_controllability(const ControllabilityHandle& handle) {
  const Controllability& found = handle.found;
  const LinearSystem& system = handle.system;
  const auto count = std::ssize(found.modes);
  Eigen::VectorXcd s(count);
  Eigen::VectorXd error(count), to_unmoved(count), to_unshown(count), to_move(count), shown(count);
  Eigen::MatrixXd inputs(count, system.inputs()), outputs(count, system.outputs());
  Eigen::MatrixXcd shapes(system.coordinates(), count);
  std::vector<Index> multiplicity, unmoved, unshown;
  std::vector<bool> undecided;
  for (Eigen::Index k = 0; k < count; ++k) {
    const ModeReach& mode = found.modes[static_cast<std::size_t>(k)];
    s[k] = mode.s;
    error[k] = mode.error;
    inputs.row(k) = mode.inputs;
    outputs.row(k) = mode.outputs;
    shapes.col(k) = mode.shape;
    to_unmoved[k] = mode.moved.distance;
    to_unshown[k] = mode.shown.distance;
    to_move[k] = mode.energy_to_move;
    shown[k] = mode.energy_shown;
    multiplicity.push_back(mode.multiplicity);
    unmoved.push_back(mode.moved.hidden);
    unshown.push_back(mode.shown.hidden);
    undecided.push_back(mode.moved.undecided || mode.shown.undecided);
  }
  py::dict facts("name"_a = system.name, "inputs"_a = names_of(system.input_name, system.inputs()),
                 "outputs"_a = names_of(system.output_name, system.outputs()), "solver"_a = found.solver,
                 "s"_a = std::move(s), "error"_a = std::move(error), "multiplicity"_a = multiplicity,
                 "shape"_a = std::move(shapes), "input_participation"_a = std::move(inputs),
                 "output_participation"_a = std::move(outputs), "unmoved"_a = unmoved, "unshown"_a = unshown,
                 "undecided"_a = undecided, "distance_to_unmoved"_a = std::move(to_unmoved),
                 "distance_to_unshown"_a = std::move(to_unshown), "energy_to_move"_a = std::move(to_move),
                 "energy_shown"_a = std::move(shown));
  facts["count"] = found.count;
  facts["all_modes"] = found.all_modes;
  facts["hankel"] = found.hankel;
  facts["no_gramians"] = found.no_gramians;
  facts["warnings"] = found.warnings;
  return facts;
}

void bind_controllability(py::module_& module) {
  py::class_<ControllabilityHandle>(module, "ControllabilityReport")
      .def("facts", &facts_of_controllability)
      .def("json", [](const ControllabilityHandle& h) { return to_json(h.found, h.system); })
      .def("text", [](const ControllabilityHandle& h) { return to_text(h.found, h.system); });
  module.def(
      "controllability",
      [](const SystemHandle& system, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
         const py::dict& which, bool minimum_norm, const py::object& show) {
        const AnalysisOptions how = analysis_options(system.system(), which);
        ControllabilityOptions asked{.minimum_norm_reactions = minimum_norm, .minimal = how.minimal};
        if (which.size() > 0) asked.which = how.modes.which;
        return watched(show, [=, analysis = system.analysis](Watch& watch) {
          ControllabilityOptions watched_how = asked;
          watched_how.progress = watch.sink();
          LinearSystem chosen = with_named_channels(analysis->system, inputs, outputs);
          Controllability found = find_controllability(chosen, watched_how);
          return ControllabilityHandle{std::move(chosen), std::move(found)};
        });
      },
      "system"_a, "inputs"_a, "outputs"_a, "which"_a, "minimum_norm"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sparsity

std::mutex measuring_sparsity;  // METIS uses rand()

SparsityOptions sparsity_options(double gigabytes, bool metis, bool pictures) {
  if (!(gigabytes > 0)) throw Error(fmt::format("memory={:g}: this must be above zero (GB)", gigabytes));
  if (metis && cholesky_library().empty())
    throw Error("the METIS order is found by CHOLMOD, without which this module was built (STILLPOINT_CHOLMOD=OFF)");
  SparsityOptions how;
  how.memory = 1e9 * gigabytes;
  how.pictures = pictures;
  how.times = true;
  if (metis) how.largest_metis = std::numeric_limits<Index>::max();
  return how;
}

py::dict facts_of_sparsity(const SparsityHandle& handle) {
  const SparsityReport& report = handle.report;
  py::dict entries, densities;
  for (const MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p, &report.mcs, &report.rcs, &report.ucs}) {
    entries[matrix->name.c_str()] = matrix->entries;
    densities[matrix->name.c_str()] = matrix->density();
  }
  return py::dict("name"_a = report.name, "suits"_a = report.suits, "advice"_a = report.advice, "entries"_a = entries,
                  "densities"_a = densities, "dof"_a = report.dof);
}

void bind_sparsity(py::module_& module) {
  py::class_<SparsityHandle>(module, "SparsityReport")
      .def("facts", &facts_of_sparsity)
      .def("json", [](const SparsityHandle& h) { return to_json(h.report); })
      .def("text", [](const SparsityHandle& h) { return to_text(h.report); })
      .def(
          "write_spy", [](const SparsityHandle& h, const std::string& folder) { return write_spy(h.report, folder); },
          "folder"_a);
  module.def(
      "sparsity",
      [](const SystemHandle& system, double gigabytes, bool metis, bool pictures, const py::object& show) {
        return watched(show,
                       [how = sparsity_options(gigabytes, metis, pictures), analysis = system.analysis](Watch& watch) {
                         SparsityOptions watched_how = how;
                         watched_how.progress = watch.sink();
                         const std::lock_guard one_at_a_time(measuring_sparsity);
                         return SparsityHandle{measure_sparsity(analysis->system, watched_how)};
                       });
      },
      "system"_a, "gigabytes"_a, "metis"_a, "pictures"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Explanations

ExplanationHandle explain_the_model(const ModelHandle& handle, ExplanationRequest request, const RestRequest& how,
                                    Watch& watch) {
  request.progress = watch.sink();
  require_no_controllers(handle.model, handle.controllers);
  RestHandle found = find_rest(search_for(handle.model, how));
  if (found.rest.status != EquilibriumStatus::at_rest)
    return {explain_refusal(found.model, found.rest, request.model_words)};
  // Preloaded springs would have to be found again for every other value of a parameter.
  if (found.rest.preload.empty()) request.parameters = variations_of(family_of(handle));
  const AnalysisCase analysis{linearize(found.model, found.rest), found.model, std::move(found.rest)};
  return {explain_analysis(analysis, request)};
}

py::list facts_of_explanation(const ExplanationHandle& handle) {
  py::list blocks;
  for (const ExplanationBlock& block : in_words(handle.found))
    blocks.append(py::make_tuple(key_of(block.topic), block.title, block.sentences, block.more));
  return blocks;
}

void bind_explanations(py::module_& module) {
  py::class_<ExplanationHandle>(module, "ExplanationReport")
      .def("facts", &facts_of_explanation)
      .def_property_readonly("name", [](const ExplanationHandle& h) { return h.found.model; })
      .def("json", [](const ExplanationHandle& h) { return to_json(h.found); })
      .def("text", [](const ExplanationHandle& h) { return to_text(h.found); });
  module.def(
      "explain_model",
      [](const ModelHandle& model, const std::vector<std::string>& topic, const std::string& words,
         const py::dict& rest, const py::object& show) {
        ExplanationRequest request = explanation_request(topic);
        request.model_words = words;
        return watched(show, [=, how = rest_request(rest)](Watch& watch) {
          return explain_the_model(model, request, how, watch);
        });
      },
      "model"_a, "topic"_a, "words"_a, "rest"_a, "show"_a);
  module.def(
      "explain_system",
      [](const SystemHandle& system, const std::vector<std::string>& topic, const std::string& words,
         const py::object& show) {
        ExplanationRequest request = explanation_request(topic);
        request.model_words = words;
        return watched(show, [=, analysis = system.analysis](Watch& watch) {
          ExplanationRequest watched_request = request;
          watched_request.progress = watch.sink();
          return ExplanationHandle{explain_analysis(*analysis, watched_request)};
        });
      },
      "system"_a, "topic"_a, "words"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

SceneHandle scene_with_modes(const AnalysisCase& analysis, Index modes, double amplitude, Watch& watch) {
  if (!analysis.model)
    throw Error(
        fmt::format("'{}' was made from matrices and has no mechanism that could be drawn", analysis.system.name));
  const std::vector<ShapeToDraw> shapes = shapes_of_modes(analysis, modes, watch.sink());
  Scene scene = scene_of(*analysis.model, analysis.rest->state);
  ModeMotionOptions motion;
  motion.amplitude = amplitude;
  scene.motions = mode_motions(scene, *analysis.model, *analysis.rest, shapes, motion);
  return {std::move(scene)};
}

void bind_scenes(py::module_& module) {
  py::class_<SceneHandle>(module, "SceneReport")
      .def_property_readonly("name", [](const SceneHandle& h) { return h.scene.name; })
      .def("json", [](const SceneHandle& h) { return to_json(h.scene); })
      .def("text", [](const SceneHandle& h) { return to_text(h.scene); })
      .def(
          "gltf",
          [](const SceneHandle& h, std::optional<Index> mode) {
            return to_gltf(h.scene, motion_of_mode(h.scene, mode, "mode="));
          },
          "mode"_a);
  module.def(
      "scene",
      [](const SystemHandle& system, Index modes, double amplitude, const py::object& show) {
        if (modes < 0 || modes > 1000) throw Error(fmt::format("modes={}: 0 to 1000 are meant", modes));
        if (!(amplitude >= 0.001 && amplitude <= 1))
          throw Error(fmt::format("amplitude={:g}: 0.001 to 1 is meant, relative to the picture", amplitude));
        return watched(show, [=, analysis = system.analysis](Watch& watch) {
          return scene_with_modes(*analysis, modes, amplitude, watch);
        });
      },
      "system"_a, "modes"_a, "amplitude"_a, "show"_a);
}

// ---------------------------------------------------------------------------------------------------------------------
// The library itself

struct InstallationHandle {
  Installation found;
};

void bind_installation(py::module_& module) {
  py::class_<InstallationHandle>(module, "InstallationReport")
      .def_property_readonly("problems", [](const InstallationHandle& h) { return diagnose(h.found).problems; })
      .def_property_readonly("advice", [](const InstallationHandle& h) { return diagnose(h.found).advice; })
      .def("json", [](const InstallationHandle& h) { return to_json(h.found); })
      .def("text", [](const InstallationHandle& h) { return to_text(h.found); });
  module.def(
      "doctor",
      [](const py::object& show) {
        return watched(show, [](Watch&) { return InstallationHandle{inspect_installation()}; });
      },
      "show"_a);
  module.def("model_schema", &model_schema);
  module.def("model_manual", &model_manual);
  module.def("starter_model", &starter_model);
}

}  // namespace

void bind_inspections(py::module_& module) {
  bind_zeros(module);
  bind_controllability(module);
  bind_sparsity(module);
  bind_explanations(module);
  bind_scenes(module);
  bind_installation(module);
}

}  // namespace stillpoint::python
