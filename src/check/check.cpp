// The check of a model in the order of its steps.

#include "stillpoint/check.h"

#include "check/steps.h"

namespace stillpoint {

CheckReport check_model(const Model& model) {
  using namespace checks;
  const CheckedModel checked(model);
  CheckReport report;
  take_inventory(checked, report);
  describe_topology(checked, report);
  sum_mass(checked, report);
  const std::vector<char> massless = find_massless(checked, report);

  find_worst_constraint(checked, report);
  find_zero_lengths(checked, report);
  judge_constraints(checked, report);
  warn_of_loose_parts(checked, report);
  warn_of_joints_with_itself(checked, report);
  warn_of_loose_frames(checked, report);
  warn_of_twins(checked, report);
  warn_of_what_nothing_determines(checked, massless, report);
  warn_of_idle_inputs(checked, report);
  warn_of_scales(checked, report);
  warn_of_masses(checked, report);
  warn_of_stiffness(checked, report);
  warn_of_beams(checked, report);
  warn_of_inertias(checked, report);
  warn_of_negative_stiffness(checked, report);
  warn_of_degrees(checked, report);
  warn_of_drawings(checked, report);
  return report;
}

}  // namespace stillpoint
