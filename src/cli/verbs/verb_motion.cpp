#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/usual_requests.h"
#include "base/whole_file.h"
#include "cli/complaint.h"
#include "cli/controllers.h"
#include "cli/interrupt.h"
#include "cli/motion_arguments.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "motion/identified_signals.h"
#include "stillpoint/error.h"
#include "stillpoint/linear_motion.h"
#include "stillpoint/linearize.h"

namespace stillpoint::cli {

namespace {

constexpr double most_numbers = 2e8;  // of coordinates over time, in memory

/// The ending of the file, if it is one of the formats that --json cannot be.
std::string other_format(const MotionArguments& options) {
  for (const char* const ending : {".npz", ".svg"}) {
    if (options.output.ends_with(ending)) return ending;
  }
  return {};
}

void require_known_ending(const MotionArguments& options) {
  const std::string other = other_format(options);
  if (options.json && !other.empty())
    throw Error(fmt::format("--json -o {}: the ending {} is that of another format: leave --json out, or end in .json",
                            options.output, other));
  if (options.output.empty() || options.json || !other.empty()) return;
  if (options.output.ends_with(".csv") || options.output.ends_with(".json")) return;
  throw Error(
      fmt::format("-o {}: the ending chooses the format; the endings are .csv, .json, .npz and .svg", options.output));
}

const std::vector<std::pair<std::string, PseudoinverseMethod>> pseudoinverses = {
    {"svd", PseudoinverseMethod::svd},
    {"varga", PseudoinverseMethod::varga},
    {"greville", PseudoinverseMethod::greville},
    {"householder", PseudoinverseMethod::householder},
    {"gram-schmidt", PseudoinverseMethod::gram_schmidt}};

std::vector<std::pair<std::string, DynamicForm>> forms() {
  std::vector<std::pair<std::string, DynamicForm>> all;
  for (int k = 0; k <= static_cast<int>(DynamicForm::penalty); ++k) {
    const auto form = static_cast<DynamicForm>(k);
    if (form != DynamicForm::baumgarte) all.emplace_back(name_of(form), form);  // that is --stabilize
  }
  return all;
}

/// All methods but "auto".
std::vector<std::pair<std::string, MotionMethod>> methods() {
  std::vector<std::pair<std::string, MotionMethod>> all;
  for (int k = 0; k <= static_cast<int>(MotionMethod::sdirk); ++k) {
    const auto method = static_cast<MotionMethod>(k);
    all.emplace_back(name_of(method), method);
  }
  return all;
}

template <class Value>
Value meaning_of(const std::string& word, const std::vector<std::pair<std::string, Value>>& words) {
  return std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == word; })->second;
}

template <class Value>
std::vector<std::string> words_of(const std::vector<std::pair<std::string, Value>>& words) {
  std::vector<std::string> list;
  for (const auto& [word, value] : words) list.push_back(word);
  return list;
}

/// Outputs come first, as a coordinate may be called like one.
Crossing crossing_of(const Model& model, const std::string& name, double value) {
  if (!std::isfinite(value)) throw Error(fmt::format("--stop {}={:g}: this must be a finite number", name, value));
  std::vector<std::string> known;
  if (const auto found = index_of(
          name, model.outputs(), [&](Index i) { return model.output_name(i); }, known))
    return {*found, value};
  if (const auto found = coordinate_index(model, name, known)) return {*found, value, true};
  throw Error(fmt::format("--stop {}: there is no output or coordinate '{}'{}", name, name, did_you_mean(name, known)));
}

MotionOptions how_to_move(const MotionArguments& options, const Model& model, Index named_outputs,
                          const MotionStart& start) {
  MotionOptions how;
  const double every = options.every.value_or((options.until - start.time) / usual::motion_records);
  how.start_time = start.time;
  how.inputs = start.inputs;
  if (options.tolerance) how.tolerance = *options.tolerance;
  how.projects = options.stabilize == "projection";
  how.form.form = options.stabilize == "baumgarte" ? DynamicForm::baumgarte : meaning_of(options.form, forms());
  how.form.pseudoinverse.method = meaning_of(options.pseudoinverse, pseudoinverses);
  for (const auto& [name, value] : parse_settings("--stop", options.stops))
    how.crossings.push_back(crossing_of(model, name, value));
  how.keeps_states = options.all_coordinates || named_outputs == 0;
  const double columns = (how.keeps_states ? model.coordinates() : 0.0) + model.outputs();
  if (const double times = (options.until - start.time) / every; times * columns > most_numbers)
    throw Error(
        fmt::format("{:.0f} columns at {:.4g} times are too many for one table: name outputs in the model, or take a "
                    "longer --every",
                    columns, times));
  how.times = times_until(options.until, every, start.time);
  how.stops = [](const MotionRecord&) { return interruption() != 0; };
  return how;
}

