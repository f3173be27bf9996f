// What a user may say about an element: one table that drives the model-file reader, the manual page, the JSON schema
// and the validation of elements built in C++.
//
// A field is made from pointers to members; their type says of which kind it is:
//
//   field<&Spring::stiffness>("stiffness", …)         a number
//   field<&Spring::a, &Spring::b>("between", …)       two positions
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "stillpoint/places.h"

namespace stillpoint {

enum class FieldKind { numbers, position, frame, angle, coordinate, input };

/// What is allowed beyond being finite.
enum class Allowed { any, positive, non_negative, not_all_zero };

/// A field's content: numbers, or references to markers, coordinates or inputs.
struct FieldValue {
  static constexpr std::size_t capacity = 6;
  std::size_t count = 0;
  std::array<double, capacity> numbers{};
  std::array<Index, capacity> references{};
};

struct Field {
  std::string_view key;
  std::string_view unit;
  std::string_view help;
  FieldKind kind = FieldKind::numbers;
  std::size_t least = 1, most = 1;  ///< how many numbers or references
  Allowed allowed = Allowed::any;
  std::string_view fallback;  ///< what holds if it is left out, in words; empty: the field is required
  void (*store)(void* element, const FieldValue& value) = nullptr;
  FieldValue (*load)(const void* element) = nullptr;

  bool required() const { return fallback.empty(); }
  Field optional(std::string_view what_holds) const {
    Field copy = *this;
    copy.fallback = what_holds;
    return copy;
  }
  Field must_be(Allowed what) const {
    Field copy = *this;
    copy.allowed = what;
    return copy;
  }
};

/// Not yet given; refused by the validation as not finite.
constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// How many coordinates a coupling may tie together.
using CoordinateList = std::array<CoordinateOf, FieldValue::capacity>;
using NumberList = std::array<double, FieldValue::capacity>;

namespace detail {

template <class M>
struct Slot;  // how a member of type M is kept in a FieldValue

template <class Reference, FieldKind Kind, Index Reference::*member>
struct ReferenceSlot {
  static constexpr FieldKind kind = Kind;
  static constexpr std::size_t least = 1, most = 1;
  static void store(Reference& to, const FieldValue& value, std::size_t& at) { to.*member = value.references[at++]; }
  static void load(const Reference& from, FieldValue& value) { value.references[value.count++] = from.*member; }
};

template <>
struct Slot<PositionOf> : ReferenceSlot<PositionOf, FieldKind::position, &PositionOf::marker> {};
template <>
struct Slot<FrameOf> : ReferenceSlot<FrameOf, FieldKind::frame, &FrameOf::marker> {};
template <>
struct Slot<AngleOf> : ReferenceSlot<AngleOf, FieldKind::angle, &AngleOf::marker> {};
template <>
struct Slot<CoordinateOf> : ReferenceSlot<CoordinateOf, FieldKind::coordinate, &CoordinateOf::coordinate> {};
template <>
struct Slot<InputRef> : ReferenceSlot<InputRef, FieldKind::input, &InputRef::input> {};

template <>
struct Slot<double> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 1, most = 1;
  static void store(double& to, const FieldValue& value, std::size_t& at) { to = value.numbers[at++]; }
  static void load(double from, FieldValue& value) { value.numbers[value.count++] = from; }
};

template <>
struct Slot<Vec2<double>> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 2, most = 2;
  static void store(Vec2<double>& to, const FieldValue& value, std::size_t& at) {
    to = {value.numbers[at], value.numbers[at + 1]};
    at += 2;
  }
  static void load(const Vec2<double>& from, FieldValue& value) {
    value.numbers[value.count++] = from.x;
    value.numbers[value.count++] = from.y;
  }
};

// Lists end at the first absent coordinate, or at the first NaN.
template <>
struct Slot<CoordinateList> {
  static constexpr FieldKind kind = FieldKind::coordinate;
  static constexpr std::size_t least = 1, most = FieldValue::capacity;
  static void store(CoordinateList& to, const FieldValue& value, std::size_t&) {
    for (std::size_t i = 0; i < value.count; ++i) to[i].coordinate = value.references[i];
  }
  static void load(const CoordinateList& from, FieldValue& value) {
    for (std::size_t i = 0; i < from.size() && from[i].coordinate != nothing; ++i) {
      value.references[value.count++] = from[i].coordinate;
    }
  }
};

template <>
struct Slot<NumberList> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 1, most = FieldValue::capacity;
  static void store(NumberList& to, const FieldValue& value, std::size_t&) {
    for (std::size_t i = 0; i < value.count; ++i) to[i] = value.numbers[i];
  }
  static void load(const NumberList& from, FieldValue& value) {
    while (value.count < from.size() && from[value.count] == from[value.count]) {
      value.numbers[value.count] = from[value.count];
      ++value.count;
    }
  }
};

template <class M>
struct MemberOf;
template <class E, class M>
struct MemberOf<M E::*> {
  using Element = E;
  using SlotOfMember = Slot<M>;
};

}  // namespace detail

/// The field that consists of the given members, all of one kind.
template <auto first, auto... rest>
Field field(std::string_view key, std::string_view unit, std::string_view help) {
  using Element = typename detail::MemberOf<decltype(first)>::Element;
  using FirstSlot = typename detail::MemberOf<decltype(first)>::SlotOfMember;
  Field made;
  made.key = key;
  made.unit = unit;
  made.help = help;
  made.kind = FirstSlot::kind;
  made.least = FirstSlot::least + sizeof...(rest);
  made.most = FirstSlot::most + sizeof...(rest);
  made.store = [](void* element, const FieldValue& value) {
    std::size_t at = 0;
    Element& e = *static_cast<Element*>(element);
    FirstSlot::store(e.*first, value, at);
    (detail::MemberOf<decltype(rest)>::SlotOfMember::store(e.*rest, value, at), ...);
  };
  made.load = [](const void* element) {
    FieldValue value;
    const Element& e = *static_cast<const Element*>(element);
    FirstSlot::load(e.*first, value);
    (detail::MemberOf<decltype(rest)>::SlotOfMember::load(e.*rest, value), ...);
    return value;
  };
  return made;
}

/// What an element type is called and consists of.
struct ElementInfo {
  std::string_view keyword;  ///< its word in model files
  std::string_view help;     ///< one sentence
  std::string_view law;      ///< the formula, as the manual prints it
  std::vector<Field> fields;
};

}  // namespace stillpoint
