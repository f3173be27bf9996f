// The model that is checked, at its guess, with properties that several checks use.
#pragma once

#include <optional>

#include "base/at.h"
#include "stillpoint/check.h"

namespace stillpoint::checks {

/// Identifies an element: its array, and its index there.
struct ElementId {
  Index array = 0;
  Index element = 0;
};

/// Statistics of the lengths (m) that elements have or, if there are none, of the distances of places from the origins
/// of their bodies; zeros do not count.
struct Lengths {
  Index count = 0;
  double usual = 0;    ///< the median; NaN if there is none
  double largest = 0;  ///< the largest length of an element
  ElementId of_largest;
};

struct CheckedModel {
  explicit CheckedModel(const Model& checked);
  CheckedModel(const CheckedModel&) = delete;
  CheckedModel& operator=(const CheckedModel&) = delete;

  const Model& model;
  const State guess;
  const Context context;
  const Topology topology;
  bool in_space = false;
  Lengths lengths;

  const ElementArrayBase& elements(Index array) const {
    return *model.arrays()[static_cast<std::size_t>(array)].elements;
  }
  /// The value of a field of an element.
  FieldValue value(ElementId id, const Field& field) const {
    return field.load(elements(id.array).element(id.element));
  }

  /// The position of the place that a field of this kind refers to; empty if the reference is no place.
  std::optional<Vec3<double>> position(FieldKind kind, Index reference) const;

  /// "spring 'holder'"; for the mass of a body, which has no name of its own, "body 'crank'".
  std::string described(ElementId id) const;
  std::string described_block(Index block) const;  ///< "body 'crank'", or "the ground"
};

inline bool is_length(const Field& field) { return field.unit == "m"; }

constexpr bool is_reference(FieldKind kind) {
  return kind != FieldKind::numbers && kind != FieldKind::input && kind != FieldKind::folder &&
         kind != FieldKind::text && kind != FieldKind::flag;
}

/// Calls f(array, elements, info) for all element types that have a law; measures of outputs have none.
template <class F>
void for_each_array(const CheckedModel& checked, const F& f) {
  for (Index k = 0; k < static_cast<Index>(checked.model.arrays().size()); ++k) {
    const ElementArrayBase& elements = checked.elements(k);
    if (elements.laws() != 0) f(k, elements, elements.info());
  }
}

/// Calls f(id, value) for all elements and their single-number fields that satisfy a predicate.
template <class Fits, class F>
void for_each_number(const CheckedModel& checked, const Fits& fits, const F& f) {
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    for (const Field& field : info.fields) {
      if (field.kind != FieldKind::numbers || field.most != 1 || !fits(field)) continue;
      for (Index e = 0; e < elements.size(); ++e) {
        f(ElementId{array, e}, checked.value({array, e}, field).numbers[0]);
      }
    }
  });
}

/// " (and 3 more)", or empty.
std::string and_more(Index others);

}  // namespace stillpoint::checks
