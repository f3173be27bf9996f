#include "equilibrium/closing/figure.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/at.h"
#include "base/disjoint_sets.h"
#include "stillpoint/elements/all.h"

namespace stillpoint {

namespace {

struct BodyFrame {
  Index body = 0;
  Vec3<double> p;
  Rotation<double> R;
};

/// The names that a point may get, the best first.
enum class NameRank { of_point, of_joint, of_condition };

class FigureReader {
 public:
  FigureReader(const Model& model, const State& state) : model_(model), state_(state) {}

  Figure read() {
    add_bodies();
    for (std::size_t k = 0; k < model_.arrays().size(); ++k) {
      const ElementArrayBase& elements = *model_.arrays()[k].elements;
      if ((elements.laws() & Law::residual) == 0 || elements.info().is_internal()) continue;
      for (Index e = 0; e < elements.size(); ++e) add_element(k, e);
    }
    merge();
    list_conditions();
    return std::move(figure_);
  }

 private:
  void add_bodies() {
    figure_.bodies.resize(model_.blocks().size() + 1);
    figure_.bodies[0].exists = true;
    for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
      const Block& block = model_.blocks()[b];
      FigureBody& body = figure_.bodies[b + 1];
      body.exists = is_body(block.kind) || is_point(block.kind);
      if (!body.exists) continue;
      body.rotates = is_body(block.kind);
      body.in_plane = !in_space(block.kind);
      const Index index = static_cast<Index>(b) + 1;
      body.origin = point({index, {}, {}}, model_.block_name(static_cast<Index>(b)),
                          body.rotates ? NameRank::of_condition : NameRank::of_point);
      if (body.rotates && body.in_plane) same_direction({0, {}, {}}, {index, {}, {}}, {0, 0, 1});
    }
  }

  // ----- Handles

  Index body_of(Index block) const {
    return block == on_ground ? FigureBody::ground : figure_.bodies[at(block + 1)].exists ? block + 1 : nothing;
  }
  BodyFrame frame(FrameOf place) const {
    const Marker& marker = model_.markers()[at(place.marker)];
    return {body_of(marker.block), {marker.position.x, marker.position.y, 0}, rotation_about({0, 0, marker.angle})};
  }
  BodyFrame frame(PositionOf place) const { return frame(FrameOf{place.marker}); }
  BodyFrame frame(space::FrameOf place) const {
    const space::Marker& marker = model_.space_markers()[at(place.marker)];
    return {body_of(marker.block), marker.position, marker.rotation};
  }
  BodyFrame frame(space::PositionOf place) const { return frame(space::FrameOf{place.marker}); }
  BodyFrame frame(space::OrientationOf place) const { return frame(space::FrameOf{place.marker}); }

  bool is_rigid(CoordinateOf) const { return true; }
  bool is_rigid(AngleOf place) const {
    const Index block = model_.markers()[at(place.marker)].block;
    return block == on_ground || model_.blocks()[at(block)].kind != BlockKind::node;
  }
  template <class Place>
  bool is_rigid(Place place) const {
    return frame(place).body != nothing;
  }

  // ----- Points and directions; equal ones of one body are one

  Index point(const BodyFrame& frame, const std::string& name, NameRank rank = NameRank::of_condition) {
    const auto [found, is_new] =
        point_index_.try_emplace({frame.body, frame.p.x, frame.p.y, frame.p.z}, static_cast<Index>(points_.size()));
    if (is_new) {
      points_.push_back({frame.body, frame.p});
      names_.push_back({rank, name});
    }
    std::pair<NameRank, std::string>& its_name = names_[at(found->second)];
    if (rank < its_name.first) its_name = {rank, name};
    return found->second;
  }
  Index direction(const BodyFrame& frame, const Vec3<double>& axis) {
    const Vec3<double> e = turned(frame.R, axis);
    const auto [found, is_new] =
        direction_index_.try_emplace({frame.body, e.x, e.y, e.z}, static_cast<Index>(directions_.size()));
    if (is_new) directions_.push_back({frame.body, e});
    return found->second;
  }

  // ----- Conditions

  void coincide(const BodyFrame& a, const BodyFrame& b) {
    const Index on_a = point(a, name_, NameRank::of_joint), on_b = point(b, name_, NameRank::of_joint);
    point_ties_.emplace_back(on_a, on_b);
  }
  void same_direction(const BodyFrame& a, const BodyFrame& b, const Vec3<double>& axis) {
    const Index on_a = direction(a, axis), on_b = direction(b, axis);
    direction_ties_.emplace_back(on_a, on_b);
  }
  void same_orientation(const BodyFrame& a, const BodyFrame& b) {
    for (const Vec3<double>& axis : {x_, y_, z_}) same_direction(a, b, axis);
  }
  void incidence(const BodyFrame& plane, const Vec3<double>& normal, const BodyFrame& on_it, Index travel = nothing) {
    figure_.incidences.push_back({direction(plane, normal), point(plane, name_), point(on_it, name_), travel, name_});
  }
  void on_axis(const BodyFrame& line, const BodyFrame& on_it) {
    incidence(line, x_, on_it);
    incidence(line, y_, on_it);
  }
  void length(const BodyFrame& a, const BodyFrame& b, double l) {
    figure_.lengths.push_back({point(a, name_), point(b, name_), l, name_});
  }

