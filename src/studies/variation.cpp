// The numbers that a study may vary: parameters of a model file, inputs, and numbers of elements.
#include <fmt/format.h>

#include <algorithm>

#include "stillpoint/error.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

namespace {

[[noreturn]] void refuse_to_count(const std::string& name) {
  throw Error(fmt::format(
      "parameter '{}' takes whole numbers only: it counts things, and nothing has a derivative with respect to it",
      name));
}

}  // namespace

Variation parameter_of(const ModelFamily& family, const std::string& name, const Parameters& settings) {
  const std::vector<ModelParameter> all = family.parameters(settings);
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModelParameter& p) { return p.name == name; });
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const ModelParameter& parameter : all) names.push_back(parameter.name);
    throw Error(fmt::format("there is no parameter '{}'{}", name, did_you_mean(name, names)));
  }
  if (found->is_integer) refuse_to_count(name);
  return {name, found->value, found->unit, [family, name, settings](double value) {
            Parameters all_of_them = settings;
            std::erase_if(all_of_them, [&](const auto& setting) { return setting.first == name; });
            all_of_them.emplace_back(name, value);
            return family.at(all_of_them);
          }};
}

Variation input_of(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (Index i = 0; i < model.inputs(); ++i) known.push_back(model.input_name(i));
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw Error(fmt::format("there is no input '{}'{}", name, did_you_mean(name, known)));
  const auto input = static_cast<Index>(found - known.begin());
  return {name, model.initial_state().u[input], model.input_unit(input), [model](double) { return model; }, 0, input};
}

Variation number_of(const Model& model, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string element = name.substr(0, dot), key = dot == std::string::npos ? "" : name.substr(dot + 1);
  for (std::size_t k = 0; k < model.arrays().size(); ++k) {
    const ElementArrayBase& elements = *model.arrays()[k].elements;
    const Field* const field = elements.info().field_called(key);
    if (!field || field->kind != FieldKind::numbers) continue;
    for (Index e = 0; e < elements.size(); ++e) {
      if (model.element_name(k, e) != element) continue;
      const FieldValue value = field->load(elements.element(e));
      if (value.count != 1) throw Error(fmt::format("'{}' is {} numbers; vary a parameter of them", name, value.count));
      const ElementNumber number{k, e, field, value.numbers[0]};
      return {name, number.value, std::string(field->unit), [model, number](double changed) {
                ElementNumber other = number;
                other.value = changed;
                return model.with({other});
              }};
    }
  }
  throw Error(fmt::format("there is no number '{}': ELEMENT.FIELD is meant, such as 'spring[3].stiffness'", name));
}

}  // namespace stillpoint
