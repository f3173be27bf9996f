// Explicit state space of the penalty form: approximate, and how much so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "export/measured_error.h"
#include "export/plant_parts.h"
#include "export/second_order_parts.h"

namespace stillpoint {

namespace {

std::string said(const PenaltyForm& form) {
  if (form.alpha.size() == 0) return "nothing is constrained, so nothing is approximate";
  const double least = form.alpha.minCoeff(), most = form.alpha.maxCoeff();
  const std::string alpha = least == most ? fmt::format("{:.3g}", least) : fmt::format("{:.3g} to {:.3g}", least, most);
  return fmt::format("approximate: penalty method with alpha = {}, xi = {:g}, omega = {:g} rad/s", alpha, form.xi,
                     form.omega);
}

/// How far its poles are off, and how many it has that the mechanism has not.
/// What the penalty changes, and what is not known of that.
double pole_error(const Mode& mode) { return mode.penalty_error + mode.corrected_error; }

std::string error_of_poles(const LinearSystem& system, const PenaltyForm& form, const PlantOptions& options) {
  const TrueCount count = count_true(system, minimal_form(system, options.minimal));
  const Spectrum spectrum = solve_modes(system, form, count);
  double largest = 0;
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine && std::isfinite(pole_error(mode)))
      largest = std::max(largest, pole_error(mode));
  }
  return fmt::format("its poles are off by up to {:.1e} 1/s (estimate), and {} of them belong to the method", largest,
                     spectrum.spurious);
}

std::string error_of_response(const LinearSystem& system, const PlantOptions& options, const Plant& plant) {
  const Eigen::VectorXd omega = measuring_frequencies(system, plant.poles, plant.first.A.rows());
  return to_words(measured_error(system, options, plant, omega), omega);
}

FreedomKinds freedoms_of(const LinearSystem& system, const PenaltyForm& form) {
  const SparseMatrix J = form.J.cwiseAbs(), Jt = J.transpose(), JtXi = Jt * form.alpha.asDiagonal();
  const Eigen::MatrixXd constraint = SparseMatrix(JtXi * J), M = system.M.cwiseAbs(), C = system.C.cwiseAbs();
  return kinds_of(form.M, M + constraint, form.C, C + 2 * form.xi * form.omega * constraint);
}

}  // namespace

Plant explicit_penalty(const LinearSystem& system, const PenaltyOptions& penalty, const PlantOptions& options) {
  require_few_states(system.coordinates(), options);
  const PenaltyForm form = penalty_form(system, penalty);
  Plant plant = named_plant(system, PlantForm::state_space, "ucs");
  plant.notes.push_back(said(form));
  make_explicit(system, parts_of(system, form, options), freedoms_of(system, form), plant);
  find_poles(system, options, plant);
  find_check(plant);
  if (system.constraints() == 0) return plant;
  plant.notes.push_back(error_of_poles(system, form, options));
  if (system.inputs() > 0 && system.outputs() > 0) plant.notes.push_back(error_of_response(system, options, plant));
  return plant;
}

}  // namespace stillpoint
