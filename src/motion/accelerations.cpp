// Accelerations at one state: by the form that is asked for, and on a branch of a singular configuration.
#include <fmt/format.h>

#include <algorithm>

#include "base/at.h"
#include "linearize/free_stiffness.h"
#include "motion/dynamic_forms.h"
#include "motion/dynamics.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// A state at rest has rates that are zero.
State with_rates(const Model& model, State state) {
  if (state.v.size() == 0) state.v = Eigen::VectorXd::Zero(model.coordinates());
  return state;
}

SparseMatrix stacked(const SparseMatrix& above, const SparseMatrix& below) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < above.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(above, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), j, entry.value());
    for (SparseMatrix::InnerIterator entry(below, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(above.rows() + entry.row()), j, entry.value());
  }
  SparseMatrix both(above.rows() + below.rows(), above.cols());
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

/// B v̇ = d: what the third derivative of νᵀΦ asks of the accelerations, for each null vector ν, theory (13.6).
struct BranchRows {
  SparseMatrix B;
  Eigen::VectorXd d;
};
BranchRows branch_rows(const Model& model, const State& state, const SparseMatrix& null_vectors) {
  constexpr double off_branch = 1e-6;
  const Eigen::VectorXd second = constraint_curvature(model, state), third = constraint_third_derivative(model, state);
  const std::vector<SparseMatrix> stiffness = free_stiffness(model, state, null_vectors);
  std::vector<Eigen::Triplet<double, Index>> entries;
  BranchRows rows{{}, Eigen::VectorXd(null_vectors.cols())};
  for (Index k = 0; k < null_vectors.cols(); ++k) {
    const Eigen::VectorXd nu = null_vectors.col(k);
    const Eigen::VectorXd row = stiffness[at(k)].transpose() * state.v;
    // νᵀΦ_qq(v, v) relative to the size of its terms.
    const double size = (stiffness[at(k)].cwiseAbs() * state.v.cwiseAbs()).dot(state.v.cwiseAbs());
    if (std::abs(nu.dot(second)) > off_branch * size) {
      Eigen::Index worst = 0;
      nu.cwiseAbs().maxCoeff(&worst);
      throw Undecided(
          fmt::format("the configuration is singular, and the rates do not belong to a branch of its motions: '{}' "
                      "would open",
                      model.constraint_name(static_cast<Index>(worst))));
    }
    rows.d[k] = -nu.dot(third) / 3;
    for (Index j = 0; j < row.size(); ++j) {
      if (row[j] != 0) entries.emplace_back(k, j, row[j]);
    }
  }
  rows.B.resize(static_cast<Index>(null_vectors.cols()), model.coordinates());
  rows.B.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

}  // namespace

Accelerations accelerations(const Model& model, const State& state, const FormOptions& form, const InputMotion& inputs,
                            double time) {
  require_motion(model);
  Dynamics dynamics(model, inputs, MotionOptions().proximal, form);
  State moving = with_rates(model, state);
  dynamics.put_inputs(time, moving);
  const auto found = dynamics.accelerations(time, moving);
  if (!found) throw Undecided("the accelerations are not determined: " + dynamics.reason_without_inertia());
  return found->solution;
}

Accelerations accelerations_on_branch(const Model& model, const State& given) {
  require_motion(model);
  const State state = with_rates(model, given);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model.inputs());
  MotionAssembly assembly(model);
  const EquationsOfMotion equations = equations_at(model, assembly.at(state), state, {state.u, none, none});
  const RowDependence rows = find_dependent_rows(equations.J);
  if (rows.dependent.empty()) return accelerations(model, state);
  const BranchRows branch = branch_rows(model, state, rows.null_vectors);
  const SparseMatrix all = stacked(equations.J, branch.B);
  Eigen::VectorXd right(all.rows());
  right << equations.c, branch.d;
  const RowDependence chosen = find_dependent_rows(all);
  // Redundant constraints, which stay redundant, ask for nothing new.
  if (chosen.rank.value == rows.rank.value) return accelerations(model, state);
  const auto found = solve_kkt(equations.M, rows_of(all, chosen.independent), equations.b, right(chosen.independent));
  if (!found) throw Undecided("the configuration is singular, and the rates do not choose a branch of its motions");
  Accelerations answer{found->a, Eigen::VectorXd::Zero(model.constraints())};
  for (std::size_t k = 0; k < chosen.independent.size(); ++k) {
    if (chosen.independent[k] < model.constraints())
      answer.lambda[chosen.independent[k]] = found->lambda[static_cast<Eigen::Index>(k)];
  }
  answer.residual = residual_of(equations, answer.a);
  return answer;
}

}  // namespace stillpoint
