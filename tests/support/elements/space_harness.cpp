#include "support/elements/space_harness.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "support/as_eigen.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Cases

namespace {

/// A symmetric 6 × 6 matrix, row by row, with all entries different and the diagonal the larger part.
std::vector<double> full_matrix(double scale) {
  std::vector<double> rows;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) rows.push_back(scale * (i == j ? 6 + i : 0.2 * ((i + 1) * (j + 1) % 7) - 0.5));
  }
  return rows;
}

}  // namespace

// K of what acts on a point appears where the point turns with a body; C and K of a mass in motion, where it sits off
// the origin.
const std::vector<ElementCase>& space_element_cases() {
  const auto outside = Reacts::outside;
  static const std::vector<ElementCase> cases{
      {.keyword = "point_mass", .numbers = {{"mass", {1.7}}}, .at_rest = "MK", .moving = "MCK", .reacts = outside},
      {.keyword = "rigid_mass",
       .numbers = {{"mass", {1.7}}, {"inertia", {0.9, 1.3, 1.6, 0.2, -0.3, 0.1}}},
       .at_rest = "MK",
       .moving = "MCK",
       .reacts = outside},
      {.keyword = "scalar_mass",
       .numbers = {{"mass", {1.7}}},
       .at_rest = "M",
       .moving = "M",
       .reacts = Reacts::on_coordinates},
      {.keyword = "rod", .numbers = {{"length", {1.3}}, {"mass", {2.1}}}, .at_rest = "MKJ", .moving = "MCKJ"},

      {.keyword = "distance", .numbers = {{"length", {1.3}}}, .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "spherical", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "universal", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "constant_velocity", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "revolute", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "cylindrical", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "prismatic", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "planar", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "weld", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "point_on_line", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "point_on_plane", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "angle", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "travel", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "coupling",
       .numbers = {{"factors", {1.5, -0.7, 2.2}}, {"value", {0.4}}},
       .at_rest = "J",
       .moving = "J",
       .reacts = Reacts::on_coordinates},
      {.keyword = "prescribed", .at_rest = "JG", .moving = "JG", .reacts = Reacts::on_coordinates},

      {.keyword = "spring",
       .numbers = {{"stiffness", {40}}, {"free_length", {1.2}}, {"damping", {3}}},
       .at_rest = "CK",
       .moving = "CK"},
      {.keyword = "spring", .numbers = {{"stiffness", {40}}, {"free_length", {1.2}}}, .at_rest = "K", .moving = "K"},
      {.keyword = "spring", .numbers = {{"stiffness", {40}}, {"free_length", {0}}}, .at_rest = "K", .moving = "K"},
      {.keyword = "damper", .numbers = {{"damping", {3}}}, .at_rest = "C", .moving = "CK"},
      {.keyword = "bushing",
       .numbers = {{"stiffness", full_matrix(4)}, {"damping", full_matrix(0.3)}},
       .at_rest = "CK",
       .moving = "CK"},
      {.keyword = "bushing", .numbers = {{"stiffness", {20, 30, 10, 4, 7, 5}}}, .at_rest = "K", .moving = "K"},
      {.keyword = "torsion_spring",
       .numbers = {{"stiffness", {7}}, {"free_angle", {0.3}}, {"damping", {0.8}}},
       .at_rest = "CK",
       .moving = "CK"},
      {.keyword = "torsion_spring",
       .numbers = {{"stiffness", {7}}, {"free_angle", {0.3}}},
       .at_rest = "K",
       .moving = "K"},
      {.keyword = "torsion_damper", .numbers = {{"damping", {0.8}}}, .at_rest = "C", .moving = "CK"},
      {.keyword = "scalar_spring",
       .numbers = {{"stiffness", {7}}, {"free_value", {0.3}}, {"damping", {0.8}}},
       .at_rest = "CK",
       .moving = "CK",
       .reacts = Reacts::on_coordinates},
      {.keyword = "scalar_force",
       .numbers = {{"magnitude", {4}}},
       .at_rest = "F",
       .moving = "F",
       .reacts = Reacts::on_coordinates},
      {.keyword = "force", .numbers = {{"vector", {2, -5, 3}}}, .at_rest = "KF", .moving = "KF", .reacts = outside},
      {.keyword = "torque",
       .numbers = {{"vector", {2, -5, 3}}},
       .at_rest = "KF",
       .moving = "KF",
       .reacts = outside,
       .conservative = false},
      {.keyword = "follower_force",
       .numbers = {{"vector", {2, -5, 3}}},
       .at_rest = "KF",
       .moving = "KF",
       .reacts = outside,
       .conservative = false},
      {.keyword = "follower_torque",
       .numbers = {{"vector", {2, -5, 3}}},
       .at_rest = "KF",
       .moving = "KF",
       .reacts = outside,
       .conservative = false},
      {.keyword = "rotor",
       .numbers = {{"momentum", {2, -5, 3}}},
       .at_rest = "C",
       .moving = "CKF",
       .reacts = outside,
       .gyroscopic = true},
      {.keyword = "actuator", .numbers = {{"magnitude", {6}}}, .at_rest = "KF", .moving = "KF"},
      {.keyword = "motor", .numbers = {{"magnitude", {6}}}, .at_rest = "KF", .moving = "KF"},
      {.keyword = "beam",
       .numbers =
           {{"length", {1.3}}, {"axial_stiffness", {50}}, {"torsion_stiffness", {5}}, {"bending_stiffness", {7, 9}}},
       .at_rest = "K",
       .moving = "K"},
      {.keyword = "beam",
       .numbers = {{"length", {1.3}},
                   {"axial_stiffness", {50}},
                   {"torsion_stiffness", {5}},
                   {"bending_stiffness", {7, 9}},
                   {"shear_stiffness", {30, 0}},
                   {"mass_per_length", {2}},
                   {"rotary_inertia", {0.5, 0.2, 0.3}},
                   {"damping", {0, 0.3}}},
       .at_rest = "MCK",
       .moving = "MCK"},
      {.keyword = "beam",
       .numbers = {{"length", {1.3}},
                   {"axial_stiffness", {50}},
                   {"torsion_stiffness", {5}},
                   {"bending_stiffness", {7, 9}},
                   {"mass_per_length", {2}},
                   {"rotary_inertia", {0.5, 0.2, 0.3}},
                   {"damping", {0.4, 0.3}}},
       .at_rest = "MCK",
       .moving = "MCK",
       .reacts = outside},
  };
  return cases;
}

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

