// Modes as lines of a table, and what each of them is below it.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/report.h"

namespace stillpoint {

/// Modes as a person counts them: a conjugate pair is one, and so are all infinite ones.
struct TableRow {
  std::size_t mode = 0;  ///< the first one's place in the spectrum
  Index members = 1;
  bool is_pair = false;
};
std::vector<TableRow> table_rows(const std::vector<Mode>& modes);

/// The mode belongs to the form only.
bool is_of_the_form(const Mode& mode);

const char* word_of(ModeClass kind);  ///< "true", "spurious", "undecided"
std::string name_of(Method method);   ///< "MCS"
std::string key_of(Method method);    ///< "mcs"

/// "verdict in words", and the reason below it.
std::string verdict_text(const std::string& subject, const Verdict& verdict);

/// The true and undecided modes, and with `spurious` the others, too. Then a line for each that says what it is.
std::string mode_table(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts, bool spurious);

/// A line of a summary: a title, and what there is to say, broken into lines of at most 100 characters.
std::string summary_line(const std::string& title, const std::string& content);

/// How free the system is, and whether its configuration is singular or constraints redundant.
std::string freedom_lines(const Subject& subject);

/// What was noticed at the rest position, then what is said of the modes.
std::string warning_lines(const Subject& subject, const std::vector<std::string>& of_modes);

/// "2 of 2, none spurious; count, gap and violations agree".
std::string count_words(const Spectrum& spectrum);

/// The instantaneous values explained, then each branch with its table.
std::string branches_text(const std::vector<BranchReport>& branches);

}  // namespace stillpoint
