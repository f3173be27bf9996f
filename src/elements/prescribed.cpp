#include "stillpoint/elements/prescribed.h"

namespace stillpoint {

const ElementInfo& Prescribed::info() {
  static const ElementInfo info{"prescribed",
                                "A coordinate that moves as told by an input: base excitation, an ideal servo.",
                                "coordinate − input = 0",
                                {field<&Prescribed::coordinate>("coordinate", "", "the coordinate"),
                                 field<&Prescribed::input>("input", "", "the input that is its value")}};
  return info;
}

template class ElementArray<Prescribed>;

}  // namespace stillpoint
