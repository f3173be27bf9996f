// The data of an element type: one table that drives the model-file reader, the manual, the JSON schema and the
// validation of elements built in C++.
//
// A field is made from pointers to members; their type determines its kind:
//
//   field<&Spring::stiffness>("stiffness", …)         a number
//   field<&Spring::a, &Spring::b>("between", …)       two positions
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stillpoint/authoring/space.h"

namespace stillpoint {

enum class FieldKind {
  numbers,
  position,
  frame,
  angle,
  node,
  space_position,
  space_frame,
  space_orientation,
  coordinate,
  input,
  force,       ///< an element with a force law, by name
  constraint,  ///< an element with a residual, by name
  folder,      ///< a path
  text,        ///< a literal text
  flag         ///< true or false, stored as the number 1 or 0
};

constexpr bool is_in_space(FieldKind kind) {
  return kind == FieldKind::space_position || kind == FieldKind::space_frame || kind == FieldKind::space_orientation;
}

/// The admissible values, besides being finite.
enum class Allowed { any, positive, non_negative, not_all_zero };

/// The content of a field: numbers, or references to markers, coordinates or inputs.
struct FieldValue {
  static constexpr std::size_t capacity = 36;  ///< a 6 × 6 matrix
  static constexpr std::size_t most_references = 16;
  std::size_t count = 0;
  std::array<double, capacity> numbers;  ///< the first `count` are valid; the others are not initialised, for speed
  std::array<Index, most_references> references{};
  std::string_view text;  ///< a text or path; the caller owns it

  FieldValue() {}  // NOLINT: see numbers
};

struct Field {
  std::string_view key;
  std::string_view unit;
  std::string_view help;
  FieldKind kind = FieldKind::numbers;
  std::size_t least = 1, most = 1;  ///< numbers of values or references that are accepted
  std::size_t step = 1;             ///< increment between accepted numbers
  Allowed allowed = Allowed::any;
  std::string_view fallback;  ///< the default in words; empty if the field is required
  /// Preload may choose this number: it states where the element has no force, and the force is linear in it.
  bool is_free_state = false;
  void (*store)(void* element, const FieldValue& value) = nullptr;
  FieldValue (*load)(const void* element) = nullptr;

  bool required() const { return fallback.empty(); }
  bool accepts(std::size_t count) const { return least <= count && count <= most && (count - least) % step == 0; }
  Field optional(std::string_view what_holds) const {
    Field copy = *this;
    copy.fallback = what_holds;
    return copy;
  }
  Field free_state() const {
    Field copy = *this;
    copy.is_free_state = true;
    return copy;
  }
  Field must_be(Allowed what) const {
    Field copy = *this;
    copy.allowed = what;
    return copy;
  }
};

/// Returns the accepted numbers of values in words: "2", "1 to 6", "3 or 6".
std::string allowed_counts(const Field& field);

/// The value of a field that has not been given. The validation rejects it because it is not finite.
constexpr double unset = std::numeric_limits<double>::quiet_NaN();

/// References to elements by name, for outputs. The index is one that the builder has returned.
struct ForceRef {
  Index element = nothing;
};
struct ConstraintRef {
  Index element = nothing;
};

/// The vector type that belongs to a place.
template <class Place>
using VectorAt = std::decay_t<decltype(gravity_at(std::declval<const Context&>(), Place()))>;

template <class Vector>
constexpr Vector unset_vector{};
template <>
inline constexpr Vec2<double> unset_vector<Vec2<double>>{unset, unset};
template <>
inline constexpr Vec3<double> unset_vector<Vec3<double>>{unset, unset, unset};

/// The inertia tensor Ixx, Iyy, Izz, Ixy, Ixz, Iyz (kg m²). These are entries of the matrix, so that Ixy = −∫ x y dm.
struct Inertia {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  bool operator==(const Inertia&) const = default;
};

/// Rayleigh damping, C = α M + β K (see elements/rayleigh.h).
struct Rayleigh {
  double mass = 0;       ///< α (1/s)
  double stiffness = 0;  ///< β (s)

  bool operator==(const Rayleigh&) const = default;
};

/// A descriptive text.
struct Text {
  std::string value;

