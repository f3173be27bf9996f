#include "elements/space_harness.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

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
      {.keyword = "actuator", .numbers = {{"magnitude", {6}}}, .at_rest = "KF", .moving = "KF"},
      {.keyword = "motor", .numbers = {{"magnitude", {6}}}, .at_rest = "KF", .moving = "KF"},
  };
  return cases;
}

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

namespace {

const EntryType& type_called(const std::string& keyword) {
  for (const EntryType& type : entry_types(Dimension::space)) {
    if (type.info->keyword == keyword) return type;
  }
  throw std::invalid_argument("no entry type is called " + keyword);
}

/// One reference that an element wants.
struct Want {
  std::size_t field = 0;
  FieldKind kind = FieldKind::space_position;
  std::vector<Hold> options;
};

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

/// All that the element must refer to, and the inputs that it may refer to. (That a joint may also be placed by points
/// of its axis is about reading only.)
std::vector<Want> wants_of(const ElementCase& element) {
  const std::vector<Field>& fields = type_called(element.keyword).info->fields;
  const bool between_places =
      std::any_of(fields.begin(), fields.end(), [](const Field& field) { return is_in_space(field.kind); });
  std::vector<Want> wants;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const Field& field = fields[f];
    if (field.kind == FieldKind::numbers || (is_in_space(field.kind) && !field.required())) continue;
    std::size_t count = field.most;
    if (field.least != field.most) {  // a list of coordinates is as long as its list of factors
      for (const auto& [key, numbers] : element.numbers) {
        if (key == "factors") count = numbers.size();
      }
    }
    for (std::size_t i = 0; i < count; ++i) wants.push_back({f, field.kind, options_of(field, between_places)});
  }
  return wants;
}

std::vector<std::vector<Hold>> combinations_of(const std::vector<Want>& wants) {
  std::vector<std::vector<Hold>> combinations{{}};
  for (const Want& want : wants) {
    std::vector<std::vector<Hold>> longer;
    for (const auto& combination : combinations) {
      for (const Hold hold : want.options) {
        longer.push_back(combination);
        longer.back().push_back(hold);
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
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
  static const char* const words[] = {"ground", "point", "body", "marker", "scalar", "input", "no input"};
  const EntryType& type = type_called(element.keyword);
  ModelBuilder build;
  build.gravity(gravity);
  const bool all_fixed = std::all_of(holds.begin(), holds.end(), [](Hold hold) {
    return hold == Hold::fixed || hold == Hold::input || hold == Hold::none;
  });
  const Name one = on_one_body ? Name("one") : Name();
  if (on_one_body || all_fixed) build.space_body(on_one_body ? "one" : "bystander", {0, 0, 0});

  std::string name = element.keyword;
  std::vector<FieldValue> values(type.info->fields.size());
  for (std::size_t k = 0; k < wants.size(); ++k) {
    FieldValue& value = values[wants[k].field];
    value.references[value.count++] = hold_on(build, wants[k].kind, holds[k], k, one);
    const bool on_it = on_one_body && (holds[k] == Hold::body || holds[k] == Hold::marker);
    name += (k == 0 ? " at " : ", ") + std::string(on_it ? "the same body" : words[static_cast<int>(holds[k])]);
  }
  for (const auto& [key, numbers] : element.numbers) {
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (type.info->fields[f].key != key) continue;
      values[f].count = numbers.size();
      std::copy(numbers.begin(), numbers.end(), values[f].numbers.begin());
    }
  }

  const std::shared_ptr<void> entry = type.make();
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (values[f].count > 0) type.info->fields[f].store(entry.get(), values[f]);
  }
  type.add(build, "element", entry.get());
  return {name, build.model(), holds, on_one_body};
}

}  // namespace

