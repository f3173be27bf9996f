// The entries of model files in space that own coordinates, joints given by their axes, and the list of all kinds.

#include <algorithm>
#include <cmath>

#include "read/draw_entry.h"
#include "read/entries.h"
#include "read/flexible_body_entry.h"
#include "stillpoint/elements/all.h"

namespace stillpoint {

namespace {

constexpr Vec3<double> not_given{unset, unset, unset};

bool is_given(const Vec3<double>& v) { return v.x == v.x; }

// --- Orientations

/// The unit vector along a field's vector.
Vec3<double> axis_along(std::string_view field, const Vec3<double>& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0)
    throw FieldError(std::string(field), std::string(field) + " is zero; an axis must have a direction");
  const Vec3<double> scaled{v.x / largest, v.y / largest,
                            v.z / largest};  // the square of its length is neither zero nor infinite
  return (1 / length(scaled)) * scaled;
}

void require_not_parallel(std::string_view field, const Vec3<double>& a, std::string_view other,
                          const Vec3<double>& b) {
  constexpr double least_sine = 1e-6;  // below it the direction normal to both axes is determined by rounding
  if (length(cross(a, b)) > least_sine) return;
  throw FieldError(std::string(field), std::string(field) + " is parallel to " + std::string(other) +
                                           "; the two must point in different directions");
}

/// The orientation of a frame: given by a rotation vector, or by the directions of its z axis and perhaps its x axis.
template <class Entry>
Rotation<double> orientation(const Entry& entry) {
  if (!is_given(entry.z_axis)) {
    if (is_given(entry.x_axis)) throw FieldError("x_axis", "x_axis needs z_axis beside it");
    return is_given(entry.rotation) ? rotation_about(entry.rotation) : Rotation<double>();
  }
  if (is_given(entry.rotation)) throw FieldError("rotation", "give either rotation or z_axis, not both");
  const Vec3<double> z = axis_along("z_axis", entry.z_axis);
  if (!is_given(entry.x_axis)) return rotation_with(z);
  const Vec3<double> x = axis_along("x_axis", entry.x_axis);
  require_not_parallel("x_axis", x, "z_axis", z);
  return rotation_with(z, x);
}

template <class Entry>
std::vector<Field> with_orientation(std::vector<Field> fields) {
  fields.push_back(
      field<&Entry::rotation>("rotation", "rad", "its rotation vector: axis times angle").optional("0, 0, 0"));
  fields.push_back(field<&Entry::z_axis>("z_axis", "", "instead: where its z axis points").optional("see rotation"));
  fields.push_back(
      field<&Entry::x_axis>("x_axis", "", "beside z_axis: where its x axis points, as nearly as z_axis allows")
          .optional("near x, or near y"));
  return fields;
}

// --- Owners of coordinates, and markers. (GCC 12 merges templates over types of the same name in different unnamed
// namespaces, so these types have other names than those for the plane.)

struct SpaceFixedEntry {
  Vec3<double> at = not_given;
  Vec3<double> rotation = not_given, z_axis = not_given, x_axis = not_given;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "fixed", "A point (with axes) on the ground.", "",
        with_orientation<SpaceFixedEntry>({field<&SpaceFixedEntry::at>("at", "m", "where it is: x, y, z")})};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.space_fixed(name, at, orientation(*this)); }
};

struct SpacePointEntry {
  Vec3<double> at = not_given;
  double mass = 0;

  static const ElementInfo& info() {
    static const ElementInfo info{"point",
                                  "A point that moves in space, with the coordinates NAME.x, NAME.y and NAME.z.",
                                  "",
                                  {field<&SpacePointEntry::at>("at", "m", "where it is guessed to be: x, y, z"),
                                   field<&SpacePointEntry::mass>("mass", "kg", "a mass at the point")
                                       .optional("0")
                                       .must_be(Allowed::non_negative)}};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const { builder.space_point(name, at, {.mass = mass}); }
};

struct SpaceBodyEntry {
  Vec3<double> at = not_given;
  Vec3<double> rotation = not_given, z_axis = not_given, x_axis = not_given;
  double mass = 0;
  Inertia inertia;
  Vec3<double> centre{0, 0, 0};

