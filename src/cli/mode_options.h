// What the verbs that solve for modes have in common.
#pragma once

#include <optional>
#include <string_view>

#include "cli/rest_options.h"
#include "stillpoint/report.h"

namespace stillpoint::cli {

struct ModeOptions : SystemOptions {
  std::optional<Index> count;
  std::vector<double> band;  ///< Hz: from, to
  std::vector<double> near;  ///< rad/s: real and imaginary part
  bool unstable = false;
  std::optional<Index> least_damped;
  std::string engine = usual::engine;
  std::vector<std::string> other_programs{};  ///< engines that this verb can start, besides those of the library
  bool all = false;
  bool uncounted = false;
  Deadline deadline{};
  bool spurious = false;
  bool shapes = false;
  bool all_coordinates = false;
  bool assert_stable = false;
  std::optional<double> assert_min_damping;
  std::string basis = usual::basis;
  std::string independent;  ///< names, with commas between them
  std::optional<double> alpha;
  double xi = PenaltyOptions().xi;
  std::optional<double> omega;
};

/// Those of a linear system, and of the three methods.
void add_mode_options(CLI::App& verb, ModeOptions& options);
/// Some of these.
void add_assert_options(CLI::App& verb, ModeOptions& options);
void add_basis_options(CLI::App& verb, ModeOptions& options);
void add_penalty_options(CLI::App& verb, ModeOptions& options);

/// Throws Error if the options do not fit the system.
AnalysisOptions analysis_options(const ModeOptions& options, const LinearSystem& system);
/// The part of it that asks for modes, which engines of other programs answer, too.
ModesOptions modes_options(const ModeOptions& options, const LinearSystem& system);

/// An option that does nothing would be taken for one that does. Throws Error if one belongs to another method.
void require_its_method(const ModeOptions& options, std::string_view method);

PrintOptions print_options(const ModeOptions& options);

/// "B[1].x,mass[4,7]" at the commas that are not in brackets.
std::vector<std::string> split_names(const std::string& text);

/// The modes that are asserted to be damped: at a singular configuration those of its branches.
std::vector<Mode> judged_modes(const ModesReport& report);
std::vector<Mode> judged_modes(const Comparison& comparison);

/// Ends the program with exit code 6 if it is not as stable, or a mode not as damped, as was asked.
void require_asserted(const ModeOptions& options, const Verdict& verdict, const std::vector<Mode>& modes);

/// Ends the program with the exit code that fits: 1 if the numbers contradict each other, otherwise as
/// require_asserted.
void conclude(const ModeOptions& options, bool is_certified, const Verdict& verdict, const std::vector<Mode>& modes);

}  // namespace stillpoint::cli
