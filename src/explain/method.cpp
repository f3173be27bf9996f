// Which method suits this system: order, spurious eigenvalues, fill and time of each, measured where that is quick.

#include <algorithm>
#include <cmath>

#include "explain/topics.h"

namespace stillpoint::explanations {

namespace {

const MatrixSparsity& factored_by(const SparsityReport& sparsity, Method method) {
  return method == Method::mcs ? sparsity.mcs : method == Method::rcs ? sparsity.rcs : sparsity.ucs;
}

void take_sparsity(MethodFacts& facts, const SparsityReport& sparsity) {
  const MatrixSparsity& matrix = factored_by(sparsity, facts.method);
  facts.fill = matrix.fill();
  if (matrix.best().is_known()) facts.factor_entries = static_cast<double>(matrix.best().entries);
}

MethodFacts measured(const MethodReport& report) {
  MethodFacts facts;
  facts.method = report.method;
  facts.computed = report.computed;
  facts.why_not = report.why_not;
  if (!report.computed) return facts;
  facts.order = report.spectrum.size;
  facts.found = report.spectrum.found;
  facts.spurious = report.spectrum.spurious;
  for (const Mode& mode : report.spectrum.modes) {
    if (mode.kind == ModeClass::genuine && !mode.is_infinite())
      facts.largest_error = std::fmax(facts.largest_error, mode.error);
  }
  facts.seconds = report.spectrum.seconds + (std::isnan(report.form_seconds) ? 0 : report.form_seconds);
  return facts;
}

void take_sparsity_report(MethodExplanation& found, const SparsityReport& sparsity) {
  found.suits = sparsity.suits;
  found.advice = sparsity.advice;
  for (MethodFacts& facts : found.methods) take_sparsity(facts, sparsity);
}

void take_plan(MethodExplanation& found, const PlannedEngine& planned) {
  found.engine = to_words(planned.engine);
  found.engine_why = planned.why;
}

MethodExplanation by_comparison(const AnalysisCase& analysis, const AnalysisOptions& options) {
  const Comparison comparison = compare_methods(analysis, options);
  MethodExplanation found;
  for (const MethodReport& report : comparison.methods) found.methods.push_back(measured(report));
  if (comparison.methods[0].computed) take_plan(found, comparison.methods[0].planned);
  if (comparison.sparsity) take_sparsity_report(found, *comparison.sparsity);
  return found;
}

/// Of a large system nothing is solved: orders and fill are counted, and times are those of the cost model.
MethodExplanation by_estimates(const AnalysisCase& analysis, const AnalysisOptions& options) {
  const ModeFinder finder(analysis.system, options);
  const SparsityReport sparsity = measure_sparsity(analysis.system, {.progress = options.modes.progress});
  MethodExplanation found;
  for (const Method method : {Method::mcs, Method::rcs, Method::ucs}) {
    MethodFacts facts;
    facts.method = method;
    facts.why_not = "not computed, as the system is large";
    facts.order = method == Method::mcs   ? sparsity.mcs_order()
                  : method == Method::rcs ? sparsity.rcs_order()
                                          : sparsity.ucs_order();
    const std::vector<PlannedEngine> plan = finder.plan_for(method);
    if (!plan.empty()) {
      facts.seconds = plan.front().seconds;
      facts.seconds_are_estimated = true;
      if (method == Method::mcs) take_plan(found, plan.front());
    }
    found.methods.push_back(facts);
  }
  take_sparsity_report(found, sparsity);
  return found;
}

}  // namespace

MethodExplanation explain_methods(const AnalysisCase& analysis,
                                  const std::function<void(const std::string&)>& progress) {
  const AnalysisOptions options = usual_options(analysis.system, progress);
  return is_small_for_all(analysis.system) ? by_comparison(analysis, options) : by_estimates(analysis, options);
}

}  // namespace stillpoint::explanations
