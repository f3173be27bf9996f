#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

#include "model/name_books.h"
#include "stillpoint/elements/point_mass.h"
#include "stillpoint/elements/rigid_mass.h"
#include "stillpoint/elements/scalar_mass.h"
#include "stillpoint/model.h"

namespace stillpoint {

namespace {

// What is wrong with numbers, or nothing.
std::string problem_with(Allowed allowed, std::span<const double> numbers) {
  const auto is = [](double x, const char* wanted) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return "is " + std::string(text) + "; it must " + wanted;
  };
  bool all_zero = true;
  for (const double x : numbers) {
    if (!std::isfinite(x)) return is(x, "be a finite number");
    if (allowed == Allowed::positive && x <= 0) return is(x, "be positive");
    if (allowed == Allowed::non_negative && x < 0) return is(x, "not be negative");
    all_zero = all_zero && x == 0;
  }
  return allowed == Allowed::not_all_zero && all_zero ? "is zero; it must not be" : "";
}

[[noreturn]] void refuse(std::string_view keyword, const Name& name, std::string_view field,
                         const std::string& problem) {
  throw FieldError(std::string(field), describe(keyword, name) + ": " + std::string(field) + " " + problem);
}

void require(std::string_view keyword, const Name& name, std::string_view field, std::initializer_list<double> numbers,
             Allowed allowed = Allowed::any) {
  const std::string problem = problem_with(allowed, numbers);
  if (!problem.empty()) refuse(keyword, name, field, problem);
}

const char* kind_word(BlockKind kind) {
  return kind == BlockKind::scalar ? "a scalar" : kind == BlockKind::point ? "a point" : "a body";
}

}  // namespace

