#include "reduction/plant_in_time.h"

#include <fmt/format.h>

#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/reduce.h"

namespace stillpoint {

namespace {

// Degrees of freedom of a plant whose matrix exponential is computed.
constexpr Index most_dof_in_time = 300;

// A reduced plant with a larger error says nothing about the system.
constexpr double useless_reduction_in_time = 0.1;

}  // namespace

Plant plant_in_time(const LinearSystem& system, const PlantInTimeOptions& options, std::vector<std::string>& warnings) {
  const PlantOptions making{.minimum_norm_reactions = options.minimum_norm_reactions};
  if (options.order == 0) {
    if (system.dof() > most_dof_in_time)
      throw Error(fmt::format(
          "'{}' has {} degrees of freedom; the answer in time is computed with up to {}, because matrix "
          "exponentials are dense: give option 'order' R for a modal reduction to R states, whose error is told",
          system.name, system.dof(), most_dof_in_time));
    return state_space(system, making);
  }
  const ReducedPlant reduced = reduce(system, {.method = Reduction::modal, .order = options.order, .plant = making});
  warnings.push_back(
      fmt::format("a modal reduction to {} states, whose frequency response is off by {:.2g} of the largest at {:.4g} "
                  "rad/s",
                  reduced.plant.first.A.rows(), reduced.measured.relative, reduced.measured.omega));
  if (!(reduced.measured.relative < useless_reduction_in_time))
    throw Error(fmt::format(
        "a modal reduction to {} states is off by {:.2g} of the largest response: give a larger option 'order'",
        reduced.plant.first.A.rows(), reduced.measured.relative));
  return reduced.plant;
}

}  // namespace stillpoint
