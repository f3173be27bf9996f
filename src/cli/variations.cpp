#include "cli/variations.h"

#include "cli/mode_options.h"
#include "stillpoint/error.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint::cli {

ModelFamily family_of(const ModelOptions& options) {
  if (is_matrix_folder(options.path))
    throw Error(options.path + " is a folder of matrices, which have no parameters: a model file is needed");
  return ModelFamily(options.path, parse_settings("--set", options.settings));
}

Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model) {
  constexpr std::string_view of_input = "input:";
  if (name.starts_with(of_input)) return input_of(model, name.substr(of_input.size()));
  if (name.find('.') != std::string::npos) return number_of(model, name);
  return parameter_of(family, name);
}

std::vector<Variation> variations_called(const std::vector<std::string>& names, const ModelFamily& family,
                                         const Model& model) {
  if (names.empty()) return variations_of(family);
  std::vector<Variation> variations;
  for (const std::string& list : names) {
    for (const std::string& name : split_names(list)) variations.push_back(variation_called(name, family, model));
  }
  return variations;
}

}  // namespace stillpoint::cli
