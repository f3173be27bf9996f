#include "stillpoint/elements/prescribed.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Prescribed::info() {
  static const ElementInfo info{"prescribed",
                                "A coordinate whose value is an input: base excitation, an ideal servo.",
                                "coordinate − input = 0",
                                {field<&Prescribed::coordinate>("coordinate", "", "the coordinate"),
                                 field<&Prescribed::input>("input", "", "the input that is its value")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Prescribed>();

}  // namespace stillpoint
