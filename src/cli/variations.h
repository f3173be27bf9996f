// The numbers that a study varies, as they are named on the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/verbs.h"
#include "stillpoint/model_family.h"
#include "stillpoint/sweep.h"

namespace stillpoint::cli {

/// The family of the model that the options name, with their settings.
ModelFamily family_of(const ModelOptions& options);

/// A parameter "k", an input "input:motor", or a number of an element "spring[3].stiffness". Throws Error for any other
/// name.
Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model);

/// Those named, with commas between names; of an empty list all parameters that have rates.
std::vector<Variation> variations_called(const std::vector<std::string>& names, const ModelFamily& family,
                                         const Model& model);

/// The name and the ascending values in "k=1:100:50:log" or "k=1,2,5".
struct ParameterRange {
  std::string name;
  std::vector<double> values;
  Spacing spacing = Spacing::linear;
};
/// Throws Error, with the name of the option, for any other text.
ParameterRange range_in(const std::string& option, const std::string& text);

}  // namespace stillpoint::cli
