// The model that is checked, as it stands in its guess, with what several checks want to know about it.
#pragma once

#include <optional>

#include "base/at.h"
#include "stillpoint/check.h"

namespace stillpoint::checks {

/// One element: which array, and which element of it.
struct ElementId {
  Index array = 0;
  Index element = 0;
};

/// The lengths that elements have, or if there are none, how far places are from the origins of their bodies (m);
/// without zeros.
struct Lengths {
  Index count = 0;
  double usual = 0;    ///< the median; NaN if there is none
  double largest = 0;  ///< of the elements
  ElementId of_largest;
};

struct CheckSubject {
  explicit CheckSubject(const Model& checked);
  CheckSubject(const CheckSubject&) = delete;
  CheckSubject& operator=(const CheckSubject&) = delete;

  const Model& model;
  const State guess;
  const Context context;
  const Topology topology;
  bool in_space = false;
  Lengths lengths;

  const ElementArrayBase& elements(Index array) const {
    return *model.arrays()[static_cast<std::size_t>(array)].elements;
  }
  /// What an element says in a field.
  FieldValue value(ElementId id, const Field& field) const {
    return field.load(elements(id.array).element(id.element));
  }

  /// Where something is that a field of this kind refers to; nothing if that is not a place.
  std::optional<Vec3<double>> position(FieldKind kind, Index reference) const;

  /// "spring 'holder'"; for the mass of a body, which has no name of its own, "body 'crank'".
  std::string described(ElementId id) const;
  std::string described_block(Index block) const;  ///< "body 'crank'", or "the ground"
};

/// The field of an element type with this key, or null.
const Field* field_called(const ElementInfo& info, std::string_view key);

inline bool is_length(const Field& field) { return field.unit == "m"; }

constexpr bool is_reference(FieldKind kind) {
  return kind != FieldKind::numbers && kind != FieldKind::input && kind != FieldKind::folder && kind != FieldKind::text;
}

/// f(array, elements, info) for all types of elements that have a law: not those that only outputs look at.
template <class F>
void for_each_array(const CheckSubject& subject, const F& f) {
  for (Index k = 0; k < static_cast<Index>(subject.model.arrays().size()); ++k) {
    const ElementArrayBase& elements = subject.elements(k);
    if (elements.laws() != 0) f(k, elements, elements.info());
  }
}

/// f(id, value) for all elements that have a field which is a single number and fits.
template <class Fits, class F>
void for_each_number(const CheckSubject& subject, const Fits& fits, const F& f) {
  for_each_array(subject, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    for (const Field& field : info.fields) {
      if (field.kind != FieldKind::numbers || field.most != 1 || !fits(field)) continue;
      for (Index e = 0; e < elements.size(); ++e) {
        f(ElementId{array, e}, subject.value({array, e}, field).numbers[0]);
      }
    }
  });
}

/// " (and 3 more)", or nothing.
std::string and_more(Index others);

}  // namespace stillpoint::checks
