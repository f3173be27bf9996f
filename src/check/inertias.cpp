// Inertias that no rigid body has: too large for its size, or against the triangle inequality of the principal moments.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/steps.h"
#include "stillpoint/elements/space/rigid_mass.h"

namespace stillpoint::checks {

namespace {

// The radius of gyration is at most the size of the body. The places of a body may lie closer together: those of a
// flywheel are near its axis. An inertia given in kg mm² makes the radius a thousand times too large.
constexpr double odd_radius = 100;

// The largest principal moment is at most the sum of the others. Data rounded to two digits may violate this slightly.
constexpr double rounded_moments = 0.02;

/// A rigid body with its inertia.
struct Body {
  ElementId id;
  double mass = 0;
  std::array<double, 3> moments{};  ///< principal moments, ascending; in the plane only the last
  Index block = on_ground;
  Vec3<double> centre;  ///< in the axes of the block

  double largest() const { return moments[2]; }
};

Vec3<double> in_its_block(const Model& model, bool in_space, Index marker) {
  if (in_space) return model.space_markers()[at(marker)].position;
  const Vec2<double>& p = model.markers()[at(marker)].position;
  return {p.x, p.y, 0};
}

std::vector<Body> bodies_with_inertia(const CheckedModel& checked) {
  std::vector<Body> bodies;
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    if (info.keyword != "rigid_mass") return;
    const Field *const place = info.field_called("at"), *const mass = info.field_called("mass"),
                       *const inertia = info.field_called("inertia");
    if (!place || !mass || !inertia) return;
    for (Index e = 0; e < elements.size(); ++e) {
      const ElementId id{array, e};
      const FieldValue I = checked.value(id, *inertia);
      const auto& n = I.numbers;
      const Index marker = checked.value(id, *place).references[0];
      Body body{id,
                checked.value(id, *mass).numbers[0],
                {0, 0, n[0]},
                elements.block(checked.context, e, 0),
                in_its_block(checked.model, is_in_space(place->kind), marker)};
      if (I.count == 6) body.moments = space::principal_moments({n[0], n[1], n[2], n[3], n[4], n[5]});
      if (body.largest() > 0) bodies.push_back(body);
    }
  });
  return bodies;
}

/// For each body the largest distance of a place from the centre of mass.
std::vector<double> reaches(const CheckedModel& checked, const std::vector<Body>& bodies) {
  const Model& model = checked.model;
  std::vector<const Body*> body_of(model.blocks().size(), nullptr);
  for (const Body& body : bodies) {
    if (body.block != on_ground) body_of[at(body.block)] = &body;
  }
  std::vector<double> reach(model.blocks().size(), 0);
  const auto look_at = [&](Index block, const Vec3<double>& position) {
    if (block == on_ground || !body_of[at(block)]) return;
    reach[at(block)] = std::max(reach[at(block)], length(position - body_of[at(block)]->centre));
  };
  for (const Marker& m : model.markers()) look_at(m.block, {m.position.x, m.position.y, 0});
  for (const space::Marker& m : model.space_markers()) look_at(m.block, m.position);
  return reach;
}

void warn_of_the_size(const CheckedModel& checked, const std::vector<Body>& bodies, CheckReport& report) {
  const std::vector<double> reach = reaches(checked, bodies);
  const double usual = checked.lengths.usual;
  Index count = 0;
  std::string text;
  for (const Body& body : bodies) {
    const double own = body.block == on_ground ? 0 : reach[at(body.block)];
    const double size = own > 0 ? own : usual;
    const double radius = std::sqrt(body.largest() / body.mass);
    if (body.mass == 0 || !(radius >= odd_radius * size) || count++ > 0) continue;  // the size may be NaN
    text = fmt::format("{} has an inertia of {:.6g} kg m², a radius of gyration of {:.3g} m, but {} {:.3g} m",
                       checked.described(body.id), body.largest(), radius,
                       own > 0 ? "its places lie within" : "a usual length here is", size);
  }
  if (count > 0) report.warnings.push_back(text + and_more(count - 1) + "; is it in kg mm²? The unit is kg m²");
}

void warn_of_the_triangle(const CheckedModel& checked, const std::vector<Body>& bodies, CheckReport& report) {
  Index count = 0;
  std::string text;
  for (const Body& body : bodies) {
    const auto& [a, b, c] = body.moments;
    const bool in_plane = !is_in_space(checked.elements(body.id.array).info().field_called("at")->kind);
    if (in_plane || a + b >= (1 - rounded_moments) * c || count++ > 0) continue;
    text = fmt::format("{} has the principal moments of inertia {:.6g}, {:.6g}, {:.6g} kg m²",
                       checked.described(body.id), a, b, c);
  }
  if (count == 0) return;
  report.warnings.push_back(text + and_more(count - 1) +
                            "; for a rigid body none is larger than the sum of the other two (thin rod: 0, I, I; thin "
                            "plate: A, B, A + B)");
}

}  // namespace

void warn_of_inertias(const CheckedModel& checked, CheckReport& report) {
  const std::vector<Body> bodies = bodies_with_inertia(checked);
  if (bodies.empty()) return;
  warn_of_the_size(checked, bodies, report);
  warn_of_the_triangle(checked, bodies, report);
}

}  // namespace stillpoint::checks
