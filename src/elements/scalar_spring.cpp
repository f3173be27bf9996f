#include "stillpoint/elements/scalar_spring.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& ScalarSpring::info() {
  static const ElementInfo info{
      "scalar_spring",
      "A spring on the value of a coordinate, or between the values of two; on the angle of a hinge full turns count.",
      "½ stiffness (q_of − q_against − free_value)²,  force damping · d(q_of − q_against)/dt",
      {field<&ScalarSpring::of>("of", "", "the coordinate"),
       field<&ScalarSpring::against>("against", "", "another coordinate").optional("none: zero"),
       field<&ScalarSpring::stiffness>("stiffness", "N m/rad or N/m", "stiffness"),
       field<&ScalarSpring::free_value>("free_value", "rad or m", "value without force").optional("0").free_state(),
       field<&ScalarSpring::damping>("damping", "N m s/rad or N s/m", "damping").optional("0"),
       preload_field<ScalarSpring>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<ScalarSpring>();

}  // namespace stillpoint
