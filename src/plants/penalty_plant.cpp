// Explicit state spaces of the penalty form, approximate or corrected, with notes on their errors.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "forms/motion_outputs.h"
#include "forms/prescribed_motion.h"
#include "plants/massless_coordinates.h"
#include "plants/measured_error.h"
#include "plants/penalty_accelerations.h"
#include "plants/plant_parts.h"
#include "plants/second_order_parts.h"
#include "plants/units.h"

namespace stillpoint {

namespace {

/// Names the penalty factors.
std::string penalty_words(const PenaltyForm& form) {
  const double least = form.alpha.minCoeff(), most = form.alpha.maxCoeff();
  const std::string alpha = least == most ? fmt::format("{:.3g}", least) : fmt::format("{:.3g} to {:.3g}", least, most);
  return fmt::format("penalty method with alpha = {}, xi = {:g}, omega = {:g} rad/s", alpha, form.xi, form.omega);
}

/// Returns the change of a pole by the penalty, with the error bound of the corrected pole.
double pole_error(const Mode& mode) { return mode.penalty_error + mode.corrected_error; }

/// Returns the largest error of the poles that the modes of the form estimate.
double estimated_error(const Spectrum& spectrum) {
  double largest = 0;
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine && std::isfinite(pole_error(mode)))
      largest = std::max(largest, pole_error(mode));
  }
  return largest;
}

/// Returns the largest distance of a known pole from the eigenvalues of A. Poles at zero are left out, because rounding
/// moves them far.
double found_error(const Plant& plant) {
  const Eigen::VectorXcd found = Eigen::MatrixXd(plant.first.A).eigenvalues();
  double largest = 0;
  for (const Plant::Pole& pole : plant.poles) {
    if (std::abs(pole.s) > pole.error) largest = std::max(largest, (found.array() - pole.s).abs().minCoeff());
  }
  return largest;
}

std::string error_of_poles(const LinearSystem& system, const PenaltyForm& form, const PlantOptions& options,
                           const Plant& plant) {
  const TrueCount count = count_true(system, minimal_form(system, options.minimal));
  const Spectrum spectrum = solve_modes(system, form, count);
  return fmt::format("its poles are off by up to {:.1e} 1/s (estimate), and {} of them belong to the method",
                     std::max(estimated_error(spectrum), found_error(plant)), spectrum.spurious);
}

std::string error_of_response(const LinearSystem& system, const PlantOptions& options, const Plant& plant) {
  const Eigen::VectorXd omega = measuring_frequencies(system, plant.poles, plant.first.A.rows());
  return to_words(measured_error(system, options, plant, omega), omega);
}

/// M and C of the penalty form with the magnitudes of their terms.
std::pair<Summed, Summed> summed_matrices(const LinearSystem& system, const PenaltyForm& form) {
  const SparseMatrix J = form.J.cwiseAbs(), Jt = J.transpose(), JtXi = Jt * form.alpha.asDiagonal();
  const Eigen::MatrixXd constraint = SparseMatrix(JtXi * J), M = system.M.cwiseAbs(), C = system.C.cwiseAbs();
  return {{form.M, M + constraint}, {form.C, C + 2 * form.xi * form.omega * constraint}};
}

DofKinds dofs_of(const LinearSystem& system, const PenaltyForm& form) {
  const auto [M, C] = summed_matrices(system, form);
  return kinds_of(M.value, M.magnitude, C.value, C.magnitude);
}