void choose(const MotionArguments& options, const Model& model, const MotionStart& start, MotionOptions& how) {
  const auto is_implicit = [&] { return how.method == MotionMethod::implicit || how.method == MotionMethod::sdirk; };
  if (options.method == "auto") {
    const MethodChoice choice = choose_method(model, start.state, options.until - start.time);
    how.method = choice.method;
    if (is_implicit() && !options.quiet) print_message("note: implicit method: " + choice.why);
  } else {
    how.method = meaning_of(options.method, methods());
  }
  if (is_implicit() && !options.tolerance) how.tolerance = usual::implicit_tolerance;
}

void require_linear_model(const MotionArguments& options, const Model& model) {
  if (!options.linear) return;
  if (options.start != "equilibrium")
    throw Error(
        fmt::format("--linear needs --start equilibrium: the linear model is that about an equilibrium, and this "
                    "motion starts at {}",
                    options.start == "guess" ? "the guess" : options.start));
  if (model.outputs() == 0) throw Error("--linear: the model names no outputs that could be compared");
}

/// The outputs of the linear model; `model` is that without reactions. Empty without --linear.
Eigen::MatrixXd linear_outputs(const MotionArguments& options, const Model& model, const MotionStart& start,
                               const std::vector<double>& times) {
  if (!options.linear) return {};
  return linear_motion(model, *start.rest, linearize(model, *start.rest), start.state,
                       {.start_time = start.time, .times = times, .inputs = start.inputs});
}

void write(const MotionArguments& options, const Model& model, const Motion& motion,
           const MotionSupplement& supplement) {
  const std::string other = other_format(options);
  if (other == ".npz") return write_whole_file(options.output, to_npz(model, motion, supplement));
  if (other == ".svg") return write_whole_file(options.output, to_svg(model, motion, supplement));
  const bool is_json = options.json || options.output.ends_with(".json");
  deliver(options, is_json ? to_json(model, motion, supplement) : to_csv(model, motion, supplement));
}

void run(const MotionArguments& options) {
  require_known_ending(options);
  refuse_controllers(options);
  Guess guess = load_guess(options);
  require_linear_model(options, guess.model);
  hold(options, guess);
  const Model named = guess.model;
  const MotionStart start = start_of(options, guess);
  if (options.reactions) guess.model = guess.model.with_reactions();
  MotionOptions how = how_to_move(options, guess.model, named.outputs(), start);
  choose(options, guess.model, start, how);
  // What the linear model cannot do is told before the work.
  MotionSupplement supplement{.linear = linear_outputs(options, named, start, how.times)};
  ProgressLine progress(!options.quiet);
  const auto say = progress.sink();
  if (say) how.progress = [&say](double, const std::string& text) { say(text); };
  wait_for_the_next_step();
  const Motion motion = integrate(guess.model, start.state, how);
  progress.clear();
  if (motion.times != how.times) supplement.linear = linear_outputs(options, named, start, motion.times);
  if (options.identify) supplement.identified = identified_in(named.outputs() > 0 ? named : guess.model, motion);
  write(options, guess.model, motion, supplement);
  if (!options.quiet && options.identify) print_to_stderr(identification_table(supplement.identified));
  if (!options.quiet) {
    for (const std::string& line : summary_of(motion)) print_message("note: " + line);
  }
  if (const int signal = interruption()) throw CLI::RuntimeError(128 + signal);
  if (motion.status == MotionStatus::stuck) {
    if (options.quiet) print_message(motion.message);
    throw CLI::RuntimeError(numerics_failed);
  }
}

}  // namespace

