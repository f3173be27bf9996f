// Static equilibrium of a constrained mechanism, and its stability, theory (2.1):
//
//   f(q, 0, u) − J(q)ᵀ λ = 0,   Φ(q, u) = 0
//
// The method is Newton's on the KKT system [K, Jᵀ; J, 0], made global by a shift of K, by load stepping and by
// directions of negative curvature; docs/equilibrium.md describes the steps. References: [Nocedal & Wright 2006], ch.
// 18; [Müller 2016] for singular configurations.
//
//   const Model model = read_model("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(model);
//   if (rest.status == EquilibriumStatus::at_rest) ... rest.state.q, rest.verdict, rest.unstable_directions
//
// Residuals are dimensionless: lengths are compared with the typical length of the model, rotations with one radian,
// and forces with the largest applied force or constraint force. Every result carries its evidence: residuals, ranks,
// sign counts, and the fallbacks that were needed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/model.h"
#include "stillpoint/rank.h"

namespace stillpoint {

enum class EquilibriumRequest {
  stable,   ///< a minimum of the potential, if the forces have one; saddle points are left
  nearest,  ///< the equilibrium that Newton's method finds from the guess, stable or not
  check     ///< the guess is tested only
};

struct EquilibriumOptions {
  EquilibriumRequest rest = EquilibriumRequest::stable;
  /// The accuracy of the model's numbers, relative to its lengths. Redundant constraints whose geometry is rounded may
  /// keep a residual up to this bound.
  double precision = 1e-5;
  std::optional<Index> rank{};           ///< rank of J, if it is not to be decided from the numbers
  std::optional<int> most_iterations{};  ///< by default it depends on the size of the model, 300 at least
  std::vector<Index>
      held{};  ///< coordinates that keep the value of the guess during the assembly, where that is possible
};

enum class EquilibriumStatus {
  at_rest,
  not_at_rest,    ///< `check` only: the guess is not an equilibrium
  not_assembled,  ///< the constraints cannot be satisfied together, or not from this guess
  not_converged   ///< no equilibrium was found
};

enum class ConfigurationType {
  regular,    ///< J has full rank
  redundant,  ///< the rank is deficient here and in a neighbourhood: some constraints repeat others
  singular,   ///< the rank drops at this configuration only: motions branch, or end
  isolated,   ///< singular, and no motion is possible although the first-order analysis predicts one
  undecided   ///< the rank, or the reason for its deficiency, cannot be decided from the numbers
};

/// A branch of motions through a singular configuration: one linear subspace of the tangent cone.
struct Branch {
  std::string name;          ///< the bodies that move and those that stand still
  Eigen::MatrixXd tangents;  ///< n × dimension; the columns are increments of q, orthonormal in scaled coordinates
  bool confirmed = false;    ///< a motion along the branch was found at two step sizes
  Index rank = 0;            ///< rank of J along the branch, near the singular configuration
  Index unstable_directions = 0;
  Index neutral_directions = 0;
};

/// The type of a configuration, and the motions that its constraints allow.
struct ConfigurationFindings {
  RankDecision rank;
  Index dof = 0;  ///< n − rank; at a singular configuration the instantaneous number
  ConfigurationType kind = ConfigurationType::regular;
  Index redundant_equations = 0;  ///< number of equations that could be removed without a change
  Index free_multipliers = 0;     ///< singular: dimension of the constraint forces that no motion feels
  /// Minimal sets of dependent constraints, by name; each set has one equation too many.
  std::vector<std::vector<std::string>> dependent_sets;
  std::vector<Index> independent_rows;  ///< rows of J
  std::vector<Branch> branches;         ///< singular configurations only
  std::vector<std::string> warnings;    ///< what could not be decided, and why
};

struct Equilibrium : ConfigurationFindings {
  EquilibriumStatus status = EquilibriumStatus::not_converged;
  State state;  ///< q, orientations, u, and the multipliers λ, of least norm where they are not unique
  /// Perturbed equilibria: the equilibrium moves to these states when the forces change by what rounding of the
  /// coordinates changes in them, theory (6.8). Empty where the change is negligible, or unknown.
  std::vector<State> perturbed;
  std::string message;  ///< one sentence; empty if there is nothing to explain

  double force_residual = std::numeric_limits<double>::quiet_NaN();  ///< |f − Jᵀλ| relative to the forces
  std::string worst_coordinate;                                      ///< the coordinate with the largest force residual
  double constraint_residual =
      std::numeric_limits<double>::quiet_NaN();  ///< the largest constraint residual, relative to lengths
  std::string worst_constraint;
  double typical_length = 1;  ///< m