/// Replaces the equations of the penalty form by the accelerations with iterated multipliers. Coordinates without mass
/// and constraints keep their own equations.
SecondOrderParts corrected_parts(const LinearSystem& system, const PenaltyForm& form, const DofKinds& kinds,
                                 const PenaltyAccelerations& found, const PlantOptions& options) {
  using Eigen::MatrixXd;
  SecondOrderParts parts = parts_of(system, form, options);  // names, values, all coordinates as they are
  std::vector<std::string> same_notes;                       // parts_of() has added them already
  const SparseMatrix reactions = determined_reactions(system, options.minimum_norm_reactions, same_notes);
  const Eigen::Index n = system.coordinates(), inputs = system.inputs();
  MatrixXd M = system.M, C = system.C, K = system.K;
  std::vector<MatrixXd> B{system.F, MatrixXd::Zero(n, inputs), MatrixXd::Zero(n, inputs)};
  M(kinds.massive, Eigen::all).setZero();
  M(kinds.massive, kinds.massive).setIdentity();
  K(kinds.massive, Eigen::all) = -found.a.leftCols(n);
  C(kinds.massive, Eigen::all) = -found.a.middleCols(n, n);
  const MatrixXd shown = reactions * found.lambda;
  parts.D = {MatrixXd(system.Hu), MatrixXd::Zero(system.outputs(), inputs), MatrixXd::Zero(system.outputs(), inputs)};
  for (int order = 0; order < 3; ++order) {
    const Eigen::Index first = 2 * n + order * inputs;
    B[at(order)](kinds.massive, Eigen::all) = found.a.middleCols(first, inputs);
    parts.D[at(order)] += shown.middleCols(first, inputs);
  }
  parts.M = M.sparseView();
  parts.C = C.sparseView();
  parts.K = K.sparseView();
  parts.B = B;
  parts.Hq = system.Hq + SparseMatrix(shown.leftCols(n).sparseView());
  parts.Hv = system.Hv + SparseMatrix(shown.middleCols(n, n).sparseView());
  parts.Ha = system.Ha;
  return parts;
}

}  // namespace

Plant explicit_penalty(const LinearSystem& system, const PenaltyOptions& penalty, const PlantOptions& options) {
  require_few_states(system.coordinates(), options);
  const PenaltyForm form = penalty_form(system, penalty);
  Plant plant = named_plant(system, PlantForm::state_space, "ucs");
  plant.notes.push_back(system.constraints() == 0 ? "there is no constraint, so the plant is exact"
                                                  : "approximate: " + penalty_words(form));
  const auto [M, C] = summed_matrices(system, form);
  SortedParts sorted{parts_of(system, form, options), dofs_of(system, form)};
  // Beside penalties the rank of M says nothing of masses.
  if (system.constraints() == 0) sorted = with_massless_coordinates(std::move(sorted.parts), M, C);
  make_explicit(system, sorted.parts, sorted.kinds, plant);
  find_poles(system, options, plant);
  find_check(plant);
  plant = with_units(std::move(plant), system);
  if (system.constraints() == 0) return plant;
  plant.notes.push_back(error_of_poles(system, form, options, plant));
  if (system.inputs() > 0 && system.outputs() > 0) plant.notes.push_back(error_of_response(system, options, plant));
  return plant;
}

Plant corrected_penalty(const LinearSystem& system, const PenaltyOptions& penalty, const PlantOptions& options) {
  if (system.constraints() == 0) return explicit_penalty(system, penalty, options);
  require_few_states(system.coordinates(), options);
  require_consistent_motion(system);
  const PenaltyForm form = penalty_form(system, penalty);
  const DofKinds kinds = dofs_of(system, form);
  const PenaltyAccelerations found = penalty_accelerations(system, form, kinds.massive);
  Plant plant = named_plant(system, PlantForm::state_space, "ucs");
  plant.notes.push_back(
      fmt::format("corrected {}, whose multipliers were iterated {} times", penalty_words(form), found.steps));
  make_explicit(system, corrected_parts(system, form, kinds, found, options), kinds, plant);
  find_poles(system, options, plant);
  find_check(plant);
  plant = with_units(std::move(plant), system);
  plant.notes.push_back(fmt::format(
      "its poles are off by up to {:.1e} 1/s (measured); {} more belong to the method, where no input moves them",
      found_error(plant), 2 * system.rank()));
  if (system.inputs() > 0 && system.outputs() > 0) plant.notes.push_back(error_of_response(system, options, plant));
  return plant;
}

}  // namespace stillpoint
