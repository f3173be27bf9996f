#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "base/at.h"
#include "base/read_text.h"
#include "cli/interrupt.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "stillpoint/assemble.h"
#include "stillpoint/error.h"
#include "stillpoint/motion.h"

namespace stillpoint::cli {

namespace {

constexpr double usual_records = 200;
constexpr double most_numbers = 2e8;  // of coordinates over time, in memory

struct MotionArguments : RestOptions {
  double until = 0;
  std::optional<double> every;
  std::string start = "guess";
  std::vector<std::string> rates;   ///< NAME=VALUE
  std::vector<std::string> inputs;  ///< NAME=FILE
  std::optional<double> tolerance;
  std::string method = "auto";
  std::string stabilize = "projection", form = "augmented", pseudoinverse = "svd";
  std::vector<std::string> stops;  ///< NAME=VALUE
  bool all_coordinates = false, reactions = false;
};

void require_known_ending(const MotionArguments& options) {
  if (options.output.empty() || options.json) return;
  if (options.output.ends_with(".csv") || options.output.ends_with(".json")) return;
  throw Error(fmt::format("-o {}: the ending chooses the format; the endings are .csv and .json", options.output));
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

/// The index of a name among so many; some of the names are collected for a suggestion.
std::optional<Index> index_of(const std::string& name, Index count, const std::function<std::string(Index)>& name_of,
                              std::vector<std::string>& known) {
  constexpr std::size_t nearest_among = 10'000;
  for (Index i = 0; i < count; ++i) {
    std::string other = name_of(i);
    if (other == name) return i;
    if (known.size() < nearest_among) known.push_back(std::move(other));
  }
  return {};
}

std::optional<Index> coordinate_index(const Model& model, const std::string& name, std::vector<std::string>& known) {
  return index_of(
      name, model.coordinates(), [&](Index i) { return model.coordinate_name(i); }, known);
}

Index coordinate_called(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  if (const auto found = coordinate_index(model, name, known)) return *found;
  throw Error(fmt::format("--rate {}: there is no coordinate '{}'{}", name, name, did_you_mean(name, known)));
}

/// Outputs come first, as a coordinate may be called like one.
Crossing crossing_of(const Model& model, const std::string& name, double value) {
  std::vector<std::string> known;
  if (const auto found = index_of(
          name, model.outputs(), [&](Index i) { return model.output_name(i); }, known))
    return {*found, value};
  if (const auto found = coordinate_index(model, name, known)) return {*found, value, true};
  throw Error(fmt::format("--stop {}: there is no output or coordinate '{}'{}", name, name, did_you_mean(name, known)));
}

/// Reads lines TIME,VALUE; the first may be a heading, and text after # is a comment.
InputTable read_table(Index input, const std::string& path) {
  constexpr std::size_t largest = 200'000'000;  // bytes
  InputTable table{.input = input};
  std::istringstream text(read_text(path, largest));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::string words = line.substr(0, line.find('#'));
    std::replace(words.begin(), words.end(), ',', ' ');
    std::istringstream cells(words);
    double time = 0, value = 0;
    std::string more;
    if (words.find_first_not_of(" \t\r;") == std::string::npos) continue;
    if (cells >> time >> value && !(cells >> more) && std::isfinite(time) && std::isfinite(value)) {
      table.times.push_back(time);
      table.values.push_back(value);
    } else if (number > 1) {
      throw Error(fmt::format("{}:{}: '{}' is not TIME,VALUE with two numbers, such as '0.5,1.2'", path, number, line));
    }
  }
  return table;
}

/// Empty without tables.
InputMotion inputs_over_time(const MotionArguments& options, const Model& model, const Eigen::VectorXd& u) {
  if (options.inputs.empty()) return {};
  std::vector<InputTable> tables;
  for (const std::string& text : options.inputs) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw Error(fmt::format("--input {}: this must be NAME=FILE", text));
    const std::string name = text.substr(0, sign), path = text.substr(sign + 1);
    tables.push_back(read_table(input_called(model, name, fmt::format("--input {}: ", name)), path));
  }
  return follow_tables(u, std::move(tables));
}

/// The guess with closed constraints, or the equilibrium.
State position_of(const MotionArguments& options, const Guess& guess) {
  if (options.start == "equilibrium") return find_at_rest(guess).state;
  const AssembledGuess closed = assemble(guess.model, guess.point.state, guess.how);
  if (!closed.assembled) {
    print_message(closed.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  return closed.state;
}

State start_of(const MotionArguments& options, const Guess& guess, const InputMotion& inputs) {
  State state = position_of(options, guess);
  state.v = Eigen::VectorXd::Zero(guess.model.coordinates());
  ConsistentOptions how{.inputs = inputs};
  if (options.start == "guess") {
    for (const Index coordinate : guess.point.coordinates) {
      const Block& block = guess.model.blocks()[at(owner_of(guess.model.blocks(), coordinate))];
      if (block.kind == BlockKind::space_body && coordinate >= block.first + 3) continue;
      how.held_positions.push_back(coordinate);
      state.q[coordinate] = guess.point.state.q[coordinate];
    }
  }
  for (const auto& [name, rate] : parse_settings("--rate", options.rates)) {
    how.held.push_back(coordinate_called(guess.model, name));
    state.v[how.held.back()] = rate;
  }
  return consistent_state(guess.model, state, how);
}

MotionOptions how_to_move(const MotionArguments& options, const Model& model, Index named_outputs) {
  MotionOptions how;
  const double every = options.every.value_or(options.until / usual_records);
  how.times = times_until(options.until, every);
  if (options.tolerance) how.tolerance = *options.tolerance;
  how.projects = options.stabilize == "projection";
  how.form.form = options.stabilize == "baumgarte" ? DynamicForm::baumgarte : meaning_of(options.form, forms());
  how.form.pseudoinverse.method = meaning_of(options.pseudoinverse, pseudoinverses);
  for (const auto& [name, value] : parse_settings("--stop", options.stops))
    how.crossings.push_back(crossing_of(model, name, value));
  how.keeps_states = options.all_coordinates || named_outputs == 0;
  const double columns = (how.keeps_states ? model.coordinates() : 0.0) + model.outputs();
  if (static_cast<double>(how.times.size()) * columns > most_numbers)
    throw Error(fmt::format(
        "{:.0f} columns at {} times are too many for one table: name outputs in the model, or take a longer --every",
        columns, how.times.size()));
  how.stops = [](const MotionRecord&) { return interruption() != 0; };
  return how;
}

void choose(const MotionArguments& options, const Model& model, const State& start, MotionOptions& how) {
  constexpr double of_order_2 = 1e-6;  // the tolerance of the implicit method
  const MethodChoice choice = choose_method(model, start, options.until);
  how.method = choice.method;
  for (const MotionMethod method : {MotionMethod::explicit_order_8, MotionMethod::taylor, MotionMethod::implicit}) {
    if (options.method == name_of(method)) how.method = method;
  }
  if (how.method != MotionMethod::implicit) return;
  if (!options.tolerance) how.tolerance = of_order_2;
  if (options.method == "auto" && !options.quiet) print_message("note: implicit method: " + choice.why);
}

void run(const MotionArguments& options) {
  require_known_ending(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  const Index named_outputs = guess.model.outputs();
  if (options.reactions) guess.model = guess.model.with_reactions();
  const InputMotion inputs = inputs_over_time(options, guess.model, guess.point.state.u);
  const State start = start_of(options, guess, inputs);
  MotionOptions how = how_to_move(options, guess.model, named_outputs);
  how.inputs = inputs;
  choose(options, guess.model, start, how);
  ProgressLine progress(!options.quiet);
  const auto say = progress.sink();
  if (say) how.progress = [&say](double, const std::string& text) { say(text); };
  wait_for_the_next_step();
  const Motion motion = integrate(guess.model, start, how);
  progress.clear();
  const bool is_json = options.json || options.output.ends_with(".json");
  deliver(options, is_json ? to_json(guess.model, motion) : to_csv(guess.model, motion));
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
      "  stillpoint motion cases/four_bar --set k=0 --at phi=1.5708 --rate phi=-1 --until 10 --json\n\n"
      "How does the mechanism move?\n"
      "Integrates the equations of motion from the guess, with closed constraints, or from the equilibrium, and "
      "writes\n"
      "outputs, energies, and the coordinates if the model names no outputs. Constraints are kept by projection after\n"
      "each step, redundant ones and singular positions included. Ctrl-C writes what there is.");
  auto options = std::make_shared<MotionArguments>();
  add_model_options(*verb, *options);
  verb->get_option("-o")->description("write to this file instead of stdout: .csv or .json");
  add_rest_options(*verb, *options);
  verb->add_option("--until", options->until, "time at which the motion ends (s)")
      ->required()
      ->group(group::time)
      ->check(above_zero());
  verb->add_option("--every", options->every, "time between two lines of the table (s; default: a 200th of --until)")
      ->group(group::time)
      ->check(above_zero());
  verb->add_option("--start", options->start, "where the motion starts: at the guess, or at the equilibrium")
      ->group(group::operating_point)
      ->check(CLI::IsMember({"guess", "equilibrium"}));
  verb->add_option("--rate", options->rates,
                   "rate of a coordinate at the start (repeatable); the others are as small as the constraints allow")
      ->group(group::operating_point)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb->add_option("--input", options->inputs,
                   "input over time, from a file with lines TIME,VALUE, interpolated by a cubic spline (repeatable)")
      ->group(group::operating_point)
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  verb->add_option("--method", options->method,
                   "explicit: order 8, with steps as short as the fastest motion; taylor: power series of the motion, "
                   "the fastest for many bodies while inputs are constant; implicit: order 2, for stiff mechanisms; "
                   "auto: explicit or implicit, by the fastest motion")
      ->group(group::method)
      ->check(CLI::IsMember({"auto", "explicit", "taylor", "implicit"}));
  verb->add_option(
          "--tolerance", options->tolerance,
          "error of a step, relative to the size of the model and to the largest rates (default: 1e-10, or 1e-6 "
          "of the implicit method)")
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
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
