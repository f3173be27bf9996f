// An equilibrium as text for a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "equilibrium/words.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

namespace {

constexpr Index most_coordinates = 12;

std::string status_line(const Equilibrium& rest) {
  switch (rest.status) {
    case EquilibriumStatus::at_rest:
      return "yes";
    case EquilibriumStatus::not_assembled:
      return "no: the constraints are not assembled";
    default:
      return "no";
  }
}

std::string verdict_line(const Equilibrium& rest) {
  std::string line = text_of_verdict(rest.verdict);
  if (rest.unstable_directions > 0)
    line += fmt::format(", {} unstable direction{}", rest.unstable_directions, rest.unstable_directions > 1 ? "s" : "");
  if (rest.neutral_directions > 0)
    line += fmt::format(", {} neutral direction{}", rest.neutral_directions, rest.neutral_directions > 1 ? "s" : "");
  return line + fmt::format("  ({})", rest.verdict_basis);
}

std::string rank_line(const Equilibrium& rest, Index constraints) {
  if (constraints == 0) return "no constraints";
  return fmt::format("{} of {}, {} ({}, gap {:.1e})", rest.rank.value, constraints, word_of(rest.rank.outcome),
                     rest.rank.method, rest.rank.gap);
}

const char* kind_words(ConfigurationType kind) {
  switch (kind) {
    case ConfigurationType::regular:
      return "";
    case ConfigurationType::redundant:
      return ", some constraints are redundant";
    case ConfigurationType::singular:
      return " instantaneous: the configuration is singular";
    case ConfigurationType::isolated:
      return " instantaneous, but nothing can move: the configuration is isolated";
    default:
      return ", undecided";
  }
}

std::string coordinates_text(const Model& model, const State& state) {
  std::string text;
  const Index shown = std::min(model.coordinates(), most_coordinates);
  for (Index i = 0; i < shown; ++i) {
    text += fmt::format("{}  {:<14}{:.10g}\n", i == 0 ? "\n" : "", model.coordinate_name(i),
                        coordinate_value(model, state, i) + 0.0);
  }
  if (model.coordinates() > shown) text += fmt::format("  ... and {} more\n", model.coordinates() - shown);
  return text;
}

}  // namespace

std::string to_text(const Model& model, const Equilibrium& rest) {
  std::string text = model.name() + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", title, content);
  };
  line("at rest", status_line(rest));
  if (!rest.message.empty()) line("", rest.message);
  if (rest.status == EquilibriumStatus::at_rest) line("stability", verdict_line(rest));
  line("residuals", fmt::format("forces {:.1e}{}, constraints {:.1e}{}", rest.force_residual,
                                rest.worst_coordinate.empty() ? "" : fmt::format(" (at '{}')", rest.worst_coordinate),
                                rest.constraint_residual,
                                rest.worst_constraint.empty() ? "" : fmt::format(" (at '{}')", rest.worst_constraint)));
  if (rest.status != EquilibriumStatus::not_assembled) {
    line("rank", rank_line(rest, model.constraints()));
    line("dof", fmt::format("{}{}", rest.dof, kind_words(rest.kind)));
  }
  for (const std::vector<std::string>& set : rest.dependent_sets) {
    line("redundant", fmt::format("one equation of: {}", fmt::join(set, ", ")));
  }
  if (rest.free_multipliers > 0) {
    line("multipliers",
         fmt::format("{} free: constraint forces that equilibrium does not determine; those of least norm are given",
                     rest.free_multipliers));
  }
  for (const auto& [name, value] : rest.trim) line("trim", fmt::format("{} = {:.10g}", name, value + 0.0));
  for (const auto& [name, value] : rest.preload) line("preload", fmt::format("{} = {:.10g}", name, value + 0.0));
  for (const Branch& branch : rest.branches) {
    line("branch", fmt::format("{}{}{}", branch.name, branch.confirmed ? "" : "  (not confirmed)",
                               branch.unstable_directions > 0 ? "  (unstable)" : ""));
  }
  line("iterations",
       fmt::format("{}, {} factorisations, {:.2g} s", rest.iterations, rest.factorisations, rest.seconds));
  for (const std::string& fallback : rest.fallbacks) line("fallback", fallback);
  for (const std::string& warning : rest.warnings) line("warning", warning);

  return text + coordinates_text(model, rest.state);
}

std::string to_text(const Model& model, const std::vector<Equilibrium>& found, bool each_of_family) {
  std::map<Index, Index> members;  // of each family
  for (const Equilibrium& rest : found) {
    if (rest.family > 0) ++members[rest.family];
  }
  const auto alone =
      std::count_if(found.begin(), found.end(), [](const Equilibrium& rest) { return rest.family == 0; });
  std::string text = fmt::format("{}: {} {} found", model.name(), alone, alone == 1 ? "equilibrium" : "equilibria");
  if (!members.empty())
    text += fmt::format(", and {} famil{} of them", members.size(), members.size() == 1 ? "y" : "ies");
  text += "\n";
  std::size_t number = 0;
  Index family = 0;
  for (const Equilibrium& rest : found) {
    const bool is_told = rest.family > 0 && rest.family == family && !each_of_family;
    family = rest.family;
    if (is_told) continue;
    text += fmt::format("\n  {}. {}\n", ++number, verdict_line(rest));
    if (rest.family == 0 || each_of_family) text += coordinates_text(model, rest.state);
    else
      text += fmt::format("     a family: {} points of a continuum were found; option 'each_of_family' lists them\n",
                          members[family]);
  }
  return text;
}

std::string to_text(const Model& model, const Trim& trim) {
  std::string text = model.name() + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", title, content);
  };
  line("balanced", trim.balanced ? "yes" : "no");
  if (!trim.message.empty()) line("", trim.message);
  line("unbalanced", fmt::format("{:.1e} of the forces", trim.unbalanced));
  for (const Index input : trim.inputs) {
    line(model.input_name(input), fmt::format("{:.10g}", trim.state.u[input] + 0.0));
  }
  return text + coordinates_text(model, trim.state);
}

}  // namespace stillpoint
