// What the modes of a mechanism are, said to a person and to a program.
//
//   const Model model = read_model("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(model);
//   const Subject subject{linearize(model, rest), model, rest};
//   const ModesReport report = report_modes(subject);
//   std::cout << to_text(subject, report);
//
// Everything here also works on a linear system from elsewhere, without a model: then there is no rest position to
// tell of, no force elements to share the energy, and the penalty method takes the matrices as they are.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/verdict.h"

namespace stillpoint {

/// What is looked at: a linear system and, unless it came as matrices, what it was made from.
struct Subject {
  LinearSystem system;
  std::optional<Model> model{};
  std::optional<Equilibrium> rest{};  ///< of the model; both or none
  double read_seconds = std::numeric_limits<double>::quiet_NaN();
  double linearize_seconds = std::numeric_limits<double>::quiet_NaN();
};

enum class Method {
  mcs,  ///< minimal coordinates
  rcs,  ///< redundant coordinates with multipliers
  ucs   ///< unconstrained coordinates, penalty
};

enum class Solver {
  automatic,  ///< sparse where only some modes of a large system are wanted
  dense,      ///< all eigenvalues of the form's own matrices
  sparse      ///< some, by Krylov's spaces on the bordered problem, whatever the method is
};

struct ReportOptions {
  Solver solver = Solver::automatic;
  MinimalOptions minimal{};
  PenaltyOptions penalty{};
  ModesOptions modes{};
};

// ----- What is this mode?

/// Who moves, and which force elements hold it back.
struct ModeAccount {
  std::string description;  ///< one line: "cart moves along x 62 %, pole turns 38 %; stiffness from spring 100 %"
  EnergyShares energy;      ///< kinetic by body, potential by force element; the latter is empty without a model
};

/// Of each mode.
std::vector<ModeAccount> account_for(const Subject& subject, const std::vector<Mode>& modes);

// ----- One method

/// The spectrum by one method, and what it took.
struct MethodReport {
  Method method = Method::mcs;
  bool computed = false;
  std::string why_not;  ///< if it was not
  Spectrum spectrum;
  std::vector<ModeAccount> accounts;  ///< of each mode of the spectrum
  double form_seconds = Mode::unset;  ///< making the matrices of the form
  /// It is the computation of that other method, no evidence of its own; of UCS: its search was.
  std::optional<Method> shares_with;

  /// UCS only: what it was done with.
  struct Penalty {
    double smallest_alpha = 0, largest_alpha = 0;
    double xi = 0, omega = 0;
    /// The penalty's own rest position; unset where the matrices of the constrained one were used.
    double largest_gap = Mode::unset;
    double equilibrium_seconds = Mode::unset;
  };
  std::optional<Penalty> penalty;
};

/// One flat piece of the motions that are possible from a singular configuration.
struct BranchReport {
  std::string name;
  Eigen::MatrixXd tangents;
  Spectrum spectrum;
  std::vector<ModeAccount> accounts;
  Verdict verdict;
};

struct ModesReport {
  MethodReport result;
  Verdict verdict;                     ///< at a singular configuration that of its branches, the worst of them
  std::vector<BranchReport> branches;  ///< singular configurations only
  std::vector<std::string> warnings;
  double verdict_seconds = 0, branch_seconds = 0;
};

/// The spectrum by one method. Throws Error if the options do not fit the system, or the system not the method.
ModesReport report_modes(const Subject& subject, Method method = Method::mcs, const ReportOptions& options = {});

/// Count, gap and violations agree, in the spectrum and in those of all branches.
bool is_certified(const ModesReport& report);

// ----- All methods

/// How far the true eigenvalues of a method are from those of MCS.
struct Differences {
  std::vector<double> each;       ///< |s − s_MCS| for each true mode of MCS; NaN where the other has none to match
  std::vector<double> corrected;  ///< the same with the corrected values; NaN except for UCS
  double largest = Mode::unset;   ///< NaN of none
  double largest_corrected = Mode::unset;
  /// Each difference is no larger than the two error bars together; of UCS those of the corrected values.
  bool within_error_bars = false;
};

struct Comparison {
  std::array<MethodReport, 3> methods;                    ///< MCS, RCS, UCS
  std::array<std::optional<Differences>, 3> differences;  ///< from MCS; of RCS and UCS, where both were computed
  Verdict verdict;
  std::vector<BranchReport> branches;
  std::optional<SparsityReport> sparsity;
  std::vector<std::string> warnings;
};

/// The three spectra side by side. A method that the system is too large for is left out, with the reason.
Comparison compare_methods(const Subject& subject, const ReportOptions& options = {});

/// Of all that were computed.
bool is_certified(const Comparison& comparison);

// ----- Output

struct PrintOptions {
  bool shapes = false;           ///< JSON: shapes, participation and energy shares of each mode
  bool all_coordinates = false;  ///< JSON: also those beyond the first 200
  bool spurious = false;         ///< text: also the eigenvalues of the form only
};

/// For a person at a terminal: the verdict in words, then the table.
std::string to_text(const Subject& subject, const ModesReport& report, const PrintOptions& options = {});
std::string to_text(const Subject& subject, const Comparison& comparison, const PrintOptions& options = {});

/// One JSON object, schema "stillpoint.modes/1" or "stillpoint.compare/1".
std::string to_json(const Subject& subject, const ModesReport& report, const PrintOptions& options = {});
std::string to_json(const Subject& subject, const Comparison& comparison, const PrintOptions& options = {});

}  // namespace stillpoint
