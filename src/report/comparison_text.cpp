// The three methods side by side, as text for a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/digits.h"
#include "report/mode_table.h"

namespace stillpoint {

namespace {

constexpr int title_width = 24, column_width = 15;

using Cell = std::function<std::string(const MethodReport&)>;

std::string line_of(const std::string& title, const std::array<std::string, 3>& cells, const std::string& what = "") {
  std::string line = "  " + left(title, title_width);
  for (const std::string& cell : cells) line += right("  " + cell, column_width);
  return line + (what.empty() ? "" : "   " + what) + "\n";
}

/// Returns a line with a cell for each method that was computed.
std::string line_for_each(const Comparison& comparison, const std::string& title, const Cell& cell,
                          const std::string& what = "") {
  std::array<std::string, 3> cells;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k] = comparison.methods[k].computed ? cell(comparison.methods[k]) : "-";
  }
  return line_of(title, cells, what);
}

/// This stands in place of a difference between two methods that share one computation.
constexpr const char* shared = "shared";

bool is_shared(const Comparison& comparison, std::size_t k) {
  return comparison.methods[k].shares_with == comparison.methods[0].method;
}

std::string difference_line(const Comparison& comparison, const std::string& title, double Differences::*which,
                            const std::string& what) {
  std::array<std::string, 3> cells{"", "-", "-"};
  for (std::size_t k = 1; k < cells.size(); ++k) {
    if (!comparison.differences[k]) continue;
    const double difference = (*comparison.differences[k]).*which;
    cells[k] = is_shared(comparison, k) && !std::isnan(difference) ? shared : magnitude(difference);
  }
  return line_of(title, cells, what);
}

double largest_penalty_error(const MethodReport& report) {
  double largest = Mode::unset;
  for (const Mode& mode : report.spectrum.modes) {
    if (!is_of_the_form(mode)) largest = std::fmax(largest, mode.penalty_error);
  }
  return largest;
}

double largest_error(const MethodReport& report) {
  double largest = Mode::unset;
  for (const Mode& mode : report.spectrum.modes) {
    if (!is_of_the_form(mode)) largest = std::fmax(largest, mode.error);
  }
  return largest;
}

/// Says which computation a method shares.
std::string words_of_sharing(const MethodReport& method) {
  const std::string other = name_of(*method.shares_with);
  if (method.method != Method::ucs) return fmt::format("the same computation as {}, so no independent evidence", other);
  return fmt::format("continued from the modes of {}: its own values, but no independent evidence that none is missing",
                     other);
}

std::string spectra_lines(const Comparison& comparison) {
  std::string text;
  text += line_for_each(
      comparison, "order", [](const MethodReport& m) { return std::to_string(m.spectrum.size); },
      "of the eigenvalue problem");
  text += line_for_each(comparison, "true eigenvalues", [](const MethodReport& m) {
    return fmt::format("{} of {}", m.spectrum.found, m.spectrum.expected);
  });
  text +=
      line_for_each(comparison, "spurious", [](const MethodReport& m) { return std::to_string(m.spectrum.spurious); });
  text += line_for_each(comparison, "  of these finite", [](const MethodReport& m) {
    return std::to_string(std::count_if(m.spectrum.modes.begin(), m.spectrum.modes.end(), [](const Mode& mode) {
      return mode.kind == ModeClass::spurious && !mode.is_infinite();
    }));
  });
  text += line_for_each(
      comparison, "margin", [](const MethodReport& m) { return magnitude(m.spectrum.margin); }, "ratio across the gap");
  text += line_for_each(comparison, "count, gap, violations",
                        [](const MethodReport& m) { return std::string(m.spectrum.certified ? "agree" : "DISAGREE"); });
  return text;
}

std::string within_line(const Comparison& comparison) {
  std::array<std::string, 3> cells{"", "-", "-"};
  for (std::size_t k = 1; k < cells.size(); ++k) {
    if (is_shared(comparison, k)) cells[k] = shared;
    else if (comparison.differences[k]) cells[k] = comparison.differences[k]->within_error_bounds ? "yes" : "NO";
  }
  return line_of("  within error bounds", cells);
}

std::string accuracy_lines(const Comparison& comparison) {
  std::string text;
  text += line_for_each(
      comparison, "largest error bound", [](const MethodReport& m) { return magnitude(largest_error(m)); }, "1/s");
  text += difference_line(comparison, "difference from MCS", &Differences::largest, "the largest, 1/s");
  if (comparison.methods[2].computed) {
    text += line_of("  estimated beforehand", {"", "", magnitude(largest_penalty_error(comparison.methods[2]))});
    text += difference_line(comparison, "  after correction", &Differences::largest_corrected, "");
  }
  return text + within_line(comparison);
}

std::string time_lines(const Comparison& comparison) {
  std::string text;
  text += line_for_each(comparison, "time: form", [](const MethodReport& m) { return duration(m.form_seconds); });
  text += line_for_each(comparison, "time: modes", [](const MethodReport& m) { return duration(m.spectrum.seconds); });
  return text;
}

