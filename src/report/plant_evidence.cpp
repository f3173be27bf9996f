#include "report/plant_evidence.h"

#include <fmt/format.h>

#include "plants/plant_parts.h"

namespace stillpoint {

namespace {

constexpr double useless_error = 1;  // of a reduction, relative to the largest response

std::string singular_reason(const LinearSystem& system) {
  const std::size_t count = system.branches.size();
  return fmt::format(
      "the configuration is singular: the rank of the constraint Jacobian drops at this point only, and {}, so that a "
      "plant with {} degrees of freedom describes no motion beyond this point",
      count == 0 ? "no motion from here was confirmed" : fmt::format("motions branch ({})", count), system.dof());
}

std::string reason_about(const MethodReport& found) {
  const Spectrum& spectrum = found.spectrum;
  if (!found.computed) return "the poles were not found: " + found.why_not;
  if (spectrum.found != spectrum.expected)
    return fmt::format("the count of poles is not certified: {} must exist{}{}, {} were found", spectrum.expected,
                       spectrum.region.empty() ? "" : " ", spectrum.region, spectrum.found);
  return "the poles are not certified: " +
         (spectrum.warnings.empty() ? "true and spurious ones cannot be distinguished" : spectrum.warnings.front());
}

}  // namespace

bool needs_all_poles(const LinearSystem& system) { return system.dof() <= few_dof || system.singular; }

ModesReport poles_for_plant(const AnalysisCase& analysis, AnalysisOptions how) {
  if (needs_all_poles(analysis.system)) how.modes.which = All{.is_required = true};
  else if (!requested_count(how.modes.which)) how.modes.which = Lowest{};
  return report_modes(analysis, Method::mcs, how);
}

std::vector<PlantObjection> objections_to_plant(const AnalysisCase& analysis, const ModesReport& poles) {
  std::vector<PlantObjection> found;
  if (analysis.rest && analysis.rest->status != EquilibriumStatus::at_rest)
    found.push_back({PlantObjection::off_equilibrium, analysis.rest->message});
  if (analysis.system.rows.rank.outcome == RankOutcome::undecided)
    found.push_back({PlantObjection::rank_undecided, "the rank of the constraint Jacobian is undecided numerically"});
  if (analysis.system.singular) found.push_back({PlantObjection::singular, singular_reason(analysis.system)});
  else if (!is_certified(poles)) found.push_back({PlantObjection::uncertified, reason_about(poles.result)});
  return found;
}

bool is_useless(const Plant& plant) { return plant.reduced && !(plant.reduced->error <= useless_error); }

std::string error_of_reduction(const Plant& plant) {
  return fmt::format("the reduction changes the frequency response by {:.0f} % of its largest value, at {:.3g} rad/s",
                     100 * plant.reduced->error, plant.reduced->omega);
}

}  // namespace stillpoint
