#include "report/engine_report.h"

#include <utility>

#include "base/stopwatch.h"
#include "stability/judge_answer.h"

namespace stillpoint {

ModesReport report_engine_modes(const AnalysisCase& analysis, FoundModes found) {
  ModesReport report;
  static_cast<FoundModes&>(report.result) = std::move(found);
  const Spectrum& spectrum = report.result.spectrum;
  const Stopwatch judging;
  report.verdict = judge_answer(analysis.system, spectrum);
  report.verdict_seconds = judging.seconds();
  report.warnings = spectrum.warnings;
  report.result.accounts = account_for(analysis, spectrum.modes);
  return report;
}

}  // namespace stillpoint