  // ----- What each element consists of

  void add(const Revolute& joint) { coincide(frame(joint.a), frame(joint.b)); }
  void add(const space::Spherical& joint) { coincide(frame(joint.a), frame(joint.b)); }
  template <class Place>
  void add(const BasicDistance<Place>& distance) {
    length(frame(distance.a), frame(distance.b), distance.length);
  }
  template <class Place>
  void add(const BasicRod<Place>& rod) {
    length(frame(rod.a), frame(rod.b), rod.length);
  }
  void add(const Slider& slider) { incidence(frame(slider.slot), y_, frame(slider.pin)); }
  void add(const Prismatic& joint) {
    incidence(frame(joint.a), y_, frame(joint.b));
    same_orientation(frame(joint.a), frame(joint.b));
  }
  template <class AnyWeld>
  void add_weld(const AnyWeld& weld) {
    coincide(frame(weld.a), frame(weld.b));
    same_orientation(frame(weld.a), frame(weld.b));
  }
  void add(const Weld& weld) { add_weld(weld); }
  void add(const space::Weld& weld) { add_weld(weld); }
  void add(const Angle& angle) {
    const Marker& marker = model_.markers()[at(angle.angle.marker)];
    Heading heading{.offset = marker.angle,
                    .from = point(frame(angle.from), name_),
                    .to = point(frame(angle.to), name_),
                    .name = name_};
    if (marker.block == on_ground) heading.body = FigureBody::ground;
    else if (model_.blocks()[at(marker.block)].kind == BlockKind::scalar)
      heading.scalar = model_.blocks()[at(marker.block)].first;
    else heading.body = body_of(marker.block);
    figure_.headings.push_back(heading);
  }
  void add(const space::Revolute& joint) {
    coincide(frame(joint.a), frame(joint.b));
    same_direction(frame(joint.a), frame(joint.b), z_);
  }
  void add(const space::Universal& joint) {
    const BodyFrame a = frame(joint.a), b = frame(joint.b);
    coincide(a, b);
    figure_.cosines.push_back({direction(a, x_), direction(b, y_), 0});
  }
  // The axes of a cylindrical joint are one line, so that the origin of a lies on the axis of b as well.
  void add(const space::Cylindrical& joint) {
    const BodyFrame a = frame(joint.a), b = frame(joint.b);
    same_direction(a, b, z_);
    on_axis(a, b);
    on_axis(b, a);
  }
  void add(const space::Prismatic& joint) {
    same_orientation(frame(joint.a), frame(joint.b));
    on_axis(frame(joint.a), frame(joint.b));
  }
  void add(const space::Planar& joint) {
    same_direction(frame(joint.a), frame(joint.b), z_);
    incidence(frame(joint.a), z_, frame(joint.b));
  }
  void add(const space::PointOnLine& joint) { on_axis(frame(joint.line), frame(joint.point)); }
  void add(const space::PointOnPlane& joint) { incidence(frame(joint.plane), z_, frame(joint.point)); }
  void add(const space::Travel& travel) {
    incidence(frame(travel.axis), z_, frame(travel.point), travel.travel.coordinate);
  }
  void add(const space::Angle& angle) {
    const BodyFrame a = frame(angle.a), b = frame(angle.b);
    figure_.twists.push_back({angle.angle.coordinate, a.body, b.body, a.R, b.R});
  }
  void add(const Coupling& coupling) {
    CoordinateSum sum;
    sum.value = coupling.value;
    for (std::size_t i = 0; i < coupling.coordinates.size(); ++i) {
      if (coupling.coordinates[i].coordinate == nothing) continue;
      sum.coordinates.push_back(coupling.coordinates[i].coordinate);
      sum.factors.push_back(coupling.factors[i]);
    }
    figure_.sums.push_back(sum);
  }
  void add(const Prescribed& prescribed) {
    const double u = prescribed.input.input == nothing ? 1 : state_.u[prescribed.input.input];
    figure_.sums.push_back({{prescribed.coordinate.coordinate}, {1}, u});
  }

  template <class E>
  bool takes(const ElementArrayBase& elements, Index e) {
    const E* const element = element_as<E>(elements, e);
    if (!element) return false;
    const bool all_are_rigid =
        std::apply([this](auto... places) { return (this->is_rigid(places) && ...); }, element->places());
    if (all_are_rigid) add(*element);
    return true;
  }
  template <class... E>
  void add_if_one_of(const ElementArrayBase& elements, Index e) {
    static_cast<void>((takes<E>(elements, e) || ...));
  }

