// Redundant constraints and singular configurations, decided after the assembly of the guess.

#include <cmath>

#include "check/steps.h"
#include "stillpoint/assembly.h"

namespace stillpoint::checks {

void judge_constraints(const CheckedModel& checked, CheckReport& report) {
  const Model& model = checked.model;
  const bool has_values = std::isfinite(report.residual) && applied_forces(model, checked.guess).allFinite();
  // A guess without values has been reported already.
  if (model.constraints() == 0 || !has_values || report.zero_length_count > 0) return;
  try {
    report.survey = survey_constraints(model, checked.guess);
    if (!report.survey->assembled) report.warnings.push_back(report.survey->message);
  } catch (const Error& no_value) {  // the other checks continue
    report.warnings.push_back(no_value.what());
  }
}

}  // namespace stillpoint::checks
