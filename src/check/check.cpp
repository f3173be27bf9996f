#include "stillpoint/check.h"

#include "check/steps.h"

namespace stillpoint {

CheckReport check_model(const Model& model) {
  using namespace checks;
  const CheckSubject subject(model);
  CheckReport report;
  take_inventory(subject, report);
  describe_topology(subject, report);
  sum_mass(subject, report);
  const std::vector<char> massless = find_massless(subject, report);

  find_worst_constraint(subject, report);
  find_zero_lengths(subject, report);
  judge_constraints(subject, report);
  warn_of_loose_parts(subject, report);
  warn_of_joints_with_itself(subject, report);
  warn_of_loose_frames(subject, report);
  warn_of_twins(subject, report);
  warn_of_what_nothing_determines(subject, massless, report);
  warn_of_idle_inputs(subject, report);
  warn_of_scales(subject, report);
  warn_of_masses(subject, report);
  warn_of_inertias(subject, report);
  warn_of_negative_stiffness(subject, report);
  warn_of_degrees(subject, report);
  return report;
}

}  // namespace stillpoint
