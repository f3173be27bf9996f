#include "equilibrium/closing/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr std::array<Vec3<double>, 3> ground_axes{Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}};
constexpr Vec3<double> plane_normal{0, 0, 1};

BodyPose pose_of(const Block& block, const State& state) {
  const auto q = [&](Index i) { return state.q[block.first + i]; };
  switch (block.kind) {
    case BlockKind::point:
      return {{}, {q(0), q(1), 0}};
    case BlockKind::body:
      return {rotation_about({0, 0, q(2)}), {q(0), q(1), 0}, q(2)};
    case BlockKind::space_point:
      return {{}, {q(0), q(1), q(2)}};
    case BlockKind::space_body:
      return {state.orientations[at(block.orientation)], {q(0), q(1), q(2)}};
    default:
      return {};
  }
}

Locus plane(const Vec3<double>& normal, double offset, const Vec3<double>& drawn, Locus::Link link = {}) {
  return {.vector = normal, .value = offset, .drawn = drawn, .link = link};
}

}  // namespace

Placement::Placement(const Model& model, const Figure& figure, const State& guess)
    : points(figure.points.size()),
      directions(figure.directions.size()),
      poses(figure.bodies.size()),
      coordinates(guess.q),
      point_step(figure.points.size(), unmade),
      direction_step(figure.directions.size(), unmade),
      turn_step(figure.bodies.size(), unmade),
      place_step(figure.bodies.size(), unmade),
      coordinate_step(at(model.coordinates()), unmade),
      model_(model),
      figure_(figure),
      drawn_(figure.bodies.size()) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) drawn_[b + 1] = pose_of(model.blocks()[b], guess);
  poses = drawn_;
}

bool Placement::knows(int step) {
  if (step == unmade || step >= now) return false;
  used.push_back(step);
  return true;
}

std::optional<double> Placement::coordinate(Index i) {
  if (knows(coordinate_step[at(i)])) return coordinates[i];
  const Index block = owner_of(model_.blocks(), i), component = i - model_.blocks()[at(block)].first;
  const BodyPose& pose = poses[at(block + 1)];
  const FigureBody& body = figure_.bodies[at(block + 1)];
  if (!body.exists) return {};
  if (body.in_plane && component == 2) return is_turned(block + 1) ? std::optional(pose.angle) : std::nullopt;
  if (component > 2 || !is_placed(block + 1)) return {};
  return dot(ground_axes[at(component)], pose.p);
}

std::optional<double> Placement::angle_of(const Heading& heading) {
  if (heading.scalar != nothing) {
    const std::optional<double> value = coordinate(heading.scalar);
    return value ? std::optional(*value + heading.offset) : std::nullopt;
  }
  return is_turned(heading.body) ? std::optional(poses[at(heading.body)].angle + heading.offset) : std::nullopt;
}

Vec3<double> Placement::drawn_point(Index i) const {
  const OnBody& on = figure_.points[at(i)].on.front();
  return drawn(on.body).p + turned(drawn(on.body).R, on.r);
}

Vec3<double> Placement::drawn_direction(Index i) const {
  const OnBody& on = figure_.directions[at(i)].on.front();
  return turned(drawn(on.body).R, on.r);
}

std::vector<Placement::Carried> Placement::carried_with(Index i) {
  std::vector<Carried> carried{{i, {}}};
  std::vector<Index> bodies;
  for (std::size_t k = 0; k < carried.size(); ++k) {
    const Carried from = carried[k];
    for (const OnBody& on : figure_.points[at(from.point)].on) {
      if (!is_turned(on.body) || is_placed(on.body)) continue;
      if (std::find(bodies.begin(), bodies.end(), on.body) != bodies.end()) continue;
      bodies.push_back(on.body);
      for (const OnBody& other : figure_.bodies[at(on.body)].points) {
        if (other.body == from.point) continue;
        carried.push_back({other.body, from.shift + turned(poses[at(on.body)].R, on.r - other.r)});
      }
    }
  }
  return carried;
}

std::vector<Locus> Placement::loci_of_point(Index i) {
  std::vector<Locus> loci;
  for (const Carried& carried : carried_with(i)) add_loci(carried, loci);
  for (const OnBody& on : figure_.points[at(i)].on) {
    if (!figure_.bodies[at(on.body)].in_plane) continue;
    loci.push_back(plane(plane_normal, 0, plane_normal));
    break;
  }
  return loci;
}

