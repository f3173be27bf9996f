#include "read/reference.h"

#include <fmt/format.h>

#include <cmath>

namespace stillpoint {

namespace {

std::vector<Expression> expressions(const std::string& list, const Scope& scope) {
  std::vector<Expression> made;
  for (const std::string& part : split_list(list)) made.emplace_back(part, scope);
  return made;
}

// A text "name(…)" or "name[…]": the part before its last bracket, and the content of the bracket.
struct Bracketed {
  std::string before, inside;
  bool present = false;
};

Bracketed ending(const std::string& text, char open, char close) {
  if (text.empty() || text.back() != close) return {text, "", false};
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) {
      return {trimmed(text.substr(0, i)), text.substr(i + 1, text.size() - i - 2), true};
    }
  }
  throw Error(fmt::format("'{}' closes a bracket that it does not open", text));
}

std::string without_component(const std::string& text, FieldKind kind) {
  const std::size_t dot = kind == FieldKind::coordinate ? text.rfind('.') : std::string::npos;
  return dot == std::string::npos || text.find(']', dot) != std::string::npos ? text : text.substr(0, dot);
}

}  // namespace

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  parts.push_back(trimmed(text.substr(start)));
  return parts;
}

NameTemplate::NameTemplate(const std::string& text, const Scope& scope) {
  if (text.empty()) return;
  const Bracketed bracket = ending(text, '[', ']');
  family_ = bracket.before;
  if (bracket.present) indices_ = expressions(bracket.inside, scope);
  if (indices_.size() > Name::max_rank) throw Error(fmt::format("'{}' has more than four indices", text));
  if (family_.ends_with(']'))
    throw Error(fmt::format("'{}' has two pairs of brackets; write several indices as B[2,5]", text));
  static_cast<void>(Name(family_));  // throws if it is not a name
}

Name NameTemplate::name() const {
  Name name;
  name.family = family_;
  for (const Expression& index : indices_) {
    const double value = index.value();
    if (!(std::abs(value) <= 1e15) || value != std::floor(value)) {
      throw Error(
          fmt::format("the index '{}' of '{}' is {}; it must be a whole number", index.text(), family_, show(value)));
    }
    name.index[name.rank++] = static_cast<std::int64_t>(value);
  }
  return name;
}

bool NameTemplate::uses(const std::vector<const Scope::Variable*>& variables) const {
  return std::any_of(indices_.begin(), indices_.end(), [&](const Expression& index) { return index.uses(variables); });
}

bool Reference::uses(const std::vector<const Scope::Variable*>& variables) const {
  return name_.uses(variables) ||
         std::any_of(spot_.begin(), spot_.end(), [&](const Expression& number) { return number.uses(variables); });
}

Reference::Reference(const std::string& text, FieldKind kind, const Scope& scope)
    : kind_(kind), text_(text), name_(without_component(ending(text, '(', ')').before, kind), scope) {
  if (name_.empty()) throw Error(text.empty() ? "a name is missing" : fmt::format("'{}' does not name anything", text));
  const Bracketed spot = ending(text, '(', ')');
  const std::string owner = without_component(spot.before, kind);
  if (owner.size() < spot.before.size()) component_ = spot.before.substr(owner.size() + 1);
  if (!spot.present) return;
  spot_ = expressions(spot.inside, scope);
  const std::size_t n = spot_.size();
  if (kind == FieldKind::position || kind == FieldKind::frame) {
    if (n == 2 || n == 3) return;
    throw Error(fmt::format("'{}' is not a place; a place on a body is given by x, y and optionally an angle", text));
  }
  if (is_in_space(kind)) {
    if (n == 3 || n == 6) return;
    throw Error(fmt::format(
        "'{}' is not a place; a place on a body is given by x, y, z and optionally a rotation vector rx, ry, rz",
        text));
  }
  throw Error(fmt::format("'{}' gives a place; allowed here is only a name", text));
}

Index Reference::resolve(ModelBuilder& builder) const {
  const Name name = name_.name();
  if (kind_ == FieldKind::input) return builder.input_ref(name).input;
  if (kind_ == FieldKind::force) return builder.force_ref(name).element;
  if (kind_ == FieldKind::constraint) return builder.constraint_ref(name).element;
  if (kind_ == FieldKind::coordinate) return builder.coordinate(name, component_).coordinate;
  const Index owner = is_in_space(kind_) ? builder.space_place(name).marker : builder.place(name).marker;
  if (spot_.empty()) return owner;
  for (const Expression& number : spot_) {
    if (std::isfinite(number.value())) continue;
    throw Error(
        fmt::format("'{}' in '{}' is {}; it must be a finite number", number.text(), text_, show(number.value())));
  }
  try {
    const auto number = [this](std::size_t i) { return i < spot_.size() ? spot_[i].value() : 0; };
    if (is_in_space(kind_)) {
      return builder
          .space_marker({}, {owner}, {number(0), number(1), number(2)},
                        rotation_about({number(3), number(4), number(5)}))
          .marker;
    }
    return builder.marker({}, {owner}, {number(0), number(1)}, number(2)).marker;
  } catch (const Error& error) {
    throw Error(fmt::format("'{}' {}", text_, error.message()));
  }
}

}  // namespace stillpoint