  static const ElementInfo& info() {
    std::vector<Field> fields = with_orientation<SpaceBodyEntry>(
        {field<&SpaceBodyEntry::at>("at", "m", "where its origin is guessed to be: x, y, z")});
    fields.push_back(
        field<&SpaceBodyEntry::mass>("mass", "kg", "its mass").optional("0").must_be(Allowed::non_negative));
    fields.push_back(
        field<&SpaceBodyEntry::inertia>(
            "inertia", "kg m²",
            "Ixx, Iyy, Izz, or Ixx, Iyy, Izz, Ixy, Ixz, Iyz: entries of the matrix (Ixy = −∫ x y dm), about "
            "the centre of mass, in the axes of the body")
            .optional("0, 0, 0"));
    fields.push_back(
        field<&SpaceBodyEntry::centre>("centre", "m", "centre of mass, in the axes of the body").optional("0, 0, 0"));
    static const ElementInfo info{"body",
                                  "A rigid body in space, with the coordinates NAME.x, NAME.y, NAME.z and, for small "
                                  "rotations about its own axes, NAME.rx, NAME.ry, NAME.rz.",
                                  "", fields};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const {
    builder.space_body(name, at, {.rotation = orientation(*this), .mass = mass, .inertia = inertia, .centre = centre});
  }
};

struct SpaceMarkerEntry {
  space::FrameOf on;
  Vec3<double> at{0, 0, 0};
  Vec3<double> rotation = not_given, z_axis = not_given, x_axis = not_given;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "marker", "A named place with axes on a body or on the ground.", "",
        with_orientation<SpaceMarkerEntry>(
            {field<&SpaceMarkerEntry::on>("on", "", "a body, the ground, or another marker"),
             field<&SpaceMarkerEntry::at>("at", "m", "where it is, in the axes of what it sits on")
                 .optional("0, 0, 0")})};
    return info;
  }
  void add(ModelBuilder& builder, const Name& name) const {
    builder.space_marker(name, {on.marker}, at, orientation(*this));
  }
};

struct SpaceWorld {
  using Position = space::PositionOf;
  using Angle = space::OrientationOf;
  using Place = space::Place;
  using PointMeasure = space::PointMeasure;
  using DistanceMeasure = space::DistanceMeasure;
  using AngleMeasure = space::AngleMeasure;
  static constexpr const char* angle_help =
      "two frames: the angle of the second relative to the first about its z axis (rad)";
  static constexpr bool rate_has_components = true;
  static space::RateMeasure rate_measure(Angle of, Angle axes) { return {of, axes}; }
};

// --- Joints between two frames, which may be given by a point and an axis at the guess

/// The axes that place a joint: none, one axis of its frames, or the two axes of a cross or of two shafts.
enum class Axes { none, one, cross, shafts };

template <class E>
constexpr Axes axes_of = Axes::one;
template <>
constexpr Axes axes_of<space::Weld> = Axes::none;
template <>
constexpr Axes axes_of<space::Bushing> = Axes::none;
template <>
constexpr Axes axes_of<space::Universal> = Axes::cross;
template <>
constexpr Axes axes_of<space::ConstantVelocity> = Axes::shafts;

/// E is the first member, so the fields of E find their element at the address of the entry.
template <class E>
struct JointEntry {
  E element;
  Vec3<double> at = not_given, axis = not_given, second_axis = not_given;
  space::PositionOf from, to;

  static const ElementInfo& info() {
    static const ElementInfo info = [] {
      ElementInfo made = E::info();
      made.fields.push_back(field<&JointEntry::at>("at", "m", "where the joint is, at the guess")
                                .optional("at the origin of the second frame"));
      if constexpr (axes_of<E> != Axes::none) {
        made.fields.push_back(field<&JointEntry::axis>("axis", "", axis_help()).optional("that of the frames"));
        made.fields.push_back(field<&JointEntry::from, &JointEntry::to>(
                                  "through", "", "instead of at and axis: two points of the axis, at the guess")
                                  .optional("see axis"));
      }
      if constexpr (axes_of<E> == Axes::cross) {
        made.fields.push_back(
            field<&JointEntry::second_axis>(
                "second_axis", "", "beside axis: the other axis of the cross, that is fixed to the second body")
                .optional("that of the frames"));
      }
      if constexpr (axes_of<E> == Axes::shafts) {
        made.fields.push_back(field<&JointEntry::second_axis>("second_axis", "", "the axis of the second shaft")
                                  .optional("the same as axis"));
      }
      return made;
    }();
    return info;
  }

  void add(ModelBuilder& builder, const Name& name) const {
    E placed = element;
    const bool by_points = from.marker != nothing;
    if (by_points && is_given(axis)) throw FieldError("through", "give either axis or through, not both");
    if (by_points && is_given(at)) throw FieldError("through", "give either at or through, not both");
    if (is_given(at) || is_given(axis) || by_points) place_in_guess(builder, placed);
    else if (is_given(second_axis)) throw FieldError("second_axis", "second_axis needs axis beside it");
    builder.add(name, placed);
  }

 private:
  static constexpr const char* axis_help() {
    return axes_of<E> == Axes::cross    ? "the axis of the cross that is fixed to the first body, at the guess"
           : axes_of<E> == Axes::shafts ? "the axis of the first shaft, at the guess"
                                        : "direction of the axis, at the guess";
  }

