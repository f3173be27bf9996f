// Where a motion starts: at the guess, at the equilibrium or on a mode about it, or where another motion ended.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/at.h"
#include "cli/arguments.h"
#include "cli/motion_arguments.h"
#include "report/mode_table.h"
#include "stillpoint/assemble.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/verify_modes.h"

namespace stillpoint::cli {

namespace {

Index coordinate_called(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  if (const auto found = coordinate_index(model, name, known)) return *found;
  throw Error(fmt::format("--rate {}: there is no coordinate '{}'{}", name, name, did_you_mean(name, known)));
}

// ---------------------------------------------------------------------------------------------------------------------
// On a mode

struct Perturbation {
  Index mode = 0;  ///< from 1
  double amplitude = 0;
};

Perturbation perturbation_in(const std::string& text) {
  constexpr std::string_view before = "mode=";
  constexpr double largest = 1;  // a turn of 1 rad, or a displacement as large as the model: no small perturbation
  const std::size_t colon = text.find(':');
  Perturbation found;
  bool is_good = text.starts_with(before) && colon != std::string::npos;
  if (is_good) {
    const auto [end, error] = std::from_chars(text.data() + before.size(), text.data() + colon, found.mode);
    const auto amplitude = setting_in("amplitude=" + text.substr(colon + 1));
    is_good = error == std::errc() && end == text.data() + colon && amplitude;
    if (amplitude) found.amplitude = amplitude->second;
  }
  if (!is_good)
    throw Error(fmt::format("--perturb {}: this must be mode=K:AMPLITUDE with two numbers, such as mode=1:0.01", text));
  if (found.mode < 1) throw Error(fmt::format("--perturb {}: modes are counted from 1", text));
  if (found.amplitude == 0 || !(std::abs(found.amplitude) <= largest))
    throw Error(
        fmt::format("--perturb {}: the amplitude, a turn (rad) or a part of the size of the model, must be between "
                    "-{} and {}, and not 0",
                    text, largest, largest));
  return found;
}

/// The lowest modes, certified, at least as many lines of them as asked for if there are so many.
Spectrum certified_modes(const LinearSystem& system, Index count) {
  AnalysisOptions how;
  if (system.dof() > few_dof) how.modes.which = Lowest{count};
  const FoundModes found = find_modes(system, Method::mcs, how);
  if (found.computed && found.spectrum.certified) return found.spectrum;
  const std::string reason = !found.computed                  ? found.why_not
                             : found.spectrum.reasons.empty() ? std::string("some may be missing")
                                                              : to_words(found.spectrum.reasons.front());
  print_message("--perturb: the modes about the equilibrium are not certified: " + reason);
  throw CLI::RuntimeError(numerics_failed);
}

/// The mode with this number in the list of the verb `modes`, in which a conjugate pair and all zeros take one line.
Mode mode_with_number(const LinearSystem& system, Index number) {
  Spectrum spectrum = certified_modes(system, number);
  const auto lines = [&] {
    std::vector<TableRow> rows = table_rows(spectrum.modes);
    std::erase_if(rows, [&](const TableRow& row) { return is_of_the_form(spectrum.modes[row.mode]); });
    return rows;
  };
  std::vector<TableRow> rows = lines();
  if (at(number) > rows.size() && system.dof() > few_dof) {  // zeros, which share a line, were counted one by one
    spectrum = certified_modes(system, number + static_cast<Index>(spectrum.modes.size()));
    rows = lines();
  }
  if (at(number) > rows.size())
    throw Error(
        fmt::format("--perturb mode={}: the list of the modes about the equilibrium ends at {}", number, rows.size()));
  return spectrum.modes[rows[at(number - 1)].mode];
}

State start_on_mode_of(const MotionArguments& options, const Model& model, const Equilibrium& rest) {
  const Perturbation asked = perturbation_in(options.perturb);
  const LinearSystem system = linearize(model, rest);
  if (system.singular)
    throw Error(
        "--perturb: the equilibrium is a singular configuration, where motions branch, so that no mode of it can be "
        "run");
  return start_on_mode(model, rest.state, mode_with_number(system, asked.mode), asked.amplitude);
}

// ---------------------------------------------------------------------------------------------------------------------
// The places where a motion may start

bool starts_at_file(const MotionArguments& options) {
  return options.start != "guess" && options.start != "equilibrium";
}

void require_one_start(const MotionArguments& options) {
  if (!options.perturb.empty() && options.start != "equilibrium")
    throw Error(
        fmt::format("--perturb needs --start equilibrium: modes are those about an equilibrium, and this motion "
                    "starts at {}",
                    options.start == "guess" ? "the guess" : options.start));
  if (!starts_at_file(options)) return;
  std::error_code none;
  if (!std::filesystem::exists(options.start, none))
    throw Error(
        fmt::format("--start {}: there is no such file; a motion starts at guess, at equilibrium{}, or where the "
                    "motion in a FILE.json ended",
                    options.start, did_you_mean(options.start, {"guess", "equilibrium"})));
  const auto refuse = [&](const char* option) {
    throw Error(
        fmt::format("{} cannot stand beside --start {}: the motion starts at the positions and inputs of this "
                    "file; --at changes single ones",
                    option, options.start));
  };
  if (!options.guess.empty()) refuse("--guess");
  if (options.trims()) refuse("--trim");
}

/// What is known of the start before it is made consistent.
struct Outset {
  OperatingPoint point;  ///< with the coordinates that are to stay as given
  double time = 0;
  std::optional<Equilibrium> rest{};
};

Outset at_guess(const Guess& guess) {
  const AssembledGuess closed = assemble(guess.model, guess.point.state, guess.how);
  if (!closed.assembled) {
    print_message(closed.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  OperatingPoint point{closed.state, guess.point.coordinates};
  for (const Index i : point.coordinates) point.state.q[i] = guess.point.state.q[i];
  return {std::move(point)};
}

Outset at_equilibrium(const MotionArguments& options, const Guess& guess) {
  Equilibrium rest = find_at_rest(guess);
  State state = options.perturb.empty() ? rest.state : start_on_mode_of(options, guess.model, rest);
  return {{std::move(state), {}}, 0, std::move(rest)};
}

Outset at_end_of_motion(const MotionArguments& options, const Guess& guess) {
  const MotionEnd reached = read_end_of_motion(guess.model, options.start);
  if (!(options.until > reached.time))
    throw Error(
        fmt::format("--until {:g}: the motion in {} ended at {:g} s, where this one starts; its end must be later",
                    options.until, options.start, reached.time));
  return {operating_point(guess.model, parse_settings("--at", options.at), reached.state), reached.time};
}

Outset outset_of(const MotionArguments& options, const Guess& guess) {
  if (options.start == "guess") return at_guess(guess);
  if (options.start == "equilibrium") return at_equilibrium(options, guess);
  return at_end_of_motion(options, guess);
}

/// Orientations are varied from step to step, so that none of their coordinates can be held.
std::vector<Index> that_can_be_held(const Model& model, std::vector<Index> coordinates) {
  std::erase_if(coordinates, [&](Index i) {
    const Block& block = model.blocks()[at(owner_of(model.blocks(), i))];
    return block.kind == BlockKind::space_body && i >= block.first + 3;
  });
  return coordinates;
}

}  // namespace

MotionStart start_of(const MotionArguments& options, const Guess& guess) {
  require_one_start(options);
  Outset outset = outset_of(options, guess);
  State& state = outset.point.state;
  if (state.v.size() == 0) state.v = Eigen::VectorXd::Zero(guess.model.coordinates());
  const InputMotion inputs = inputs_over_time(options, guess.model, state.u, outset.time);
  ConsistentOptions how{
      .held_positions = that_can_be_held(guess.model, outset.point.coordinates), .inputs = inputs, .time = outset.time};
  for (const auto& [name, rate] : parse_settings("--rate", options.rates)) {
    if (!std::isfinite(rate)) throw Error(fmt::format("--rate {}={:g}: this must be a finite number", name, rate));
    const Index coordinate = coordinate_called(guess.model, name);
    if (std::find(how.held.begin(), how.held.end(), coordinate) != how.held.end())
      throw Error(fmt::format("--rate {}: the rate of this coordinate is given twice", name));
    how.held.push_back(coordinate);
    state.v[coordinate] = rate;
  }
  return {consistent_state(guess.model, state, how), outset.time, inputs, std::move(outset.rest)};
}

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

}  // namespace stillpoint::cli
