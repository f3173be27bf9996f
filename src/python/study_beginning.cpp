#include "python/study_beginning.h"

#include <algorithm>

#include "stillpoint/error.h"

namespace stillpoint::python {

namespace {

bool is_parameter(const std::string& name) {
  return name.find(':') == std::string::npos && name.find('.') == std::string::npos;
}

}  // namespace

ModelFamily family_of(const ModelHandle& handle) {
  require_no_controllers(handle.model, handle.controllers);
  if (!handle.is_changed) return handle.family;
  const ModelSource& source = handle.source;
  return ModelFamily::from_text(*source.text, source.file, source.settings);
}

Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model,
                           const Parameters& settings) {
  constexpr std::string_view of_input = "input:";
  if (name.starts_with(of_input)) return input_of(model, name.substr(of_input.size()));
  if (name.find('.') != std::string::npos) return number_of(model, name);
  return parameter_of(family, name, settings);
}

WordTable<Spacing> spacings() { return {{"linear", Spacing::linear}, {"log", Spacing::logarithmic}}; }

Equilibrium at_rest(RestSearch search) {
  if (!search.model.preloaded().empty() || !search.request.preload.empty())
    throw Error(
        "parameter studies do not preload springs, since these would be others for each value: write the free lengths "
        "that preload finds into the model");
  RestHandle found = find_rest(std::move(search));
  if (found.rest.status != EquilibriumStatus::at_rest) throw Undecided(found.rest.message);
  return std::move(found.rest);
}

StudyBeginning begin_study(const ModelFamily& family, const std::string& name, double value, const RestRequest& request,
                           const Parameters& settings) {
  Parameters with = settings;
  if (is_parameter(name)) with.emplace_back(name, value);
  Model model = family.at(with);
  RestSearch search = search_for(model, request);
  Variation variation = variation_called(name, family, model, with);
  variation.value = value;
  if (variation.input) search.point.state.u[*variation.input] = value;
  else search.model = variation.model_at(value);
  model = search.model;
  Equilibrium rest = at_rest(std::move(search));
  return {std::move(model), std::move(variation), std::move(rest)};
}

}  // namespace stillpoint::python
