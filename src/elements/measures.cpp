#include "stillpoint/elements/measures.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

// Outputs create measures; the fields of a measure serve for its validation only.

template <class Place, class Axes>
const ElementInfo& BasicPointMeasure<Place, Axes>::info() {
  static const ElementInfo info{"output",
                                "The motion of a point.",
                                "",
                                {field<&BasicPointMeasure::at>("at", "", "the point"),
                                 field<&BasicPointMeasure::axes>("axes", "", "in whose axes")}};
  return info;
}

template <class Place>
const ElementInfo& BasicDistanceMeasure<Place>::info() {
  static const ElementInfo info{
      "output",
      "The distance of two points.",
      "",
      {field<&BasicDistanceMeasure::a, &BasicDistanceMeasure::b>("distance", "", "the points")}};
  return info;
}

const ElementInfo& AngleMeasure::info() {
  static const ElementInfo info{
      "output", "An angle.", "", {field<&AngleMeasure::against, &AngleMeasure::of>("angle", "", "from this to that")}};
  return info;
}

const ElementInfo& RateMeasure::info() {
  static const ElementInfo info{"output", "An angular velocity.", "", {field<&RateMeasure::of>("rate", "", "of what")}};
  return info;
}

const ElementInfo& CoordinateMeasure::info() {
  static const ElementInfo info{
      "output", "A coordinate.", "", {field<&CoordinateMeasure::coordinate>("coordinate", "", "which")}};
  return info;
}

const ElementInfo& space::AngleMeasure::info() {
  static const ElementInfo info{
      "output",
      "An angle about the z axis of a frame.",
      "",
      {field<&space::AngleMeasure::against, &space::AngleMeasure::of>("angle", "", "from this to that")}};
  return info;
}

const ElementInfo& space::RateMeasure::info() {
  static const ElementInfo info{"output",
                                "An angular velocity.",
                                "",
                                {field<&space::RateMeasure::of>("rate", "", "of what"),
                                 field<&space::RateMeasure::axes>("axes", "", "in whose axes")}};
  return info;
}

template struct BasicPointMeasure<PositionOf, AngleOf>;
template struct BasicPointMeasure<space::PositionOf, space::OrientationOf>;
template struct BasicDistanceMeasure<PositionOf>;
template struct BasicDistanceMeasure<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<PointMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<DistanceMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<AngleMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<RateMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<CoordinateMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::PointMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::DistanceMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::AngleMeasure>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::RateMeasure>();

}  // namespace stillpoint
