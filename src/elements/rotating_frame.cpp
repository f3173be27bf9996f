#include "stillpoint/elements/rotating_frame.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Element>
const ElementInfo& InRotatingFrame<Element>::info() {
  static const ElementInfo info{"rotating_frame",
                                "The centrifugal and the Coriolis force on a mass in a rotating frame.",
                                "−m (2 Ω × v + Ω × (Ω × p)), and the moments of these",
                                {}};
  return info;
}

const ElementInfo& space::RotorInRotatingFrame::info() {
  static const ElementInfo info{
      "rotating_frame", "The torque on a rotor in a rotating frame.", "potential −Ω · u R momentum", {}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<PointMass>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<RigidMass>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<Rod>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<Beam>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<FloatingBeam>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<space::PointMass>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<space::RigidMass>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<space::Rod>>();
template std::shared_ptr<ElementArrayBase> new_element_array<InRotatingFrame<space::Beam>>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::RotorInRotatingFrame>();

}  // namespace stillpoint