  void add_element(std::size_t array, Index e) {
    name_ = model_.element_name(array, e);
    add_if_one_of<Revolute, Rod, Distance, Slider, Prismatic, Weld, Angle, Coupling, Prescribed, space::Rod,
                  space::Distance, space::Spherical, space::Revolute, space::Universal, space::Cylindrical,
                  space::Prismatic, space::Planar, space::Weld, space::PointOnLine, space::PointOnPlane, space::Travel,
                  space::Angle>(*model_.arrays()[array].elements, e);
  }

  // ----- From points of bodies to points of the figure

  /// Numbers the sets of tied things, and gives the number of each thing.
  static std::vector<Index> numbered(std::size_t count, const std::vector<std::pair<Index, Index>>& ties, Index& sets) {
    DisjointSets<Index> joined(count);
    for (const auto& [a, b] : ties) joined.tie(a, b);
    std::vector<Index> number(count);
    sets = 0;
    for (std::size_t i = 0; i < count; ++i) {  // the smallest of a set represents it, so it comes first
      const Index first = joined.find(static_cast<Index>(i));
      number[i] = first == static_cast<Index>(i) ? sets++ : number[at(first)];
    }
    return number;
  }

  // The signs of assembly modes depend on this order.
  static void sort_by_body(std::vector<OnBody>& on) {
    std::stable_sort(on.begin(), on.end(), [](const OnBody& a, const OnBody& b) { return a.body < b.body; });
  }

  void merge() {
    Index count = 0;
    point_number_ = numbered(points_.size(), point_ties_, count);
    figure_.points.resize(at(count));
    std::vector<NameRank> ranks(at(count), NameRank::of_condition);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Index number = point_number_[i];
      FigurePoint& point = figure_.points[at(number)];
      point.on.push_back(points_[i]);
      figure_.bodies[at(points_[i].body)].points.push_back({number, points_[i].r});
      if (!point.name.empty() && names_[i].first >= ranks[at(number)]) continue;
      std::tie(ranks[at(number)], point.name) = names_[i];
    }
    direction_number_ = numbered(directions_.size(), direction_ties_, count);
    figure_.directions.resize(at(count));
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      figure_.directions[at(direction_number_[i])].on.push_back(directions_[i]);
      figure_.bodies[at(directions_[i].body)].directions.push_back({direction_number_[i], directions_[i].r});
    }
    for (FigurePoint& point : figure_.points) sort_by_body(point.on);
    for (FigureDirection& direction : figure_.directions) sort_by_body(direction.on);
    for (FigureBody& body : figure_.bodies) {
      if (body.exists && &body != figure_.bodies.data()) body.origin = point_number_[at(body.origin)];
    }
  }

  void renumber_point(Index& i) const { i = point_number_[at(i)]; }
  void renumber_direction(Index& i) const { i = direction_number_[at(i)]; }

  void list_conditions() {
    const auto list = [](std::vector<Index>& of, std::size_t i) { of.push_back(static_cast<Index>(i)); };
    for (std::size_t i = 0; i < figure_.lengths.size(); ++i) {
      for (Index* const end : {&figure_.lengths[i].a, &figure_.lengths[i].b}) {
        renumber_point(*end);
        list(figure_.points[at(*end)].lengths, i);
      }
    }
    for (std::size_t i = 0; i < figure_.incidences.size(); ++i) {
      Incidence& incidence = figure_.incidences[i];
      renumber_direction(incidence.normal);
      list(figure_.directions[at(incidence.normal)].incidences, i);
      for (Index* const end : {&incidence.from, &incidence.to}) {
        renumber_point(*end);
        list(figure_.points[at(*end)].incidences, i);
      }
    }
    for (std::size_t i = 0; i < figure_.cosines.size(); ++i) {
      for (Index* const end : {&figure_.cosines[i].a, &figure_.cosines[i].b}) {
        renumber_direction(*end);
        list(figure_.directions[at(*end)].cosines, i);
      }
    }
    for (std::size_t i = 0; i < figure_.headings.size(); ++i) {
      Heading& heading = figure_.headings[i];
      for (Index* const end : {&heading.from, &heading.to}) {
        renumber_point(*end);
        list(figure_.points[at(*end)].headings, i);
      }
      if (heading.body != nothing) list(figure_.bodies[at(heading.body)].headings, i);
    }
    for (std::size_t i = 0; i < figure_.twists.size(); ++i) {
      list(figure_.bodies[at(figure_.twists[i].a)].twists, i);
      list(figure_.bodies[at(figure_.twists[i].b)].twists, i);
    }
  }

  static constexpr Vec3<double> x_{1, 0, 0}, y_{0, 1, 0}, z_{0, 0, 1};

  const Model& model_;
  const State& state_;
  Figure figure_;
  std::string name_;  // of the current element
  std::vector<OnBody> points_, directions_;
  std::vector<std::pair<NameRank, std::string>> names_;
  std::map<std::tuple<Index, double, double, double>, Index> point_index_, direction_index_;
  std::vector<std::pair<Index, Index>> point_ties_, direction_ties_;
  std::vector<Index> point_number_, direction_number_;
};

}  // namespace

Figure figure_of(const Model& model, const State& state) { return FigureReader(model, state).read(); }

}  // namespace stillpoint
