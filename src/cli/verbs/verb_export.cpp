// The verb `export` writes a plant to a file. It refuses systems of which a plant would mislead.

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "base/name_list.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/option_names.h"
#include "cli/origin.h"
#include "cli/plant_options.h"
#include "plants/files/plant_record.h"
#include "plants/plant_parts.h"
#include "report/plant_evidence.h"
#include "stillpoint/discretise.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/write_plant.h"

namespace stillpoint::cli {

namespace {

struct ExportArguments : PlantFormOptions {
  bool singular = false, uncertified = false, anyway = false;
  std::optional<double> sample_time;
  std::string hold;                 ///< empty if not given
  std::vector<std::string> delays;  ///< NAME=SECONDS
  std::string command;
};

// ---------------------------------------------------------------------------------------------------------------------
// Refusals

/// Refuses, or records the reason if the user overrides the refusal.
void refuse_or_record(const std::string& reason, const char* flag, bool is_overridden,
                      std::vector<std::string>& overrides, int exit_code = numerics_failed) {
  if (!is_overridden) {
    print_message(fmt::format("not exported: {}; {} exports nevertheless, and records this in the file", reason, flag));
    throw CLI::RuntimeError(exit_code);
  }
  overrides.push_back(reason);
}

/// Finds the poles as the verb `modes` does; of a large system the lowest ones, with a certified count.
ModesReport poles_of(const ExportArguments& options, const AnalysisCase& analysis, const AnalysisOptions& how) {
  const LinearSystem& system = analysis.system;
  if (!needs_all_poles(system) && options.assert_min_damping && !is_conservative(system)) {
    throw Error(fmt::format(
        "--assert-min-damping is about all poles; with {} degrees of freedom (more than {}) `export` computes only the "
        "lowest: use 'stillpoint modes'",
        system.dof(), few_dof));
  }
  return poles_for_plant(analysis, how);
}

std::vector<std::string> overrides_of(const ExportArguments& options, const AnalysisCase& analysis,
                                      const ModesReport& report) {
  std::vector<std::string> overrides;
  for (const PlantObjection& objection : objections_to_plant(analysis, report)) {
    switch (objection.kind) {
      case PlantObjection::off_equilibrium:  // load_system() refuses this unless --off-equilibrium is given
        overrides.push_back(objection.reason);
        break;
      case PlantObjection::rank_undecided:
        refuse_or_record(objection.reason, "--rank R or --uncertified", options.uncertified, overrides);
        break;
      case PlantObjection::singular:
        refuse_or_record(objection.reason, "--singular", options.singular, overrides);
        break;
      case PlantObjection::uncertified:
        refuse_or_record(objection.reason, "--uncertified", options.uncertified, overrides);
        break;
    }
  }
  return overrides;
}

/// A reduced plant that is wrong by more than the whole response is no model of the system.
void require_small_error(const ExportArguments& options, Plant& plant) {
  if (!is_useless(plant)) return;
  refuse_or_record(error_of_reduction(plant), "a larger --order or another --reduce helps; --anyway", options.anyway,
                   plant.origin.overrides, check_failed);
}

void warn_of_large_error(const ExportArguments& options, const Plant& plant) {
  constexpr double large_error = 0.1;  // relative
  if (options.quiet || !plant.reduced || plant.reduced->error <= large_error) return;
  print_warnings({error_of_reduction(plant)});
}

// ---------------------------------------------------------------------------------------------------------------------
// The summary

std::string poles_line(const Plant& plant, const ModesReport& report) {
  return fmt::format("{}, {}{}", plant.poles.size(), in_words(report.verdict),
                     is_certified(report) ? "" : ", not certified");
}

std::string summary(const ExportArguments& options, const Plant& plant, const ModesReport& report) {
  std::string text = plant.name + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", title, content);
  };
  line("form", fmt::format("{} by {}", to_word(plant.form), plant.method));
  if (plant.sampling) line("samples", fmt::format("every {:g} s, by {}", plant.sampling->time, plant.sampling->method));
  line("states", fmt::format("{}: {}", plant.state_names.size(), name_list(plant.state_names)));
  line("inputs", name_list(plant.input_names));
  line("outputs", name_list(plant.output_names));
  line("poles", poles_line(plant, report));
  for (const std::string& reason : plant.origin.overrides) line("override", reason);
  for (const std::string& note : plant.notes) line("note", note);
  line("written to", options.output);
  return text;
}

/// Returns the plant in discrete time if the options ask for it.
Plant sampled(const ExportArguments& options, Plant plant) {
  if (!options.sample_time) return plant;
  static const std::map<std::string, InputHold> holds{
      {"zoh", InputHold::zoh}, {"foh", InputHold::foh}, {"tustin", InputHold::tustin}};
  DiscretiseOptions how{.time = *options.sample_time,
                        .hold = options.hold.empty() ? InputHold::zoh : holds.at(options.hold)};
  for (const auto& [name, seconds] : parse_settings("--delay", options.delays)) how.delays[name] = seconds;
  return discretise(plant, how);
}

void require_sample_time(const ExportArguments& options) {
  if (options.sample_time) {
    if (plant_format(options.output) == PlantFormat::modelica)
      throw Error("--sample-time: a Modelica model (.mo) is written in continuous time: choose another format");
    return;
  }
  if (!options.hold.empty()) throw Error("--discretise belongs to --sample-time, which gives the time between samples");
  if (!options.delays.empty()) throw Error("--delay belongs to --sample-time: a delay is a whole number of samples");
}

void run(const ExportArguments& options) {
  plant_format(options.output);  // a wrong name is refused before any work
  require_sample_time(options);
  require_one_form(options);
  const AnalysisCase analysis = load_system(options);
  const AnalysisOptions how = analysis_options(options, analysis.system);
  const LinearSystem system = with_channels(analysis.system, options);
  const ModesReport report = poles_of(options, analysis, how);
  const std::vector<std::string> overrides = overrides_of(options, analysis, report);
  require_asserted(options, report.verdict, judged_modes(report));

  Plant plant = make_plant(options, system, how, report.result.computed ? &report.result.spectrum : nullptr);
  plant = sampled(options, std::move(plant));
  for (std::string& note : plant.notes) note = with_flags(note);
  plant.origin = origin_of(options.path, options.command);
  plant.origin.overrides = overrides;
  require_small_error(options, plant);
  plant.at.is_rest = !analysis.rest || analysis.rest->status == EquilibriumStatus::at_rest;
  write_plant(plant, options.output);
  deliver({}, summary(options, plant, report));
  if (!options.quiet && analysis.rest) print_warnings(analysis.rest->warnings);
  warn_of_large_error(options, plant);
}

}  // namespace

