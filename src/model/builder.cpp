// The functions of the builder for places, inputs and elements, and the validation of elements.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "model/name_books.h"
#include "model/patterns.h"
#include "model/validation.h"
#include "stillpoint/detail/observed.h"
#include "stillpoint/elements/plane/rigid_mass.h"
#include "stillpoint/elements/point_mass.h"
#include "stillpoint/elements/rotating_frame.h"
#include "stillpoint/elements/scalar_mass.h"
#include "stillpoint/model.h"

namespace stillpoint {

ModelBuilder::ModelBuilder(std::string name) {
  parts_.name = std::move(name);
  parts_.markers.push_back(Marker());  // the origin of the ground
  parts_.space_markers.push_back(space::Marker());
  parts_.place_names.add("ground", ground_marker);
}

namespace {

// Gravity must be constant in a rotating frame.
void require_one_axis(const Vec3<double>& gravity, const Vec3<double>& spin, const char* given) {
  if (length(cross(spin, gravity)) <= 1e-12 * length(spin) * length(gravity)) return;
  throw FieldError(given, std::string(given) +
                              ": gravity rotates in a frame that rotates about another axis; allowed is gravity along "
                              "the angular_velocity, or none");
}

}  // namespace

void ModelBuilder::gravity(const Vec3<double>& g) {
  if (const auto problem = problem_with(Allowed::any, {{g.x, g.y, g.z}}); !problem.empty())
    throw FieldError("gravity", "gravity " + problem);
  require_one_axis(g, parts_.angular_velocity, "gravity");
  parts_.gravity = g;
}

void ModelBuilder::angular_velocity(const Vec3<double>& spin) {
  if (const auto problem = problem_with(Allowed::any, {{spin.x, spin.y, spin.z}}); !problem.empty())
    throw FieldError("angular_velocity", "angular_velocity " + problem);
  require_one_axis(parts_.gravity, spin, "angular_velocity");
  parts_.angular_velocity = spin;
}

// ---------------------------------------------------------------------------------------------------------------------
// Places and inputs

void ModelBuilder::name_place(const Name& name, Names::Id id) {
  if (id % first_in_space == std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 places");
  if (!name.empty() && !parts_.place_names.add(name, id)) {
    throw Error("the name '" + to_string(name) + "' is taken by another point, body, scalar or marker");
  }
  ++size_;
}

Place ModelBuilder::add_marker(const Name& name, const Marker& marker) {
  const auto index = static_cast<Index>(parts_.markers.size());
  name_place(name, place_id(index, false));
  parts_.markers.push_back(marker);
  return {index};
}

space::Place ModelBuilder::add_marker(const Name& name, const space::Marker& marker) {
  const auto index = static_cast<Index>(parts_.space_markers.size());
  name_place(name, place_id(index, true));
  parts_.space_markers.push_back(marker);
  return {index};
}

Index ModelBuilder::next_block(std::initializer_list<double> guess) const {
  if (parts_.q.size() + guess.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw Error("a model has at most 2^31 coordinates");
  }
  return static_cast<Index>(parts_.blocks.size());
}

void ModelBuilder::add_block(BlockKind kind, Index marker, std::initializer_list<double> guess) {
  parts_.blocks.push_back(
      {kind, static_cast<Index>(parts_.q.size()), marker, static_cast<Index>(parts_.orientations.size())});
  parts_.q.insert(parts_.q.end(), guess);
}

Place ModelBuilder::add_owner(const Name& name, BlockKind kind, std::initializer_list<double> guess) {
  const Place origin = add_marker(name, Marker{next_block(guess), {0, 0}, 0});
  add_block(kind, origin.marker, guess);
  return origin;
}

space::Place ModelBuilder::add_space_owner(const Name& name, BlockKind kind, std::initializer_list<double> guess) {
  const space::Place origin = add_marker(name, space::Marker{next_block(guess), {}, {}});
  add_block(kind, origin.marker, guess);
  return origin;
}

Place ModelBuilder::fixed(const Name& name, const Vec2<double>& at, double angle) {
  require("fixed", name, "at", {at.x, at.y});
  require("fixed", name, "angle", {angle});
  return add_marker(name, Marker{on_ground, at, angle});
}

Place ModelBuilder::point(const Name& name, const Vec2<double>& at, const PointOptions& options) {
  require("point", name, "at", {at.x, at.y});
  require("point", name, "mass", {options.mass}, Allowed::non_negative);
  const Place made = add_owner(name, BlockKind::point, {at.x, at.y});
  if (options.mass != 0) add({}, PointMass{.at = made, .mass = options.mass});
  return made;
}

Place ModelBuilder::body(const Name& name, const Vec2<double>& at, const BodyOptions& options) {
  require("body", name, "at", {at.x, at.y});
  require("body", name, "angle", {options.angle});
  require("body", name, "centre", {options.centre.x, options.centre.y});
  require("body", name, "mass", {options.mass}, Allowed::non_negative);
  require("body", name, "inertia", {options.inertia}, Allowed::non_negative);
  const Place made = add_owner(name, BlockKind::body, {at.x, at.y, options.angle});
  if (options.mass != 0 || options.inertia != 0) {
    const bool offset = options.centre.x != 0 || options.centre.y != 0;
    const Place centre = offset ? marker({}, made, options.centre) : made;
    add({}, RigidMass{.centre = centre, .mass = options.mass, .moment = options.inertia});
  }
  return made;
}

Place ModelBuilder::scalar(const Name& name, double value, const ScalarOptions& options) {
  require("scalar", name, "value", {value});
  require("scalar", name, "mass", {options.mass}, Allowed::non_negative);
  const auto coordinate = static_cast<Index>(parts_.q.size());
  const Place made = add_owner(name, BlockKind::scalar, {value});
  if (!options.unit.empty()) parts_.scalar_units[coordinate] = options.unit;
  if (options.mass != 0) add({}, ScalarMass{.coordinate = {coordinate}, .mass = options.mass});
  return made;
}

Place ModelBuilder::node(const Name& name, Place frame, const Vec2<double>& at) {
  require("node", name, "at", {at.x, at.y});
  if (frame.marker < 0 || static_cast<std::size_t>(frame.marker) >= parts_.markers.size())
    refuse("node", name, "on", "refers to nothing");
  const Index carrier = parts_.markers[static_cast<std::size_t>(frame.marker)].block;
  const Block* const block = carrier == on_ground ? nullptr : &parts_.blocks[static_cast<std::size_t>(carrier)];
  const bool is_marker = block && block->marker != frame.marker;
  if (!block || is_marker || block->kind != BlockKind::body) {
    const auto called = parts_.place_names.name_of(place_id(frame.marker, false));
    refuse("node", name, "on",
           "refers to " + (called ? "'" + *called + "'" : "a place") + ", which is " +
               (is_marker ? "a marker" : owner_of_place(frame.marker, false)) +
               "; allowed is a body: the floating frame of the node");
  }
  const Place made = add_owner(name, BlockKind::node, {0, 0, 0});
  parts_.blocks.back().carrier = carrier;
  parts_.blocks.back().rest = at;
  return made;
}

Place ModelBuilder::marker(const Name& name, Place on, const Vec2<double>& at, double angle) {
  require("marker", name, "at", {at.x, at.y});
  require("marker", name, "angle", {angle});
  try {
    check_reference(FieldKind::frame, on.marker);
  } catch (const Error& error) {
    if (name.empty()) throw;  // a place given on the spot: the caller names it
    refuse("marker", name, "on", error.message());
  }
  const Marker base = parts_.markers[static_cast<std::size_t>(on.marker)];
  const Vec2<double> e = direction(base.angle);
  const Vec2<double> turned = base.angle == 0 ? at : at.x * e + at.y * perpendicular(e);
  return add_marker(name, Marker{base.block, base.position + turned, base.angle + angle});
}

// ---------------------------------------------------------------------------------------------------------------------
// Inputs and names

InputRef ModelBuilder::input(const Name& name, double value, const std::string& unit) {
  require("input", name, "value", {value});
  const auto index = static_cast<Index>(parts_.u.size());
  if (!name.empty() && !parts_.input_names.add(name, index)) {
    throw Error("the name '" + to_string(name) + "' is taken by another input");
  }
  parts_.u.push_back(value);
  if (!unit.empty()) parts_.input_units[index] = unit;
  ++size_;
  return {index};
}

// A hint for an unknown name: the name of something else, or a misspelling of a known name.
std::string ModelBuilder::meant_instead(const Name& name, const Names& book) const {
  const std::string text = to_string(name), is = "; '" + text + "' is ";
  if (parts_.place_names.find(name)) return is + "a point, body, scalar or marker";
  if (parts_.input_names.find(name)) return is + "an input";
  for (std::size_t i = 0; i < std::size(parts_.element_names); ++i) {
    if (parts_.element_names[i].find(name)) return is + "a " + name_book_title(i);
  }
  for (const auto& [parameter, value] : numbers_.parameters) {
    if (parameter == text) return is + "a parameter";
  }
  return did_you_mean(text, book.examples());
}

Names::Id ModelBuilder::place_called(const Name& name) const {
  if (const auto found = parts_.place_names.find(name)) return *found;
  const std::string text = to_string(name);
  throw Error("there is no point, body, scalar or marker '" + text + "'" + meant_instead(name, parts_.place_names));
}

Place ModelBuilder::place(const Name& name) const {
  const Names::Id id = place_called(name);
  if (id >= first_in_space) throw Error("'" + to_string(name) + "' is in space, not in the plane");
  return {static_cast<Index>(id)};
}

// The ground and scalars exist in the plane and in space, but a scalar has no position.
space::Place ModelBuilder::space_place(const Name& name) const {
  const Names::Id id = place_called(name);
  if (id >= first_in_space) return {static_cast<Index>(id - first_in_space)};
  if (id == ground_marker) return space::ground;
  throw Error("'" + to_string(name) + "' is " + owner_of_place(static_cast<Index>(id), false) +
              ", which is not in space");
}

// "a body", "fixed on the ground"
std::string ModelBuilder::owner_of_place(Index marker, bool is_in_space) const {
  const auto i = static_cast<std::size_t>(marker);
  const Index block = is_in_space ? parts_.space_markers[i].block : parts_.markers[i].block;
  if (block == on_ground) return "fixed on the ground";
  return std::string("a ") + word_of(parts_.blocks[static_cast<std::size_t>(block)].kind);
}

CoordinateOf ModelBuilder::coordinate(const Name& name, std::string_view component) const {
  const Names::Id id = place_called(name);
  const bool is_in_space = id >= first_in_space;
  const auto marker = static_cast<Index>(is_in_space ? id - first_in_space : id);
  const auto i = static_cast<std::size_t>(marker);
  const std::string owner = to_string(name);
  const Index index = is_in_space ? parts_.space_markers[i].block : parts_.markers[i].block;
  if (index == on_ground) throw Error("'" + owner + "' is fixed on the ground and has no coordinates");
  const Block& block = parts_.blocks[static_cast<std::size_t>(index)];
  if (block.marker != marker) throw Error("'" + owner + "' is a marker and has no coordinates of its own");

  std::string allowed;
  const Index usable = std::min<Index>(coordinates_of(block.kind), 3);  // an orientation has no coordinates with values
  for (Index k = 0; k < usable; ++k) {
    const std::string known = component_of(block.kind, k);
    if (component == known) return {block.first + k};
    allowed += (k > 0 ? ", " : "") + owner + (known.empty() ? "" : "." + known);
  }
  const char* const hint =
      block.kind == BlockKind::space_body ? " (for its orientation make a scalar with an 'angle')" : "";
  throw Error("'" + owner + (component.empty() ? "" : "." + std::string(component)) + "' is not a coordinate; '" +
              owner + "' is a " + word_of(block.kind) + " and has " + allowed + hint);
}

InputRef ModelBuilder::input_ref(const Name& name) const {
  if (const auto found = parts_.input_names.find(name)) return {static_cast<Index>(*found)};
  throw Error("there is no input '" + to_string(name) + "'" + meant_instead(name, parts_.input_names));
}

// ---------------------------------------------------------------------------------------------------------------------
// Elements

namespace {

// The allowed targets of a reference of this kind, if a block of that kind is wrong; null if it is right.
const char* wanted_instead(FieldKind kind, BlockKind found) {
  switch (kind) {
    case FieldKind::position:
      return found == BlockKind::scalar ? "a point, a body or a marker" : nullptr;
    case FieldKind::frame:
      return found == BlockKind::body || found == BlockKind::node ? nullptr : "a body, a marker on it or the ground";
    case FieldKind::node:
      return found != BlockKind::node ? "a node" : nullptr;
    case FieldKind::angle:
      return found == BlockKind::point ? "a body, a scalar or the ground" : nullptr;
    case FieldKind::space_frame:
    case FieldKind::space_orientation:
      return found != BlockKind::space_body ? "a body, a marker on it or the ground" : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

void ModelBuilder::check_coordinate(Index coordinate) const {
  const Block& owner = parts_.blocks[static_cast<std::size_t>(owner_of(parts_.blocks, coordinate))];
  if (owner.kind == BlockKind::space_body && coordinate >= owner.first + 3) {
    throw Error("refers to an increment of an orientation, which has no value; make a scalar with an 'angle'");
  }
}

void ModelBuilder::check_reference(FieldKind kind, Index reference) const {
  const bool in_space = is_in_space(kind);
  const std::size_t size = kind == FieldKind::coordinate ? parts_.q.size()
                           : kind == FieldKind::input    ? parts_.u.size()
                           : in_space                    ? parts_.space_markers.size()
                                                         : parts_.markers.size();
  const auto i = static_cast<std::size_t>(reference);
  if (reference < 0 || i >= size) throw Error("refers to nothing");
  if (kind == FieldKind::coordinate) check_coordinate(reference);
  if (kind == FieldKind::coordinate || kind == FieldKind::input) return;

  const Index block = in_space ? parts_.space_markers[i].block : parts_.markers[i].block;
  if (block == on_ground) {
    if (kind == FieldKind::node) throw Error("refers to a place on the ground; allowed is a node");
    return;
  }
  const BlockKind found = parts_.blocks[static_cast<std::size_t>(block)].kind;
  const char* const wanted = wanted_instead(kind, found);
  if (!wanted) return;
  const auto name = parts_.place_names.name_of(place_id(reference, in_space));
  throw Error(std::string("refers to a ") + word_of(found) + (name ? " ('" + *name + "')" : "") + "; allowed is " +
              wanted);
}

// All nodes of a list must belong to the same floating frame, at different positions.
void ModelBuilder::check_one_frame(const FieldValue& nodes) const {
  const auto block = [&](std::size_t k) -> const Block& {
    return parts_.blocks[static_cast<std::size_t>(parts_.markers[static_cast<std::size_t>(nodes.references[k])].block)];
  };
  const auto called = [&](std::size_t k) {
    return parts_.place_names.name_of(place_id(nodes.references[k], false)).value_or("a node");
  };
  for (std::size_t k = 1; k < nodes.count; ++k) {
    const std::string both = "refers to '" + called(0) + "' and '" + called(k) + "', which are ";
    if (block(k).carrier != block(0).carrier) throw Error(both + "nodes of two bodies; allowed are nodes of one");
    if (length(block(k).rest - block(0).rest) == 0) throw Error(both + "in one place; they must be apart");
  }
}

void ModelBuilder::validate(const ElementInfo& info, const void* element, const Name& name) const {
  for (const Field& field : info.fields) {
    const FieldValue value = field.load(element);
    const bool is_numbers = field.kind == FieldKind::numbers;
    if (field.kind == FieldKind::folder || field.kind == FieldKind::text || field.kind == FieldKind::flag) continue;
    if (field.is_free_state && std::isnan(value.numbers[0]) && asks_for_preload(info, element)) continue;
    if (!is_numbers && !field.required() && value.references[0] == nothing) continue;
    if (value.count < field.least) refuse(info.keyword, name, field.key, "is missing");
    if (is_numbers) {
      const std::string problem = problem_with(field.allowed, std::span(value.numbers).first(value.count));
      if (!problem.empty()) refuse(info.keyword, name, field.key, problem);
      continue;
    }
    try {
      for (std::size_t i = 0; i < value.count; ++i) check_reference(field.kind, value.references[i]);
      if (field.kind == FieldKind::node) check_one_frame(value);
    } catch (const Error& error) {
      refuse(info.keyword, name, field.key, error.message());
    }
  }
}

void ModelBuilder::give_name(const ElementInfo& info, unsigned laws, const Name& name, std::size_t array,
                             Index element) {
  if (element == std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 elements of a type");
  if (name.empty()) return;
  const std::size_t book = name_book(laws);
  if (!parts_.element_names[book].add(name, element_id(array, element))) {
    throw Error(stillpoint::describe(info.keyword, name) + ": the name is taken by another " + name_book_title(book));
  }
}

template <class E>
void ModelBuilder::add_frame_inertia() {
  const auto found = array_index_.find(typeid(E));
  if (found == array_index_.end()) return;
  const auto masses = arrays_[found->second];
  ElementArrayBase& array = *array_of<InRotatingFrame<E>>().elements;
  for (Index i = 0; i < masses->size(); ++i) {
    const InRotatingFrame<E> turned{*static_cast<const E*>(masses->element(i)), parts_.angular_velocity};
    array.append(&turned);
  }
  array_index_.erase(typeid(E));
}

void ModelBuilder::turn_rotors() {
  const auto found = array_index_.find(typeid(space::Rotor));
  if (found == array_index_.end()) return;
  const auto rotors = arrays_[found->second];
  ElementArrayBase& array = *array_of<space::RotorInRotatingFrame>().elements;
  for (Index i = 0; i < rotors->size(); ++i) {
    const auto& rotor = *static_cast<const space::Rotor*>(rotors->element(i));
    const space::RotorInRotatingFrame turned{
        .on = rotor.on, .momentum = rotor.momentum, .spin = parts_.angular_velocity, .input = rotor.input};
    array.append(&turned);
  }
}

namespace {

// An element that asks for preload and states no free state begins with the one that leaves it without force at the
// guess. The force is linear in the free state.
void leave_without_force(const Context& context, ElementArrayBase& elements) {
  const Field* const free_state = elements.info().free_state();
  for (Index i = 0; free_state && i < elements.size(); ++i) {
    FieldValue value = free_state->load(elements.element(i));
    if (!std::isnan(value.numbers[0])) continue;
    const auto force_if = [&](double free) {
      value.numbers[0] = free;
      elements.set(i, *free_state, value);
      return elements.measured(context, i).value[0];
    };
    const double at_zero = force_if(0), slope = force_if(1) - at_zero;
    force_if(slope != 0 ? -at_zero / slope : 0);
  }
}

}  // namespace

// Replaces elements with inertia by those with inertia in a rotating frame. An unknown element with inertia is refused:
// it would be treated as if the frame stood still.
void ModelBuilder::turn_the_frame() {
  if (length(parts_.angular_velocity) == 0) return;
  add_frame_inertia<PointMass>();
  add_frame_inertia<RigidMass>();
  add_frame_inertia<Rod>();
  add_frame_inertia<Beam>();
  add_frame_inertia<FloatingBeam>();
  add_frame_inertia<space::PointMass>();
  add_frame_inertia<space::RigidMass>();
  add_frame_inertia<space::Rod>();
  add_frame_inertia<space::Beam>();
  turn_rotors();
  array_index_.erase(typeid(ScalarMass));  // an inertia along a coordinate does not depend on the frame
  for (const auto& [type, index] : array_index_) {
    if (!(arrays_[index]->laws() & Law::inertia)) continue;
    throw Error(std::string("a rotating frame (angular_velocity) does not support the inertia of ") +
                std::string(arrays_[index]->info().keyword) + "; allowed are points, bodies, rods and beams");
  }
}

Model ModelBuilder::model() {
  turn_the_frame();
  std::int64_t rows = 0;
  for (const auto& elements : arrays_) {
    numbers_.arrays.push_back({elements, static_cast<Index>(rows)});
    rows += static_cast<std::int64_t>(elements->size()) * elements->rows();
    if (rows > std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 constraint equations");
  }
  parts_.constraints = static_cast<Index>(rows);
  parts_.blocks.shrink_to_fit();
  parts_.markers.shrink_to_fit();
  parts_.space_markers.shrink_to_fit();
  const auto arrays = std::move(arrays_);
  numbers_.patterns = new_patterns();
  const Model model(std::make_shared<const Model::Parts>(std::move(parts_)),
                    std::make_shared<const Model::Numbers>(std::move(numbers_)));
  *this = ModelBuilder();

  const State guess = model.initial_state();
  const Context context = model.context(guess);
  for (const auto& elements : arrays) {
    leave_without_force(context, *elements);
    elements->prepare(context);
  }
  return model;
}

}  // namespace stillpoint
