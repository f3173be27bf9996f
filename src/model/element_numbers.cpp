// Numbers of elements by name, and models in which they have other values.

#include <algorithm>
#include <map>
#include <numeric>

#include "model/name_books.h"
#include "model/patterns.h"
#include "model/validation.h"
#include "stillpoint/model.h"

namespace stillpoint {

namespace {

/// The free state of an element with its present value.
ElementNumber free_state_of(const ModelArray& arrays, std::size_t array, Index element, const Field& field) {
  return {array, element, &field, field.load(arrays.elements->element(element)).numbers[0]};
}

std::vector<Index> all_of(const ElementArrayBase& elements) {
  std::vector<Index> all(static_cast<std::size_t>(elements.size()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

std::vector<ElementNumber> Model::preloaded() const {
  std::vector<ElementNumber> numbers;
  for (std::size_t k = 0; k < arrays().size(); ++k) {
    const ElementArrayBase& elements = *arrays()[k].elements;
    const Field *const field = elements.info().free_state(), *const preload = elements.info().field_called("preload");
    for (Index i = 0; field && preload && i < elements.size(); ++i) {
      if (preload->load(elements.element(i)).numbers[0] != 0)
        numbers.push_back(free_state_of(arrays()[k], k, i, *field));
    }
  }
  return numbers;
}

std::vector<ElementNumber> Model::free_states(const std::vector<std::string>& names) const {
  std::vector<ElementNumber> numbers;
  const Names& forces = parts_->element_names[name_book(Law::energy)];
  for (const std::string& name : names) {
    const auto id = forces.find(name);
    if (!id) throw Error("there is no spring '" + name + "'" + did_you_mean(name, forces.examples()));
    const std::size_t array = array_of_id(*id);
    const Field* const field = arrays()[array].elements->info().free_state();
    if (!field)
      throw Error("'" + name + "' is a " + std::string(arrays()[array].elements->info().keyword) +
                  ", which has no free length or angle; allowed are spring, torsion_spring and scalar_spring");
    numbers.push_back(free_state_of(arrays()[array], array, element_of_id(*id), *field));
  }
  return numbers;
}

std::string Model::name_of(const ElementNumber& number) const {
  return element_name(number.array, number.element) + "." + std::string(number.field->key);
}

Model Model::with(const std::vector<ElementNumber>& numbers) const {
  std::vector<ElementField> fields;
  for (const ElementNumber& number : numbers) {
    const std::string problem = problem_with(number.field->allowed, {{number.value}});
    if (!problem.empty())
      refuse(arrays()[number.array].elements->info().keyword, element_name(number.array, number.element),
             number.field->key, problem);
    ElementField& field = fields.emplace_back(ElementField{number.array, number.element, number.field, {}});
    field.value.count = 1;
    field.value.numbers[0] = number.value;
  }
  return with(fields, parameters());
}

Model Model::with(const std::vector<ElementField>& fields,
                  std::vector<std::pair<std::string, double>> parameters) const {
  std::map<std::size_t, std::shared_ptr<ElementArrayBase>> changed;
  for (const ElementField& field : fields) {
    const ElementArrayBase& before = *arrays()[field.array].elements;
    std::shared_ptr<ElementArrayBase>& after = changed[field.array];
    if (!after) after = before.part(all_of(before));
    after->set(field.element, *field.field, field.value);
  }
  auto made = std::make_shared<Numbers>(Numbers{std::move(parameters), arrays(), numbers_->patterns});
  const State guess = initial_state();
  bool is_same_pattern = true;
  for (const auto& [array, elements] : changed) {
    const Context here = context(guess);
    elements->prepare(here);
    is_same_pattern = is_same_pattern && elements->has_pattern_of(here, *arrays()[array].elements);
    made->arrays[array].elements = elements;
  }
  if (!is_same_pattern) made->patterns = new_patterns();
  return Model(parts_, std::move(made));
}

}  // namespace stillpoint
