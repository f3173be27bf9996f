#include "stillpoint/elements/rod.h"

namespace stillpoint {

const ElementInfo& Rod::info() {
  static const ElementInfo info{
      "rod",
      "A rigid uniform rod between two points: a constant distance with a mass spread evenly.",
      "|p_b − p_a|² − length² = 0",
      {field<&Rod::a, &Rod::b>("between", "", "the two ends"),
       field<&Rod::length>("length", "m", "distance of the ends").must_be(Allowed::positive),
       field<&Rod::mass>("mass", "kg", "mass of the whole rod").must_be(Allowed::non_negative)}};
  return info;
}

template class ElementArray<Rod>;

}  // namespace stillpoint
