#include "model/static_assembly.h"

#include <stdexcept>

#include "model/patterns.h"
#include "stillpoint/detail/sink.h"

namespace stillpoint {

StaticAssembly::StaticAssembly(const Model& model) : model_(model), matrices_(static_patterns(model)) {}

const Matrices& StaticAssembly::at(const State& state) {
  if (state.v.size() > 0 || state.a.size() > 0)
    throw std::invalid_argument("a moving state was given to an assembly at rest");
  const Context context = model_.context(state);
  Eigen::VectorXd none;
  if (state.lambda.size() == 0) none = Eigen::VectorXd::Zero(model_.constraints());
  const double* const lambda = state.lambda.size() > 0 ? state.lambda.data() : none.data();
  auto& [M, C, K, J, F, G] = matrices_;
  for (SparseMatrix* matrix : {&K, &J, &F, &G}) matrix->coeffs().setZero();
  Sinks<ValueSink> sinks{
      .K = ValueSink(K), .J = ValueSink(J), .F = ValueSink(F), .G = ValueSink(G), .inertia = InertiaPart::none};
  for (const ModelArray& array : model_.arrays()) {
    array.elements->add_values(context, array.all(), lambda + array.first_row, array.first_row, sinks);
  }
  return matrices_;
}

}  // namespace stillpoint
