#include "model/static_assembly.h"

#include <stdexcept>

#include "stillpoint/detail/sink.h"

namespace stillpoint {

namespace {

// The sinks of M and C count entries and are never laid out.
Matrices patterns_of_statics(const Model& model) {
  const Index n = model.coordinates(), m = model.constraints(), inputs = model.inputs();
  Sinks<PatternSink> sinks{{n, n}, {n, n}, {n, n}, {m, n}, {n, inputs}, {m, inputs}};
  const State state = model.initial_state();
  const Context context = model.context(state);
  const auto add_all = [&] {
    for (const ModelArray& array : model.arrays()) array.elements->add_pattern(context, array.first_row, sinks);
  };
  add_all();
  for (PatternSink* sink : {&sinks.K, &sinks.J, &sinks.F, &sinks.G}) sink->layout();
  add_all();
  return {.M = {}, .C = {}, .K = sinks.K.matrix(), .J = sinks.J.matrix(), .F = sinks.F.matrix(), .G = sinks.G.matrix()};
}

}  // namespace

StaticAssembly::StaticAssembly(const Model& model) : model_(model), matrices_(patterns_of_statics(model)) {}

const Matrices& StaticAssembly::at(const State& state) {
  if (state.v.size() > 0 || state.a.size() > 0)
    throw std::invalid_argument("a moving state was given to an assembly at rest");
  const Context context = model_.context(state);
  Eigen::VectorXd none;
  if (state.lambda.size() == 0) none = Eigen::VectorXd::Zero(model_.constraints());
  const double* const lambda = state.lambda.size() > 0 ? state.lambda.data() : none.data();
  auto& [M, C, K, J, F, G] = matrices_;
  for (SparseMatrix* matrix : {&K, &J, &F, &G}) matrix->coeffs().setZero();
  Sinks<ValueSink> sinks{.K = ValueSink(K), .J = ValueSink(J), .F = ValueSink(F), .G = ValueSink(G)};
  for (const ModelArray& array : model_.arrays()) {
    array.elements->add_values(context, lambda + array.first_row, array.first_row, sinks);
  }
  return matrices_;
}

}  // namespace stillpoint