  bool operator==(const Text&) const = default;
};

/// The maximum number of coordinates in a coupling.
constexpr std::size_t most_coupled = 6;
using CoordinateList = std::array<CoordinateOf, most_coupled>;
using NumberList = std::array<double, most_coupled>;

namespace detail {

template <class M>
struct Slot;  // how a member of type M is stored in a FieldValue

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
struct Slot<space::PositionOf>
    : ReferenceSlot<space::PositionOf, FieldKind::space_position, &space::PositionOf::marker> {};
template <>
struct Slot<space::FrameOf> : ReferenceSlot<space::FrameOf, FieldKind::space_frame, &space::FrameOf::marker> {};
template <>
struct Slot<space::OrientationOf>
    : ReferenceSlot<space::OrientationOf, FieldKind::space_orientation, &space::OrientationOf::marker> {};
template <>
struct Slot<CoordinateOf> : ReferenceSlot<CoordinateOf, FieldKind::coordinate, &CoordinateOf::coordinate> {};
template <>
struct Slot<InputRef> : ReferenceSlot<InputRef, FieldKind::input, &InputRef::input> {};
template <>
struct Slot<ForceRef> : ReferenceSlot<ForceRef, FieldKind::force, &ForceRef::element> {};
template <>
struct Slot<ConstraintRef> : ReferenceSlot<ConstraintRef, FieldKind::constraint, &ConstraintRef::element> {};

template <>
struct Slot<NodeOf> : ReferenceSlot<NodeOf, FieldKind::node, &NodeOf::marker> {};

template <>
struct Slot<SegmentOf> {
  static constexpr FieldKind kind = FieldKind::node;
  static constexpr std::size_t least = 2, most = 2;
  static void store(SegmentOf& to, const FieldValue& value, std::size_t& at) {
    to = {value.references[at], value.references[at + 1]};
    at += 2;
  }
  static void load(const SegmentOf& from, FieldValue& value) {
    for (const Index marker : {from.a, from.b}) value.references[value.count++] = marker;
  }
};

template <>
struct Slot<double> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 1, most = 1;
  static void store(double& to, const FieldValue& value, std::size_t& at) { to = value.numbers[at++]; }
  static void load(double from, FieldValue& value) { value.numbers[value.count++] = from; }
};

template <>
struct Slot<bool> {
  static constexpr FieldKind kind = FieldKind::flag;
  static constexpr std::size_t least = 1, most = 1;
  static void store(bool& to, const FieldValue& value, std::size_t& at) { to = value.numbers[at++] != 0; }
  static void load(bool from, FieldValue& value) { value.numbers[value.count++] = from ? 1 : 0; }
};

template <class Pair, double Pair::*first, double Pair::*second>
struct PairSlot {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 2, most = 2;
  static void store(Pair& to, const FieldValue& value, std::size_t& at) {
    to.*first = value.numbers[at++];
    to.*second = value.numbers[at++];
  }
  static void load(const Pair& from, FieldValue& value) {
    value.numbers[value.count++] = from.*first;
    value.numbers[value.count++] = from.*second;
  }
};

template <>
struct Slot<Vec2<double>> : PairSlot<Vec2<double>, &Vec2<double>::x, &Vec2<double>::y> {};
template <>
struct Slot<Rayleigh> : PairSlot<Rayleigh, &Rayleigh::mass, &Rayleigh::stiffness> {};

template <>
struct Slot<Vec3<double>> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 3, most = 3;
  static void store(Vec3<double>& to, const FieldValue& value, std::size_t& at) {
    to = {value.numbers[at], value.numbers[at + 1], value.numbers[at + 2]};
    at += 3;
  }
  static void load(const Vec3<double>& from, FieldValue& value) {
    for (const double x : {from.x, from.y, from.z}) value.numbers[value.count++] = x;
  }
};

// The value consists of the three moments alone, or of all six entries.
template <>
struct Slot<Inertia> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 3, most = 6, step = 3;
  static void store(Inertia& to, const FieldValue& value, std::size_t&) {
    const auto& n = value.numbers;
    to = value.count < 6 ? Inertia{n[0], n[1], n[2]} : Inertia{n[0], n[1], n[2], n[3], n[4], n[5]};
  }
  static void load(const Inertia& from, FieldValue& value) {
    for (const double x : {from.xx, from.yy, from.zz, from.xy, from.xz, from.yz}) value.numbers[value.count++] = x;
  }
};