  bool conservative = false;       ///< K is symmetric at the equilibrium, so the forces have a potential there
  Index unstable_directions = -1;  ///< negative eigenvalues of the reduced K; −1 if it is not symmetric
  Index neutral_directions = -1;   ///< zero eigenvalues of the reduced K, within rounding
  std::string verdict;             ///< "stable (conservative)", "unstable", "neutral", "undecided", ...
  std::string verdict_basis;       ///< the evidence for the verdict, in words

  /// Among several equilibria: those of one continuum share a number from 1 on; 0: this one stands alone.
  Index family = 0;

  /// What was found beforehand so that the guess is an equilibrium: names of inputs, and of numbers of elements
  /// ("spring[1].free_length"), with their values.
  std::vector<std::pair<std::string, double>> trim, preload;

  int iterations = 0;
  int factorisations = 0;
  std::vector<std::string> fallbacks;  ///< the steps that were needed besides Newton's method, and why
  double seconds = 0;
};

/// The search starts from the guess of the model. Throws Error if the model has no value at its guess.
Equilibrium find_equilibrium(const Model& model, const EquilibriumOptions& options = {});
/// The search starts from another state, of which q, orientations and u are used.
Equilibrium find_equilibrium(const Model& model, const State& guess, const EquilibriumOptions& options = {});

/// The configuration type where the constraints are satisfied near a guess; forces are not evaluated.
struct ConstraintSurvey : ConfigurationFindings {
  bool assembled = false;
  std::string message;  ///< the reason if the constraints are not satisfied
};
ConstraintSurvey survey_constraints(const Model& model, const State& guess, const EquilibriumOptions& options = {});

struct SearchOptions : EquilibriumOptions {
  int starts = 200;  ///< number of seeded random starts, besides the guess
  unsigned seed = 1;
};

/// Searches for equilibria from seeded random starts, and returns all distinct ones found: those that stand alone
/// before families, and among both the stable ones first. Each is as reliable as a result of find_equilibrium;
/// completeness is not claimed.
std::vector<Equilibrium> find_equilibria(const Model& model, const State& guess, const SearchOptions& options = {});

/// Input values at which a configuration is an equilibrium.
struct Trim {
  bool balanced = false;
  State state;                   ///< the configuration with the inputs found and its multipliers
  std::vector<Index> inputs;     ///< the inputs that were free to change
  double unbalanced = 0;         ///< the unbalanced force, relative to the forces
  std::string worst_coordinate;  ///< the coordinate with the largest unbalanced force
  Index choices = 0;             ///< the number of inputs beyond those needed; the change of least norm was taken
  std::string message;
};

struct TrimOptions {
  std::vector<Index> inputs;  ///< the inputs that may change; empty: all that do not prescribe a motion
  double precision = 1e-5;
};

/// Finds the change of the inputs with the least norm that holds the mechanism at its guess, after the constraints are
/// satisfied.
Trim find_trim(const Model& model, const State& guess, const TrimOptions& options = {});

/// Free lengths and angles of springs at which a configuration is an equilibrium.
struct Preload {
  bool balanced = false;
  Model model;                         ///< with the values found
  State state;                         ///< the configuration
  std::vector<ElementNumber> numbers;  ///< the values found
  double unbalanced = 0;               ///< the unbalanced force, relative to the forces
  std::string worst_coordinate;        ///< the coordinate with the largest unbalanced force
  Index choices = 0;                   ///< the number of springs beyond those needed; the least change was taken
  std::string message;
};

struct PreloadOptions {
  std::vector<std::string> elements{};  ///< springs of any kind, by name; empty: those that ask for preload
  double precision = 1e-5;
};

/// Finds the least change of free lengths, relative to the typical length, and of free angles that holds the mechanism
/// at its guess, after the constraints are satisfied. Throws Error if a name is unknown, or if there is no spring to
/// change.
Preload find_preload(const Model& model, const State& guess, const PreloadOptions& options = {});

/// Text for a terminal.
std::string to_text(const Model& model, const Equilibrium& rest);
/// Of a family one line, unless `each_of_family`.
std::string to_text(const Model& model, const std::vector<Equilibrium>& found, bool each_of_family = false);
std::string to_text(const Model& model, const Trim& trim);

struct JsonOptions {
  bool all_coordinates = false;  ///< also the coordinates beyond the first 200
};

/// One JSON object, schema "stillpoint.equilibrium/1" (for a trim "stillpoint.trim/1").
std::string to_json(const Model& model, const Equilibrium& rest, const JsonOptions& options = {});
std::string to_json(const Model& model, const std::vector<Equilibrium>& found, const JsonOptions& options = {});
std::string to_json(const Model& model, const Trim& trim, const JsonOptions& options = {});

}  // namespace stillpoint
