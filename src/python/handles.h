// What the Python classes hold of the library. Each handle is constant once it is made, so that several threads may use
// it, and work that is left behind by Ctrl-C keeps what it needs alive.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/controller.h"
#include "stillpoint/model_family.h"
#include "stillpoint/report.h"

namespace stillpoint::python {

/// What a model is made from, so that it can be made again.
struct ModelSource {
  std::shared_ptr<const std::string> text;
  std::string file;       ///< as it is named in messages
  std::string words;      ///< as the user named the model
  Parameters settings{};  ///< those of the file, and those set later
  bool with_controllers = true;
};

/// A model, and the file that it is one of.
struct ModelHandle {
  Model model;
  ModelFamily family;       ///< with the settings with which the file was read
  bool is_changed = false;  ///< parameters were set later, which the family does not know
  ModelSource source;
  std::vector<Controller> controllers{};
};

/// The model with other values of parameters, beside those that it has.
ModelHandle with_settings(const ModelHandle& handle, const Parameters& settings);

/// An equilibrium with its model, in which preloaded springs have the lengths that were found.
struct RestHandle {
  Model model;
  Equilibrium rest;
  std::vector<Controller> controllers{};
};

/// Throws Error if there are controllers: what follows knows the mechanism alone.
void require_no_controllers(const Model& model, const std::vector<Controller>& controllers);

using Analysis = std::shared_ptr<const AnalysisCase>;

/// A linear system, with model and equilibrium if it was made from these.
struct SystemHandle {
  Analysis analysis;
  const LinearSystem& system() const { return analysis->system; }
};

// One file for each stage adds its functions and classes to the module.
void bind_models(pybind11::module_& module);
void bind_systems(pybind11::module_& module);
void bind_changes(pybind11::module_& module);
void bind_modes(pybind11::module_& module);
void bind_plants(pybind11::module_& module);
void bind_motions(pybind11::module_& module);
void bind_studies(pybind11::module_& module);
void bind_inspections(pybind11::module_& module);
void bind_pages(pybind11::module_& module);
void bind_usual_values(pybind11::module_& module);

}  // namespace stillpoint::python