std::vector<Specimen> space_specimens(const ElementCase& element, const Vec3<double>& gravity) {
  const std::vector<Want> wants = wants_of(element);
  const std::vector<std::vector<Hold>> combinations = combinations_of(wants);
  std::vector<Specimen> made;
  for (const auto& holds : combinations) made.push_back(make_specimen(element, wants, holds, gravity, false));
  const auto places = std::count_if(wants.begin(), wants.end(), [](const Want& want) {
    return want.kind != FieldKind::input && want.options.size() > 1;
  });
  if (places > 1) made.push_back(make_specimen(element, wants, combinations.back(), gravity, true));
  return made;
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

namespace {

constexpr double nearest_places = 0.5;      // m
constexpr double nearest_to_pi = 0.05;      // rad
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
  for (const double phi : constraint_residual(model, state)) {
    if (std::abs(std::abs(phi) - std::numbers::pi) < nearest_to_pi) return false;
  }
  return true;
}

}  // namespace

State random_space_state(const Model& model, Random& random, Assembly::Motion motion) {
  const Index n = model.coordinates();
  State state = model.initial_state();
  state.lambda = random.vector(model.constraints(), -2, 2);
  state.u = random.vector(model.inputs(), -2, 2);
  if (motion == Assembly::Motion::moving) {
    state.v = random.vector(n, -2, 2);
    state.a = random.vector(n, -2, 2);
  }
  do {
    state.q = random.vector(n, -2, 2);
    for (const Block& block : model.blocks()) {
      if (block.kind == BlockKind::scalar) state.q[block.first] = random.between(-9, 9);
      if (block.kind == BlockKind::space_body) state.q.segment<3>(block.first + 3).setZero();
    }
    for (Rotation<double>& orientation : state.orientations) orientation = random_rotation(random);
  } while (!is_smooth_at(model, state));
  return state;
}

// ---------------------------------------------------------------------------------------------------------------------
// The chart

namespace {

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return matrix;
}

Eigen::Quaterniond quaternion(const Rotation<double>& r) { return {r.w, r.x, r.y, r.z}; }

Eigen::Quaterniond exponential(const Eigen::Vector3d& theta) {
  const double angle = theta.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, theta / angle));
}

/// (1 − cos φ)/φ², without loss of digits at small φ.
double cosine_term(double phi) {
  const double half = std::sin(phi / 2) / phi;
  return 2 * half * half;
}

template <class F>
void for_each_body(const Model& model, const F& f) {
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::space_body) f(block.first + 3, static_cast<std::size_t>(block.orientation));
  }
}

}  // namespace

Eigen::Matrix3d right_jacobian(const Eigen::Vector3d& theta) {
  const double phi = theta.norm();
  if (phi == 0) return Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d S = skew(theta);
  return Eigen::Matrix3d::Identity() - cosine_term(phi) * S + ((phi - std::sin(phi)) / (phi * phi * phi)) * (S * S);
}

Eigen::Matrix3d right_jacobian_rate(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate) {
  const double phi = theta.norm();
  const Eigen::Matrix3d S = skew(theta), S_rate = skew(rate);
  if (phi == 0) return -0.5 * S_rate;
  const double s = std::sin(phi), c = phi * phi * cosine_term(phi);  // c = 1 − cos φ
  const double phi_rate = theta.dot(rate) / phi;
  const double once = c / (phi * phi), once_rate = (phi * s - 2 * c) / std::pow(phi, 3) * phi_rate;
  const double twice = (phi - s) / std::pow(phi, 3),
               twice_rate = (phi * c - 3 * (phi - s)) / std::pow(phi, 4) * phi_rate;
  return -once_rate * S - once * S_rate + twice_rate * (S * S) + twice * (S_rate * S + S * S_rate);
}

State in_chart(const Model& model, const State& about, const Eigen::VectorXd& along) {
  State at = about;
  at.q += along;
  for_each_body(model, [&](Index first, std::size_t which) {
    const Eigen::Vector3d theta = along.segment<3>(first);
    at.q.segment<3>(first).setZero();
    const Eigen::Quaterniond R = quaternion(about.orientations[which]) * exponential(theta);
    at.orientations[which] = {R.w(), R.x(), R.y(), R.z()};
    const Eigen::Matrix3d T = right_jacobian(theta);
    if (about.v.size() > 0) at.v.segment<3>(first) = T * about.v.segment<3>(first);
    if (about.a.size() > 0) at.a.segment<3>(first) = T * about.a.segment<3>(first);
    if (about.a.size() > 0 && about.v.size() > 0) {
      const Eigen::Vector3d rate = about.v.segment<3>(first);
      at.a.segment<3>(first) += right_jacobian_rate(theta, rate) * rate;
    }
  });
  return at;
}

