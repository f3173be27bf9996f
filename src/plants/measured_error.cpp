#include "plants/measured_error.h"

#include <fmt/format.h>

#include "plants/plant_parts.h"

namespace stillpoint {

namespace {

// Numbers of frequencies: in general, for large systems (coordinates), and for large plants (states).
constexpr Index grid = 120, grid_of_large = 40, grid_of_full = 12;
constexpr Index large = 20'000;
constexpr Eigen::Index full = 400;

// Relative to the largest response: the tolerance of 'verify' in stillpoint_load.
constexpr double same = 1e-10;

}  // namespace

Eigen::VectorXd measuring_frequencies(const LinearSystem& system, const std::vector<Plant::Pole>& poles,
                                      Eigen::Index states) {
  const ResponseRange range = range_of_poles(poles);
  const Index points = states > full ? grid_of_full : system.coordinates() > large ? grid_of_large : grid;
  return log_spaced(range.from, range.to, points);
}

ResponseError measured_error(const LinearSystem& system, const PlantOptions& options, const Plant& plant,
                             const Eigen::VectorXd& omega) {
  if (system.inputs() == 0 || system.outputs() == 0) return {};
  const ResponseOptions how{.minimum_norm_reactions = options.minimum_norm_reactions};
  return response_error(frequency_response(system, omega, how), plant);
}

std::string to_words(const ResponseError& error, const Eigen::VectorXd& omega) {
  return fmt::format(
      "its frequency response is off by up to {:.1e} of the largest, at {:.3g} rad/s (measured at {} frequencies from "
      "{:.3g} to {:.3g} rad/s)",
      error.relative, error.omega, omega.size(), omega[0], omega[omega.size() - 1]);
}

void tell_rounding(const LinearSystem& system, const PlantOptions& options, Plant& plant) {
  const ResponseError error = measured_error(system, options, plant, plant.check.omega);
  if (!(error.relative > same)) return;
  plant.notes.push_back(fmt::format(
      "rounding: its frequency response is off by up to {:.1e} of the largest, at {:.3g} rad/s, because slow and fast "
      "modes are far apart in an explicit form; second-order and descriptor forms keep more digits",
      error.relative, error.omega));
}

}  // namespace stillpoint
