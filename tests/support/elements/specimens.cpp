#include "support/elements/specimens.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "support/dense_reference.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

const char* word_of(Hold hold) {
  constexpr const char* words[] = {"ground",           "point",  "body",  "marker",  "node",
                                   "marker on a node", "scalar", "input", "no input"};
  return words[static_cast<int>(hold)];
}

bool Specimen::holds_on_to(Hold what) const { return std::find(holds.begin(), holds.end(), what) != holds.end(); }

const EntryType& type_called(const std::string& keyword, Dimension dimension) {
  for (const EntryType& type : entry_types(dimension)) {
    if (type.info->keyword == keyword) return type;
  }
  throw std::invalid_argument("no entry type is called " + keyword);
}

namespace {

const std::vector<double>* numbers_of(const ElementCase& element, std::string_view key) {
  for (const auto& [name, numbers] : element.numbers) {
    if (name == key) return &numbers;
  }
  return nullptr;
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

}  // namespace

std::vector<Want> wants_of(const ElementCase& element, const ElementInfo& info,
                           const std::function<std::vector<Hold>(const Field&)>& options_of) {
  std::vector<Want> wants;
  for (std::size_t f = 0; f < info.fields.size(); ++f) {
    const Field& field = info.fields[f];
    if (field.kind == FieldKind::numbers || field.kind == FieldKind::flag) continue;
    if (is_in_space(field.kind) && !field.required()) continue;
    // A list of coordinates is as long as its list of factors.
    const std::size_t count = field.least == field.most ? field.most : numbers_of(element, "factors")->size();
    for (std::size_t i = 0; i < count; ++i) wants.push_back({f, field.kind, options_of(field)});
  }
  return wants;
}

// A want with a single option (an input, or the scalar of an angle) leaves nothing to put on the body.
std::vector<Specimen> specimens_of(const std::vector<Want>& wants,
                                   const std::function<Specimen(const std::vector<Hold>&, bool)>& make) {
  const std::vector<std::vector<Hold>> combinations = combinations_of(wants);
  std::vector<Specimen> made;
  for (const auto& holds : combinations) made.push_back(make(holds, false));
  const auto places = std::count_if(wants.begin(), wants.end(), [](const Want& want) {
    return want.kind != FieldKind::input && want.options.size() > 1;
  });
  if (places > 1) made.push_back(make(combinations.back(), true));
  return made;
}

void add_element(ModelBuilder& build, const EntryType& type, const ElementCase& element, const std::vector<Want>& wants,
                 const std::vector<Index>& references) {
  const std::vector<Field>& fields = type.info->fields;
  std::vector<FieldValue> values(fields.size());
  for (std::size_t k = 0; k < wants.size(); ++k) {
    FieldValue& value = values[wants[k].field];
    value.references[value.count++] = references[k];
  }
  const std::shared_ptr<void> entry = type.make();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (const auto* const numbers = numbers_of(element, fields[f].key)) {
      values[f].count = numbers->size();
      std::copy(numbers->begin(), numbers->end(), values[f].numbers.begin());
    }
    if (values[f].count > 0) fields[f].store(entry.get(), values[f]);
  }
  type.add(build, "element", entry.get());
}

// ---------------------------------------------------------------------------------------------------------------------
// States

State random_loads(const Model& model, Random& random, Assembly::Motion motion) {
  State state = model.initial_state();
  state.lambda = random.vector(model.constraints(), -2, 2);
  state.u = random.vector(model.inputs(), -2, 2);
  if (motion == Assembly::Motion::moving) {
    state.v = random.vector(model.coordinates(), -2, 2);
    state.a = random.vector(model.coordinates(), -2, 2);
  }
  return state;
}

namespace {

/// Whether forces jump near here if coordinate i changes, or are about to: their differences then do not grow with the
/// step.
bool forces_jump(const Model& model, const State& state, Index i) {
  constexpr double step = 0.01, unlike = 0.03;
  const auto change = [&](double h) -> Eigen::VectorXd {
    const Eigen::VectorXd along = Eigen::VectorXd::Unit(model.coordinates(), i) * h;
    return applied_forces(model, model.displaced(state, along)) - applied_forces(model, model.displaced(state, -along));
  };
  const Eigen::VectorXd once = change(step), twice = change(2 * step);
  return (twice - 2 * once).norm() > unlike * twice.norm() + 1e-9;
}

}  // namespace

bool laws_are_smooth(const Model& model, const State& state) {
  constexpr double nearest_to_pi = 0.05;  // rad
  const Eigen::VectorXd residual = constraint_residual(model, state);
  for (const double phi : residual) {
    if (std::abs(std::abs(phi) - std::numbers::pi) < nearest_to_pi) return false;
  }
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (forces_jump(model, state, i)) return false;
  }
  return true;
}

void bring_together(const Model& model, State& state) {
  Assembly assembly(model);
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd phi = constraint_residual(model, state);
    if (phi.size() == 0 || phi.cwiseAbs().maxCoeff() < 1e-14) return;
    State still = state;
    still.v.resize(0);
    still.a.resize(0);
    const Eigen::MatrixXd J = assembly.at(still).J;
    state = model.displaced(state, -dense::least_norm_solution(J, phi));
  }
}

}  // namespace stillpoint
