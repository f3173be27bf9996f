#include "elements/element_harness.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

namespace {

const EntryType& element_type_called(const std::string& keyword) {
  for (const EntryType& type : entry_types()) {
    if (type.info->keyword == keyword) return type;
  }
  throw std::invalid_argument("no entry type is called " + keyword);
}

const std::vector<double>* numbers_of(const ElementCase& element, std::string_view key) {
  for (const auto& [name, numbers] : element.numbers) {
    if (name == key) return &numbers;
  }
  return nullptr;
}

/// One reference that an element wants.
struct Slot {
  std::size_t field = 0;
  FieldKind kind = FieldKind::position;
  std::vector<Hold> options;
};

std::vector<Hold> options_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::position:
      return {Hold::fixed, Hold::point, Hold::body, Hold::marker};
    case FieldKind::frame:
      return {Hold::fixed, Hold::body, Hold::marker};
    case FieldKind::angle:
      return {Hold::fixed, Hold::body, Hold::marker, Hold::scalar};
    case FieldKind::coordinate:
      return {Hold::scalar, Hold::point, Hold::body};
    case FieldKind::input:
      if (field.required()) return {Hold::input};
      return {Hold::input, Hold::none};
    default:  // numbers, and what exists only in space or for outputs
      return {};
  }
}

std::vector<Slot> slots_of(const ElementCase& element, const ElementInfo& info) {
  std::vector<Slot> slots;
  for (std::size_t f = 0; f < info.fields.size(); ++f) {
    const Field& field = info.fields[f];
    if (field.kind == FieldKind::numbers) continue;
    // A list of coordinates is as long as its list of factors.
    const std::size_t count = field.least == field.most ? field.most : numbers_of(element, "factors")->size();
    for (std::size_t i = 0; i < count; ++i) slots.push_back({f, field.kind, options_of(field)});
  }
  return slots;
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
    case Hold::input:
      return build.input("u").input;
    case Hold::none:
      break;
  }
  return nothing;
}

Specimen make_specimen(const ElementCase& element, const std::vector<Slot>& slots, const std::vector<Hold>& holds,
                       const Vec2<double>& gravity, bool on_one_body) {
  static const char* const words[] = {"ground", "point", "body", "marker", "scalar", "input", "no input"};
  const EntryType& type = element_type_called(element.keyword);
  ModelBuilder build;
  build.gravity({gravity.x, gravity.y});

  std::string name = element.keyword;
  std::vector<FieldValue> values(type.info->fields.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const bool is_input = slots[k].kind == FieldKind::input;
    const Index reference =
        hold_on(build, slots[k].kind, holds[k], static_cast<std::int64_t>(k), on_one_body && !is_input);
    FieldValue& value = values[slots[k].field];
    value.references[value.count++] = reference;
    name += (k == 0 ? " at " : ", ") +
            std::string(on_one_body && !is_input ? "the same body" : words[static_cast<int>(holds[k])]);
  }
  for (std::size_t f = 0; f < values.size(); ++f) {
    const auto* const numbers = numbers_of(element, type.info->fields[f].key);
    if (!numbers) continue;
    values[f].count = numbers->size();
    std::copy(numbers->begin(), numbers->end(), values[f].numbers.begin());
  }

  const std::shared_ptr<void> entry = type.make();
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (values[f].count > 0) type.info->fields[f].store(entry.get(), values[f]);
  }
  type.add(build, "element", entry.get());
  return {name, build.model(), holds, on_one_body};
}

}  // namespace

bool Specimen::holds_on_to(Hold what) const { return std::find(holds.begin(), holds.end(), what) != holds.end(); }

std::vector<Specimen> specimens(const ElementCase& element, const Vec2<double>& gravity) {
  const std::vector<Slot> slots = slots_of(element, *element_type_called(element.keyword).info);
  std::vector<std::vector<Hold>> combinations{{}};
  for (const Slot& slot : slots) {
    std::vector<std::vector<Hold>> longer;
    for (const auto& combination : combinations) {
      for (const Hold hold : slot.options) {
        longer.push_back(combination);
        longer.back().push_back(hold);
      }
    }
    combinations = std::move(longer);
  }

  std::vector<Specimen> made;
  for (const auto& holds : combinations) made.push_back(make_specimen(element, slots, holds, gravity, false));
  const auto places =
      std::count_if(slots.begin(), slots.end(), [](const Slot& slot) { return slot.kind != FieldKind::input; });
  if (places > 1) made.push_back(make_specimen(element, slots, combinations.back(), gravity, true));
  return made;
}