void add_export(CLI::App& app, const std::string& command) {
  CLI::App* const verb = app.add_subcommand("export", "a linear model for control design");
  verb->description(
      "Examples:\n"
      "  stillpoint export cases/cart_pole -o plant.mat\n"
      "  stillpoint export cases/cart_pole --rest nearest --output cart.x,pole.phi -o plant.npz\n"
      "  stillpoint export cases/four_bar --set N=20 --input phi --output phi --form second-order -o folder/\n"
      "  stillpoint export cases/flexible_double_pendulum --reduce modal --order 8 -o plant.json\n\n"
      "A linear model for control design, for MATLAB, Octave, Python or Modelica. The model is linearized about its\n"
      "equilibrium, or read as a folder of matrices. The file contains names, the operating point, the poles, and a\n"
      "frequency response with which a reader can verify it; docs/control.md describes each format. If a model names\n"
      "no inputs or outputs, coordinates serve: a force acts on an input coordinate, and the motion of an output\n"
      "coordinate is shown.");
  auto options = std::make_shared<ExportArguments>();
  options->breaks_loops = true;
  options->command = command;
  add_model_options(*verb, *options);
  verb->remove_option(verb->get_option("--json"));
  verb->get_option("-o")->required()->type_name("FILE")->description(
      "file to write: .mat, .npz, .json, .mo, or FOLDER/ with a slash");
  add_system_options(*verb, *options);
  add_channel_options(*verb, *options);
  add_plant_options(*verb, *options);
  add_assert_options(*verb, *options);
  verb->add_option("--sample-time", options->sample_time, "make the plant discrete: the time between samples (s)")
      ->group(group::time)
      ->check(above_zero());
  verb->add_option("--discretise", options->hold,
                   "inputs are constant between samples (zoh, default), or linear (foh), or Tustin's rule (tustin)")
      ->group(group::time)
      ->check(CLI::IsMember({"zoh", "foh", "tustin"}));
  verb->add_option("--delay", options->delays,
                   "delay an input by so many seconds, a whole number of samples (repeatable)")
      ->group(group::time)
      ->allow_extra_args(false)
      ->type_name("NAME=SECONDS");
  verb->add_flag("--singular", options->singular, "export although the configuration is singular")
      ->group(group::checks);
  verb->add_flag("--uncertified", options->uncertified, "export although the count of poles is not certified")
      ->group(group::checks);
  verb->add_flag("--anyway", options->anyway, "export although the reduction changes the response by more than 100 %")
      ->group(group::checks);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
