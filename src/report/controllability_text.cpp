// Controllability and observability as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "base/name_list.h"
#include "report/channel_words.h"
#include "report/digits.h"
#include "stillpoint/controllability.h"

namespace stillpoint {

namespace {

constexpr Index most_hankel = 6;

/// "u 71 %", the channel with the largest participation.
std::string strongest(const Eigen::VectorXd& participation, const NameOf& name) {
  if (participation.size() == 0) return "";
  Eigen::Index largest = 0;
  const double share = participation.maxCoeff(&largest);
  const double percent = 100 * share;
  return fmt::format("{} {} %", name(static_cast<Index>(largest)),
                     percent >= 10 ? fmt::format("{:.0f}", percent) : fmt::format("{:.2g}", percent));
}

/// What is to be said of one side: `none`, "no input moves", and `barely`, "inputs barely move".
void add_side(const HautusTest& test, Index multiplicity, const char* none, const char* barely, const char* unclear,
              std::vector<std::string>& words) {
  if (test.hidden > 0)
    words.push_back(multiplicity == 1             ? fmt::format("{} it", none)
                    : test.hidden == multiplicity ? fmt::format("{} them", none)
                                                  : fmt::format("{} {} of {}", none, test.hidden, multiplicity));
  if (test.undecided) words.emplace_back(unclear);
  else if (test.is_barely()) words.push_back(fmt::format("{} ({:.1e})", barely, test.distance));
}

std::string reach_verdict(const ModeReach& mode) {
  std::vector<std::string> words;
  add_side(mode.moved, mode.multiplicity, "no input moves", "inputs barely move it",
           "rounding hides whether inputs move it", words);
  add_side(mode.shown, mode.multiplicity, "no output shows", "outputs barely show it",
           "rounding hides whether outputs show it", words);
  return words.empty() ? "controllable, observable" : fmt::format("{}", fmt::join(words, "; "));
}

/// The damping ratio; zero where rounding hides it.
double damping_of(const ModeReach& mode) {
  return std::abs(mode.s.real()) <= mode.error || mode.s.real() == 0 ? 0 : -mode.s.real() / std::abs(mode.s);
}

/// The eigenvalue, without a real part that is rounding.
std::string value_of(const ModeReach& mode) {
  const bool is_pair = mode.s.imag() != 0;
  const bool is_undamped = is_pair && damping_of(mode) == 0;
  return eigenvalue_in_line(is_undamped ? std::complex<double>(0, mode.s.imag()) : mode.s, mode.error, is_pair);
}

struct ColumnWidths {
  int value = 9, moves = 5, input = 5, output = 6;
};

ColumnWidths widths_of(const Controllability& found, const LinearSystem& system) {
  ColumnWidths widths;
  const auto raise = [](int& width, const std::string& text) {
    width = std::max(width, static_cast<int>(text.size()));
  };
  for (const ModeReach& mode : found.modes) {
    raise(widths.value, value_of(mode));
    raise(widths.moves, leading_coordinate(mode.shape, system));
    raise(widths.input, strongest(mode.inputs, system.input_name));
    raise(widths.output, strongest(mode.outputs, system.output_name));
  }
  return widths;
}

std::string reach_row(std::size_t number, const ModeReach& mode, const LinearSystem& system,
                      const ColumnWidths& widths) {
  const double hertz = mode.s.imag() / (2 * std::numbers::pi);
  return fmt::format("{:>4}  {}{:>10}{:>10}{:>6}  {}  {}  {}  {}\n", number, left(value_of(mode), widths.value),
                     mode.s.imag() != 0 ? fmt::format("{:.5g}", hertz) : "", fmt::format("{:.4g}", damping_of(mode)),
                     mode.multiplicity, left(leading_coordinate(mode.shape, system), widths.moves),
                     left(strongest(mode.inputs, system.input_name), widths.input),
                     left(strongest(mode.outputs, system.output_name), widths.output), reach_verdict(mode));
}

std::string reach_table(const Controllability& found, const LinearSystem& system) {
  const ColumnWidths widths = widths_of(found, system);
  std::string text = fmt::format("{:>4}  {}{:>10}{:>10}{:>6}  {}  {}  {}  {}\n", "", left("s (rad/s)", widths.value),
                                 "Hz", "damping", "times", left("moves", widths.moves), left("input", widths.input),
                                 left("output", widths.output), "verdict");
  for (std::size_t k = 0; k < found.modes.size(); ++k) text += reach_row(k + 1, found.modes[k], system, widths);
  return text;
}

/// "0.71, 0.3 | 2e-17": the singular values of a step that are kept and those that count as zero.
std::string values_of_step(const StaircaseStep& step) {
  std::string text;
  for (Eigen::Index i = 0; i < step.values.size(); ++i)
    text += fmt::format("{}{:.2g}", i == step.rank ? (i > 0 ? " | " : "| ") : i > 0 ? ", " : "", step.values[i]);
  return text.empty() ? "none" : text;
}

/// Whether a decision is worth its numbers: a simple mode that is clearly moved has them in its row.
bool is_notable(const HautusTest& test, Index multiplicity) {
  return multiplicity > 1 || test.hidden > 0 || test.undecided || test.is_barely();
}

std::string decision_line(std::size_t number, const HautusTest& test, const char* side) {
  std::vector<std::string> steps;
  for (const StaircaseStep& step : test.steps) steps.push_back(values_of_step(step));
  return fmt::format("{:>4}  {:<8}{}; rounding {:.0e}\n", number, side, fmt::join(steps, ", then "), test.noise);
}

/// The singular values by which the ranks are decided, of all modes but those that are clear.
std::string decisions_of(const Controllability& found) {
  std::string text;
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const ModeReach& mode = found.modes[k];
    if (is_notable(mode.moved, mode.multiplicity)) text += decision_line(k + 1, mode.moved, "inputs");
    if (is_notable(mode.shown, mode.multiplicity)) text += decision_line(k + 1, mode.shown, "outputs");
  }
  if (text.empty()) return text;
  return "\n  Singular values, relative: what counts as moved or shown | what counts as zero\n" + text;
}

/// "2 of 14: no input moves them".
std::string part_of(Index part, Index count, const char* what) {
  if (part == 0) return "";
  return fmt::format("{} of {}: {} {}", part, count, what, part == 1 ? "it" : "them");
}

std::string hankel_words(const Eigen::VectorXd& hankel) {
  std::string text;
  for (Eigen::Index i = 0; i < hankel.size() && i < most_hankel; ++i)
    text += fmt::format("{}{:.3g}", i > 0 ? ", " : "", hankel[i]);
  const Eigen::Index more = hankel.size() - most_hankel;
  return more > 0 ? text + fmt::format(" and {} smaller ones", more) : text;
}

std::string summary_of(const Controllability& found) {
  std::vector<std::string> parts;
  const auto add = [&](std::string words) {
    if (!words.empty()) parts.push_back(std::move(words));
  };
  add(part_of(found.unmoved, found.count, "no input moves"));
  add(part_of(found.unshown, found.count, "no output shows"));
  add(part_of(found.barely_moved, found.count, "inputs barely move"));
  add(part_of(found.barely_shown, found.count, "outputs barely show"));
  if (found.undecided > 0) parts.push_back(fmt::format("{} of {}: undecided", found.undecided, found.count));
  if (!parts.empty()) return fmt::format("{}", fmt::join(parts, "; "));
  return fmt::format("{}, which inputs move and outputs show", found.count);
}

}  // namespace

std::string to_text(const Controllability& found, const LinearSystem& system) {
  std::string text = system.name + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", title, content);
  };
  line("inputs", name_list(names_of_channels(system.inputs(), system.input_name)));
  line("outputs", name_list(names_of_channels(system.outputs(), system.output_name)));
  line("modes", summary_of(found));
  if (!found.all_modes) line("asked for", "these are not all modes of the model");
  line("solver", found.solver);
  if (found.hankel.size() > 0) line("Hankel", hankel_words(found.hankel));
  else if (!found.no_gramians.empty()) line("Hankel", found.no_gramians);
  for (const std::string& warning : found.warnings) line("warning", warning);
  return found.modes.empty() ? text : text + "\n" + reach_table(found, system) + decisions_of(found);
}

}  // namespace stillpoint