namespace {

std::vector<Hold> options_of(const Field& field, bool between_places) {
  switch (field.kind) {
    case FieldKind::space_position:
      return {Hold::fixed, Hold::point, Hold::body, Hold::marker};
    case FieldKind::space_frame:
    case FieldKind::space_orientation:
      return {Hold::fixed, Hold::body, Hold::marker};
    case FieldKind::coordinate:
      if (between_places) return {Hold::scalar};  // their angle or travel
      return {Hold::scalar, Hold::point, Hold::body};
    case FieldKind::input:
      if (field.required()) return {Hold::input};
      return {Hold::input, Hold::none};
    default:
      throw std::invalid_argument("no element in space refers to such a thing");
  }
}

// Places on the ground and on one body that keep half a metre from each other, and turns that keep away from half
// turns.
constexpr Vec3<double> somewhere[] = {{0.7, -0.4, 0.2}, {-1.1, 0.9, -0.6}, {0.3, 1.6, 0.8}};
constexpr Vec3<double> some_turn[] = {{0.5, -0.3, 1.1}, {-1.2, 0.4, 0.7}, {0.2, 1.2, -0.9}};
const char* const components[] = {"x", "y", "z"};

/// Makes what reference number k holds on to, and returns the reference to it. `body` is the one body that carries all
/// places, if there is such a body.
Index hold_on(ModelBuilder& build, FieldKind kind, Hold hold, std::size_t k, const Name& body) {
  const Vec3<double>& at = somewhere[k];
  const Rotation<double> rotation = rotation_about(some_turn[k]);
  const Name name("B", {static_cast<std::int64_t>(k)});
  if (hold == Hold::none) return nothing;
  if (hold == Hold::input) return build.input("u").input;
  if (hold == Hold::scalar) {
    build.scalar(name, 0);
    return build.coordinate(name).coordinate;
  }
  if (kind == FieldKind::coordinate) {
    if (!body.empty()) return build.coordinate(body, components[k]).coordinate;
    if (hold == Hold::point) build.space_point(name, at);
    else build.space_body(name, at);
    return build.coordinate(name, components[k]).coordinate;
  }
  if (!body.empty()) return build.space_marker({}, build.space_place(body), at, rotation).marker;
  if (hold == Hold::fixed) return build.space_fixed(name, at, rotation).marker;
  if (hold == Hold::point) return build.space_point(name, at).marker;
  const space::Place made = build.space_body(name, at);
  if (hold == Hold::body) return made.marker;
  const double j = static_cast<double>(k);
  return build.space_marker({}, made, {0.8, -0.3 * (j + 1), 0.4 - 0.5 * j}, rotation).marker;
}

Specimen make_specimen(const ElementCase& element, const std::vector<Want>& wants, const std::vector<Hold>& holds,
                       const Vec3<double>& gravity, bool on_one_body) {
  ModelBuilder build;
  build.gravity(gravity);
  const bool all_fixed = std::all_of(holds.begin(), holds.end(), [](Hold hold) {
    return hold == Hold::fixed || hold == Hold::input || hold == Hold::none;
  });
  const Name one = on_one_body ? Name("one") : Name();
  if (on_one_body || all_fixed) build.space_body(on_one_body ? "one" : "bystander", {0, 0, 0});
  std::string name = element.keyword;
  std::vector<Index> references;
  for (std::size_t k = 0; k < wants.size(); ++k) {
    references.push_back(hold_on(build, wants[k].kind, holds[k], k, one));
    const bool on_it = on_one_body && (holds[k] == Hold::body || holds[k] == Hold::marker);
    name += (k == 0 ? " at " : ", ") + std::string(on_it ? "the same body" : word_of(holds[k]));
  }
  add_element(build, type_called(element.keyword, Dimension::space), element, wants, references);
  return {name, build.model(), holds, on_one_body};
}

}  // namespace

