#include "stillpoint/reduce.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>

#include "algebra/dense/lapack.h"
#include "plants/measured_error.h"
#include "plants/plant_parts.h"
#include "plants/units.h"
#include "reduction/modal_parts.h"
#include "reduction/reduced_bases.h"
#include "reduction/reductions.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// Returns the maximum over ω of ‖H − H_r‖₂, in channels.
double gain_error(const Plant& full, const Plant& reduced, const Eigen::VectorXd& omega) {
  const auto H = response_of(full, omega), H_r = response_of(reduced, omega);
  double largest = 0;
  for (std::size_t k = 0; k < H.size(); ++k) {
    if (H[k].hasNaN() || H[k].size() == 0) continue;
    largest = std::max(largest, Eigen::JacobiSVD<Eigen::MatrixXcd>(H[k] - H_r[k]).singularValues()[0]);
  }
  return largest;
}

std::string words_of(Importance keep) {
  switch (keep) {
    case Importance::participation:
      return "the modes of largest participation in the impulse response";
    case Importance::gramian:
      return "the modes of largest Hankel singular value";
    default:
      return "the modes of lowest frequency";
  }
}

std::string words_of(const ReduceOptions& options) {
  switch (options.method) {
    case Reduction::modal:
      return words_of(options.keep) + (options.static_correction ? ", with static correction" : "");
    case Reduction::balanced:
      return "balanced truncation";
    case Reduction::craig_bampton:
      return "the Craig-Bampton method";
    case Reduction::minimal:
      return "minimal realisation";
    default:
      return "Krylov moment matching at some frequencies";
  }
}

bool starts_from_state_space(Reduction method) {
  return method == Reduction::modal || method == Reduction::balanced || method == Reduction::minimal;
}

/// Lists the first values, and the number of the others.
std::string list_of(const Eigen::VectorXd& values) {
  constexpr Eigen::Index most = 6;
  std::string text;
  for (Eigen::Index i = 0; i < std::min(most, values.size()); ++i)
    text += fmt::format("{}{:.3g}", i > 0 ? ", " : "", values[i]);
  return values.size() > most ? text + fmt::format(" and {} smaller ones", values.size() - most) : text;
}

std::string balanced_note(const ReducedPlant& reduced) {
  const Eigen::Index states = reduced.plant.first.A.rows(), kept = states - reduced.kept_exactly;
  if (reduced.hankel.size() == 0) return "no pole is asymptotically stable, so nothing can be left out";
  const std::string values = fmt::format("Hankel singular values: {}", list_of(reduced.hankel.head(kept)));
  if (kept == reduced.hankel.size()) return values + "; nothing is left out";
  return fmt::format(
      "{} are kept; {} are left out; the error bound is {:.1e} (largest singular value of the error of H, for all "
      "frequencies); measured: {:.1e}",
      values, list_of(reduced.hankel.tail(reduced.hankel.size() - kept)), reduced.bound, reduced.gain_error);
}

/// Removes the pole nearest to s, and returns true, if it is close enough to stand for s.
bool takes(std::vector<std::complex<double>>& poles, const std::complex<double>& s) {
  constexpr double close = 0.5;  // relative: a larger error of an unstable pole makes the model useless for control
  const auto nearest =
      std::min_element(poles.begin(), poles.end(), [&](auto a, auto b) { return std::abs(a - s) < std::abs(b - s); });
  if (nearest == poles.end() || std::abs(*nearest - s) > close * std::abs(s)) return false;
  poles.erase(nearest);
  return true;
}

/// Adds warnings about poles. A basis chosen from the response only may miss unstable poles and rigid-body motions, and
/// may have unstable poles of its own; such a plant is no model for control design.
void tell_lost_poles(const Spectrum& full, ReducedPlant& reduced) {
  constexpr double clear = 1e-6;  // of the fastest pole
  const Eigen::VectorXcd all = solve_unsymmetric(Eigen::MatrixXd(reduced.plant.first.A)).values;
  std::vector<std::complex<double>> poles(all.begin(), all.end());
  const double least = clear * (poles.empty() ? 0 : all.cwiseAbs().maxCoeff());
  Index lost = 0, zero = 0, slow = 0;
  for (const Mode& mode : full.modes) {
    if (mode.kind != ModeClass::genuine) continue;
    if (mode.s.real() > mode.error && !takes(poles, mode.s)) ++lost;
    if (mode.s == 0.0) ++zero;
    else if (std::abs(mode.s) <= least) ++slow;
  }
  const auto count = [&](const auto& is_such) {
    return static_cast<Index>(std::count_if(poles.begin(), poles.end(), is_such));
  };
  const Index lost_zeros = zero - count([&](auto s) { return std::abs(s) <= least; }) + slow;
  const Index invented = count([&](auto s) { return s.real() > least; });
  const auto tell = [&](Index number, const char* one, const char* several) {
    if (number > 0)
      reduced.plant.notes.push_back(
          fmt::format("WARNING: {} {}; reduction 'balanced' and reduction 'modal' keep all poles that are not stable",
                      number, number == 1 ? one : several));
  };
  tell(lost, "unstable pole is missing", "unstable poles are missing");
  tell(lost_zeros, "pole at zero (a rigid-body motion) is missing", "poles at zero (rigid-body motions) are missing");
  tell(invented, "unstable pole is not one of the system", "unstable poles are not poles of the system");
}