std::string describe(std::string_view keyword, const Name& name) {
  if (!name.empty()) return std::string(keyword) + " '" + to_string(name) + "'";
  const bool vowel = std::string_view("aeiou").find(keyword.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(keyword);
}

ModelBuilder::ModelBuilder(std::string name) {
  parts_.name = std::move(name);
  parts_.markers.push_back(Marker());  // the origin of the ground
  parts_.place_names.add("ground", ground_marker);
}

void ModelBuilder::gravity(const Vec2<double>& g) {
  if (const auto problem = problem_with(Allowed::any, {{g.x, g.y}}); !problem.empty())
    throw FieldError("gravity", "gravity " + problem);
  parts_.gravity = g;
}

// ---------------------------------------------------------------------------------------------------------------------
// Places and inputs

Place ModelBuilder::add_marker(const Name& name, const Marker& marker) {
  const auto index = static_cast<Index>(parts_.markers.size());
  if (index == std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 places");
  if (!name.empty() && !parts_.place_names.add(name, index)) {
    throw Error("the name '" + to_string(name) + "' is taken by another point, body, scalar or marker");
  }
  parts_.markers.push_back(marker);
  ++size_;
  return {index};
}

Place ModelBuilder::add_block(const Name& name, BlockKind kind, std::initializer_list<double> guess) {
  if (parts_.q.size() + guess.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw Error("a model has at most 2^31 coordinates");
  }
  const auto block = static_cast<Index>(parts_.blocks.size());
  const Place origin = add_marker(name, {block, {0, 0}, 0});
  parts_.blocks.push_back({kind, static_cast<Index>(parts_.q.size()), origin.marker});
  parts_.q.insert(parts_.q.end(), guess);
  return origin;
}

Place ModelBuilder::fixed(const Name& name, const Vec2<double>& at, double angle) {
  require("fixed", name, "at", {at.x, at.y});
  require("fixed", name, "angle", {angle});
  return add_marker(name, {on_ground, at, angle});
}

Place ModelBuilder::point(const Name& name, const Vec2<double>& at, const PointOptions& options) {
  require("point", name, "at", {at.x, at.y});
  require("point", name, "mass", {options.mass}, Allowed::non_negative);
  const Place made = add_block(name, BlockKind::point, {at.x, at.y});
  if (options.mass != 0) add({}, PointMass{.at = made, .mass = options.mass});
  return made;
}

Place ModelBuilder::body(const Name& name, const Vec2<double>& at, const BodyOptions& options) {
  require("body", name, "at", {at.x, at.y});
  require("body", name, "angle", {options.angle});
  require("body", name, "centre", {options.centre.x, options.centre.y});
  require("body", name, "mass", {options.mass}, Allowed::non_negative);
  require("body", name, "inertia", {options.inertia}, Allowed::non_negative);
  const Place made = add_block(name, BlockKind::body, {at.x, at.y, options.angle});
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
  const Place made = add_block(name, BlockKind::scalar, {value});
  if (options.mass != 0) add({}, ScalarMass{.coordinate = {coordinate}, .mass = options.mass});
  return made;
}

Place ModelBuilder::marker(const Name& name, Place on, const Vec2<double>& at, double angle) {
  require("marker", name, "at", {at.x, at.y});
  require("marker", name, "angle", {angle});
  try {
    check_reference(FieldKind::frame, on.marker);
  } catch (const Error& error) {
    if (name.empty()) throw;  // a place given on the spot: whoever gave it says so
    refuse("marker", name, "on", error.message());
  }
  const Marker base = parts_.markers[static_cast<std::size_t>(on.marker)];
  const Vec2<double> e = direction(base.angle);
  const Vec2<double> turned = base.angle == 0 ? at : at.x * e + at.y * perpendicular(e);
  return add_marker(name, {base.block, base.position + turned, base.angle + angle});
}

InputRef ModelBuilder::input(const Name& name, double value) {
  require("input", name, "value", {value});
  const auto index = static_cast<Index>(parts_.u.size());
  if (!name.empty() && !parts_.input_names.add(name, index)) {
    throw Error("the name '" + to_string(name) + "' is taken by another input");
  }
  parts_.u.push_back(value);
  ++size_;
  return {index};
}

Place ModelBuilder::place(const Name& name) const {
  if (const auto found = parts_.place_names.find(name)) return {static_cast<Index>(*found)};
  const std::string text = to_string(name);
  throw Error("there is no point, body, scalar or marker '" + text + "'" +
              did_you_mean(text, parts_.place_names.examples()));
}

CoordinateOf ModelBuilder::coordinate(const Name& name, std::string_view component) const {
  const Index marker = place(name).marker;
  const std::string owner = to_string(name);
  const Index index = parts_.markers[static_cast<std::size_t>(marker)].block;
  if (index == on_ground) throw Error("'" + owner + "' is fixed on the ground and has no coordinates");
  const Block& block = parts_.blocks[static_cast<std::size_t>(index)];
  if (block.marker != marker) throw Error("'" + owner + "' is a marker and has no coordinates of its own");

  std::string allowed;
  for (Index i = 0; i < coordinates_of(block.kind); ++i) {
    const std::string known = component_of(block.kind, i);
    if (component == known) return {block.first + i};
    allowed += (i > 0 ? ", " : "") + owner + (known.empty() ? "" : "." + known);
  }
  throw Error("'" + owner + (component.empty() ? "" : "." + std::string(component)) + "' is not a coordinate; '" +
              owner + "' is " + kind_word(block.kind) + " and has " + allowed);
}

InputRef ModelBuilder::input_ref(const Name& name) const {
  if (const auto found = parts_.input_names.find(name)) return {static_cast<Index>(*found)};
  const std::string text = to_string(name);
  throw Error("there is no input '" + text + "'" + did_you_mean(text, parts_.input_names.examples()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Elements

void ModelBuilder::check_reference(FieldKind kind, Index reference) const {
  const std::size_t size = kind == FieldKind::coordinate ? parts_.q.size()
                           : kind == FieldKind::input    ? parts_.u.size()
                                                         : parts_.markers.size();
  if (reference < 0 || static_cast<std::size_t>(reference) >= size) throw Error("refers to nothing");
  if (kind == FieldKind::coordinate || kind == FieldKind::input) return;

  const Index block = parts_.markers[static_cast<std::size_t>(reference)].block;
  if (block == on_ground) return;
  const BlockKind found = parts_.blocks[static_cast<std::size_t>(block)].kind;
  const char* wanted = nullptr;
  if (kind == FieldKind::position && found == BlockKind::scalar) wanted = "a point, a body or a marker";
  if (kind == FieldKind::frame && found != BlockKind::body) wanted = "a body, a marker on it or the ground";
  if (kind == FieldKind::angle && found == BlockKind::point) wanted = "a body, a scalar or the ground";
  if (!wanted) return;
  const auto name = parts_.place_names.name_of(reference);
  throw Error("refers to " + std::string(kind_word(found)) + (name ? " ('" + *name + "')" : "") + "; allowed is " +
              wanted);
}

void ModelBuilder::validate(const ElementInfo& info, const void* element, const Name& name) const {
  for (const Field& field : info.fields) {
    const FieldValue value = field.load(element);
    const bool is_numbers = field.kind == FieldKind::numbers;
    if (!is_numbers && !field.required() && value.references[0] == nothing) continue;
    if (value.count < field.least) refuse(info.keyword, name, field.key, "is missing");
    if (is_numbers) {
      const std::string problem = problem_with(field.allowed, std::span(value.numbers).first(value.count));
      if (!problem.empty()) refuse(info.keyword, name, field.key, problem);
      continue;
    }
    for (std::size_t i = 0; i < value.count; ++i) {
      try {
        check_reference(field.kind, value.references[i]);
      } catch (const Error& error) {
        refuse(info.keyword, name, field.key, error.message());
      }
    }
  }
}

void ModelBuilder::give_name(const ElementInfo& info, unsigned laws, const Name& name, std::size_t array,
                             Index element) {
  if (element == std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 elements of a type");
  if (name.empty()) return;
  const std::size_t book = name_book(laws);
  if (!parts_.element_names[book].add(name, element_id(array, element))) {
    throw Error(describe(info.keyword, name) + ": the name is taken by another " + name_book_title(book));
  }
}

Model ModelBuilder::model() {
  std::int64_t rows = 0;
  for (const auto& elements : arrays_) {
    parts_.arrays.push_back({elements, static_cast<Index>(rows)});
    rows += static_cast<std::int64_t>(elements->size()) * elements->rows();
    if (rows > std::numeric_limits<Index>::max()) throw Error("a model has at most 2^31 constraint equations");
  }
  parts_.constraints = static_cast<Index>(rows);
  const auto arrays = std::move(arrays_);
  const Model model(std::make_shared<const Model::Parts>(std::move(parts_)));
  *this = ModelBuilder();

  const State guess = model.initial_state();
  for (const auto& elements : arrays) elements->prepare(model.context(guess));
  return model;
}

}  // namespace stillpoint
