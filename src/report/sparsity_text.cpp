// The sparsity report as text for a terminal: sizes, fill-in, times of factorisations, and advice.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "report/digits.h"
#include "stillpoint/sparsity.h"

namespace stillpoint {

namespace {

constexpr int name_width = 7, formula_width = 28, number_width = 10, most_columns = 100;

std::string count_text(std::int64_t count) {
  return count < 10'000'000 ? std::to_string(count) : fmt::format("{:.2e}", static_cast<double>(count));
}

std::string entries_text(const FactorCount& factor) { return factor.is_known() ? count_text(factor.entries) : "-"; }

std::string flops_text(const FactorCount& factor) {
  if (!factor.is_known()) return "-";
  return factor.flops < 1e6 ? fmt::format("{:.0f}", factor.flops) : fmt::format("{:.2e}", factor.flops);
}

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::array<const MatrixSparsity*, 6> all_matrices(const SparsityReport& report) {
  return {&report.M_r, &report.M_q, &report.M_p, &report.mcs, &report.rcs, &report.ucs};
}

using Row = std::vector<std::string>;

std::string numbers(const Row& cells) {
  std::string line;
  for (const std::string& cell : cells) line += right(cell, number_width);
  return line + "\n";
}

// A predicted number has no more than two significant digits.
std::string predicted_or_counted(const MatrixSparsity& matrix) {
  return matrix.predicted ? fmt::format("≤{:.1e}", static_cast<double>(matrix.entries)) : count_text(matrix.entries);
}

std::string size_row(const MatrixSparsity& matrix) {
  return "  " + left(matrix.name, name_width) + left(matrix.formula, formula_width) +
         numbers(
             {count_text(matrix.size), predicted_or_counted(matrix), fmt::format("{:.3g} %", 100 * matrix.density())});
}

bool has_cholesky(const SparsityReport& report) { return !report.cholesky.empty(); }

std::string factor_row(const MatrixSparsity& matrix, bool cholesky) {
  const bool known = matrix.best().is_known();
  Row cells = {entries_text(matrix.best()), flops_text(matrix.best())};
  if (cholesky) {
    cells = {entries_text(matrix.natural), entries_text(matrix.amd), entries_text(matrix.metis),
             flops_text(matrix.natural),   flops_text(matrix.amd),   flops_text(matrix.metis)};
  }
  cells.push_back(known ? fmt::format("{:.3g}", matrix.fill()) : "-");
  cells.push_back(known ? bytes_text(matrix.best().bytes()) : "-");
  return "  " + left(matrix.name, name_width) + numbers(cells);
}

std::string size_table(const SparsityReport& report) {
  const auto head = [](const char* title, const Row& columns) {
    return left(title, 2 + name_width + formula_width) + numbers(columns);
  };
  std::string text = head("leading matrices", {"n", "nnz", "density"});
  for (const MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p}) text += size_row(*matrix);
  text += "factored at a shift s\n";
  for (const MatrixSparsity* matrix : {&report.mcs, &report.rcs, &report.ucs}) text += size_row(*matrix);
  return text;
}

std::string pivoted_factor(const char* name, const FactorCount& factor) {
  if (!factor.is_known()) return "";
  return fmt::format("  {}{}: {} entries, {} flops\n", left("RCS", name_width), name, entries_text(factor),
                     flops_text(factor));
}

constexpr int group_width = 3 * number_width;  // of the three orders

std::string factor_heading(bool cholesky) {
  const std::string indent = left("", 2 + name_width);
  if (!cholesky) return left("factors", 2 + name_width) + numbers({"L of LDLᵀ", "flops", "fill", "memory"});
  return left("factors", 2 + name_width) + right("entries of L", group_width) + right("flops", group_width) +
         right("in the best order", 2 * number_width) + "\n" + indent +
         numbers({"natural", "AMD", "METIS", "natural", "AMD", "METIS", "fill", "memory"});
}

/// Returns the table of factors. They are symbolic, except for the LU factorisation of the bordered matrix.
std::string factor_table(const SparsityReport& report) {
  const bool cholesky = has_cholesky(report);
  std::string text = factor_heading(cholesky);
  for (const MatrixSparsity* matrix : all_matrices(report)) text += factor_row(*matrix, cholesky);
  text += pivoted_factor("LU with pivots (KLU)", report.rcs.lu);
  if (cholesky) text += pivoted_factor("LDLᵀ with pivots", report.rcs.ldlt);
  return text;
}

std::string time_row(const MatrixSparsity& matrix, bool cholesky) {
  Row cells;
  if (cholesky) {
    for (const FactorCount* order : {&matrix.natural, &matrix.amd, &matrix.metis})
      cells.push_back(duration(order->seconds));
    for (const FactorCount* order : {&matrix.natural, &matrix.amd, &matrix.metis})
      cells.push_back(duration(order->supernodal.seconds));
  }
  cells.push_back(duration(matrix.ldlt.seconds));
  cells.push_back(duration(matrix.lu.seconds));
  return "  " + left(matrix.name, name_width) + numbers(cells);
}

bool is_timed(const MatrixSparsity& matrix) {
  for (const double seconds :
       {matrix.natural.seconds, matrix.amd.seconds, matrix.metis.seconds, matrix.natural.supernodal.seconds,
        matrix.amd.supernodal.seconds, matrix.metis.supernodal.seconds, matrix.ldlt.seconds, matrix.lu.seconds}) {
    if (!std::isnan(seconds)) return true;
  }
  return false;
}

bool is_timed(const SparsityReport& report) {
  const auto matrices = all_matrices(report);
  return std::any_of(matrices.begin(), matrices.end(), [](const MatrixSparsity* matrix) { return is_timed(*matrix); });
}

/// Returns the table of the measured times; empty if there are none.
std::string time_table(const SparsityReport& report) {
  if (!is_timed(report)) return "";
  const bool cholesky = has_cholesky(report);
  std::string text = left("times", 2 + name_width);
  if (cholesky) {
    text += right("simplicial Cholesky", group_width) + right("supernodal Cholesky", group_width);
    text += numbers({"LDLᵀ", "LU"}) + left("", 2 + name_width);
    text += numbers({"natural", "AMD", "METIS", "natural", "AMD", "METIS", "AMD", "KLU"});
  } else {
    text += numbers({"LDLᵀ", "LU (KLU)"});
  }
  for (const MatrixSparsity* matrix : all_matrices(report)) text += time_row(*matrix, cholesky);
  return text + "\n";
}

/// Breaks the text into lines between words. Lines after the first are indented.
std::string paragraph(const std::string& words, const std::string& indent) {
  std::string text, line;
  const auto columns = [](const std::string& s) {  // characters, not bytes
    int count = 0;
    for (const char c : s) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
  };
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    if (!line.empty() && columns(line) + 1 + columns(word) > most_columns) {
      text += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return text + line + "\n";
}

std::string summary(const SparsityReport& report) {
  constexpr int feature_width = 31, method_width = 23;
  std::string text = "  " + left("", feature_width) + left("MCS", method_width) + left("RCS", method_width) + "UCS\n";
  for (const SparsityReport::Property& row : report.properties) {
    text += "  " + left(row.feature, feature_width) + left(row.mcs, method_width) + left(row.rcs, method_width) +
            row.ucs + "\n";
  }
  return text;
}

/// Returns each note once, with the names of the matrices that it concerns.
std::string notes(const SparsityReport& report) {
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MatrixSparsity* matrix : all_matrices(report)) {
    if (matrix->note.empty()) continue;
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.second == matrix->note; });
    if (same == notes.end()) notes.emplace_back(matrix->name, matrix->note);
    else same->first += ", " + matrix->name;
  }
  std::string text = notes.empty() ? "" : "\n";
  for (const auto& [names, note] : notes) text += paragraph(fmt::format("  {}: {}", names, note), "    ");
  return text;
}