std::vector<Specimen> space_specimens(const ElementCase& element, const Vec3<double>& gravity) {
  const ElementInfo& info = *type_called(element.keyword, Dimension::space).info;
  const bool between_places =
      std::any_of(info.fields.begin(), info.fields.end(), [](const Field& field) { return is_in_space(field.kind); });
  const auto wants = wants_of(element, info, [&](const Field& field) { return options_of(field, between_places); });
  return specimens_of(wants, [&](const std::vector<Hold>& holds, bool on_one_body) {
    return make_specimen(element, wants, holds, gravity, on_one_body);
  });
}

bool floats_in_space(const Specimen& specimen) { return !specimen.holds_on_to(Hold::fixed); }

// ---------------------------------------------------------------------------------------------------------------------
// States

// Uniform on the sphere of unit quaternions (Shoemake's two circles).
Rotation<double> random_rotation(Random& random) {
  const double split = random.between(0, 1);
  const double first = random.between(0, 2 * std::numbers::pi), second = random.between(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - split), s = std::sqrt(split);
  return {r * std::sin(first), r * std::cos(first), s * std::sin(second), s * std::cos(second)};
}

Vec3<double> random_vector(Random& random, double size) {
  return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
}

namespace {

constexpr double least_half_cosine = 0.25;  // cos(α/2) of a relative rotation: α stays below 151°
constexpr double largest_twist = 2.7;       // rad; a free angle of up to 0.4 then keeps away from ±π, too

bool turns_are_smooth(const Rotation<double>& a, const Rotation<double>& b) {
  const Rotation<double> relative = inverse(a) * b;
  if (std::abs(relative.w) < least_half_cosine) return false;
  return 2 * std::atan(std::abs(relative.z / relative.w)) < largest_twist;
}

bool is_smooth_at(const Model& model, const State& state) {
  const Context context = model.context(state);
  const auto& markers = model.space_markers();
  for (std::size_t j = 1; j < markers.size(); ++j) {  // without the origin, on which nothing holds
    for (std::size_t i = 1; i < j; ++i) {
      if (markers[i].block == markers[j].block) continue;
      const auto at = [&](std::size_t k) {
        return lift<double>(context, space::PositionOf{static_cast<Index>(k)}, {});
      };
      if (length(at(j) - at(i)) < nearest_places) return false;
      const auto has_axes = [&](std::size_t k) {
        const Index block = markers[k].block;
        return block == on_ground || model.blocks()[static_cast<std::size_t>(block)].kind == BlockKind::space_body;
      };
      if (!has_axes(i) || !has_axes(j)) continue;
      const auto turn = [&](std::size_t k) {
        return lift<double>(context, space::OrientationOf{static_cast<Index>(k)}, {});
      };
      if (!turns_are_smooth(turn(i), turn(j)) || !turns_are_smooth(turn(j), turn(i))) return false;
    }
  }
  return laws_are_smooth(model, state);
}

}  // namespace

State random_space_state(const Model& model, Random& random, Assembly::Motion motion) {
  State state = random_loads(model, random, motion);
  do {
    state.q = random.vector(model.coordinates(), -2, 2);
    for (const Block& block : model.blocks()) {
      if (block.kind == BlockKind::scalar) state.q[block.first] = random.between(-9, 9);
      if (block.kind == BlockKind::space_body) state.q.segment<3>(block.first + 3).setZero();
    }
    for (Rotation<double>& orientation : state.orientations) orientation = random_rotation(random);
  } while (!is_smooth_at(model, state));
  return state;
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole as a rigid body

Eigen::VectorXd rigid_velocity(const Model& model, const State& state, const Vec3<double>& velocity,
                               const Vec3<double>& omega) {
  Eigen::VectorXd rates = Eigen::VectorXd::Zero(model.coordinates());
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::scalar) continue;
    const double* const q = state.q.data() + block.first;
    const Vec3<double> v = velocity + cross(omega, Vec3<double>{q[0], q[1], q[2]});
    rates.segment<3>(block.first) << v.x, v.y, v.z;
    if (block.kind != BlockKind::space_body) continue;
    const auto& R = state.orientations[static_cast<std::size_t>(block.orientation)];
    rates.segment<3>(block.first + 3) = eigen(R).inverse() * eigen(omega);
  }
  return rates;
}

State moved_rigidly(const Model& model, State state, const Rotation<double>& turn, const Vec3<double>& by) {
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::scalar) continue;
    double* const q = state.q.data() + block.first;
    const Vec3<double> p = turned(turn, Vec3<double>{q[0], q[1], q[2]}) + by;
    state.q.segment<3>(block.first) << p.x, p.y, p.z;
  }
  for (Rotation<double>& R : state.orientations) R = normalized(turn * R);
  return state;
}

}  // namespace stillpoint