std::string count_text(std::int64_t count) {
  return count < 10'000'000 ? std::to_string(count) : fmt::format("{:.2e}", static_cast<double>(count));
}

std::string sparsity_lines(const SparsityReport& sparsity) {
  const auto of_each = [](const MatrixSparsity& mcs, const MatrixSparsity& rcs, const MatrixSparsity& ucs,
                          const std::function<std::string(const MatrixSparsity&)>& cell) {
    return std::array<std::string, 3>{cell(mcs), cell(rcs), cell(ucs)};
  };
  const auto size = [](const MatrixSparsity& A) { return std::to_string(A.size); };
  const auto entries = [](const MatrixSparsity& A) { return (A.predicted ? "about " : "") + count_text(A.entries); };
  const auto factor = [](const MatrixSparsity& A) {
    return A.best().is_known() ? fmt::format("{} ({})", count_text(A.best().entries), A.best_order()) : "-";
  };
  const auto fill = [](const MatrixSparsity& A) {
    return std::isnan(A.fill()) ? "-" : fmt::format("{:.3g}", A.fill());
  };
  std::string text;
  text += line_of("mass matrix",
                  of_each(sparsity.M_r, sparsity.M_q, sparsity.M_p, [](const MatrixSparsity& A) { return A.name; }));
  text += line_of("  entries", of_each(sparsity.M_r, sparsity.M_q, sparsity.M_p, entries));
  text += line_of("  factor", of_each(sparsity.M_r, sparsity.M_q, sparsity.M_p, factor), "entries of L");
  text += line_of("factored at a shift", of_each(sparsity.mcs, sparsity.rcs, sparsity.ucs, size), "order");
  text += line_of("  entries", of_each(sparsity.mcs, sparsity.rcs, sparsity.ucs, entries));
  text += line_of("  factor", of_each(sparsity.mcs, sparsity.rcs, sparsity.ucs, factor), "entries of L");
  text += line_of("  fill", of_each(sparsity.mcs, sparsity.rcs, sparsity.ucs, fill), "L over the lower half");
  for (const std::string& sentence : sparsity.advice) text += summary_line("advice", sentence);
  return text;
}

/// Returns a table of the eigenvalues of MCS and of the differences of the other methods from them.
std::string values_table(const Comparison& comparison) {
  const MethodReport& mcs = comparison.methods[0];
  const auto& rcs = comparison.differences[1];
  const auto& ucs = comparison.differences[2];
  std::string table = right("mode", 6) + "  " + left("MCS  s, 1/s", 38) + right("RCS − MCS", 11) +
                      right("UCS − MCS", 11) + right("corrected", 11) + "\n";
  const auto cell = [](const std::optional<Differences>& differences, std::vector<double> Differences::*which,
                       std::size_t k) {
    return differences && k < ((*differences).*which).size() ? magnitude(((*differences).*which)[k]) : "-";
  };
  std::size_t number = 0, of_true = 0;
  for (const TableRow& row : table_rows(mcs.spectrum.modes)) {
    const Mode& mode = mcs.spectrum.modes[row.mode];
    if (is_of_the_form(mode)) continue;
    const std::string s =
        eigenvalue_in_line(mode.s, mode.error, row.is_pair) + (mode.depends_on_constraint_scaling ? "  *" : "");
    table += right(std::to_string(++number), 6) + "  " + left(s, 38);
    if (mode.kind == ModeClass::genuine) {
      table += right(is_shared(comparison, 1) ? shared : cell(rcs, &Differences::each, of_true), 11) +
               right(cell(ucs, &Differences::each, of_true), 11) +
               right(cell(ucs, &Differences::corrected, of_true), 11);
      of_true += static_cast<std::size_t>(row.members);
    }
    table += "\n";
  }
  return number == 0 ? "  there are no modes\n" : table;
}

}  // namespace

std::string to_text(const AnalysisCase& analysis, const Comparison& comparison, const PrintOptions& options) {
  std::string text = verdict_text(analysis.system.name, comparison.verdict);
  text += configuration_lines(analysis);
  for (const MethodReport& method : comparison.methods) {
    if (!method.computed) text += summary_line("not " + name_of(method.method), method.why_not);
    if (method.shares_with) text += summary_line(name_of(method.method), words_of_sharing(method));
  }
  text += warning_lines(analysis, comparison.warnings);

  text += "\n" + line_of("", {"MCS", "RCS", "UCS"}) + spectra_lines(comparison) + accuracy_lines(comparison) +
          time_lines(comparison);
  if (comparison.sparsity) text += "\n" + sparsity_lines(*comparison.sparsity);
  text += "\n" + values_table(comparison);
  if (options.spurious) {
    for (const MethodReport& method : comparison.methods) {
      if (!method.computed) continue;
      text += fmt::format("\n  {}, all eigenvalues\n", name_of(method.method));
      text += mode_table(method.spectrum.modes, {}, true);
    }
  }
  return text + branches_text(comparison.branches);
}

}  // namespace stillpoint
