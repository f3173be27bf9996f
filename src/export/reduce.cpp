#include "stillpoint/reduce.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "export/modal_parts.h"
#include "export/plant_parts.h"
#include "export/reduced_bases.h"
#include "export/reductions.h"

namespace stillpoint {

namespace {

// Frequencies at which errors are measured.
constexpr Index grid = 120;

/// max over ω of ‖H − H_r‖₂, in channels.
double gain_error(const Plant& full, const Plant& reduced, const Eigen::VectorXd& omega) {
  const auto H = response_of(full, omega), H_r = response_of(reduced, omega);
  double largest = 0;
  for (std::size_t k = 0; k < H.size(); ++k) {
    if (H[k].hasNaN() || H[k].size() == 0) continue;
    largest = std::max(largest, Eigen::JacobiSVD<Eigen::MatrixXcd>(H[k] - H_r[k]).singularValues()[0]);
  }
  return largest;
}

Eigen::VectorXd errors_at(const LinearSystem& system) {
  const ResponseRange range = range_of_modes(system);
  return log_spaced(range.from, range.to, grid);
}

std::string words_of(Importance keep) {
  switch (keep) {
    case Importance::participation:
      return "the modes that a blow moves most";
    case Importance::gramian:
      return "the modes of most weight";
    default:
      return "the slowest modes";
  }
}

std::string words_of(const ReduceOptions& options) {
  switch (options.method) {
    case Reduction::modal:
      return words_of(options.keep) + (options.static_correction ? ", with the static part of the others" : "");
    case Reduction::balanced:
      return "balanced truncation";
    case Reduction::craig_bampton:
      return "Craig and Bampton's motions";
    default:
      return "the response at some frequencies (Krylov)";
  }
}

/// What is measured of every reduction, and said.
void measure(const LinearSystem& system, const ReduceOptions& options, ReducedPlant& reduced) {
  const Eigen::VectorXd omega = errors_at(system);
  const FrequencyResponse exact =
      frequency_response(system, omega, {.minimum_norm_reactions = options.plant.minimum_norm_reactions});
  reduced.measured = response_error(exact, reduced.plant);
  std::vector<std::string>& notes = reduced.plant.notes;
  notes.push_back(fmt::format("reduced from {} to {} states by {}", reduced.full_order, reduced.plant.first.A.rows(),
                              words_of(options)));
  notes.push_back(fmt::format(
      "its frequency response is off by up to {:.1e} of the largest, at {:.3g} rad/s (measured at {} frequencies from "
      "{:.3g} to {:.3g} rad/s)",
      reduced.measured.relative, reduced.measured.omega, grid, omega[0], omega[grid - 1]));
  if (std::isfinite(reduced.bound)) {
    notes.push_back(
        fmt::format("the bound of its error is {:.1e} (in the largest singular value of H, for all "
                    "frequencies); measured: {:.1e}",
                    reduced.bound, reduced.gain_error));
  }
  find_check(reduced.plant);
}

ReducedPlant from_state_space(const LinearSystem& system, const ReduceOptions& options) {
  const Plant full = state_space(system, options.plant);
  ReducedPlant reduced =
      options.method == Reduction::modal ? truncate_modes(full, options) : truncate_balanced(full, options);
  reduced.full_order = static_cast<Index>(full.first.A.rows());
  reduced.gain_error = gain_error(full, reduced.plant, errors_at(system));
  return reduced;
}

/// Without forming the whole state space.
ReducedPlant from_few_motions(const LinearSystem& system, const ReduceOptions& options) {
  const Index vectors = std::max<Index>(1, order_of(options) / 2);
  const MinimalForm basis = options.method == Reduction::krylov
                                ? krylov_basis(system, options.frequencies, vectors)
                                : craig_bampton_basis(system, options.boundary, vectors);
  ReducedPlant reduced;
  reduced.plant = state_space(system, basis, options.plant);
  reduced.full_order = 2 * system.freedom();
  return reduced;
}

}  // namespace

Plant modal_form(const LinearSystem& system, const PlantOptions& options) {
  const Plant full = state_space(system, options);
  Plant plant = modal_plant(full, modal_parts(full.first.A, full.poles));
  find_check(plant);
  return plant;
}

ReducedPlant reduce(const LinearSystem& system, const ReduceOptions& options) {
  ReducedPlant reduced = options.method == Reduction::modal || options.method == Reduction::balanced
                             ? from_state_space(system, options)
                             : from_few_motions(system, options);
  measure(system, options, reduced);
  return reduced;
}

}  // namespace stillpoint
