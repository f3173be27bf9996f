#include "stillpoint/system_rates.h"

#include <algorithm>
#include <utility>

#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "studies/differentiator.h"
#include "studies/line_of_models.h"
#include "studies/rates_nearby.h"
#include "studies/shift_of_equilibrium.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

void require_regular(const Equilibrium& rest) {
  if (rest.status != EquilibriumStatus::at_rest)
    throw Error("derivatives with respect to parameters are those of an equilibrium: " + rest.message);
  if (rest.kind == ConfigurationType::singular || rest.kind == ConfigurationType::isolated)
    throw Error(
        "the configuration is singular: what the mechanism does beside it depends on the branch, and derivatives with "
        "respect to parameters do not exist");
}

// A residual of constraints is zero; its terms are lengths and angles of the size of the model. Forces may all be zero;
// their terms are those that stretched springs exert.
Sample residuals_at(const Model& model, const State& state, const SparseMatrix& J, const ShiftOfEquilibrium& shift) {
  Vector applied = applied_forces(model, state);
  Vector of_constraints = Vector::Zero(model.coordinates());
  if (model.constraints() > 0) of_constraints = J.transpose() * state.lambda;
  const double forces = std::max({applied.norm(), of_constraints.norm(), shift.usual_force()});
  return {{applied, of_constraints, constraint_residual(model, state)},
          {},
          {forces, forces, shift.scales().w.cwiseInverse().norm()}};
}

Sample sample_of(const Matrices& at) { return {{}, {at.M, at.C, at.K, at.J}}; }

}  // namespace

bool SystemRates::occurs() const {
  const auto has_entries = [](const SparseMatrix& A) { return A.nonZeros() > 0 && A.norm() > 0; };
  return !q.isZero(0) || !lambda.isZero(0) || has_entries(M.rate) || has_entries(C.rate) || has_entries(K.rate) ||
         has_entries(J.rate);
}

SystemRates system_rates(const Variation& variation, const Equilibrium& rest, const RatesOptions& options) {
  return system_rates(variation, variation.model_at(variation.value), rest, options);
}

SystemRates system_rates(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options) {
  return rates_nearby(variation, model, rest, options, {});
}

SystemRates rates_nearby(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options, EvaluatedAtRest known) {
  require_regular(rest);
  LineOfModels line(variation, model, rest.state);
  Differentiator differentiator(variation, options.digits);
  ShiftOfEquilibrium shift(line.here(), rest, variation.name, differentiator.reach(), known.statics);
  SystemRates result;
  result.parameter = variation.name;
  result.value = variation.value;
  result.unit = variation.unit;

  const auto residuals = [&](double t) {
    const State there = line.state(t);
    const bool is_same = line.has_same_constraints(t, there);
    const SparseMatrix& J = is_same ? shift.matrices().J : line.matrices(t, there).J;
    return residuals_at(line.at(t), there, J, shift);
  };
  const Derivative of_residuals =
      differentiator.derivative(residuals, residuals_at(line.here(), rest.state, shift.matrices().J, shift));
  const auto& rates = of_residuals.rate.vectors;
  result.g = rates[1] - rates[0];
  result.phi = rates[2];
  ShiftOfEquilibrium::Shift moved = shift.solve(rates[0], rates[1], rates[2]);
  result.q = std::move(moved.q);
  result.lambda = std::move(moved.lambda);
  result.q_error = of_residuals.relative_error;

  if (!known.matrices) known.matrices = std::make_shared<EvaluatedAssembly>(line.here(), rest.state);
  const Sample here = sample_of(known.matrices->at);  // the shift has neither M nor C
  const auto total = [&](double t) { return sample_of(line.matrices(t, line.state(t, result.q, result.lambda))); };
  const auto frozen = [&](double t) { return sample_of(line.matrices(t, line.state(t))); };
  result.with_shift = options.with_shift;
  Derivative of_matrices =
      options.with_shift ? differentiator.derivative(total, here) : differentiator.derivative(frozen, here);
  auto part = of_matrices.rate.matrices.begin(), error = of_matrices.error.matrices.begin();
  for (MatrixRate* rate : {&result.M, &result.C, &result.K, &result.J})
    *rate = {(part++)->pruned(0, 0), (error++)->pruned(0, 0)};
  if (options.frozen) {
    const Derivative of_frozen = options.with_shift ? differentiator.derivative(frozen, here) : std::move(of_matrices);
    auto matrix = of_frozen.rate.matrices.begin();
    for (auto* rate : {&result.frozen_M, &result.frozen_C, &result.frozen_K, &result.frozen_J}) *rate = *matrix++;
  }
  result.models = line.models();
  return result;
}

}  // namespace stillpoint
