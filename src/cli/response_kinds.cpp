#include "cli/response_kinds.h"

#include <fmt/format.h>

#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "reduction/plant_in_time.h"
#include "stillpoint/error.h"
#include "stillpoint/margins.h"
#include "stillpoint/time_response.h"

namespace stillpoint::cli {

namespace {

template <class Result>
std::string in_format(const std::string& format, const Result& result, const std::string& model,
                      const std::string& title) {
  if (format == "json") return to_json(result, model);
  if (format == "svg") return to_svg(result, title);
  return format == "csv" ? to_csv(result) : to_text(result, model);
}

ResponseTexts answer_in_time(const LinearSystem& system, const ResponseKinds& kinds, const AnswerRequest& request,
                             const std::string& format) {
  ResponseTexts texts;
  const Plant plant =
      plant_in_time(system, {.order = kinds.order, .minimum_norm_reactions = request.minimum_norm}, texts.warnings);
  const TimeResponse response = time_response(
      plant,
      {.input = kinds.step ? TimeInput::step : TimeInput::impulse, .until = kinds.until, .points = request.points});
  texts.content =
      in_format(format, response, system.name, system.name + (kinds.step ? ": step response" : ": impulse response"));
  texts.figures = to_text(response, system.name);
  texts.warnings.insert(texts.warnings.end(), response.warnings.begin(), response.warnings.end());
  return texts;
}

ResponseTexts answer_of_loops(const LinearSystem& system, const ResponseKinds& kinds, const AnswerRequest& request,
                              const std::string& format) {
  const LoopAnalysis loops =
      analyse_loops(system, {.from = request.from, .to = request.to, .minimum_norm_reactions = request.minimum_norm});
  const bool as_loops = kinds.nyquist || kinds.nichols;
  ResponseTexts texts;
  texts.figures = to_text(loops, system.name, as_loops, request.hertz);
  texts.warnings = loops.warnings;
  if (format == "json") texts.content = to_json(loops, system.name);
  else if (format == "csv") texts.content = to_csv(loops);
  else if (format == "table") texts.content = texts.figures;
  else if (kinds.nyquist)
    texts.content = to_svg(loops, LoopPlot::nyquist, system.name + ": Nyquist plot", request.hertz);
  else texts.content = to_svg(loops, LoopPlot::nichols, system.name + ": Nichols chart", request.hertz);
  return texts;
}

ResponseTexts answer_of_directions(const LinearSystem& system, const AnswerRequest& request,
                                   const std::string& format) {
  const FrequencyResponse response =
      frequency_response(system, request.omega, {.minimum_norm_reactions = request.minimum_norm});
  const SingularValueCurves curves = singular_values_of(response);
  ResponseTexts texts;
  texts.warnings = response.warnings;
  texts.content = format == "json"  ? to_json(curves, response, system.name)
                  : format == "svg" ? to_svg(curves, system.name + ": singular values", request.hertz)
                                    : to_csv(curves);
  return texts;
}

void require_fitting_options(const ResponseKinds& kinds, const AnswerRequest& request) {
  const bool is_in_time = kinds.step || kinds.impulse;
  if (!is_in_time && kinds.until) throw Error("--until is for --step and --impulse");
  if (!is_in_time && kinds.order > 0) throw Error("--order is for --step and --impulse");
  if (is_in_time && (request.from > 0 || request.to > 0))
    throw Error("--from and --to are frequencies: an answer in time goes on --until SECONDS");
  if ((kinds.nyquist || kinds.nichols) && request.points > 0)
    throw Error("--points is not for --nyquist and --nichols, whose frequencies follow the curve");
  if (kinds.singular_values && kinds.figures) throw Error("--figures is not for --singular-values");
}

}  // namespace

void add_response_kinds(CLI::App& verb, ResponseKinds& kinds) {
  std::vector<CLI::Option*> exclusive;
  const auto add = [&](const char* name, bool& flag, const char* description) {
    CLI::Option* const option = verb.add_flag(name, flag, description)->group(group::method);
    for (CLI::Option* const other : exclusive) option->excludes(other);
    exclusive.push_back(option);
  };
  add("--step", kinds.step, "the answers in time to a unit step at each input");
  add("--impulse", kinds.impulse, "the answers in time to a unit impulse at each input");
  add("--nyquist", kinds.nyquist, "a Nyquist plot: each pair as an open loop, with its margins");
  add("--nichols", kinds.nichols, "the same as a Nichols chart");
  add("--singular-values", kinds.singular_values, "the singular values of all pairs together");
  verb.add_flag("--figures", kinds.figures,
                "a table of figures in place of the curves: rise and settling time; margins; bandwidth and peak")
      ->group(group::output);
  verb.add_option("--until", kinds.until, "end of an answer in time (s; default: by the slowest pole that is shown)")
      ->group(group::time)
      ->check(above_zero());
  verb.add_option("--order", kinds.order, "number of states of a modal reduction, for answers in time of large models")
      ->group(group::time)
      ->check(CLI::Range(1, 1200));
}

bool is_other_kind(const ResponseKinds& kinds) {
  return kinds.step || kinds.impulse || kinds.nyquist || kinds.nichols || kinds.singular_values || kinds.figures ||
         kinds.until || kinds.order > 0;
}

ResponseTexts other_response(const LinearSystem& system, const ResponseKinds& kinds, const AnswerRequest& request,
                             const std::string& format) {
  require_fitting_options(kinds, request);
  if (kinds.step || kinds.impulse) return answer_in_time(system, kinds, request, format);
  if (kinds.singular_values) return answer_of_directions(system, request, format);
  return answer_of_loops(system, kinds, request, format);
}

}  // namespace stillpoint::cli
