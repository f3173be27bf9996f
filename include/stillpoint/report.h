// Reports on the modes of a mechanism, as text for people and as JSON for programs.
//
//   const Model model = read_model("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(model);
//   const AnalysisCase analysis{linearize(model, rest), model, rest};
//   const ModesReport report = report_modes(analysis);
//   std::cout << to_text(analysis, report);
//
// Everything here also works on a linear system without a model. Then the report has no equilibrium and no energy
// shares of elements, and the penalty method uses the matrices as they are.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/controller.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/stability.h"

namespace stillpoint {

/// What is analysed: a linear system and, unless it was read as matrices, the model and the equilibrium it is made
/// from.
struct AnalysisCase {
  LinearSystem system;
  std::optional<Model> model{};
  std::optional<Equilibrium> rest{};  ///< equilibrium of the model; both or none
  double read_seconds = std::numeric_limits<double>::quiet_NaN();
  double linearize_seconds = std::numeric_limits<double>::quiet_NaN();
  /// What has closed loops on the linearized model; their states are the coordinates of the system behind those of the
  /// model.
  std::vector<Controller> controllers{};
};

// ----- Descriptions of modes

/// The participants in a mode, and the force elements that store its energy.
struct ModeAccount {
  std::string description;  ///< one line: "cart moves along x 62 %, pole rotates 38 %; stiffness from spring 100 %"
  EnergyShares energy;      ///< kinetic energy by body, potential energy by force element; empty without a model
};

/// Describes each mode.
std::vector<ModeAccount> account_for(const AnalysisCase& analysis, const std::vector<Mode>& modes);

// ----- One method

/// The spectrum by one method, with a description of each mode.
struct MethodReport : FoundModes {
  std::vector<ModeAccount> accounts;  ///< one for each mode of the spectrum
};

/// The spectrum of one branch of motions from a singular configuration.
struct BranchReport {
  std::string name;
  Eigen::MatrixXd tangents;
  Spectrum spectrum;
  std::vector<ModeAccount> accounts;
  Verdict verdict;
};

struct ModesReport {
  MethodReport result;
  Verdict verdict;                     ///< at a singular configuration the worst verdict of its branches
  std::vector<BranchReport> branches;  ///< for singular configurations only
  std::vector<std::string> warnings;
  double verdict_seconds = 0, branch_seconds = 0;
};

/// Finds and describes the spectrum by one method. Throws Error if the options do not fit the system, or the system the
/// method.
ModesReport report_modes(const AnalysisCase& analysis, Method method = Method::mcs,
                         const AnalysisOptions& options = {});

/// Returns whether count, gap and violations agree, in the spectrum and in those of all branches.
bool is_certified(const ModesReport& report);

// ----- All methods

/// The differences of the true eigenvalues of a method from those of MCS.
struct Differences {
  std::vector<double> each;       ///< |s − s_MCS| for each true mode of MCS; NaN if the other has no partner
  std::vector<double> corrected;  ///< the same with the corrected values; NaN except for UCS
  double largest = Mode::unset;   ///< NaN if there is none
  double largest_corrected = Mode::unset;
  /// No difference exceeds the sum of the two error bounds. For UCS the corrected values and their bounds are compared.
  bool within_error_bounds = false;
};

struct Comparison {
  std::array<MethodReport, 3> methods;                    ///< MCS, RCS, UCS
  std::array<std::optional<Differences>, 3> differences;  ///< from MCS; for RCS and UCS, if both are computed
  Verdict verdict;
  std::vector<BranchReport> branches;
  std::optional<SparsityReport> sparsity;
  std::vector<std::string> warnings;
};

/// Finds the three spectra. A method for which the system is too large is left out, with the reason.
Comparison compare_methods(const AnalysisCase& analysis, const AnalysisOptions& options = {});

/// Returns whether all spectra that were computed are certified.
bool is_certified(const Comparison& comparison);

// ----- Output

struct PrintOptions {
  bool shapes = false;           ///< JSON: shapes, participation and energy shares of each mode
  bool all_coordinates = false;  ///< JSON: list all coordinates, not only the first 200
  bool spurious = false;         ///< text: list the eigenvalues of the form, too
};

/// Returns text for a terminal: the verdict in words, then the table.
std::string to_text(const AnalysisCase& analysis, const ModesReport& report, const PrintOptions& options = {});
std::string to_text(const AnalysisCase& analysis, const Comparison& comparison, const PrintOptions& options = {});

/// Returns one JSON object, schema "stillpoint.modes/1" or "stillpoint.compare/1".
std::string to_json(const AnalysisCase& analysis, const ModesReport& report, const PrintOptions& options = {});
std::string to_json(const AnalysisCase& analysis, const Comparison& comparison, const PrintOptions& options = {});

}  // namespace stillpoint
