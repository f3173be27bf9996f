// Trim: inputs u at which a configuration is an equilibrium,  F δu − Jᵀλ = −f(q, 0, u), with the least norm of δu.
//
// Projected onto null(J) by P, the equations are P F δu = −P f.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equilibrium/assembly_problem.h"
#include "equilibrium/least_change.h"
#include "equilibrium/relax.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr int most_steps = 30;  // forces that are linear in the inputs need one

bool prescribes(const SparseMatrix& G, Index input) {
  for (SparseMatrix::InnerIterator entry(G, input); entry; ++entry) {
    if (entry.value() != 0) return true;
  }
  return false;
}

std::vector<Index> free_inputs(const Model& model, const Matrices& at, const TrimOptions& options) {
  std::vector<Index> inputs = options.inputs;
  for (const Index input : inputs) {
    if (prescribes(at.G, input))
      throw Error(fmt::format("input '{}' prescribes a motion; only inputs that are forces can be trimmed",
                              model.input_name(input)));
  }
  if (!inputs.empty()) return inputs;
  for (Index i = 0; i < model.inputs(); ++i) {
    if (!prescribes(at.G, i)) inputs.push_back(i);
  }
  if (inputs.empty()) throw Error("this model has no input that is a force, so there is nothing to trim");
  return inputs;
}

SparseMatrix columns_of(const SparseMatrix& A, const std::vector<Index>& chosen) {
  SparseMatrix columns(A.rows(), static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) columns.col(static_cast<Index>(k)) = A.col(chosen[k]);
  return columns;
}

}  // namespace

Trim find_trim(const Model& model, const State& guess, const TrimOptions& options) {
  Statics statics(model, guess);
  Trim trim;
  const AssemblyResult assembled = assemble_constraints(statics, guess);
  trim.state = assembled.state;
  if (assembled.constraint_residual() > std::max(options.precision, statics.constraint_noise(assembled.state))) {
    trim.message =
        fmt::format("the constraint residual is {:.3g} of the typical length here", assembled.constraint_residual());
    return trim;
  }
  Point point = statics.at(trim.state);
  trim.inputs = free_inputs(model, statics.matrices(trim.state), options);
  statics.use_rows(
      statics.dependence(statics.matrices(trim.state), {.noise = std::min(0.1, 10 * assembled.constraint_residual())})
          .independent);

  double before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    if (!statics.fit_multipliers(point)) {
      trim.message = "the independent constraints cannot be distinguished here";
      return trim;
    }
    const Matrices& at = statics.linearize(point);
    trim.state = point.state;
    const double residual = point.r.lpNorm<Eigen::Infinity>();
    if (residual <= tolerance_at(point) * point.force || residual >= 0.5 * before) break;
    before = residual;
    const std::optional<LeastChange> change = least_change(statics, at, point.r, columns_of(at.F, trim.inputs));
    if (!change) break;
    trim.choices = change->choices;
    State next = point.state;
    for (std::size_t k = 0; k < trim.inputs.size(); ++k)
      next.u[trim.inputs[k]] += change->x[static_cast<Eigen::Index>(k)];
    point = statics.at(next);
  }
  statics.fit_multipliers(point);
  statics.linearize(point);
  trim.state = point.state;
  trim.unbalanced = point.residual();
  trim.worst_coordinate = worst_coordinate(statics, point);
  trim.balanced = trim.unbalanced <= std::max(1e-10, tolerance_at(point));
  if (!trim.balanced) {
    trim.message = fmt::format(
        "no choice of these inputs holds it here: {:.3g} of the forces remains unbalanced, most of it on '{}'",
        trim.unbalanced, trim.worst_coordinate);
  } else if (trim.choices > 0) {
    trim.message = fmt::format("{} more input{} than needed: the change of least norm was taken", trim.choices,
                               trim.choices > 1 ? "s" : "");
  }
  return trim;
}

}  // namespace stillpoint