// The value consists of a 6 × 6 matrix by rows, or of its diagonal alone.
template <>
struct Slot<std::array<double, 36>> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 6, most = 36, step = 30;
  static void store(std::array<double, 36>& to, const FieldValue& value, std::size_t&) {
    to.fill(0);
    for (std::size_t i = 0; i < value.count; ++i) to[value.count == 6 ? 7 * i : i] = value.numbers[i];
  }
  static void load(const std::array<double, 36>& from, FieldValue& value) {
    value.numbers = from;
    value.count = from.size();
  }
};

template <>
struct Slot<std::string> {
  static constexpr FieldKind kind = FieldKind::folder;
  static constexpr std::size_t least = 1, most = 1;
  static void store(std::string& to, const FieldValue& value, std::size_t&) { to = value.text; }
  static void load(const std::string& from, FieldValue& value) {
    value.text = from;
    value.count = 1;
  }
};

template <>
struct Slot<Text> {
  static constexpr FieldKind kind = FieldKind::text;
  static constexpr std::size_t least = 1, most = 1;
  static void store(Text& to, const FieldValue& value, std::size_t&) { to.value = value.text; }
  static void load(const Text& from, FieldValue& value) {
    value.text = from.value;
    value.count = 1;
  }
};

template <>
struct Slot<std::vector<space::FrameOf>> {
  static constexpr FieldKind kind = FieldKind::space_frame;
  static constexpr std::size_t least = 1, most = FieldValue::most_references;
  static void store(std::vector<space::FrameOf>& to, const FieldValue& value, std::size_t&) {
    to.clear();
    for (std::size_t i = 0; i < value.count; ++i) to.push_back({value.references[i]});
  }
  static void load(const std::vector<space::FrameOf>& from, FieldValue& value) {
    for (const space::FrameOf& frame : from) value.references[value.count++] = frame.marker;
  }
};

template <>
struct Slot<std::vector<double>> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = 1, most = FieldValue::most_references;
  static void store(std::vector<double>& to, const FieldValue& value, std::size_t&) {
    to.assign(value.numbers.begin(), value.numbers.begin() + static_cast<std::ptrdiff_t>(value.count));
  }
  static void load(const std::vector<double>& from, FieldValue& value) {
    for (const double x : from) value.numbers[value.count++] = x;
  }
};

// A list ends at the first absent coordinate, or at the first NaN.
template <>
struct Slot<CoordinateList> {
  static constexpr FieldKind kind = FieldKind::coordinate;
  static constexpr std::size_t least = 1, most = most_coupled;
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
  static constexpr std::size_t least = 1, most = most_coupled;
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

/// Returns the field that consists of the given members, which must be of one kind.
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
  if constexpr (requires { FirstSlot::step; }) made.step = FirstSlot::step;
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

/// The field with which an element asks for its preload.
template <class E>
Field preload_field() {
  return field<&E::preload>("preload", "", "whether preload chooses the number above that states where it has no force")
      .optional("false");
}

/// Name, description and fields of an element type.
struct ElementInfo {
  std::string_view keyword;  ///< name in model files
  std::string_view help;     ///< description in one sentence
  std::string_view law;      ///< formula as printed in the manual
  std::vector<Field> fields;

  /// The number that preload may choose, or null.
  const Field* free_state() const {
    const auto found = std::find_if(fields.begin(), fields.end(), [](const Field& f) { return f.is_free_state; });
    return found == fields.end() ? nullptr : &*found;
  }
  /// The field with this key, or null.
  const Field* field_called(std::string_view key) const {
    const auto found = std::find_if(fields.begin(), fields.end(), [key](const Field& f) { return f.key == key; });
    return found == fields.end() ? nullptr : &*found;
  }

  /// Whether the element acts inside a flexible body, between its floating frame and its nodes.
  bool is_internal() const {
    return std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.kind == FieldKind::node; });
  }
};

}  // namespace stillpoint