// ---------------------------------------------------------------------------------------------------------------------
// States

double Random::between(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
}

Eigen::VectorXd Random::vector(Eigen::Index size, double low, double high) {
  Eigen::VectorXd x(size);
  for (double& value : x) value = between(low, high);
  return x;
}

namespace {

constexpr double nearest_places = 0.5;  // m
constexpr double nearest_to_pi = 0.05;  // rad

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
  for (const double phi : constraint_residual(model, state)) {
    if (std::abs(std::abs(phi) - std::numbers::pi) < nearest_to_pi) return false;
  }
  return true;
}

}  // namespace

State random_state(const Model& model, Random& random, Assembly::Motion motion) {
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
      if (block.kind == BlockKind::body) state.q[block.first + 2] = random.between(-9, 9);
      if (block.kind == BlockKind::scalar) state.q[block.first] = random.between(-9, 9);
    }
  } while (!is_smooth_at(model, state));
  return state;
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrices

const Eigen::MatrixXd& DenseMatrices::operator[](char letter) const {
  switch (letter) {
    case 'M':
      return M;
    case 'C':
      return C;
    case 'K':
      return K;
    case 'J':
      return J;
    case 'F':
      return F;
    case 'G':
      return G;
    default:
      throw std::invalid_argument("no such matrix");
  }
}

DenseMatrices exact_matrices(const Matrices& sparse) {
  return {sparse.M, sparse.C, sparse.K, sparse.J, sparse.F, sparse.G};
}

Eigen::VectorXd central_difference(const std::function<Eigen::VectorXd(double)>& g) {
  constexpr double h = difference_step;
  return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
}

double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.size() == 0) return 0;
  const double scale = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), 1e-3});
  return (a - b).cwiseAbs().maxCoeff() / scale;
}

Eigen::VectorXd Differences::r_and_phi(const State& state) {
  Eigen::VectorXd both(model_.coordinates() + model_.constraints());
  both.head(model_.coordinates()) = inertia_forces(model_, state) - applied_forces(model_, state);
  if (model_.constraints() > 0) {
    State still = state;
    still.v.resize(0);
    still.a.resize(0);
    both.head(model_.coordinates()) += assembly_.at(still).J.transpose() * state.lambda;
    both.tail(model_.constraints()) = constraint_residual(model_, state);
  }
  return both;
}

Eigen::MatrixXd Differences::by(const State& state, Eigen::VectorXd State::*variable) {
  State moved = state;
  Eigen::VectorXd& x = moved.*variable;
  Eigen::MatrixXd derivative(model_.coordinates() + model_.constraints(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double here = x[i];
    derivative.col(i) = central_difference([&](double h) {
      x[i] = here + h;
      return r_and_phi(moved);
    });
    x[i] = here;
  }
  return derivative;
}

DenseMatrices Differences::at(const State& state) {
  const Eigen::Index n = model_.coordinates(), m = model_.constraints();
  State around = state;
  if (around.v.size() == 0) around.v.setZero(n);
  if (around.a.size() == 0) around.a.setZero(n);
  const Eigen::MatrixXd by_q = by(around, &State::q), by_u = by(around, &State::u);
  return {.M = by(around, &State::a).topRows(n),
          .C = by(around, &State::v).topRows(n),
          .K = by_q.topRows(n),
          .J = by_q.bottomRows(m),
          .F = -by_u.topRows(n),
          .G = -by_u.bottomRows(m)};
}

Eigen::VectorXd rigid_velocity(const Model& model, const State& state, double x, double y, double omega) {
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(model.coordinates());
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::scalar) continue;
    velocity[block.first] = x - omega * state.q[block.first + 1];
    velocity[block.first + 1] = y + omega * state.q[block.first];
    if (block.kind == BlockKind::body) velocity[block.first + 2] = omega;
  }
  return velocity;
}

}  // namespace stillpoint
