// The controllers of a model file, which its section `controllers` lists; docs/model-files.md describes them.
//
//   const Model model = read_model("cases/controlled_cart_pole");
//   const LinearSystem open = linearize(model, find_equilibrium(model));
//   const LinearSystem closed = close_loops(open, read_controllers("cases/controlled_cart_pole", model));
//
// A Model is the mechanism alone: read_model checks that there is nothing unknown beside it, and leaves controllers
// out.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/controller.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

/// Returns whether a model file, or model.yaml in a folder, lists controllers.
bool has_controllers(const std::string& path);

/// Reads the controllers for values of parameters. What they measure and act on is looked for in the model, which is
/// that of the same file. Throws Error with file, line and column.
std::vector<Controller> read_controllers(const std::string& path, const Model& model, const Parameters& parameters = {},
                                         const ReadOptions& options = {});
/// Reads them from text; `file` only appears in error messages.
std::vector<Controller> controllers_from_text(const std::string& text, const std::string& file, const Model& model,
                                              const Parameters& parameters = {}, const ReadOptions& options = {});

}  // namespace stillpoint
