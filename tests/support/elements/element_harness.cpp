#include "support/elements/element_harness.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

namespace {

std::vector<Hold> options_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::position:
      return {Hold::fixed, Hold::point, Hold::body, Hold::marker, Hold::node, Hold::node_marker};
    case FieldKind::frame:
      return {Hold::fixed, Hold::body, Hold::marker, Hold::node, Hold::node_marker};
    case FieldKind::angle:
      return {Hold::fixed, Hold::body, Hold::marker, Hold::node, Hold::scalar};
    case FieldKind::node:
      return {Hold::node};
    case FieldKind::coordinate:
      return {Hold::scalar, Hold::point, Hold::body, Hold::node};
    case FieldKind::input:
      if (field.required()) return {Hold::input};
      return {Hold::input, Hold::none};
    default:  // numbers, and what exists only in space or for outputs
      return {};
  }
}

/// Places that keep half a metre from each other, on the ground and on one body.
constexpr Vec2<double> somewhere[] = {{0.7, -0.4}, {-1.1, 0.9}, {0.3, 1.6}};
constexpr double some_angle[] = {0.5, -2.1, 1.2};
const char* const components[] = {"x", "y", "phi"};

/// Makes what slot number k holds on to, and returns the reference to it.
Index hold_on(ModelBuilder& build, FieldKind kind, Hold hold, std::int64_t k, bool on_one_body) {
  const Vec2<double> at = somewhere[k];
  const double angle = some_angle[k];
  if (on_one_body) {
    const Place body = k == 0 ? build.body("B", {0, 0}) : build.place("B");
    if (kind == FieldKind::coordinate) return build.coordinate("B", components[k]).coordinate;
    return build.marker({}, body, at, angle).marker;
  }
  if (kind == FieldKind::node) {  // all in one frame
    const Place frame = k == 0 ? build.body("F", {0, 0}) : build.place("F");
    return build.node(Name("N", {k}), frame, at).marker;
  }
  const Name name("B", {k});
  const bool coordinate = kind == FieldKind::coordinate;
  switch (hold) {
    case Hold::fixed:
      return build.fixed(name, at, angle).marker;
    case Hold::scalar: {
      const Place made = build.scalar(name, 0);
      return coordinate ? build.coordinate(name).coordinate : made.marker;
    }
    case Hold::point: {
      const Place made = build.point(name, at);
      return coordinate ? build.coordinate(name, "y").coordinate : made.marker;
    }
    case Hold::body: {
      const Place made = build.body(name, at);
      return coordinate ? build.coordinate(name, "phi").coordinate : made.marker;
    }
    case Hold::marker:
      return build.marker({}, build.body(name, at), {0.8, -0.3 * static_cast<double>(k + 1)}, angle).marker;
    case Hold::node:
    case Hold::node_marker: {
      const Place node = build.node(Name("N", {k}), build.body(name, at), {-0.4, 0.6 + 0.3 * static_cast<double>(k)});
      if (coordinate) return build.coordinate(Name("N", {k}), "theta").coordinate;
      if (hold == Hold::node) return node.marker;
      return build.marker({}, node, {0.8, -0.3 * static_cast<double>(k + 1)}, angle).marker;
    }
    case Hold::input:
      return build.input("u").input;
    case Hold::none:
      break;
  }
  return nothing;
}

Specimen make_specimen(const ElementCase& element, const std::vector<Want>& wants, const std::vector<Hold>& holds,
                       const Vec2<double>& gravity, bool on_one_body) {
  ModelBuilder build;
  build.gravity({gravity.x, gravity.y});
  std::string name = element.keyword;
  std::vector<Index> references;
  for (std::size_t k = 0; k < wants.size(); ++k) {
    const bool on_it = on_one_body && wants[k].kind != FieldKind::input;
    references.push_back(hold_on(build, wants[k].kind, holds[k], static_cast<std::int64_t>(k), on_it));
    name += (k == 0 ? " at " : ", ") + std::string(on_it ? "the same body" : word_of(holds[k]));
  }
  add_element(build, type_called(element.keyword, Dimension::plane), element, wants, references);
  return {name, build.model(), holds, on_one_body};
}

}  // namespace

std::vector<Specimen> specimens(const ElementCase& element, const Vec2<double>& gravity) {
  const auto wants = wants_of(element, *type_called(element.keyword, Dimension::plane).info, options_of);
  return specimens_of(wants, [&](const std::vector<Hold>& holds, bool on_one_body) {
    return make_specimen(element, wants, holds, gravity, on_one_body);
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// States

namespace {

bool is_smooth_at(const Model& model, const State& state) {
  const Context context = model.context(state);
  const auto& markers = model.markers();
  std::vector<std::pair<Index, Vec2<double>>> places;  // by block; without the origin, on which nothing holds
  for (std::size_t i = 1; i < markers.size(); ++i) {
    const Index block = markers[i].block;
    if (block != on_ground && model.blocks()[static_cast<std::size_t>(block)].kind == BlockKind::scalar) continue;
    const Vec2<double> p = lift<double>(context, PositionOf{static_cast<Index>(i)}, {});
    for (const auto& [other, at] : places) {
      if (other != block && length(p - at) < nearest_places) return false;
    }
    places.emplace_back(block, p);
  }
  return laws_are_smooth(model, state);
}

}  // namespace

State random_state(const Model& model, Random& random, Assembly::Motion motion) {
  State state = random_loads(model, random, motion);
  do {
    state.q = random.vector(model.coordinates(), -2, 2);
    for (const Block& block : model.blocks()) {
      if (block.kind == BlockKind::body) state.q[block.first + 2] = random.between(-9, 9);
      if (block.kind == BlockKind::scalar) state.q[block.first] = random.between(-9, 9);
    }
  } while (!is_smooth_at(model, state));
  return state;
}

Eigen::VectorXd rigid_velocity(const Model& model, const State& state, double x, double y, double omega) {
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(model.coordinates());
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::scalar || block.kind == BlockKind::node) continue;
    velocity[block.first] = x - omega * state.q[block.first + 1];
    velocity[block.first + 1] = y + omega * state.q[block.first];
    if (block.kind == BlockKind::body) velocity[block.first + 2] = omega;
  }
  return velocity;
}

}  // namespace stillpoint
