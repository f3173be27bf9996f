#include "stillpoint/elements/distance.h"

namespace stillpoint {

const ElementInfo& Distance::info() {
  static const ElementInfo info{"distance",
                                "Keeps two points at a constant distance: a rod without mass.",
                                "|p_b − p_a|² − length² = 0",
                                {field<&Distance::a, &Distance::b>("between", "", "the two points"),
                                 field<&Distance::length>("length", "m", "their distance").must_be(Allowed::positive)}};
  return info;
}

template class ElementArray<Distance>;

}  // namespace stillpoint
