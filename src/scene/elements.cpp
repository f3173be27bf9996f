#include "scene/elements.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/at.h"
#include "stillpoint/detail/observed.h"
#include "stillpoint/elements/space/flexible_body.h"

namespace stillpoint {

namespace {

/// Which axis of its first marker the axis of a joint is.
enum class Axis { none, x, z };

/// How elements with one keyword are drawn; the axis in the plane and in space.
struct Look {
  std::string_view keyword;
  SceneRole role;
  SceneHold holds = SceneHold::none;
  Axis in_plane = Axis::none, in_space = Axis::none;
};

constexpr Look looks[] = {
    {"revolute", SceneRole::joint, SceneHold::point, Axis::none, Axis::z},
    {"weld", SceneRole::joint, SceneHold::point},
    {"spherical", SceneRole::joint, SceneHold::point},
    {"universal", SceneRole::joint, SceneHold::point},
    {"constant_velocity", SceneRole::joint, SceneHold::point, Axis::none, Axis::z},
    {"prismatic", SceneRole::joint, SceneHold::line, Axis::x, Axis::z},
    {"slider", SceneRole::joint, SceneHold::line, Axis::x, Axis::none},
    {"cylindrical", SceneRole::joint, SceneHold::line, Axis::none, Axis::z},
    {"point_on_line", SceneRole::joint, SceneHold::line, Axis::x, Axis::z},
    {"planar", SceneRole::joint, SceneHold::plane, Axis::none, Axis::z},
    {"point_on_plane", SceneRole::joint, SceneHold::plane, Axis::none, Axis::z},
    {"clamp", SceneRole::joint},
    {"distance", SceneRole::link, SceneHold::distance},
    {"rod", SceneRole::link, SceneHold::distance},
    {"spring", SceneRole::spring},
    {"damper", SceneRole::damper},
    {"actuator", SceneRole::actuator},
    {"torsion_spring", SceneRole::torsion, SceneHold::none, Axis::none, Axis::z},
    {"torsion_damper", SceneRole::torsion, SceneHold::none, Axis::none, Axis::z},
    {"scalar_spring", SceneRole::torsion},
    {"bushing", SceneRole::torsion, SceneHold::none, Axis::none, Axis::z},
    {"force", SceneRole::force},
    {"follower_force", SceneRole::force},
    {"torque", SceneRole::torque},
    {"follower_torque", SceneRole::torque},
    {"motor", SceneRole::torque, SceneHold::none, Axis::none, Axis::z},
    {"rotor", SceneRole::torque},
    {"beam", SceneRole::beam},
    {"floating_beam", SceneRole::beam},
    {"flexible_body", SceneRole::beam},
    {"output", SceneRole::measure},
};

Look look_of(std::string_view keyword) {
  const auto* const found =
      std::find_if(std::begin(looks), std::end(looks), [&](const Look& look) { return look.keyword == keyword; });
  return found == std::end(looks) ? Look{keyword, SceneRole::other} : *found;
}

/// Masses are shown by their frames, and the terms of inertia in a rotating frame are not to be seen.
bool is_shown(std::string_view keyword) {
  constexpr std::string_view others[] = {"point_mass", "rigid_mass", "scalar_mass", "rotating_frame", "draw"};
  return std::find(std::begin(others), std::end(others), keyword) == std::end(others);
}

bool refers_to_places(FieldKind kind) {
  return kind == FieldKind::position || kind == FieldKind::frame || kind == FieldKind::angle ||
         kind == FieldKind::node || is_in_space(kind);
}

struct Skeleton {
  const Model& model;
  const State& rest;
  const SceneFrames& frames;
  std::vector<ScenePose> poses;
  Context context;
};

/// A marker of the plane or of space as a place, and the rotation of its axes in the frame.
struct MarkedPlace {
  ScenePlace place;
  Rotation<double> axes;
  bool exists = true;  ///< false for a scalar coordinate, which is nowhere
};

MarkedPlace place_of(const Skeleton& in, Index marker, bool is_in_space) {
  if (is_in_space) {
    const space::Marker& m = in.model.space_markers()[at(marker)];
    return {{in.frames.of_block(m.block), m.position}, m.rotation};
  }
  const Marker& m = in.model.markers()[at(marker)];
  const Rotation<double> turned_by{std::cos(m.angle / 2), 0, 0, std::sin(m.angle / 2)};
  const Index frame = in.frames.of_block(m.block);
  return {{frame, {m.position.x, m.position.y, 0}}, turned_by, m.block == on_ground || frame >= 0};
}

std::vector<MarkedPlace> places_in(const Skeleton& in, const ElementInfo& info, const void* element) {
  std::vector<MarkedPlace> places;
  for (const Field& field : info.fields) {
    if (field.key == "axes") continue;  // axes in which a measure is expressed
    if (!refers_to_places(field.kind) && field.kind != FieldKind::coordinate) continue;
    const FieldValue value = field.load(element);
    for (std::size_t k = 0; k < value.count && k < FieldValue::most_references; ++k) {
      const Index reference = value.references[k];
      if (reference == nothing) continue;
      if (field.kind == FieldKind::coordinate) {
        const Index frame = in.frames.of_block(owner_of(in.model.blocks(), reference));
        if (frame >= 0) places.push_back({{frame, {}}, {}});
        continue;
      }
      const MarkedPlace place = place_of(in, reference, is_in_space(field.kind));
      if (place.exists) places.push_back(place);
    }
  }
  return places;
}

std::optional<FieldValue> numbers_of(const ElementInfo& info, const void* element, std::string_view key) {
  const Field* const field = info.field_called(key);
  if (!field || field->kind != FieldKind::numbers) return std::nullopt;
  return field->load(element);
}

std::optional<double> number_of(const ElementInfo& info, const void* element, std::string_view key) {
  const auto value = numbers_of(info, element, key);
  if (!value || value->count != 1 || !std::isfinite(value->numbers[0])) return std::nullopt;
  return value->numbers[0];
}

/// The value of the input of a force: one where it has none.
double input_of(const Skeleton& in, const ElementInfo& info, const void* element) {
  const Field* const field = info.field_called("input");
  if (!field || field->kind != FieldKind::input) return 1;
  const FieldValue value = field->load(element);
  return value.count == 0 || value.references[0] == nothing ? 1 : in.rest.u[value.references[0]];
}

void add_vector(const Skeleton& in, const ElementInfo& info, const void* element, const MarkedPlace& place,
                SceneElement& shown) {
  shown.follows = shown.kind == "follower_force" || shown.kind == "follower_torque" || shown.kind == "rotor" ||
                  shown.kind == "motor";
  const double input = input_of(in, info, element);
  for (const char* const key : {"vector", "momentum"}) {
    const auto value = numbers_of(info, element, key);
    if (!value || value->count < 2) continue;
    Vec3<double> vector =
        input * Vec3<double>{value->numbers[0], value->numbers[1], value->count > 2 ? value->numbers[2] : 0.0};
    if (shown.follows) vector = turned(place.axes, vector);
    shown.vector = vector;
    return;
  }
  // A torque in the plane, and that of a motor about the axis of its place, is one number.
  if (const auto size = number_of(info, element, "magnitude")) {
    const Vec3<double> along_z{0, 0, *size * input};
    shown.vector = shown.follows ? turned(place.axes, along_z) : along_z;
  }
}

void add_numbers(const ElementInfo& info, const void* element, SceneElement& shown) {
  for (const char* const key : {"length", "mass", "stiffness", "free_length", "free_angle", "damping"}) {
    const auto value = number_of(info, element, key);
    if (value && !(*value == 0 && std::string_view(key) == "damping")) shown.numbers.emplace_back(key, *value);
  }
}

/// The tension of a spring at rest.
void add_tension(const Skeleton& in, SceneElement& shown) {
  if (shown.kind != "spring" || shown.places.size() != 2) return;
  double stiffness = 0, free_length = 0;
  for (const auto& [name, value] : shown.numbers) {
    if (name == "stiffness") stiffness = value;
    if (name == "free_length") free_length = value;
  }
  const double now = length(place_in(in.poses, shown.places[1]) - place_in(in.poses, shown.places[0]));
  shown.numbers.emplace_back("force", stiffness * (now - free_length));
}

/// The force that a constraint exerts at its second place, or its only one, at rest; nothing where it exerts none, or
/// its multipliers are not known.
std::optional<Vec3<double>> reaction_of(const Skeleton& in, const ModelArray& array, Index i) {
  const ElementArrayBase& elements = *array.elements;
  if (elements.rows() == 0 || in.rest.lambda.size() != in.model.constraints()) return std::nullopt;
  const int place = std::min(2, elements.places()) - 1;
  const WrenchKind kind = elements.wrench_kind(place);
  if (kind == WrenchKind::single || kind == WrenchKind::torque) return std::nullopt;
  const double* const lambda = in.rest.lambda.data() + array.first_row + i * elements.rows();
  const Eigen::VectorXd value = elements.reaction(in.context, i, place, lambda).value;
  const bool is_plane = kind == WrenchKind::plane_force || kind == WrenchKind::plane_wrench;
  return Vec3<double>{value[0], value[1], is_plane ? 0.0 : value[2]};
}

/// Joints show their reaction as a vector, rods and distances the tension.
void add_reaction(const Skeleton& in, const ModelArray& array, Index i, SceneElement& shown) {
  if (shown.role != SceneRole::joint && shown.role != SceneRole::link) return;
  const auto force = reaction_of(in, array, i);
  if (!force) return;
  if (shown.role == SceneRole::joint) {
    shown.reaction = force;
    return;
  }
  if (shown.places.size() != 2) return;
  const Vec3<double> along = place_in(in.poses, shown.places[1]) - place_in(in.poses, shown.places[0]);
  if (length(along) > 0) shown.numbers.emplace_back("force", -dot(*force, along) / length(along));
}

/// The end tangents of a beam: along the x axis of its ends in general, and along the undeformed line between the nodes
/// of a floating frame, whose axes are those of this frame.
void add_tangents(const Skeleton& in, const std::vector<MarkedPlace>& places, SceneElement& shown) {
  if (places.size() != 2) return;
  if (shown.kind == "beam") {
    double length = 0;
    for (const auto& [name, value] : shown.numbers)
      if (name == "length") length = value;
    for (const MarkedPlace& place : places) shown.tangents.push_back(length * x_axis(place.axes));
    return;
  }
  const auto rest_of = [&](const MarkedPlace& place) {
    const Vec2<double> rest = in.model.blocks()[at(in.frames.block_of(place.place.frame))].rest;
    return Vec3<double>{rest.x, rest.y, 0};
  };
  const Vec3<double> along = rest_of(places[1]) - rest_of(places[0]);
  shown.tangents = {along, along};
}

/// The nodes of a flexible body that its stiffness couples; all of them where that is nearly every pair, in the order
/// of the nodes.
void add_lines(const space::FlexibleBody& body, SceneElement& shown) {
  const int nodes = static_cast<int>(body.nodes.size());
  constexpr int of_node = 6;
  std::vector<std::array<int, 2>> coupled;
  const SparseMatrix& K = body.matrices->K;
  for (int j = 0; j < nodes; ++j) {
    std::vector<char> is_coupled(at(nodes), 0);
    for (int column = of_node * j; column < of_node * (j + 1); ++column) {
      for (SparseMatrix::InnerIterator entry(K, column); entry; ++entry) {
        const auto node = static_cast<int>(entry.row() / of_node);
        if (node < j && entry.value() != 0) is_coupled[at(node)] = 1;
      }
    }
    for (int i = 0; i < j; ++i)
      if (is_coupled[at(i)] != 0) coupled.push_back({i, j});
  }
  // A condensed body couples every node with every other; lines between all of them would hide it.
  if (static_cast<int>(coupled.size()) > 3 * nodes) {
    coupled.clear();
    for (int i = 1; i < nodes; ++i) coupled.push_back({i - 1, i});
  }
  shown.lines = std::move(coupled);
}

void add_axis(const Look& look, bool is_in_space, const std::vector<MarkedPlace>& places, SceneElement& shown) {
  const Axis which = is_in_space ? look.in_space : look.in_plane;
  if (which == Axis::none || places.empty()) return;
  shown.axis = which == Axis::x ? x_axis(places[0].axes) : z_axis(places[0].axes);
}

SceneElement shown_element(const Skeleton& in, const ModelArray& array, Index i) {
  const ElementArrayBase& elements = *array.elements;
  const ElementInfo& info = elements.info();
  const Look look = look_of(info.keyword);
  SceneElement shown;
  shown.kind = info.keyword;
  shown.role = look.role;
  std::vector<MarkedPlace> places;
  if (const auto* const body = element_as<space::FlexibleBody>(elements, i)) {
    for (const space::FrameOf& node : body->nodes) places.push_back(place_of(in, node.marker, true));
    add_lines(*body, shown);
  } else {
    places = places_in(in, info, elements.element(i));
    add_numbers(info, elements.element(i), shown);
  }
  for (const MarkedPlace& each : places) shown.places.push_back(each.place);
  if (places.size() >= 2) shown.holds = look.holds;
  add_axis(look, in.frames.is_in_space(), places, shown);
  if (look.role == SceneRole::force || look.role == SceneRole::torque)
    add_vector(in, info, elements.element(i), places.empty() ? MarkedPlace() : places[0], shown);
  if (look.role == SceneRole::beam) add_tangents(in, places, shown);
  add_tension(in, shown);
  add_reaction(in, array, i, shown);
  return shown;
}

/// Names of the measures, which are elements without a name: those of the outputs, without the component.
std::map<std::pair<std::size_t, Index>, std::string> names_of_measures(const Model& model) {
  std::map<std::pair<std::size_t, Index>, std::string> names;
  for (const Output& output : model.output_list()) {
    const ElementArrayBase& elements = *model.arrays()[output.array].elements;
    if (elements.laws() != 0 || output.place != nothing) continue;
    std::string name = model.output_name(output.first);
    const std::string_view suffix = elements.measure_names()[0];
    names[{output.array, output.element}] = name.substr(0, name.size() - suffix.size());
  }
  return names;
}

}  // namespace

std::vector<SceneElement> scene_elements(const Model& model, const State& rest, const SceneFrames& frames) {
  const Skeleton in{model, rest, frames, frames.poses(rest).poses, model.context(rest)};
  const auto measures = names_of_measures(model);
  std::vector<SceneElement> shown;
  for (std::size_t array = 0; array < model.arrays().size(); ++array) {
    const ElementArrayBase& elements = *model.arrays()[array].elements;
    if (!is_shown(elements.info().keyword)) continue;
    for (Index i = 0; i < elements.size(); ++i) {
      SceneElement element = shown_element(in, model.arrays()[array], i);
      const auto measure = measures.find({array, i});
      element.name = measure != measures.end() ? measure->second : model.element_name(array, i);
      shown.push_back(std::move(element));
    }
  }
  return shown;
}

}  // namespace stillpoint
