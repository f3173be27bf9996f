#include "stillpoint/assembly.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/in_parallel.h"
#include "model/independent_rounds.h"
#include "model/patterns.h"
#include "stillpoint/detail/sink.h"

namespace stillpoint {

double potential_energy(const Model& model, const State& state) {
  const Context context = model.context(state);
  double total = 0;
  for (const ModelArray& array : model.arrays()) total += array.elements->potential(context);
  return total;
}

Eigen::VectorXd applied_forces(const Model& model, const State& state) {
  const Context context = model.context(state);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(model.coordinates());
  for (const ModelArray& array : model.arrays()) array.elements->add_forces(context, f.data());
  return f;
}

Eigen::VectorXd inertia_forces(const Model& model, const State& state) {
  const Context context = model.context(state);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(model.coordinates());
  for (const ModelArray& array : model.arrays()) array.elements->add_inertia(context, r.data());
  return r;
}

namespace {

/// Calls part(elements, range, first row) for the constraints of a model, in parts that are evaluated at the same time:
/// each element has rows of its own.
template <class Part>
void for_parts_with_rows(const Model& model, const Part& part) {
  constexpr Index together = 10'000;  // elements
  for (const ModelArray& array : model.arrays()) {
    const Index rows = array.elements->rows();
    if (rows == 0) continue;
    in_parallel_chunks(array.elements->size(), together, [&](Index first, Index last) {
      part(*array.elements, ElementRange{first, last}, array.first_row + first * rows);
    });
  }
}

}  // namespace

Eigen::VectorXd constraint_residual(const Model& model, const State& state) {
  const Context context = model.context(state);
  Eigen::VectorXd phi = Eigen::VectorXd::Zero(model.constraints());
  for_parts_with_rows(model, [&](const ElementArrayBase& elements, ElementRange range, Index first_row) {
    elements.residuals(context, range, phi.data() + first_row);
  });
  return phi;
}

namespace {

/// The second and third derivatives of the residuals along the rates.
struct AlongRates {
  Eigen::VectorXd second, third;
};
AlongRates derivatives_along_rates(const Model& model, const State& state, const Eigen::VectorXd& input_rates,
                                   bool with_third) {
  AlongRates found{Eigen::VectorXd::Zero(model.constraints()),
                   Eigen::VectorXd::Zero(with_third ? model.constraints() : 0)};
  Context context = model.context(state);
  Eigen::VectorXd none;
  if (state.v.size() == 0) {
    none = Eigen::VectorXd::Zero(model.coordinates());
    context.v = none.data();
  }
  for_parts_with_rows(model, [&](const ElementArrayBase& elements, ElementRange range, Index first_row) {
    elements.residual_derivatives(context, range, input_rates.size() > 0 ? input_rates.data() : nullptr,
                                  found.second.data() + first_row,
                                  with_third ? found.third.data() + first_row : nullptr);
  });
  return found;
}

}  // namespace

Eigen::VectorXd constraint_curvature(const Model& model, const State& state, const Eigen::VectorXd& input_rates) {
  return derivatives_along_rates(model, state, input_rates, false).second;
}

Eigen::VectorXd constraint_third_derivative(const Model& model, const State& state) {
  return derivatives_along_rates(model, state, {}, true).third;
}

// M v are the inertia forces of a state at rest whose accelerations are the rates.
double kinetic_energy(const Model& model, const State& state) {
  if (state.v.size() == 0) return 0;
  State still = state;
  still.a = std::exchange(still.v, {});
  return 0.5 * state.v.dot(inertia_forces(model, still));
}

namespace {

enum class MatricesOf { rest, motion, statics };

/// Allocates the matrices with the sparsity patterns of the elements, and fills them with zeros; in statics M and C are
/// empty.
Matrices find_patterns(const Model& model, MatricesOf what) {
  const Index n = model.coordinates(), m = model.constraints(), inputs = model.inputs();
  Sinks<PatternSink> sinks{{n, n}, {n, n}, {n, n}, {m, n}, {n, inputs}, {m, inputs}};

  State state = model.initial_state();
  if (what == MatricesOf::motion) state.v = Eigen::VectorXd::Zero(n);
  const Context context = model.context(state);
  const auto add_all = [&] {
    for (const ModelArray& array : model.arrays()) array.elements->add_pattern(context, array.first_row, sinks);
  };

  const bool has_inertia = what != MatricesOf::statics;
  add_all();
  if (has_inertia) {
    for (PatternSink* sink : {&sinks.M, &sinks.C}) sink->layout();
  }
  for (PatternSink* sink : {&sinks.K, &sinks.J, &sinks.F, &sinks.G}) sink->layout();
  add_all();
  // Each matrix is built after the previous one has released its buffers: these are the largest objects in memory.
  return {.M = has_inertia ? sinks.M.matrix() : SparseMatrix(),
          .C = has_inertia ? sinks.C.matrix() : SparseMatrix(),
          .K = sinks.K.matrix(),
          .J = sinks.J.matrix(),
          .F = sinks.F.matrix(),
          .G = sinks.G.matrix()};
}

// Of models with more coordinates a second copy would take the memory.
bool are_shared(const Model& model) {
  constexpr Index large = 200'000;
  return model.coordinates() <= large;
}

const Matrices& shared_patterns(const Model& model) {
  Patterns& patterns = model.patterns();
  std::call_once(patterns.is_found, [&] { patterns.at_rest = find_patterns(model, MatricesOf::rest); });
  return patterns.at_rest;
}

Matrices patterns_of(const Model& model, Assembly::Motion motion) {
  if (motion == Assembly::Motion::moving) return find_patterns(model, MatricesOf::motion);
  return are_shared(model) ? shared_patterns(model) : find_patterns(model, MatricesOf::rest);
}

}  // namespace

std::shared_ptr<Patterns> new_patterns() { return std::make_shared<Patterns>(); }

Matrices static_patterns(const Model& model) {
  if (!are_shared(model)) return find_patterns(model, MatricesOf::statics);
  const Matrices& at_rest = shared_patterns(model);
  return {.M = {}, .C = {}, .K = at_rest.K, .J = at_rest.J, .F = at_rest.F, .G = at_rest.G};
}

Strains find_strains(const Model& model, const State& state, const SparseMatrix& K) {
  // Strains inside a body in a floating frame are linear. For nonlinear strains K₀ contains stresses, whose rounding by
  // that of the coordinates exceeds the error bounds.
  const auto has_strains = [](const ModelArray& array) {
    return array.elements->has_strains() && array.elements->info().is_internal();
  };
  if (std::none_of(model.arrays().begin(), model.arrays().end(), has_strains)) return {};
  const Context context = model.context(state);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(state.lambda.size() > 0 ? 0 : model.constraints());
  const double* const lambda = state.lambda.size() > 0 ? state.lambda.data() : none.data();

  Strains strains;
  strains.rest = K;
  strains.rest.coeffs().setZero();
  StrainRows rows;
  Sinks<ValueSink> sinks{.K = ValueSink(strains.rest), .inertia = InertiaPart::none};
  for (const ModelArray& array : model.arrays()) {
    sinks.strains = has_strains(array) ? &rows : nullptr;
    array.elements->add_values(context, array.all(), lambda + array.first_row, array.first_row, sinks);
  }
  strains.rest.prune(0.0);
  strains.D =
      Eigen::Map<const Eigen::VectorXd>(rows.stiffness.data(), static_cast<Eigen::Index>(rows.stiffness.size()));
  strains.B.resize(static_cast<Index>(rows.stiffness.size()), model.coordinates());
  strains.B.setFromTriplets(rows.entries.begin(), rows.entries.end());
  return strains;
}

Assembly::Assembly(const Model& model, Motion motion)
    : model_(model), motion_(motion), matrices_(patterns_of(model, motion)) {}

const Matrices& Assembly::at(const State& state, Eigen::ArrayXd* sizes) {
  if (motion_ == Motion::at_rest && (state.v.size() > 0 || state.a.size() > 0)) {
    throw std::invalid_argument("a moving state was given to an assembly at rest");
  }
  const Context context = model_.context(state);
  Eigen::VectorXd none;
  if (state.lambda.size() == 0) none = Eigen::VectorXd::Zero(model_.constraints());
  const double* const lambda = state.lambda.size() > 0 ? state.lambda.data() : none.data();

  auto& [M, C, K, J, F, G] = matrices_;
  for (SparseMatrix* matrix : {&M, &C, &K, &J, &F, &G}) matrix->coeffs().setZero();
  if (sizes) *sizes = Eigen::ArrayXd::Zero(K.nonZeros());
  Sinks<ValueSink> sinks{ValueSink(M), ValueSink(C), ValueSink(K, sizes ? sizes->data() : nullptr),
                         ValueSink(J), ValueSink(F), ValueSink(G)};
  for (const ModelArray& array : model_.arrays()) {
    array.elements->add_values(context, array.all(), lambda + array.first_row, array.first_row, sinks);
  }
  return matrices_;
}

namespace {

MotionAssembly::Parts find_motion_patterns(const Model& model) {
  const Index n = model.coordinates(), m = model.constraints();
  Sinks<PatternSink> sinks{{n, n}, {n, n}, {n, n}, {m, n}, {n, 0}, {m, model.inputs()}};
  sinks.for_motion = true;
  const State state = model.initial_state();
  const Context context = model.context(state);
  const auto add_all = [&] {
    for (const ModelArray& array : model.arrays()) array.elements->add_pattern(context, array.first_row, sinks);
  };
  add_all();
  for (PatternSink* sink : {&sinks.M, &sinks.J, &sinks.G}) sink->layout();
  add_all();
  return {sinks.M.matrix(), sinks.J.matrix(), sinks.G.matrix()};
}

}  // namespace

MotionAssembly::MotionAssembly(const Model& model) : model_(model), parts_(find_motion_patterns(model)) {
  constexpr Index many = 5000;  // coordinates
  add(model.initial_state(), InertiaPart::constant);
  constant_inertia_ = parts_.M.coeffs();
  if (model.coordinates() >= many) rounds_ = std::make_shared<Rounds>(independent_rounds(model_));
}

const MotionAssembly::Parts& MotionAssembly::at(const State& state) {
  constexpr Index together = 100'000;  // entries
  in_parallel_chunks(static_cast<Index>(constant_inertia_.size()), together, [&](Index begin, Index end) {
    parts_.M.coeffs().segment(begin, end - begin) = constant_inertia_.segment(begin, end - begin);
  });
  for (SparseMatrix* matrix : {&parts_.J, &parts_.G}) {
    in_parallel_chunks(static_cast<Index>(matrix->nonZeros()), together,
                       [&](Index begin, Index end) { matrix->coeffs().segment(begin, end - begin).setZero(); });
  }
  add(state, InertiaPart::varying);
  return parts_;
}

void MotionAssembly::add(const State& state, InertiaPart inertia) {
  Context context = model_.context(state);
  context.v = context.a = nullptr;
  auto& [M, J, G] = parts_;
  Sinks<ValueSink> sinks{
      .M = ValueSink(M), .J = ValueSink(J), .G = ValueSink(G), .for_motion = true, .inertia = inertia};
  if (!rounds_) {
    for (const ModelArray& array : model_.arrays())
      array.elements->add_values(context, array.all(), nullptr, array.first_row, sinks);
    return;
  }
  for (const std::vector<PartOfArray>& round : *rounds_) {
    in_parallel(static_cast<Index>(round.size()), [&](Index i) {
      const auto& [array, range] = round[static_cast<std::size_t>(i)];
      Sinks<ValueSink> mine = sinks;
      array->elements->add_values(context, range, nullptr, array->first_row + range.first * array->elements->rows(),
                                  mine);
    });
  }
}

}  // namespace stillpoint
