// The kinds of entries of model files: owners of coordinates, and all elements.
#pragma once

#include <algorithm>
#include <iterator>

#include "stillpoint/elements/measures.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

const std::vector<EntryType>& plane_entry_types();
const std::vector<EntryType>& space_entry_types();

/// The type of an entry that has its own function `add`.
template <class Entry>
EntryType entry_type(EntryType::Stage stage) {
  return {&Entry::info(), stage, [] { return std::shared_ptr<void>(std::make_shared<Entry>()); },
          [](ModelBuilder& builder, const Name& name, const void* entry) {
            static_cast<const Entry*>(entry)->add(builder, name);
          },
          false};
}

// Entries that plane and space share.

struct ScalarEntry {
  double value = 0, mass = 0;
  Text unit;

  static const ElementInfo& info() {
    static const ElementInfo info{"scalar",
                                  "A single coordinate: an angle, a displacement.",
                                  "",
                                  {field<&ScalarEntry::value>("value", "rad or m", "its guess").optional("0"),
                                   field<&ScalarEntry::mass>("mass", "kg m² or kg", "its own inertia")
                                       .optional("0")
                                       .must_be(Allowed::non_negative),
                                   field<&ScalarEntry::unit>("unit", "", "its unit in plants")
                                       .optional("rad or m if an angle or a travel sets it")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const {
    builder.scalar(name, value, {.mass = mass, .unit = unit.value});
  }
};

struct InputEntry {
  double value = 0;
  Text unit;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "input",
        "An input of the model, set by a controller or by the surroundings.",
        "",
        {field<&InputEntry::value>("value", "", "its value at the operating point").optional("0"),
         field<&InputEntry::unit>("unit", "", "its unit in plants")
             .optional("that of the coordinate it prescribes; N or N m if it scales a force or torque of 1")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.input(name, value, unit.value); }
};

/// An output shows exactly one quantity. The handles of plane and space differ, the keys do not.
template <class World>
struct OutputEntry {
  typename World::Position position, velocity, acceleration, from, to;
  typename World::Angle angle_from, angle_to, rate, axes;
  CoordinateOf coordinate;
  ForceRef force;
  ConstraintRef reaction;
  double on = unset;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "output",
        "An output of the model: exactly one of the following, each of whose components becomes an output.",
        "",
        {field<&OutputEntry::position>("position", "", "a point: where it is (m)").optional(unused),
         field<&OutputEntry::velocity>("velocity", "", "a point: its velocity (m/s)").optional(unused),
         field<&OutputEntry::acceleration>("acceleration", "", "a point: its acceleration (m/s²)").optional(unused),
         field<&OutputEntry::from, &OutputEntry::to>("distance", "", "two points: their distance (m)").optional(unused),
         field<&OutputEntry::angle_from, &OutputEntry::angle_to>("angle", "", World::angle_help).optional(unused),
         field<&OutputEntry::rate>("rate", "", "a body: its angular velocity (rad/s)").optional(unused),
         field<&OutputEntry::coordinate>("coordinate", "", "a coordinate: its value").optional(unused),
         field<&OutputEntry::force>("force", "",
                                    "a spring, damper, bushing or actuator: its force, positive where it "
                                    "pulls")
             .optional(unused),
         field<&OutputEntry::reaction>("reaction", "", "a constraint: the force and moment that it exerts")
             .optional(unused),
         field<&OutputEntry::on>("on", "", "beside reaction: at which of its places").optional("2, or the only one"),
         field<&OutputEntry::axes>("axes", "", "in whose axes the components are").optional("the ground")}};
    return info;
  }

  void add(ModelBuilder& builder, const Name& name) const {
    const bool shown[] = {
        position.marker != nothing,       velocity.marker != nothing,   acceleration.marker != nothing,
        from.marker != nothing,           angle_from.marker != nothing, rate.marker != nothing,
        coordinate.coordinate != nothing, force.element != nothing,     reaction.element != nothing};
    const auto given = std::count(std::begin(shown), std::end(shown), true);
    if (given != 1) {
      throw Error("output '" + to_string(name) + "' shows " + std::to_string(given) +
                  " things; it must show exactly one: position, velocity, acceleration, distance, angle, rate, "
                  "coordinate, force or reaction");
    }
    if (on == on && reaction.element == nothing) throw FieldError("on", "on needs reaction beside it");
    if (axes.marker != nothing && !has_components()) {
      throw FieldError("axes", "axes has no meaning here: what is shown has no components");
    }
    const typename World::Angle in{axes.marker == nothing ? ground_marker : axes.marker};
    using Point = typename World::PointMeasure;
    if (position.marker != nothing) builder.output(name, Point{position, in, PointMotion::position});
    if (velocity.marker != nothing) builder.output(name, Point{velocity, in, PointMotion::velocity});
    if (acceleration.marker != nothing) builder.output(name, Point{acceleration, in, PointMotion::acceleration});
    if (from.marker != nothing) builder.output(name, typename World::DistanceMeasure{from, to});
    if (angle_from.marker != nothing) builder.output(name, typename World::AngleMeasure{angle_from, angle_to});
    if (rate.marker != nothing) builder.output(name, World::rate_measure(rate, in));
    if (coordinate.coordinate != nothing) builder.output(name, CoordinateMeasure{coordinate});
    if (force.element != nothing) builder.output_force(name, force);
    if (reaction.element != nothing) {
      builder.output_reaction(name, reaction, place_number(), typename World::Place{in.marker});
    }
  }

 private:
  static constexpr std::string_view unused = "not shown";

  bool has_components() const {
    return position.marker != nothing || velocity.marker != nothing || acceleration.marker != nothing ||
           reaction.element != nothing || (World::rate_has_components && rate.marker != nothing);
  }

  int place_number() const {
    if (on != on) return usual_place;
    if (on >= 1 && on <= 100 && on == static_cast<int>(on)) return static_cast<int>(on);
    throw FieldError("on", "on must be the number of a place: 1, 2, …");
  }
};

}  // namespace stillpoint