void add_motion(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("motion", "the motion of the mechanism in time");
  verb->description(
      "Examples:\n"
      "  stillpoint motion cases/double_pendulum --until 5 -o swing.csv\n"
      "  stillpoint motion cases/four_bar --set k=0 --at phi=1.5708 --rate phi=-1 --until 10 --json\n"
      "  stillpoint motion cases/actuated_four_bar --input 'motor=2*sin(3*t)' --until 5 -o run.json\n"
      "  stillpoint motion cases/actuated_four_bar --start run.json --until 10 -o rest.npz\n"
      "  stillpoint motion cases/four_bar --start equilibrium --perturb mode=1:0.01 --until 10\n\n"
      "How does the mechanism move?\n"
      "Integrates the equations of motion from the guess, with closed constraints, from the equilibrium, or from "
      "where\n"
      "another motion ended, and writes outputs, energies, and the coordinates if the model names no outputs. "
      "Constraints\n"
      "are kept by projection after each step, redundant ones and singular positions included. Ctrl-C writes what "
      "there\n"
      "is.");
  auto options = std::make_shared<MotionArguments>();
  add_model_options(*verb, *options);
  verb->get_option("-o")->description(
      "write to this file instead of stdout: .csv, .json, .svg for plots over time, or .npz for NumPy, with "
      "arrays 'times', 'outputs.NAME', 'energy.kinetic', ...");
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("--until", options->until,
                   "time at which the motion ends (s); it begins at 0, or where --start FILE ended")
      ->required()
      ->group(group::time)
      ->check(above_zero());
  verb->add_option("--every", options->every, "time between two lines of the table (s; default: a 200th of the motion)")
      ->group(group::time)
      ->check(above_zero());
  verb->add_option(
          "--start", options->start,
          "where the motion starts: at the guess, at the equilibrium that --rest chooses, or, with the name of a "
          "FILE.json that this verb has written, also when it was interrupted, where that motion ended, with "
          "its time, rates and inputs")
      ->group(group::operating_point)
      ->type_name("guess|equilibrium|FILE");
  verb->add_option("--perturb", options->perturb,
                   "with --start equilibrium: start on mode K of the list that 'stillpoint modes' prints. AMPLITUDE is "
                   "the largest turn of the mode (rad), or its largest displacement relative to the size of the model, "
                   "whichever is larger, as --amplitude of 'verify'; positions are displaced by the real part of the "
                   "mode x, with the rates Re(s x), and both are made consistent")
      ->group(group::operating_point)
      ->type_name("mode=K:AMPLITUDE");
  verb->add_option("--rate", options->rates,
                   "rate of a coordinate at the start (repeatable); the others are as small as the constraints allow")
      ->group(group::operating_point)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb->add_option(
          "--input", options->inputs,
          "input over time (repeatable). An existing file, or a name that ends in .csv: lines TIME,VALUE, "
          "interpolated by a cubic spline. Anything else: an expression in the time t (s) and the parameters of "
          "the model, such as 'motor=2*sin(3*t)', with the operators and functions of model files")
      ->group(group::operating_point)
      ->allow_extra_args(false)
      ->type_name("NAME=FILE|EXPRESSION");
  std::vector<std::string> method_words = words_of(methods());
  method_words.insert(method_words.begin(), "auto");
  verb->add_option("--method", options->method,
                   "explicit: order 8, with steps as short as the fastest motion; minimal: the same in independent "
                   "coordinates, selected anew where necessary, but not past singular configurations; taylor: power "
                   "series of the motion, long steps of an order that follows the tolerance, for constant inputs; "
                   "sdirk: implicit, order 5, for stiff mechanisms; implicit: order 2, with numerical damping of fast "
                   "vibrations; auto: explicit or sdirk, by the fastest motion")
      ->group(group::method)
      ->check(CLI::IsMember(method_words));
  verb->add_option(
          "--tolerance", options->tolerance,
          "error of a step, relative to the size of the model and to the largest rates (default: 1e-10, or 1e-6 "
          "of the implicit methods)")
      ->group(group::method)
      ->check(CLI::Range(1e-14, 0.1));
  verb->add_option("--stabilize", options->stabilize,
                   "projection: positions and rates are projected onto the constraints after each step; baumgarte: "
                   "constraints are drawn back by terms in the equations; none: neither")
      ->group(group::method)
      ->check(CLI::IsMember({"projection", "baumgarte", "none"}));
  verb->add_option("--form", options->form, "how accelerations and multipliers are computed (for comparison)")
      ->group(group::method)
      ->check(CLI::IsMember(words_of(forms())));
  verb->add_option("--pseudoinverse", options->pseudoinverse, "algorithm of the form udwadia-kalaba")
      ->group(group::method)
      ->check(CLI::IsMember(words_of(pseudoinverses)));
  verb->add_option("--stop", options->stops, "end where this output or coordinate crosses this value (repeatable)")
      ->group(group::time)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb->add_flag(
          "--reactions", options->reactions,
          "write the force and moment that each constraint exerts at its second place, in the axes of the ground")
      ->group(group::output);
  verb->add_flag("--all-coordinates", options->all_coordinates, "write the coordinates beside the outputs")
      ->group(group::output);
  verb->add_flag("--linear", options->linear,
                 "with --start equilibrium: write beside each output 'NAME linear', what the linear model about the "
                 "equilibrium does from the same start with the same inputs, exact in time")
      ->group(group::output);
  verb->add_flag(
          "--identify", options->identify,
          "print, for each output, frequency and damping ratio by the logarithmic decrement, and the frequencies of "
          "spectral peaks (on stderr; 'identified' in JSON)")
      ->group(group::output);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
