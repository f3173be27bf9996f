#include "report/mode_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "base/text_width.h"
#include "modes/accuracy/zero_motions.h"
#include "report/digits.h"

namespace stillpoint {

namespace {

constexpr int title_width = 14;

bool is_pair(const Mode& mode, const Mode& next) {
  if (!(mode.s.imag() > 0) || mode.kind != next.kind) return false;
  const double error = (std::isnan(mode.error) ? 0 : mode.error) + (std::isnan(next.error) ? 0 : next.error);
  constexpr double rounding = 1e-14;
  return std::abs(next.s - std::conj(mode.s)) <= std::max(error, rounding * std::abs(mode.s));
}

/// Returns the error bound of the eigenvalue of the mechanism, which includes the change by the penalty.
double whole_error(const Mode& mode) {
  return std::isnan(mode.penalty_error) ? mode.error : std::max(mode.error, mode.penalty_error);
}

std::string frequency_text(const Mode& mode) {
  const double value = frequency(mode);
  if (value == 0 || !std::isfinite(value)) return "-";                                      // no oscillation
  const double known = std::max(whole_error(mode) / (2 * std::numbers::pi), 1e-6 * value);  // 6 digits at most
  return rounded(value, value, known);
}

std::string damping_text(const Mode& mode) {
  const double value = damping_ratio(mode);
  if (value == 0) return "0";
  const double error = whole_error(mode) / std::abs(mode.s);
  if (!(error < 1)) return "-";
  if (std::abs(value) <= error) return "0.0000";  // the sign is unknown, too
  return std::abs(value) < 1e-4 ? fmt::format("{:.1e}", value) : fmt::format("{:.4f}", value);
}

std::string table_head() {
  return fmt::format("{}{}{}{}{}{}{}  {}\n", right("mode", 6), right("Re s 1/s", 17), right("Im s rad/s", 18),
                     right("Hz", 12), right("damping", 10), right("error", 9), right("residual", 10), "class");
}

/// Returns the mode that stands for a row of equal eigenvalues: with the largest error bound and residual.
Mode worst_of(const std::vector<Mode>& modes, const TableRow& row) {
  Mode worst = modes[row.mode];
  if (row.is_pair || row.members == 1) return worst;
  const auto raise = [](double& largest, double value) {
    if (!std::isnan(largest) && !(value <= largest)) largest = value;  // NaN: not known
  };
  for (Index k = 1; k < row.members; ++k) {
    const Mode& mode = modes[row.mode + static_cast<std::size_t>(k)];
    raise(worst.error, mode.error);
    raise(worst.residual, mode.residual);
  }
  return worst;
}

std::string table_line(std::size_t number, const Mode& mode, const TableRow& row) {
  const std::string first = right(std::to_string(number), 6);
  const std::string kind = std::string("  ") + word_of(mode.kind) + (mode.depends_on_constraint_scaling ? " *" : "");
  if (mode.is_infinite()) {
    const std::string times = row.members > 1 ? fmt::format("{} of them", row.members) : "";
    return first + right("∞", 17) + right(times, 18) + right("-", 12) + right("-", 10) + right("-", 9) +
           right("-", 10) + kind + "\n";
  }
  const EigenvalueText s = eigenvalue_text(mode.s, whole_error(mode));
  const std::string imaginary = row.is_pair       ? "± " + s.imaginary
                                : row.members > 1 ? fmt::format("{} of them", row.members)
                                                  : s.imaginary;
  return first + right(s.real, 17) + right(imaginary, 18) + right(frequency_text(mode), 12) +
         right(damping_text(mode), 10) + right(magnitude(mode.error), 9) + right(magnitude(mode.residual), 10) + kind +
         "\n";
}

/// Returns the line with the corrected value of UCS, without constraint compliance, and the estimated penalty error.
std::string corrected_line(const Mode& mode, const TableRow& row) {
  if (std::isnan(mode.penalty_error) || is_of_the_form(mode)) return "";
  return fmt::format("{}corrected {}, penalty error {}\n", std::string(6 + 3, ' '),
                     eigenvalue_in_line(mode.corrected, mode.corrected_error, row.is_pair),
                     magnitude(mode.penalty_error));
}

/// Returns the end of the word at `start`. A number and its percent sign are one word.
std::size_t end_of_word(const std::string& text, std::size_t start) {
  std::size_t end = text.find(' ', start);
  if (end != std::string::npos && text.compare(end, 2, " %") == 0) end = text.find(' ', end + 1);
  return std::min(end, text.size());
}

/// Breaks the text into lines of the allowed length. All but the first are indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  const std::size_t line_length = text_width();
  std::string lines;
  std::size_t column = indent;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = end_of_word(text, start);
    const std::size_t length = end - start;
    if (column > indent && column + 1 + length > line_length) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += text.substr(start, length);
    column += length;
    start = end + 1;
  }
  return lines + "\n";
}

/// Describes all zero eigenvalues at once: "neutral: 6 rigid-body motions, such as P1 moves along x".
std::string description_of_zeros(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts,
                                 const TableRow& row) {
  const std::string& first = accounts[row.mode].description;
  const std::span<const Mode> zeros(modes.data() + row.mode, static_cast<std::size_t>(row.members));
  const std::optional<Index> motions = independent_motions(zeros);
  const std::string prefix = "neutral: ";
  if (motions == Index{1} || !first.starts_with(prefix)) return first;
  return fmt::format("{}{}rigid-body motions, such as: {}", prefix, motions ? fmt::format("{} ", *motions) : "",
                     first.substr(prefix.size()));
}

std::string description_of(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts,
                           const TableRow& row) {
  const bool are_zeros = row.members > 1 && !row.is_pair;
  return are_zeros ? description_of_zeros(modes, accounts, row) : accounts[row.mode].description;
}

}  // namespace

