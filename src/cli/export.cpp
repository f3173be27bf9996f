// A plant as a file; what would mislead is refused first.

#include <fmt/format.h>

#include <utility>

#include "base/name_list.h"
#include "cli/origin.h"
#include "cli/plant_options.h"
#include "export/plant_parts.h"
#include "export/plant_record.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/write_plant.h"

namespace stillpoint::cli {

namespace {

struct Options : PlantFormOptions {
  bool singular = false, uncertified = false;
  std::string command;
};

// ---------------------------------------------------------------------------------------------------------------------
// What would mislead

/// Refuses, or records that the user wants it all the same.
void require(bool is_good, const std::string& reason, const char* flag, bool is_overridden,
             std::vector<std::string>& overrides) {
  if (is_good) return;
  if (!is_overridden) {
    fmt::print(stderr, "not exported: {}; {} exports all the same, and says so in the file\n", reason, flag);
    throw CLI::RuntimeError(numerics_failed);
  }
  overrides.push_back(reason);
}

std::string singular_reason(const LinearSystem& system) {
  const std::size_t count = system.branches.size();
  return fmt::format(
      "the configuration is singular: the rank of the constraints drops here only, and {}, so that a plant with {} "
      "freedoms describes no motion beyond this point",
      count == 0 ? "no motion from here was confirmed" : fmt::format("motions branch ({})", count), system.freedom());
}

std::string doubt_about(const MethodReport& found) {
  const Spectrum& spectrum = found.spectrum;
  if (!found.computed) return "the poles were not found: " + found.why_not;
  if (spectrum.found != spectrum.expected)
    return fmt::format("the count of poles does not agree: {} must exist{}{}, {} were found", spectrum.expected,
                       spectrum.region.empty() ? "" : " ", spectrum.region, spectrum.found);
  return "the poles are not certain: " +
         (spectrum.warnings.empty() ? "true and spurious ones cannot be told apart" : spectrum.warnings.front());
}

/// Its poles as `modes` finds them; of a large system the lowest, counted.
ModesReport poles_of(const Options& options, const Subject& subject, ReportOptions how) {
  const LinearSystem& system = subject.system;
  how.modes.all = system.freedom() <= few_freedoms || system.singular;
  how.solver = how.modes.all ? Solver::dense : Solver::sparse;
  if (!how.modes.all && options.assert_min_damping && !is_conservative(system)) {
    throw Error(fmt::format(
        "--assert-min-damping is about all poles; with {} freedoms (more than {}) only the lowest are looked "
        "at here: ask 'stillpoint modes'",
        system.freedom(), few_freedoms));
  }
  return report_modes(subject, Method::mcs, how);
}

std::vector<std::string> overrides_of(const Options& options, const Subject& subject, const ModesReport& report) {
  std::vector<std::string> overrides;
  // load_subject() has refused this already unless --off-equilibrium was there.
  if (subject.rest && subject.rest->status != RestStatus::at_rest) overrides.push_back(subject.rest->message);
  if (subject.system.rows.rank.outcome == RankOutcome::undecided)
    require(false, "the rank of the constraints cannot be told from the numbers", "--rank R or --uncertified",
            options.uncertified, overrides);
  require(!subject.system.singular, singular_reason(subject.system), "--singular", options.singular, overrides);
  if (!subject.system.singular)
    require(is_certified(report), doubt_about(report.result), "--uncertified", options.uncertified, overrides);
  return overrides;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is said

std::string poles_line(const Plant& plant, const ModesReport& report) {
  return fmt::format("{}, {}{}", plant.poles.size(), to_words(report.verdict.stability),
                     is_certified(report) ? "" : ", not certified");
}

std::string summary(const Options& options, const Plant& plant, const ModesReport& report) {
  std::string text = plant.name + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", title, content);
  };
  line("form", fmt::format("{} by {}", to_word(plant.form), plant.method));
  line("states", fmt::format("{}: {}", plant.state_names.size(), name_list(plant.state_names)));
  line("inputs", name_list(plant.input_names));
  line("outputs", name_list(plant.output_names));
  line("poles", poles_line(plant, report));
  for (const std::string& reason : plant.origin.overrides) line("in spite of", reason);
  for (const std::string& note : plant.notes) line("note", note);
  line("written to", options.output);
  return text;
}

void run(const Options& options) {
  plant_format(options.output);  // refused before anything takes time
  require_one_form(options);
  const Subject subject = load_subject(options);
  const ReportOptions how = report_options(options, subject.system);
  const LinearSystem system = with_channels(subject.system, options);
  const ModesReport report = poles_of(options, subject, how);
  const std::vector<std::string> overrides = overrides_of(options, subject, report);
  require_asserted(options, report.verdict, judged_modes(report));

  Plant plant = make_plant(options, system, how, report.result.computed ? &report.result.spectrum : nullptr);
  if (subject.model) plant = with_units(std::move(plant), *subject.model);
  plant.origin = origin_of(options.path, options.command);
  plant.origin.overrides = overrides;
  plant.at.is_rest = !subject.rest || subject.rest->status == RestStatus::at_rest;
  write_plant(plant, options.output);
  deliver({}, summary(options, plant, report));
  if (options.quiet || !subject.rest) return;
  for (const std::string& warning : subject.rest->warnings) fmt::print(stderr, "warning: {}\n", warning);
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
      "A linear model for control design, for MATLAB, Octave, Python or Modelica. About the rest position of a\n"
      "model, or of matrices from elsewhere; with names, operating point, poles, and a frequency response to check it\n"
      "by. What each file holds and how to load it: docs/control.md. Where a model names no inputs or outputs,\n"
      "coordinates will do: a force on one, the motion of another.");
  auto options = std::make_shared<Options>();
  options->command = command;
  add_model_options(*verb, *options);
  verb->remove_option(verb->get_option("--json"));
  verb->get_option("-o")->required()->type_name("FILE")->description(
      "where to: .mat, .npz, .json, .mo, or FOLDER/ with a slash");
  add_system_options(*verb, *options);
  add_channel_options(*verb, *options);
  add_plant_options(*verb, *options);
  add_assert_options(*verb, *options);
  verb->add_flag("--singular", options->singular, "also at a singular configuration");
  verb->add_flag("--uncertified", options->uncertified, "also where the count of poles does not agree");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
