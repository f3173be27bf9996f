// What the verbs that solve for modes have in common.
#pragma once

#include "cli/rest_options.h"
#include "stillpoint/report.h"

namespace stillpoint::cli {

struct ModeOptions : SystemOptions {
  std::optional<Index> count;
  std::vector<double> band;  ///< Hz: from, to
  std::string solver = "auto";
  bool all = false;
  bool uncounted = false;
  bool spurious = false;
  bool shapes = false;
  bool all_coordinates = false;
  bool assert_stable = false;
  std::string tangent = "partition";
  std::string independent;  ///< names, with commas between them
  std::optional<double> alpha;
  double xi = PenaltyOptions().xi;
  double omega = PenaltyOptions().omega;
};

/// Those of a linear system, and of the three methods.
void add_mode_options(CLI::App& verb, ModeOptions& options);

/// The system that the options ask for. As load_system.
Subject load_subject(const ModeOptions& options);

/// Throws Error if the options do not fit the system.
ReportOptions report_options(const ModeOptions& options, const LinearSystem& system);

PrintOptions print_options(const ModeOptions& options);

/// "B[1].x,mass[4,7]" at the commas that are not in brackets.
std::vector<std::string> split_names(const std::string& text);

/// Warnings on stderr, unless they are on the terminal already or nobody wants them.
void warn(const ModeOptions& options, const std::vector<std::string>& warnings);

/// Ends the program with the exit code that fits: 1 if the numbers contradict each other, 6 if it is not as stable as
/// was asked.
void conclude(const ModeOptions& options, bool is_certified, const Verdict& verdict);

}  // namespace stillpoint::cli
