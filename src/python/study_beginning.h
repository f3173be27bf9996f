// Where a study over a parameter begins: the equilibrium at a value of what is varied.
#pragma once

#include <string>

#include "python/handles.h"
#include "python/rest_request.h"
#include "python/watched.h"
#include "python/words.h"
#include "stillpoint/model_family.h"
#include "stillpoint/sweep.h"

namespace stillpoint::python {

/// The models of the file for other values of parameters; those that `Model.at` has set stay. Throws Error if there are
/// controllers.
ModelFamily family_of(const ModelHandle& handle);

/// A parameter "k", an input "input:motor", or a number of an element "spring[3].stiffness".
Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model,
                           const Parameters& settings = {});

/// "linear" and "log".
WordTable<Spacing> spacings();

/// Throws Undecided, with the reason, if there is no equilibrium, and Error if springs are preloaded.
Equilibrium at_rest(RestSearch search);

struct StudyBeginning {
  Model model;
  Variation variation;
  Equilibrium rest;
};
/// The settings are values of other parameters.
StudyBeginning begin_study(const ModelFamily& family, const std::string& name, double value, const RestRequest& request,
                           const Parameters& settings = {});

template <class Options>
Options watched_options(Options options, Watch& watch) {
  options.progress = watch.sink();
  options.stop = watch.stop();
  return options;
}

}  // namespace stillpoint::python
