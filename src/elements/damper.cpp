#include "stillpoint/elements/damper.h"

namespace stillpoint {

const ElementInfo& Damper::info() {
  static const ElementInfo info{"damper",
                                "A damper between two points.",
                                "tension damping · dl/dt",
                                {field<&Damper::a, &Damper::b>("between", "", "the two ends"),
                                 field<&Damper::damping>("damping", "N s/m", "damping")}};
  return info;
}

template class ElementArray<Damper>;

}  // namespace stillpoint
