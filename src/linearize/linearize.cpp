// Linearization at an equilibrium: the matrices of theory (1.2), the bounds of their cancellation, and their
// differences at perturbed equilibria.

#include "stillpoint/linearize.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "equilibrium/scales.h"
#include "linearize/evaluated_assembly.h"
#include "linearize/free_stiffness.h"
#include "linearize/joint_tree.h"
#include "linearize/mass_rounding.h"
#include "linearize/units.h"
#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/outputs.h"
#include "system/checking.h"

namespace stillpoint {

namespace {

void require_equilibrium(const Model& model, const Equilibrium& rest) {
  if (rest.status == EquilibriumStatus::at_rest) return;
  const std::string found =
      !rest.message.empty()
          ? rest.message
          : fmt::format("force residual {:.1e} at '{}', constraint residual {:.1e} at '{}'", rest.force_residual,
                        rest.worst_coordinate, rest.constraint_residual, rest.worst_constraint);
  throw Error(
      fmt::format("'{}' is linearized at rest only, unless off_equilibrium allows it: {}", model.name(), found));
}

// The rank is judged in scaled form, as in the search for the equilibrium, whose decision is kept.
RowDependence rows_of(const Model& model, const Equilibrium& rest, const Matrices& at) {
  RowDependence rows;
  const bool is_decided = !rest.rank.method.empty();
  rows.rank = rest.rank;
  rows.independent = rest.independent_rows;
  std::vector<Index> all(static_cast<std::size_t>(model.constraints()));
  std::iota(all.begin(), all.end(), 0);
  std::set_difference(all.begin(), all.end(), rows.independent.begin(), rows.independent.end(),
                      std::back_inserter(rows.dependent));
  if (is_decided && rows.dependent.empty()) return rows;

  const Scales scales = find_scales(model, rest.state, at.J);
  const SparseMatrix J = scales.w.asDiagonal() * at.J * scales.s.asDiagonal();
  RankOptions options;
  if (is_decided) options = {.noise = rest.rank.noise_floor, .rank = rest.rank.value};
  RowDependence found = find_dependent_rows(J, options);
  found.null_vectors = SparseMatrix(scales.w.asDiagonal() * found.null_vectors);
  if (!is_decided) return found;
  rows.null_vectors = std::move(found.null_vectors);
  return rows;
}

Eigen::VectorXd coordinate_values(const Model& model, const State& state) {
  Eigen::VectorXd q(model.coordinates());
  for (Index i = 0; i < q.size(); ++i) q[i] = coordinate_value(model, state, i);
  return q;
}

void take_outputs(const Model& model, const State& state, LinearSystem& system) {
  OutputValues outputs = observe(model, state);
  system.y = std::move(outputs.y);
  system.Hq = std::move(outputs.Hq);
  system.Hv = std::move(outputs.Hv);
  system.Ha = std::move(outputs.Ha);
  system.Hl = std::move(outputs.Hl);
  system.Hu = std::move(outputs.Hu);
}

// A cancellation below the entry itself is omitted: it is of the size of rounding of the entry.
SparseMatrix cancellation_of(const SparseMatrix& K, const Eigen::ArrayXd& sizes) {
  SparseMatrix cancellation = K;
  cancellation.coeffs() = sizes - K.coeffs().abs();
  const Eigen::ArrayXd own = K.coeffs().abs();
  for (Index e = 0; e < K.nonZeros(); ++e) {
    if (cancellation.coeffs()[e] <= own[e]) cancellation.coeffs()[e] = 0;
  }
  return cancellation.pruned(0, 0);
}

// Changes below this share of the terms of an entry are covered by the error bounds of eigenvalues, theory (6.4),
// (6.8).
constexpr double negligible_share = 12 * std::numeric_limits<double>::epsilon();

// The difference of two matrices of the same pattern without negligible entries; `sizes` are the sums of the magnitudes
// of the terms of each entry.
SparseMatrix change(const SparseMatrix& here, const SparseMatrix& there, const Eigen::ArrayXd& sizes) {
  SparseMatrix change(here.rows(), here.cols());
  if (here.nonZeros() == 0) return change;
  Eigen::ArrayXd values = there.coeffs() - here.coeffs();
  values = (values.abs() > negligible_share * sizes).select(values, 0);
  if (values.isZero(0)) return change;
  change = here;
  change.coeffs() = values;
  return change.pruned(0, 0);
}
SparseMatrix change(const SparseMatrix& here, const SparseMatrix& there) {
  return change(here, there, here.coeffs().abs());
}

// The differences are dropped if the first of them is negligible.
void take_perturbed(const std::vector<State>& perturbed, Assembly& assembly, const Eigen::ArrayXd& sizes_of_K,
                    LinearSystem& system) {
  for (const State& beside : perturbed) {
    const Matrices& at = assembly.at(beside);
    LinearSystem::Difference by{change(system.M, at.M), change(system.C, at.C), change(system.K, at.K, sizes_of_K),
                                change(system.J, at.J)};
    if (system.perturbed.empty() && by.is_zero()) return;
    system.perturbed.push_back(std::move(by));
  }
}

/// Evaluates the matrices at a state and their differences at perturbed states. The configuration type is that found at
/// the equilibrium.
LinearSystem system_at(const Model& model, const State& state, const std::vector<State>& perturbed,
                       const Equilibrium& rest, EvaluatedAssembly& evaluated) {
  LinearSystem system;
  system.name = model.name();
  const Matrices& at = evaluated.at;
  system.M = at.M;
  system.C = at.C;
  system.K = at.K;
  system.J = at.J;
  system.F = at.F;
  system.G = at.G;
  system.cancellation = cancellation_of(at.K, evaluated.sizes);
  system.strains = find_strains(model, state, at.K);
  take_outputs(model, state, system);

  system.coordinate_name = [model](Index i) { return model.coordinate_name(i); };
  system.constraint_name = [model](Index i) { return model.constraint_name(i); };
  system.input_name = [model](Index i) { return model.input_name(i); };
  system.output_name = [model](Index i) { return model.output_name(i); };
  add_units(model, system);
  system.joint_tree = [model, state] { return joint_tree(model, state); };
  system.q = coordinate_values(model, state);
  system.lambda = state.lambda;
  system.u = state.u;

  system.rows = rows_of(model, rest, at);
  system.singular = rest.kind == ConfigurationType::singular || rest.kind == ConfigurationType::isolated;
  for (const Branch& branch : rest.branches) {
    if (branch.confirmed) system.branches.push_back({branch.name, branch.tangents});
  }
  if (system.singular) system.free_stiffness = free_stiffness(model, state, system.rows.null_vectors);
  take_perturbed(perturbed, evaluated.assembly, evaluated.sizes, system);
  system.M = without_rounding(system.M, model);
  check(system);
  return system;
}

}  // namespace

LinearSystem linearize(const Model& model, const Equilibrium& rest, const LinearizeOptions& options) {
  if (!options.off_equilibrium) require_equilibrium(model, rest);
  EvaluatedAssembly evaluated(model, rest.state);
  return system_at(model, rest.state, rest.perturbed, rest, evaluated);
}

LinearSystem linearize(const Model& model, const Equilibrium& rest, EvaluatedAssembly& evaluated) {
  require_equilibrium(model, rest);
  return system_at(model, rest.state, rest.perturbed, rest, evaluated);
}

LinearSystem linearize(const Model& model, const Equilibrium& rest, const PenaltyEquilibrium& penalty) {
  if (!penalty.converged)
    throw Error(fmt::format("'{}' is linearized at rest only: {}", model.name(), penalty.message));
  EvaluatedAssembly evaluated(model, penalty.state);
  return system_at(model, penalty.state, {}, rest, evaluated);
}

}  // namespace stillpoint