/// Measures the error of the reduction and adds the notes.
void measure(const LinearSystem& system, const ReduceOptions& options, ReducedPlant& reduced) {
  const Eigen::Index states = reduced.plant.first.A.rows();
  const Eigen::VectorXd omega = measuring_frequencies(system, poles_of(*options.plant.modes), states);
  reduced.measured = measured_error(system, options.plant, reduced.plant, omega);
  reduced.plant.reduced = {reduced.measured.relative, reduced.measured.omega};
  const bool is_from_state_space = starts_from_state_space(options.method);
  std::vector<std::string>& notes = reduced.plant.notes;
  notes.push_back(fmt::format("reduced from {} to {} states by {}",
                              is_from_state_space
                                  ? fmt::format("{}", reduced.full_order)
                                  : fmt::format("{} degree{} of freedom", system.dof(), system.dof() == 1 ? "" : "s"),
                              states, words_of(options)));
  notes.push_back(to_words(reduced.measured, omega));
  if (options.method == Reduction::balanced) notes.push_back(balanced_note(reduced));
  if (!is_from_state_space) tell_lost_poles(*options.plant.modes, reduced);
  find_check(reduced.plant);
}

ReducedPlant from_state_space(const LinearSystem& system, const ReduceOptions& options) {
  const Plant full = whole_state_space(system, options.plant);
  ReducedPlant reduced = options.method == Reduction::modal      ? truncate_modes(full, options)
                         : options.method == Reduction::balanced ? truncate_balanced(full, options)
                                                                 : minimal_realisation(system, full, options);
  reduced.full_order = static_cast<Index>(full.first.A.rows());
  const Eigen::VectorXd omega = measuring_frequencies(system, poles_of(*options.plant.modes), full.first.A.rows());
  reduced.gain_error = gain_error(full, reduced.plant, omega);
  return reduced;
}

/// Reduces without forming the state space of full order.
ReducedPlant from_few_motions(const LinearSystem& system, const ReduceOptions& options) {
  const Index vectors = order_of(options) / 2;
  if (vectors == 0) throw Error("an order of 1 is too small: one motion has two states");
  const bool is_given = options.frequencies.size() > 0;
  const auto by_krylov = [&] {
    const Eigen::VectorXd omega = is_given ? options.frequencies : usual_frequencies(poles_of(*options.plant.modes));
    return krylov_basis(system, omega, vectors, is_given ? Matching::all_asked_for : Matching::as_many_as_fit);
  };
  const MinimalForm basis =
      options.method == Reduction::krylov ? by_krylov() : craig_bampton_basis(system, options.boundary, vectors);
  ReducedPlant reduced;
  reduced.plant = state_space(system, basis, options.plant);
  reduced.full_order = 2 * system.dof();
  return reduced;
}

}  // namespace

Plant modal_form(const LinearSystem& system, const PlantOptions& options) {
  const Plant full = whole_state_space(system, options);
  Plant plant = modal_plant(full, modal_parts(full.first.A, full.poles));
  find_check(plant);
  tell_rounding(system, options, plant);
  return with_units(std::move(plant), system);
}

ReducedPlant reduce(const LinearSystem& system, const ReduceOptions& options) {
  const Spectrum found = options.plant.modes ? Spectrum() : modes_of(system, options.plant.minimal);
  ReduceOptions known = options;
  if (!options.plant.modes) known.plant.modes = &found;
  ReducedPlant reduced =
      starts_from_state_space(options.method) ? from_state_space(system, known) : from_few_motions(system, known);
  measure(system, known, reduced);
  reduced.plant = with_units(std::move(reduced.plant), system);
  return reduced;
}

}  // namespace stillpoint
