// Numbers of elements by name, and models in which they have other values.

#include <algorithm>
#include <map>
#include <numeric>

#include "model/name_books.h"
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
  std::map<std::size_t, std::shared_ptr<ElementArrayBase>> changed;
  for (const ElementNumber& number : numbers) {
    const ElementArrayBase& before = *arrays()[number.array].elements;
    const std::string problem = problem_with(number.field->allowed, {{number.value}});
    if (!problem.empty())
      refuse(before.info().keyword, element_name(number.array, number.element), number.field->key, problem);
    std::shared_ptr<ElementArrayBase>& after = changed[number.array];
    if (!after) after = before.part(all_of(before));
    FieldValue value;
    value.count = 1;
    value.numbers[0] = number.value;
    after->set(number.element, *number.field, value);
  }
  const State guess = initial_state();
  auto parts = std::make_shared<Parts>(*parts_);
  for (const auto& [array, elements] : changed) {
    elements->prepare(context(guess));
    parts->arrays[array].elements = elements;
  }
  return Model(std::move(parts));
}

}  // namespace stillpoint