void Placement::add_loci(const Carried& carried, std::vector<Locus>& loci) {
  const FigurePoint& point = figure_.points[at(carried.point)];
  const Vec3<double>& shift = carried.shift;
  if (knows_point(carried.point)) {
    for (const Vec3<double>& e : ground_axes) loci.push_back(plane(e, dot(e, points[at(carried.point)] + shift), e));
    return;
  }
  for (const OnBody& on : point.on) add_loci_of_body(on, carried, loci);
  for (const Index k : point.lengths) {
    const Length& rod = figure_.lengths[at(k)];
    const Index other = rod.a == carried.point ? rod.b : rod.a;
    if (!knows_point(other)) continue;
    loci.push_back({.shape = Locus::Shape::sphere,
                    .vector = points[at(other)] + shift,
                    .value = rod.length,
                    .drawn = drawn_point(carried.point) - drawn_point(other),
                    .link = {Locus::Link::Kind::length, k},
                    .centre = other});
  }
  for (const Index k : point.incidences) {
    const Incidence& incidence = figure_.incidences[at(k)];
    const bool is_at_end = incidence.to == carried.point;
    const Index other = is_at_end ? incidence.from : incidence.to;
    if (!knows_direction(incidence.normal) || !knows_point(other)) continue;
    const std::optional<double> height = incidence.travel == nothing ? 0.0 : coordinate(incidence.travel);
    if (!height) continue;
    const Vec3<double>& n = directions[at(incidence.normal)];
    loci.push_back(plane(n, dot(n, points[at(other)] + shift) + (is_at_end ? *height : -*height),
                         drawn_direction(incidence.normal), {Locus::Link::Kind::incidence, k}));
  }
  for (const Index k : point.headings) add_loci_of_heading(figure_.headings[at(k)], k, carried, loci);
}

// A body that is not turned keeps its points on spheres about a known point, and on planes across a known direction.
void Placement::add_loci_of_body(const OnBody& on, const Carried& carried, std::vector<Locus>& loci) {
  const FigureBody& body = figure_.bodies[at(on.body)];
  add_given_coordinates(on.body, carried, loci);
  if (is_turned(on.body)) return;
  for (const OnBody& other : body.points) {
    if (!knows_point(other.body)) continue;
    const Vec3<double> arm = on.r - other.r, centre = points[at(other.body)] + carried.shift;
    const Locus::Link link{Locus::Link::Kind::body, on.body};
    loci.push_back({.shape = Locus::Shape::sphere,
                    .vector = centre,
                    .value = length(arm),
                    .drawn = turned(drawn(on.body).R, arm),
                    .link = link,
                    .centre = other.body});
    for (const OnBody& axis : body.directions) {
      if (body.in_plane || !knows_direction(axis.body)) continue;
      const Vec3<double>& e = directions[at(axis.body)];
      loci.push_back(plane(e, dot(e, centre) + dot(axis.r, arm), turned(drawn(on.body).R, axis.r), link));
    }
    break;
  }
}

void Placement::add_given_coordinates(Index body, const Carried& carried, std::vector<Locus>& loci) {
  if (body == FigureBody::ground || carried.point != figure_.bodies[at(body)].origin) return;
  const Block& block = model_.blocks()[at(body - 1)];
  for (Index k = 0; k < (in_space(block.kind) ? 3 : 2); ++k) {
    const Vec3<double>& e = ground_axes[at(k)];
    if (!knows(coordinate_step[at(block.first + k)])) continue;
    loci.push_back(plane(e, coordinates[block.first + k] + dot(e, carried.shift), e));
  }
}

void Placement::add_loci_of_heading(const Heading& heading, Index link, const Carried& carried,
                                    std::vector<Locus>& loci) {
  const bool is_at_end = heading.to == carried.point;
  const Index other = is_at_end ? heading.from : heading.to;
  const std::optional<double> angle = angle_of(heading);
  if (!angle || !knows_point(other)) return;
  const Vec3<double> e{std::cos(*angle), std::sin(*angle), 0}, n = cross(plane_normal, e);
  const Vec3<double> start = points[at(other)] + carried.shift;
  Locus ray = plane(n, dot(n, start), n, {Locus::Link::Kind::heading, link});
  ray.is_ray = true;
  ray.ahead = is_at_end ? e : -e;
  ray.start = start;
  loci.push_back(ray);
}

