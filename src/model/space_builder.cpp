// The functions of the builder for places in space.

#include "model/validation.h"
#include "stillpoint/elements/point_mass.h"
#include "stillpoint/elements/space/rigid_mass.h"
#include "stillpoint/model.h"

namespace stillpoint {

space::Place ModelBuilder::space_fixed(const Name& name, const Vec3<double>& at, const Rotation<double>& rotation) {
  require("fixed", name, "at", {at.x, at.y, at.z});
  require_rotation("fixed", name, rotation);
  return add_marker(name, space::Marker{on_ground, at, normalized(rotation)});
}

space::Place ModelBuilder::space_point(const Name& name, const Vec3<double>& at, const PointOptions& options) {
  require("point", name, "at", {at.x, at.y, at.z});
  require("point", name, "mass", {options.mass}, Allowed::non_negative);
  const space::Place made = add_space_owner(name, BlockKind::space_point, {at.x, at.y, at.z});
  if (options.mass != 0) add({}, space::PointMass{.at = made, .mass = options.mass});
  return made;
}

space::Place ModelBuilder::space_body(const Name& name, const Vec3<double>& at, const space::BodyOptions& options) {
  const Vec3<double>& centre = options.centre;
  const Inertia& I = options.inertia;
  require("body", name, "at", {at.x, at.y, at.z});
  require_rotation("body", name, options.rotation);
  require("body", name, "centre", {centre.x, centre.y, centre.z});
  require("body", name, "mass", {options.mass}, Allowed::non_negative);
  require("body", name, "inertia", {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  const bool has_mass = options.mass != 0 || I != Inertia{};
  const space::RigidMass about_centre{.centre = {}, .mass = options.mass, .inertia_about_centre = I};
  if (const char* const problem = about_centre.problem()) {
    throw FieldError("inertia", stillpoint::describe("body", name) + " " + problem);
  }
  const space::Place made = add_space_owner(name, BlockKind::space_body, {at.x, at.y, at.z, 0, 0, 0});
  parts_.orientations.push_back(normalized(options.rotation));
  if (has_mass) {
    const space::Place at_centre =
        centre.x == 0 && centre.y == 0 && centre.z == 0 ? made : space_marker({}, made, centre);
    add({}, space::RigidMass{.centre = at_centre, .mass = options.mass, .inertia_about_centre = I});
  }
  return made;
}

space::Place ModelBuilder::space_marker(const Name& name, space::Place on, const Vec3<double>& at,
                                        const Rotation<double>& rotation) {
  require("marker", name, "at", {at.x, at.y, at.z});
  require_rotation("marker", name, rotation);
  try {
    check_reference(FieldKind::space_frame, on.marker);
  } catch (const Error& error) {
    if (name.empty()) throw;  // a place given on the spot: the caller names it
    refuse("marker", name, "on", error.message());
  }
  const space::Marker base = parts_.space_markers[static_cast<std::size_t>(on.marker)];
  return add_marker(
      name, space::Marker{base.block, base.position + turned(base.rotation, at), normalized(base.rotation * rotation)});
}

space::Frame<double> ModelBuilder::pose(space::Place place) const {
  check_reference(FieldKind::space_position, place.marker);
  Context context;
  context.blocks = parts_.blocks.data();
  context.space_markers = parts_.space_markers.data();
  context.q = parts_.q.data();
  context.orientations = parts_.orientations.data();
  const Index block = parts_.space_markers[static_cast<std::size_t>(place.marker)].block;
  const bool is_point =
      block != on_ground && parts_.blocks[static_cast<std::size_t>(block)].kind == BlockKind::space_point;
  if (is_point) return {lift<double>(context, space::PositionOf{place.marker}, {}), {}};
  return lift<double>(context, space::FrameOf{place.marker}, {});
}

space::Place ModelBuilder::space_marker_posed(const Name& name, space::Place on, const space::Frame<double>& wanted) {
  check_reference(FieldKind::space_frame, on.marker);
  const space::Frame<double> base = pose(on);
  return space_marker(name, on, turned_back(base.R, wanted.p - base.p), inverse(base.R) * wanted.R);
}

}  // namespace stillpoint
