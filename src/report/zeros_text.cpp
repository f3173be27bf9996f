// Zeros as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/name_list.h"
#include "report/channel_words.h"
#include "report/digits.h"
#include "stillpoint/zeros.h"

namespace stillpoint {

namespace {

std::string kind_of(const Zero& zero) {
  std::vector<std::string> kinds;
  const auto add = [&](Index count, const char* kind) {
    if (count > 0)
      kinds.push_back(zero.multiplicity == 1 || count == zero.multiplicity ? kind : fmt::format("{} {}", count, kind));
  };
  add(zero.transmission, "transmission");
  add(zero.input_decoupling, "no input moves it");
  add(zero.output_decoupling, "no output shows it");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

bool is_second(const std::vector<Zero>& zeros, std::size_t i) {
  return i > 0 && zeros[i].s.imag() < 0 && zeros[i].s == std::conj(zeros[i - 1].s);
}

std::string row_of(const Zero& zero, const LinearSystem& system) {
  const bool is_pair = zero.s.imag() != 0;
  return fmt::format("  {:<34}{:>12}{:>6}{:>11}  {:<14}  {}\n", eigenvalue_in_line(zero.s, zero.error, is_pair),
                     is_pair ? fmt::format("{:.6g}", std::abs(zero.s.imag()) / (2 * std::numbers::pi)) : "",
                     zero.multiplicity, fmt::format("{:.1e}", zero.error), leading_coordinate(zero.coordinates, system),
                     kind_of(zero));
}

std::string table_of(const std::vector<Zero>& zeros, const LinearSystem& system) {
  std::string text =
      fmt::format("  {:<34}{:>12}{:>6}{:>11}  {:<14}  {}\n", "s (rad/s)", "Hz", "times", "error", "moves", "kind");
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    if (!is_second(zeros, i)) text += row_of(zeros[i], system);
  }
  return text;
}

/// Those of the list that are no invariant zeros.
std::vector<Zero> others_than(const std::vector<Zero>& invariant, const std::vector<Zero>& zeros) {
  std::vector<Zero> others;
  for (const Zero& zero : zeros) {
    const bool is_invariant = std::any_of(invariant.begin(), invariant.end(), [&](const Zero& other) {
      return std::abs(other.s - zero.s) <= other.error + zero.error;
    });
    if (!is_invariant) others.push_back(zero);
  }
  return others;
}

std::string gap_in_words(double gap) {
  return std::isinf(gap) || std::isnan(gap) ? "" : fmt::format(", smallest gap {:.1e}", gap);
}

}  // namespace

std::string to_text(const Zeros& zeros, const LinearSystem& system) {
  std::string text = system.name + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", title, content);
  };
  line("inputs", name_list(names_of_channels(system.inputs(), system.input_name)));
  line("outputs", name_list(names_of_channels(system.outputs(), system.output_name)));
  line("zeros", fmt::format("{} finite{}{}", zeros.count(), zeros.region.empty() ? "" : ", ", zeros.region));
  line("solver", zeros.solver);
  line("rank", fmt::format("the transfer function has normal rank {}{}", zeros.normal_rank,
                           zeros.steps.empty() ? ""
                                               : fmt::format("; {} decisions on ranks{}", zeros.steps.size(),
                                                             gap_in_words(zeros.smallest_gap))));
  line("certified", zeros.certified ? "yes" : "no: " + zeros.reasons.front());
  if (!zeros.invariant.empty()) text += "\n" + table_of(zeros.invariant, system);
  if (!zeros.knows_decoupling) return text;
  const std::vector<Zero> unmoved = others_than(zeros.invariant, zeros.unmoved),
                          unshown = others_than(zeros.invariant, zeros.unshown);
  if (!unmoved.empty())
    text += "\n  No zeros of the system pencil, but modes that no input moves:\n" + table_of(unmoved, system);
  if (!unshown.empty())
    text += "\n  No zeros of the system pencil, but modes that no output shows:\n" + table_of(unshown, system);
  return text;
}

}  // namespace stillpoint