Eigen::VectorXd pulled_back(const Model& model, const Eigen::VectorXd& along, Eigen::VectorXd force) {
  for_each_body(model, [&](Index first, std::size_t) {
    force.segment<3>(first) = (right_jacobian(along.segment<3>(first)).transpose() * force.segment<3>(first)).eval();
  });
  return force;
}

Eigen::MatrixXd chart_derivative(
    const Model& model, const State& state,
    const std::function<Eigen::VectorXd(const State& at, const Eigen::VectorXd& along)>& g) {
  Eigen::MatrixXd derivative(g(state, Eigen::VectorXd::Zero(model.coordinates())).size(), model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) {
    derivative.col(i) = central_difference([&](double h) {
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(model.coordinates(), i);
      return g(in_chart(model, state, along), along);
    });
  }
  return derivative;
}

Eigen::MatrixXd derivative_by(Eigen::VectorXd State::*variable, const State& state,
                              const std::function<Eigen::VectorXd(const State& at)>& g) {
  State moved = state;
  Eigen::VectorXd& x = moved.*variable;
  Eigen::MatrixXd derivative(g(state).size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double here = x[i];
    derivative.col(i) = central_difference([&](double h) {
      x[i] = here + h;
      return g(moved);
    });
    x[i] = here;
  }
  return derivative;
}

// Rates and accelerations do not stand in Jᵀλ and Φ.
Eigen::VectorXd SpaceDifferences::r_and_phi(const State& state) {
  const Eigen::Index n = model_.coordinates(), m = model_.constraints();
  Eigen::VectorXd both(n + m);
  both.head(n) = inertia_forces(model_, state) - applied_forces(model_, state);
  if (m > 0) {
    State still = state;
    still.v.resize(0);
    still.a.resize(0);
    both.head(n) += assembly_.at(still).J.transpose() * state.lambda;
    both.tail(m) = constraint_residual(model_, state);
  }
  return both;
}

DenseMatrices SpaceDifferences::at(const State& state) {
  const Eigen::Index n = model_.coordinates(), m = model_.constraints();
  State around = state;
  if (around.v.size() == 0) around.v.setZero(n);
  if (around.a.size() == 0) around.a.setZero(n);
  const Eigen::MatrixXd by_q = chart_derivative(model_, around, [&](const State& at, const Eigen::VectorXd& along) {
    Eigen::VectorXd both = r_and_phi(at);
    both.head(n) = pulled_back(model_, along, both.head(n));
    return both;
  });
  const Eigen::MatrixXd by_u = derivative_by(&State::u, around, [&](const State& at) { return r_and_phi(at); });
  const auto r = [&](const State& at) { return (inertia_forces(model_, at) - applied_forces(model_, at)).eval(); };
  return {.M = derivative_by(&State::a, around, r),
          .C = derivative_by(&State::v, around, r),
          .K = by_q.topRows(n),
          .J = by_q.bottomRows(m),
          .F = -by_u.topRows(n),
          .G = -by_u.bottomRows(m)};
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
    rates.segment<3>(block.first + 3) = quaternion(R).inverse() * Eigen::Vector3d(omega.x, omega.y, omega.z);
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

void bring_together_in_space(const Model& model, State& state) {
  Assembly assembly(model);
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd phi = constraint_residual(model, state);
    if (phi.size() == 0 || phi.cwiseAbs().maxCoeff() < 1e-14) return;
    State still = state;
    still.v.resize(0);
    still.a.resize(0);
    const Eigen::MatrixXd J = assembly.at(still).J;
    state = model.displaced(state, -J.completeOrthogonalDecomposition().solve(phi));
  }
}

}  // namespace stillpoint
