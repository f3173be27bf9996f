// The entries of plane model files that own coordinates, and the list of all kinds of plane entries.

#include "read/entries.h"

#include "read/draw_entry.h"
#include "stillpoint/elements/all.h"

namespace stillpoint {

namespace {

struct FixedEntry {
  Vec2<double> at{unset, unset};
  double angle = 0;

  static const ElementInfo& info() {
    static const ElementInfo info{"fixed",
                                  "A point (with a direction) on the ground.",
                                  "",
                                  {field<&FixedEntry::at>("at", "m", "where it is: x, y"),
                                   field<&FixedEntry::angle>("angle", "rad", "direction of its x axis").optional("0")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.fixed(name, at, angle); }
};

struct PointEntry {
  Vec2<double> at{unset, unset};
  double mass = 0;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "point",
        "A point that moves in the plane, with the coordinates NAME.x and NAME.y.",
        "",
        {field<&PointEntry::at>("at", "m", "where it is guessed to be: x, y"),
         field<&PointEntry::mass>("mass", "kg", "a mass at the point").optional("0").must_be(Allowed::non_negative)}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.point(name, at, {.mass = mass}); }
};

struct BodyEntry {
  Vec2<double> at{unset, unset};
  double angle = 0, mass = 0, inertia = 0;
  Vec2<double> centre{0, 0};

  static const ElementInfo& info() {
    static const ElementInfo info{
        "body",
        "A rigid body in the plane, with the coordinates NAME.x, NAME.y and NAME.phi.",
        "",
        {field<&BodyEntry::at>("at", "m", "where its origin is guessed to be: x, y"),
         field<&BodyEntry::angle>("angle", "rad", "its guessed angle from the x axis").optional("0"),
         field<&BodyEntry::mass>("mass", "kg", "its mass").optional("0").must_be(Allowed::non_negative),
         field<&BodyEntry::inertia>("inertia", "kg m²", "moment of inertia about the centre of mass")
             .optional("0")
             .must_be(Allowed::non_negative),
         field<&BodyEntry::centre>("centre", "m", "centre of mass, in the axes of the body").optional("0, 0")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const {
    builder.body(name, at, {.angle = angle, .mass = mass, .inertia = inertia, .centre = centre});
  }
};

struct NodeEntry {
  FrameOf on;
  Vec2<double> at{unset, unset};

  static const ElementInfo& info() {
    static const ElementInfo info{
        "node",
        "A node of a flexible body: a frame with the small displacements NAME.ux, NAME.uy and the rotation NAME.theta "
        "in the axes of the body that carries it, its floating frame.",
        "",
        {field<&NodeEntry::on>("on", "", "the body that is the floating frame"),
         field<&NodeEntry::at>("at", "m", "its undeformed position in the axes of that body")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.node(name, {on.marker}, at); }
};

struct MarkerEntry {
  FrameOf on;
  Vec2<double> at{0, 0};
  double angle = 0;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "marker",
        "A named place and direction on a body or on the ground.",
        "",
        {field<&MarkerEntry::on>("on", "", "a body, the ground, or another marker"),
         field<&MarkerEntry::at>("at", "m", "where it is, in the axes of what it sits on").optional("0, 0"),
         field<&MarkerEntry::angle>("angle", "rad", "its direction, from the x axis of what it sits on")
             .optional("0")}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.marker(name, {on.marker}, at, angle); }
};

struct PlaneWorld {
  using Position = PositionOf;
  using Angle = AngleOf;
  using Place = stillpoint::Place;
  using PointMeasure = stillpoint::PointMeasure;
  using DistanceMeasure = stillpoint::DistanceMeasure;
  using AngleMeasure = stillpoint::AngleMeasure;
  static constexpr const char* angle_help = "two bodies or frames: the angle of the second relative to the first (rad)";
  static constexpr bool rate_has_components = false;
  static RateMeasure rate_measure(AngleOf of, AngleOf) { return {of}; }
};

}  // namespace

const std::vector<EntryType>& entry_types(Dimension dimension) {
  return dimension == Dimension::plane ? plane_entry_types() : space_entry_types();
}

const std::vector<EntryType>& plane_entry_types() {
  using Stage = EntryType::Stage;
  static const std::vector<EntryType> types{entry_type<FixedEntry>(Stage::coordinates),
                                            entry_type<PointEntry>(Stage::coordinates),
                                            entry_type<BodyEntry>(Stage::coordinates),
                                            entry_type<ScalarEntry>(Stage::coordinates),
                                            entry_type<InputEntry>(Stage::coordinates),
                                            entry_type<NodeEntry>(Stage::coordinates),
                                            entry_type<MarkerEntry>(Stage::markers),
                                            element_type<PointMass>(),
                                            element_type<RigidMass>(),
                                            element_type<ScalarMass>(),
                                            element_type<Rod>(),
                                            element_type<Distance>(),
                                            element_type<Angle>(),
                                            element_type<Revolute>(),
                                            element_type<Slider>(),
                                            element_type<Prismatic>(),
                                            element_type<Weld>(),
                                            element_type<Coupling>(),
                                            element_type<Prescribed>(),
                                            element_type<Spring>(),
                                            element_type<Damper>(),
                                            element_type<TorsionSpring>(),
                                            element_type<TorsionDamper>(),
                                            element_type<ScalarSpring>(),
                                            element_type<ScalarForce>(),
                                            element_type<Force>(),
                                            element_type<Torque>(),
                                            element_type<FollowerForce>(),
                                            element_type<Actuator>(),
                                            element_type<Beam>(),
                                            element_type<FloatingBeam>(),
                                            element_type<Clamp>(),
                                            plane_draw_type(),
                                            entry_type<OutputEntry<PlaneWorld>>(Stage::outputs)};
  return types;
}

}  // namespace stillpoint