/// States where the figures of factors come from, and which are missing.
std::string source(const SparsityReport& report) {
  const std::string counts =
      has_cholesky(report)
          ? fmt::format("Cholesky factors by {}.", report.cholesky)
          : "Fill and times of Cholesky factorisations need a build with CHOLMOD (STILLPOINT_CHOLMOD=ON).";
  if (!is_timed(report)) return paragraph(counts, "  ");
  return paragraph(counts +
                       " A time is the median of a few numerical factorisations, without the analysis; none (-): " +
                       (has_cholesky(report) ? "not positive definite (Cholesky), " : "") +
                       "not symmetric (LDLᵀ), singular (LU), or too long.",
                   "  ");
}

}  // namespace

std::string to_text(const SparsityReport& report) {
  std::string text = fmt::format("{}: {} coordinates, {} constraints of rank {}, {} {} of freedom\n\n", report.name,
                                 report.coordinates, report.constraints, report.rank, report.dof,
                                 report.dof == 1 ? "degree" : "degrees");
  text += size_table(report) + "\n" + factor_table(report) + "\n" + time_table(report) + source(report) + notes(report);
  text += "\n" + summary(report) + "\n";
  for (const std::string& sentence : report.advice) text += paragraph(sentence, "  ");
  return text;
}

}  // namespace stillpoint
