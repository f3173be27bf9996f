#include "stillpoint/elements/rotating_frame.h"

namespace stillpoint {

template <class Element>
const ElementInfo& InRotatingFrame<Element>::info() {
  static const ElementInfo info{"rotating_frame",
                                "What a mass feels in a frame that turns: the centrifugal and the Coriolis force.",
                                "−m (2 Ω × v + Ω × (Ω × p)), and the moments of these",
                                {}};
  return info;
}

const ElementInfo& space::RotorInRotatingFrame::info() {
  static const ElementInfo info{
      "rotating_frame", "What a rotor feels in a frame that turns.", "potential −Ω · u R momentum", {}};
  return info;
}

template class ElementArray<InRotatingFrame<PointMass>>;
template class ElementArray<InRotatingFrame<RigidMass>>;
template class ElementArray<InRotatingFrame<Rod>>;
template class ElementArray<InRotatingFrame<Beam>>;
template class ElementArray<InRotatingFrame<FloatingBeam>>;
template class ElementArray<InRotatingFrame<space::PointMass>>;
template class ElementArray<InRotatingFrame<space::RigidMass>>;
template class ElementArray<InRotatingFrame<space::Rod>>;
template class ElementArray<InRotatingFrame<space::Beam>>;
template class ElementArray<space::RotorInRotatingFrame>;

}  // namespace stillpoint