  void place_in_guess(ModelBuilder& builder, E& placed) const {
    const space::Place a{placed.a.marker}, b{placed.b.marker};
    Vec3<double> origin = builder.pose(b).p;
    Vec3<double> z = axis;
    std::string_view given_by = "axis";
    if (from.marker != nothing) {
      origin = builder.pose({from.marker}).p;
      z = builder.pose({to.marker}).p - origin;
      given_by = "through";
      if (length(z) == 0) throw FieldError("through", "the two points of the axis coincide");
    }
    if (is_given(at)) origin = at;

    Rotation<double> R_a, R_b;
    if constexpr (axes_of<E> != Axes::none) {
      if (!is_given(z)) throw FieldError("at", "at needs an axis beside it");
      z = axis_along(given_by, z);
      R_a = R_b = rotation_with(z);
      if constexpr (axes_of<E> == Axes::cross) turn_to_cross(z, R_a, R_b);
      if constexpr (axes_of<E> == Axes::shafts) {
        if (is_given(second_axis)) R_b = bent(z, axis_along("second_axis", second_axis)) * R_a;
      }
    }
    placed.a = {frame_on(builder, a, {origin, R_a})};
    placed.b = {frame_on(builder, b, {origin, R_b})};
  }

  static Index frame_on(ModelBuilder& builder, space::Place body, const space::Frame<double>& frame) {
    try {
      return builder.space_marker_posed({}, body, frame).marker;
    } catch (const Error& error) {
      throw FieldError("between", "between " + error.message());
    }
  }

  /// Rotates the frames such that x_a is along the first axis and y_b along the second.
  void turn_to_cross(const Vec3<double>& first, Rotation<double>& R_a, Rotation<double>& R_b) const {
    if (!is_given(second_axis)) throw FieldError("axis", "axis needs second_axis beside it");
    const Vec3<double> second = axis_along("second_axis", second_axis);
    require_not_parallel("second_axis", second, "axis", first);
    const Vec3<double> z = cross(first, second);
    R_a = rotation_with(z, first);
    R_b = rotation_with(z, cross(second, z));
  }

  /// The shortest rotation from one direction to another.
  static Rotation<double> bent(const Vec3<double>& u, const Vec3<double>& v) {
    const Vec3<double> c = cross(u, v);
    const double w = 1 + dot(u, v);
    if (w < 1e-12) throw FieldError("second_axis", "second_axis points against axis; shafts cannot be bent so far");
    return normalized({w, c.x, c.y, c.z});
  }
};

template <class E>
EntryType joint_type() {
  return entry_type<JointEntry<E>>(EntryType::Stage::elements);
}

}  // namespace

const std::vector<EntryType>& space_entry_types() {
  using Stage = EntryType::Stage;
  static const std::vector<EntryType> types{entry_type<SpaceFixedEntry>(Stage::coordinates),
                                            entry_type<SpacePointEntry>(Stage::coordinates),
                                            entry_type<SpaceBodyEntry>(Stage::coordinates),
                                            entry_type<ScalarEntry>(Stage::coordinates),
                                            entry_type<InputEntry>(Stage::coordinates),
                                            entry_type<SpaceMarkerEntry>(Stage::markers),
                                            element_type<space::PointMass>(),
                                            element_type<space::RigidMass>(),
                                            element_type<ScalarMass>(),
                                            element_type<space::Rod>(),
                                            element_type<space::Distance>(),
                                            element_type<space::Spherical>(),
                                            joint_type<space::Universal>(),
                                            joint_type<space::ConstantVelocity>(),
                                            joint_type<space::Revolute>(),
                                            joint_type<space::Cylindrical>(),
                                            joint_type<space::Prismatic>(),
                                            joint_type<space::Planar>(),
                                            joint_type<space::Weld>(),
                                            element_type<space::PointOnLine>(),
                                            element_type<space::PointOnPlane>(),
                                            joint_type<space::Angle>(),
                                            element_type<space::Travel>(),
                                            element_type<Coupling>(),
                                            element_type<Prescribed>(),
                                            element_type<space::Spring>(),
                                            element_type<space::Damper>(),
                                            joint_type<space::Bushing>(),
                                            joint_type<space::TorsionSpring>(),
                                            joint_type<space::TorsionDamper>(),
                                            element_type<ScalarSpring>(),
                                            element_type<ScalarForce>(),
                                            element_type<space::Force>(),
                                            element_type<space::Torque>(),
                                            element_type<space::FollowerForce>(),
                                            element_type<space::FollowerTorque>(),
                                            element_type<space::Rotor>(),
                                            element_type<space::Actuator>(),
                                            joint_type<space::Motor>(),
                                            element_type<space::Beam>(),
                                            flexible_body_type(),
                                            space_draw_type(),
                                            entry_type<OutputEntry<SpaceWorld>>(Stage::outputs)};
  return types;
}

}  // namespace stillpoint
