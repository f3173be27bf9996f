// Which constraints are redundant, and is the guess a singular configuration? Decided where the loops close.

#include <cmath>

#include "check/steps.h"
#include "stillpoint/assembly.h"

namespace stillpoint::checks {

void judge_constraints(const CheckSubject& subject, CheckReport& report) {
  const Model& model = subject.model;
  const bool has_values = std::isfinite(report.residual) && applied_forces(model, subject.guess).allFinite();
  // Without values, a warning has said so.
  if (model.constraints() == 0 || !has_values || report.zero_length_count > 0) return;
  try {
    report.survey = survey_constraints(model, subject.guess);
    if (!report.survey->closed) report.warnings.push_back(report.survey->message);
  } catch (const Error& no_value) {  // the check goes on
    report.warnings.push_back(no_value.what());
  }
}

}  // namespace stillpoint::checks
