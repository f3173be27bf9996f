#include "stillpoint/elements/space/bushing.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Bushing::info() {
  static const ElementInfo info{
      "bushing",
      "A spring in all six directions between two frames, with an optional damper.",
      "½ eᵀ stiffness e,  e = (R_aᵀ (p_b − p_a), rotation vector of R_aᵀ R_b)",
      {field<&space::Bushing::a, &space::Bushing::b>("between", "",
                                                     "the two frames; components are in the axes of the first"),
       field<&space::Bushing::stiffness>(
           "stiffness", "N/m, N, N m/rad",
           "six numbers for x, y, z, rx, ry, rz, or a symmetric matrix of 36, row by row"),
       field<&space::Bushing::damping>("damping", "N s/m, N s, N m s/rad", "the same for the damper").optional("0")}};
  return info;
}

const char* space::Bushing::problem() const {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (stiffness[6 * i + j] != stiffness[6 * j + i]) return "has a stiffness that is not symmetric";
      if (damping[6 * i + j] != damping[6 * j + i]) return "has a damping that is not symmetric";
    }
  }
  return nullptr;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Bushing>();

}  // namespace stillpoint
