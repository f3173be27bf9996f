// The controllers of a model on the command line: which loops are closed, and which verbs know none.
#pragma once

#include <vector>

#include "cli/verbs.h"
#include "stillpoint/controller.h"
#include "stillpoint/linear_system.h"

namespace stillpoint::cli {

/// The description of --open for verbs that work on the mechanism alone.
inline constexpr const char* without_controllers = "all: study the mechanism without the controllers of the model";

void add_open_option(CLI::App& verb, ModelOptions& options, const char* description);

/// Reads the controllers of the model, without those that --open names; or with their loops broken, except that
/// `--open all` leaves all of them out. Throws Error for a name that no controller has.
std::vector<Controller> chosen_controllers(const ModelOptions& options, const Model& model, bool breaks_loops);

/// Closes the loops. Errors have the path of the model.
LinearSystem closed_by(const ModelOptions& options, const LinearSystem& system,
                       const std::vector<Controller>& controllers);

/// Throws Error if the model has controllers and --open all is not given.
void refuse_controllers(const ModelOptions& options);

}  // namespace stillpoint::cli