std::vector<Locus> Placement::loci_of_direction(Index i) {
  std::vector<Locus> loci;
  const FigureDirection& direction = figure_.directions[at(i)];
  for (const OnBody& on : direction.on) add_planes_of_body(on, loci);
  for (const Index k : direction.cosines) {
    const Cosine& cosine = figure_.cosines[at(k)];
    const Index other = cosine.a == i ? cosine.b : cosine.a;
    if (knows_direction(other)) loci.push_back(plane(directions[at(other)], cosine.cosine, drawn_direction(other)));
  }
  for (const Index k : direction.incidences) {
    const Incidence& incidence = figure_.incidences[at(k)];
    const Anchor from = anchor_along(i, incidence.from), to = anchor_along(i, incidence.to);
    const std::optional<double> height = incidence.travel == nothing ? 0.0 : coordinate(incidence.travel);
    if (from.point == nothing || to.point == nothing || !height) continue;
    loci.push_back(plane(points[at(to.point)] - points[at(from.point)], *height - to.height + from.height,
                         drawn_point(to.point) - drawn_point(from.point), {Locus::Link::Kind::incidence, k}));
  }
  loci.push_back({.shape = Locus::Shape::sphere, .vector = {}, .value = 1, .drawn = drawn_direction(i)});
  return loci;
}

// The components of a direction along the known vectors of its body are those in the body.
void Placement::add_planes_of_body(const OnBody& on, std::vector<Locus>& loci) {
  const Locus::Link link{Locus::Link::Kind::body, on.body};
  for (const KnownVector& vector : vectors_of(on.body)) {
    loci.push_back(plane(vector.in_ground, dot(on.r, vector.in_body), turned(drawn(on.body).R, vector.in_body), link));
  }
}

// The height of a place over a known point of its body is known, even if the body is not turned yet.
Placement::Anchor Placement::anchor_along(Index direction, Index point) {
  if (knows_point(point)) return {point, 0};
  for (const OnBody& place : figure_.points[at(point)].on) {
    const FigureBody& body = figure_.bodies[at(place.body)];
    for (const OnBody& axis : body.directions) {
      if (axis.body != direction) continue;
      for (const OnBody& known : body.points) {
        if (knows_point(known.body)) return {known.body, dot(axis.r, place.r - known.r)};
      }
    }
  }
  return {};
}

std::vector<KnownVector> Placement::vectors_of(Index index) {
  std::vector<KnownVector> vectors;
  const FigureBody& body = figure_.bodies[at(index)];
  const OnBody* first = nullptr;
  for (const OnBody& axis : body.directions) {
    if (knows_direction(axis.body)) vectors.push_back({axis.r, directions[at(axis.body)]});
  }
  for (const OnBody& point : body.points) {
    if (!knows_point(point.body)) continue;
    if (first) vectors.push_back({point.r - first->r, points[at(point.body)] - points[at(first->body)]});
    else first = &point;
  }
  for (const Index k : body.headings) {
    const Heading& heading = figure_.headings[at(k)];
    if (index == FigureBody::ground || !knows_point(heading.from) || !knows_point(heading.to)) continue;
    const Vec3<double> arm = points[at(heading.to)] - points[at(heading.from)];
    vectors.push_back({length(arm) * Vec3<double>{std::cos(heading.offset), std::sin(heading.offset), 0}, arm});
  }
  for (const Index k : body.twists) {
    const Twist& twist = figure_.twists[at(k)];
    const std::optional<double> angle = coordinate(twist.scalar);
    const bool is_second = twist.b == index;
    const Index other = is_second ? twist.a : twist.b;
    if (!angle || !is_turned(other)) continue;
    const Rotation<double> by = rotation_about({0, 0, is_second ? *angle : -*angle});
    const Rotation<double> R = poses[at(other)].R * (is_second ? twist.in_a : twist.in_b) * by;
    vectors.push_back({x_axis(is_second ? twist.in_b : twist.in_a), x_axis(R)});
  }
  return vectors;
}

}  // namespace stillpoint
