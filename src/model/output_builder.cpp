// The functions of the builder for outputs.

#include <algorithm>
#include <limits>

#include "model/name_books.h"
#include "stillpoint/model.h"

namespace stillpoint {

void ModelBuilder::check_output_name(const Name& name) const {
  if (name.empty()) throw Error("an output needs a name");
  if (parts_.output_names.find(name)) throw Error("the name '" + to_string(name) + "' is taken by another output");
}

void ModelBuilder::add_output(const Name& name, const Output& output, int components) {
  if (parts_.output_components > std::numeric_limits<Index>::max() - components) {
    throw Error("a model has at most 2^31 outputs");
  }
  parts_.output_names.add(name, static_cast<Names::Id>(parts_.outputs.size()));
  parts_.outputs.push_back(output);
  parts_.outputs.back().first = parts_.output_components;
  parts_.output_components += components;
  ++size_;
}

Index ModelBuilder::refer_to(std::size_t book, const Name& name) {
  const auto found = parts_.element_names[book].find(name);
  if (!found) {
    throw Error(std::string("there is no ") + name_book_title(book) + " '" + to_string(name) + "'" +
                meant_instead(name, parts_.element_names[book]));
  }
  referred_.push_back({.array = array_of_id(*found), .element = element_of_id(*found)});
  return static_cast<Index>(referred_.size()) - 1;
}

ForceRef ModelBuilder::force_ref(const Name& name) { return {refer_to(name_book(Law::forces), name)}; }

ConstraintRef ModelBuilder::constraint_ref(const Name& name) { return {refer_to(name_book(Law::residual), name)}; }

const Output& ModelBuilder::referred(Index reference) const {
  if (reference < 0 || static_cast<std::size_t>(reference) >= referred_.size()) throw Error("refers to nothing");
  return referred_[static_cast<std::size_t>(reference)];
}

std::string ModelBuilder::describe(const Output& element) const {
  const ElementArrayBase& elements = *arrays_[element.array];
  const auto name =
      parts_.element_names[name_book(elements.laws())].name_of(element_id(element.array, element.element));
  return stillpoint::describe(elements.info().keyword, name.value_or(""));
}

void ModelBuilder::output_force(const Name& name, ForceRef element) {
  check_output_name(name);
  const Output& found = referred(element.element);
  const ElementArrayBase& elements = *arrays_[found.array];
  if (elements.measure_names().empty()) {
    throw FieldError("force", describe(found) + " has no force to show; springs, dampers, bushings and actuators have");
  }
  add_output(name, found, static_cast<int>(elements.measure_names().size()));
}

void ModelBuilder::output_reaction(const Name& name, ConstraintRef constraint, int place, Place axes) {
  add_reaction(name, constraint, place, axes.marker, false);
}

void ModelBuilder::output_reaction(const Name& name, ConstraintRef constraint, int place, space::Place axes) {
  add_reaction(name, constraint, place, axes.marker, true);
}

void ModelBuilder::add_reaction(const Name& name, ConstraintRef constraint, int place, Index axes, bool is_in_space) {
  check_output_name(name);
  Output found = referred(constraint.element);
  const ElementArrayBase& elements = *arrays_[found.array];
  if (place == usual_place) place = std::min(2, elements.places());
  if (place < 1 || place > elements.places()) {
    throw FieldError("on", describe(found) + " has the places 1 to " + std::to_string(elements.places()) + ", not " +
                               std::to_string(place));
  }
  found.place = place - 1;
  found.axes = axes;
  const WrenchKind kind = elements.wrench_kind(found.place);
  if (axes != ground_marker) {
    if (is_in_space != (kind >= WrenchKind::force)) {
      throw FieldError("axes", describe(found) + " exerts no vector in these axes");
    }
    try {
      check_reference(is_in_space ? FieldKind::space_orientation : FieldKind::frame, axes);
    } catch (const Error& error) {
      throw FieldError("axes", "axes " + error.message());
    }
  }
  add_output(name, found, size_of(kind));
}

}  // namespace stillpoint
