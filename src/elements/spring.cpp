#include "stillpoint/elements/spring.h"

namespace stillpoint {

const ElementInfo& Spring::info() {
  static const ElementInfo info{
      "spring",
      "A spring between two points, with a damper beside it if wanted.",
      "½ stiffness (l − free_length)²,  tension damping · dl/dt",
      {field<&Spring::a, &Spring::b>("between", "", "the two ends"),
       field<&Spring::stiffness>("stiffness", "N/m", "stiffness"),
       field<&Spring::free_length>("free_length", "m", "length without force").must_be(Allowed::non_negative),
       field<&Spring::damping>("damping", "N s/m", "damping").optional("0")}};
  return info;
}

template class ElementArray<Spring>;

}  // namespace stillpoint
