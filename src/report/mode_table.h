// Modes as lines of a table, with a description of each below it, and other parts of text reports.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/report.h"

namespace stillpoint {

/// A line of the table: a real eigenvalue, a conjugate pair, all eigenvalues that are zero, or all infinite ones.
struct TableRow {
  std::size_t mode = 0;  ///< index of the first in the spectrum
  Index members = 1;
  bool is_pair = false;
};
std::vector<TableRow> table_rows(const std::vector<Mode>& modes);

/// Returns whether the mode belongs to the form only, not to the mechanism.
bool is_of_the_form(const Mode& mode);

const char* word_of(ModeClass kind);  ///< "true", "spurious", "undecided"
std::string name_of(Method method);   ///< "MCS"

/// Returns the verdict in words, and the reason below it.
std::string verdict_text(const std::string& analysis, const Verdict& verdict);

/// Returns the table of true and undecided modes, and with `spurious` of the others, too, then a description of each.
std::string mode_table(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts, bool spurious);

/// Returns an entry of a summary: a title and its content, broken into lines of at most 100 characters.
std::string summary_line(const std::string& title, const std::string& content);

/// Returns the coordinates of the closed system that are states of controllers, and none of the mechanism.
Index states_of_controllers(const AnalysisCase& analysis);

/// Returns the degrees of freedom, and whether the configuration is singular or constraints are redundant.
std::string configuration_lines(const AnalysisCase& analysis);

/// Returns the warnings about the equilibrium, then those about the modes.
std::string warning_lines(const AnalysisCase& analysis, const std::vector<std::string>& of_modes);

/// Returns "2 of 2 true, none spurious", and a note if the spectrum is not certified.
std::string count_words(const Spectrum& spectrum);

/// Returns each branch with its verdict and its table.
std::string branches_text(const std::vector<BranchReport>& branches);

}  // namespace stillpoint