std::vector<TableRow> table_rows(const std::vector<Mode>& modes) {
  const auto members_from = [&modes](std::size_t first, const auto& belongs) {
    const auto end = std::find_if_not(modes.begin() + static_cast<std::ptrdiff_t>(first), modes.end(), belongs);
    return static_cast<Index>(end - modes.begin()) - static_cast<Index>(first);
  };
  std::vector<TableRow> rows;
  for (std::size_t k = 0; k < modes.size();) {
    TableRow row{k};
    if (modes[k].is_infinite()) {
      row.members = members_from(k, [](const Mode& mode) { return mode.is_infinite(); });
    } else if (modes[k].s == 0.0) {
      row.members = members_from(k, [&](const Mode& mode) { return mode.s == 0.0 && mode.kind == modes[k].kind; });
    } else if (k + 1 < modes.size() && is_pair(modes[k], modes[k + 1])) {
      row.is_pair = true;
      row.members = 2;
    }
    rows.push_back(row);
    k += static_cast<std::size_t>(row.members);
  }
  return rows;
}

bool is_of_the_form(const Mode& mode) { return mode.is_infinite() || mode.kind == ModeClass::spurious; }

const char* word_of(ModeClass kind) {
  switch (kind) {
    case ModeClass::genuine:
      return "true";
    case ModeClass::spurious:
      return "spurious";
    default:
      return "undecided";
  }
}

std::string name_of(Method method) { return method == Method::mcs ? "MCS" : method == Method::rcs ? "RCS" : "UCS"; }

std::string verdict_text(const std::string& analysis, const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n", analysis, in_words(verdict));
  if (!verdict.reason.empty()) text += "  " + wrapped(verdict.reason, 2);
  return text;
}

std::string mode_table(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts, bool spurious) {
  std::string table = table_head(), list;
  std::size_t number = 0;
  for (const TableRow& row : table_rows(modes)) {
    const Mode& mode = modes[row.mode];
    if (!spurious && is_of_the_form(mode)) continue;
    ++number;
    table += table_line(number, worst_of(modes, row), row) + corrected_line(mode, row);
    if (row.mode < accounts.size() && !is_of_the_form(mode)) {
      list += fmt::format("{}  {}", right(std::to_string(number), 6), wrapped(description_of(modes, accounts, row), 8));
    }
  }
  if (number == 0) return "  there are no modes\n";
  return list.empty() ? table : table + "\n" + list;
}

std::string summary_line(const std::string& title, const std::string& content) {
  return "  " + left(title, title_width) + wrapped(content, 2 + title_width);
}

std::string warning_lines(const AnalysisCase& analysis, const std::vector<std::string>& of_modes) {
  std::string text;
  if (analysis.rest) {
    for (const std::string& warning : analysis.rest->warnings) text += summary_line("warning", warning);
  }
  for (const std::string& warning : of_modes) text += summary_line("warning", warning);
  return text;
}

Index states_of_controllers(const AnalysisCase& analysis) {
  Index states = 0;
  for (const Controller& one : analysis.controllers) states += one.A.rows();
  return states;
}

std::string configuration_lines(const AnalysisCase& analysis) {
  const LinearSystem& system = analysis.system;
  const Index states = states_of_controllers(analysis);
  std::string text = summary_line(
      "dof", fmt::format("{} = {} − {} (coordinates − independent constraints){}", system.dof() - states,
                         system.coordinates() - states, system.rank(), system.singular ? ", instantaneous" : ""));
  for (const Controller& one : analysis.controllers)
    text +=
        summary_line("controller", fmt::format("{}: from {} to {}, {} state{}", one.name, fmt::join(one.from, ", "),
                                               fmt::join(one.to, ", "), one.A.rows(), one.A.rows() == 1 ? "" : "s"));
  if (analysis.rest) {
    for (const auto& [name, value] : analysis.rest->trim)
      text += summary_line("trim", fmt::format("{} = {:.6g}", name, value));
    for (const auto& [name, value] : analysis.rest->preload)
      text += summary_line("preload", fmt::format("{} = {:.6g}", name, value));
  }
  if (system.rows.rank.outcome == RankOutcome::undecided) {
    text += summary_line("rank", "not certain; option 'rank' sets it");
  }
  if (system.constraints() > system.rank() && !system.singular) {
    text += summary_line(
        "redundant", fmt::format("{} of {} constraints", system.constraints() - system.rank(), system.constraints()));
  }
  if (system.singular) {
    text +=
        summary_line("singular",
                     "the constraint Jacobian loses rank here. Values marked * depend on constraint scaling: they are "
                     "computed with the multipliers of least norm, an arbitrary choice. The branches below are the "
                     "possible motions.");
  }
  return text;
}

std::string count_words(const Spectrum& spectrum) {
  std::string words = fmt::format("{} of {} true", spectrum.found, spectrum.expected);
  if (!spectrum.region.empty()) words += " " + spectrum.region;
  if (spectrum.at_zero > 0) words += fmt::format(" ({} zero)", spectrum.at_zero);
  words += spectrum.spurious > 0 ? fmt::format(", {} spurious", spectrum.spurious) : ", none spurious";
  return words + (spectrum.certified ? "" : "; count, gap and violations DISAGREE");
}

std::string branches_text(const std::vector<BranchReport>& branches) {
  std::string text;
  for (const BranchReport& branch : branches) {
    text += "\n" + verdict_text("branch '" + branch.name + "'", branch.verdict);
    text += mode_table(branch.spectrum.modes, branch.accounts, false);
  }
  if (!branches.empty())
    text += "\n  Values on a branch depend neither on the choice of multipliers nor on constraint scaling.\n";
  return text;
}

}  // namespace stillpoint
