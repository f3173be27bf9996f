#include <fmt/format.h>

#include "base/usual_requests.h"
#include "cli/arguments.h"
#include "cli/engine_modes.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/verbs.h"
#include "report/modes_with_masses.h"
#include "stillpoint/effective_masses.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct ModesArguments : ModeOptions {
  std::string method = usual::method;
  bool effective_masses = false;
  std::string about;  ///< X,Y,Z or "centre"
  EngineArguments programs;
};

Method method_called(const std::string& word) {
  return word == "rcs" ? Method::rcs : word == "ucs" ? Method::ucs : Method::mcs;
}

Vec3<double> point_in(const ModesArguments& options, const AnalysisCase& analysis) {
  if (options.about.empty()) return {};
  if (options.about == "centre") return centre_of_mass(*analysis.model, analysis.rest->state);
  std::vector<double> numbers;
  bool is_good = true;
  for (const std::string& part : parts_between(options.about, ',')) {
    const std::optional<double> number = number_from(part);
    is_good = is_good && number;
    numbers.push_back(number.value_or(0));
  }
  if (!is_good || numbers.size() < 2 || numbers.size() > 3)
    throw Error(fmt::format("--about {}: this must be X,Y or X,Y,Z (m), or the word centre", options.about));
  return {numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0};
}

/// The effective masses, if they are asked for; of the same modes, as far as these are asked for by number or band.
std::optional<EffectiveMasses> effective_masses_of(const ModesArguments& options, const AnalysisCase& analysis,
                                                   const ModesOptions& which) {
  if (!options.effective_masses) {
    if (!options.about.empty()) throw Error("--about belongs to --effective-masses");
    return {};
  }
  if (!analysis.model)
    throw Error(
        "--effective-masses: a folder of matrices does not say where its masses are; in C++ effective_masses takes the "
        "motions of the base");
  return effective_masses(*analysis.model, analysis.rest->state, analysis.system, point_in(options, analysis), which);
}

ModesReport find_report(const ModesArguments& options, const AnalysisCase& analysis) {
  ProgressLine progress(!options.quiet);
  const Method method = method_called(options.method);
  if (options.programs.are_meant(options))
    return report_by_engine(options.programs, options, analysis, method, progress.sink());
  AnalysisOptions how = analysis_options(options, analysis.system);
  how.modes.spurious = options.spurious;
  how.modes.progress = progress.sink();
  return report_modes(analysis, method, how);
}

void run(const ModesArguments& options) {
  require_its_method(options, options.method);
  require_engine_arguments(options.programs, options, options.method);
  const AnalysisCase analysis = load_system(options);
  if (!options.programs.write.empty())
    return deliver(options, write_engine_request(options.programs, options, analysis));
  const ModesReport report = find_report(options, analysis);
  const std::optional<EffectiveMasses> masses =
      effective_masses_of(options, analysis, modes_options(options, analysis.system));
  const PrintOptions print = print_options(options);
  const std::string text = options.json ? to_json(analysis, report, print) : to_text(analysis, report, print);
  deliver(options, !masses ? text : options.json ? json_with_masses(text, *masses) : text_with_masses(text, *masses));
  warn(options, report.warnings);
  if (masses && !options.quiet) print_warnings(masses->warnings);
  if (!report.result.computed) {
    print_message(report.result.why_not);
    throw CLI::RuntimeError(numerics_failed);
  }
  conclude(options, is_certified(report) && (!masses || masses->certified), report.verdict, judged_modes(report));
}

}  // namespace

void add_modes(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("modes", "natural frequencies, damping, stability");
  verb->description(
      "Examples:\n"
      "  stillpoint modes cases/four_bar --set N=20 --set c=1\n"
      "  stillpoint modes cases/four_bar --method ucs --alpha 1e6\n"
      "  stillpoint modes cases/n_pendulum --count 5 --shapes --json\n"
      "  stillpoint modes cases/cantilever --count 12 --effective-masses\n"
      "  stillpoint modes folder_of_matrices --assert-stable\n"
      "  stillpoint modes folder_of_matrices --count 10 --engine slepc --ranks 8\n\n"
      "Natural frequencies, damping ratios, participation in each mode, and stability. The model is linearized\n"
      "about its equilibrium, or read as a folder of matrices.");
  auto options = std::make_shared<ModesArguments>();
  options->other_programs = {"slepc"};
  add_mode_options(*verb, *options);
  add_engine_arguments(*verb, options->programs);
  verb->add_option("--method", options->method,
                   "mcs: minimal coordinates; rcs: redundant coordinates with multipliers; ucs: penalty")
      ->group(group::method)
      ->check(CLI::IsMember({"mcs", "rcs", "ucs"}));
  verb->add_flag("--effective-masses", options->effective_masses,
                 "also list the mass that each undamped mode takes along when the base moves, in each direction")
      ->group(group::output);
  verb->add_option("--about", options->about,
                   "with --effective-masses: the point about which the base rotates (m), or the centre of mass "
                   "(default: the origin)")
      ->group(group::output)
      ->type_name("X,Y,Z|centre");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
