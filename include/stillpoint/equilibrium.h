// Where does a mechanism rest, and is that stable?
//
//   f(q, 0, u) − J(q)ᵀ λ = 0,   Φ(q, u) = 0                                              (mathematics §2)
//
//   const Model model = read_model("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(model);
//   if (rest.status == RestStatus::at_rest) ... rest.state.q, rest.verdict, rest.unstable_directions
//
// Sizes without units: lengths are compared with the typical length of the model, turns with one radian, forces with
// the largest force that acts or holds. Every answer carries what it rests on: residuals, ranks, counts, and which
// fallback was needed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/model.h"
#include "stillpoint/rank.h"

namespace stillpoint {

enum class RestKind {
  stable,   ///< leave saddles: end at a minimum of the potential, if the forces have one
  nearest,  ///< the rest position that Newton's method finds from the guess, stable or not
  check     ///< only look at the guess
};

struct EquilibriumOptions {
  RestKind rest = RestKind::stable;
  /// How well the numbers of the model are known, relative to its lengths. Redundant constraints whose geometry is
  /// rounded may stay open by so much.
  double precision = 1e-5;
  std::optional<Index> rank{};           ///< of J, if it is not to be decided from the numbers
  std::optional<int> most_iterations{};  ///< unless told, as many as one can wait for, 300 at least
  std::vector<Index> held{};  ///< coordinates that keep the value of the guess while the loops are closed, if they can
};

enum class RestStatus {
  at_rest,
  not_at_rest,   ///< `check` only: the guess is no rest position
  not_closed,    ///< the constraints cannot all be met, or not from here
  not_converged  ///< no rest position was found
};

enum class Freedom {
  regular,    ///< J has full rank
  redundant,  ///< the rank is deficient here and all around: some constraints repeat others
  singular,   ///< the rank drops here only: motions branch, or end
  isolated,   ///< singular, and nothing can move although a first look says otherwise
  undecided   ///< the rank, or its cause, cannot be told from the numbers
};

/// Motions that are possible from a singular configuration: one flat piece of the tangent cone.
struct Branch {
  std::string name;          ///< what moves, what stands still
  Eigen::MatrixXd tangents;  ///< n × dimension, columns in scaled orthonormal coordinates, as increments of q
  bool confirmed = false;    ///< real motion was found along it, at two step sizes
  Index rank = 0;            ///< of J on it, beside the singular configuration
  Index unstable_directions = 0;
  Index neutral_directions = 0;
};

/// What the constraints leave free at a state.
struct ConstraintFreedom {
  RankDecision rank;
  Index freedom = 0;  ///< n − rank: at a singular configuration instantaneous
  Freedom kind = Freedom::regular;
  Index redundant_equations = 0;  ///< how many could be left out without a change
  Index free_multipliers = 0;     ///< singular: constraint forces that no motion feels
  /// Smallest sets of constraints that depend on each other, by name; each has one equation too many.
  std::vector<std::vector<std::string>> dependent_sets;
  std::vector<Index> independent_rows;  ///< of J
  std::vector<Branch> branches;         ///< singular configurations only
  std::vector<std::string> warnings;    ///< what cannot be told, and why
};

struct Equilibrium : ConstraintFreedom {
  RestStatus status = RestStatus::not_converged;
  State state;  ///< q, orientations, u, and the multipliers λ, of least norm where they are not unique
  /// Where it might rest as well: some states beside, moved by what rounding of the coordinates changes in the forces.
  /// Empty where that is not worth mentioning, and where it is not known.
  std::vector<State> neighbours;
  std::string message;  ///< one sentence; empty if there is nothing to explain

  double force_residual = std::numeric_limits<double>::quiet_NaN();       ///< |f − Jᵀλ| relative to the forces
  std::string worst_coordinate;                                           ///< where it is largest
  double constraint_residual = std::numeric_limits<double>::quiet_NaN();  ///< the largest gap, relative to lengths
  std::string worst_constraint;
  double typical_length = 1;  ///< m

  bool conservative = false;       ///< K is symmetric at rest, and so the forces have a potential there
  Index unstable_directions = -1;  ///< negative eigenvalues of the reduced K; −1 if it is not symmetric
  Index neutral_directions = -1;   ///< zero ones, within rounding
  std::string verdict;             ///< "stable (conservative)", "unstable", "neutral", "undecided", ...
  std::string verdict_basis;       ///< what it rests on, in words

  int iterations = 0;
  int factorisations = 0;
  std::vector<std::string> fallbacks;  ///< what was needed besides Newton's method, and why
  double seconds = 0;
};

/// From the guess of the model. Throws Error if the model has no value at its guess.
Equilibrium find_equilibrium(const Model& model, const EquilibriumOptions& options = {});
/// From another state: its q, orientations and u count.
Equilibrium find_equilibrium(const Model& model, const State& guess, const EquilibriumOptions& options = {});

/// What the constraints leave free where the loops close from a guess; forces do not matter.
struct ConstraintSurvey : ConstraintFreedom {
  bool closed = false;
  std::string message;  ///< why not
};
ConstraintSurvey survey_constraints(const Model& model, const State& guess, const EquilibriumOptions& options = {});

struct SearchOptions : EquilibriumOptions {
  int starts = 200;  ///< how many seeded starts, besides the guess
  unsigned seed = 1;
};

/// Several rest positions from seeded starts: all different ones found, the stable ones first. Each can be trusted as
/// much as one of find_equilibrium; that there are no others is not claimed.
std::vector<Equilibrium> find_equilibria(const Model& model, const State& guess, const SearchOptions& options = {});

/// Inputs that make a configuration a rest position.
struct Trim {
  bool balanced = false;
  State state;                   ///< the configuration with the inputs found and its multipliers
  std::vector<Index> inputs;     ///< those that were free
  double leftover = 0;           ///< what no input balances, relative to the forces
  std::string worst_coordinate;  ///< where that is largest
  Index choices = 0;             ///< how many more inputs there are than needed: the shortest change was taken
  std::string message;
};

struct TrimOptions {
  std::vector<Index> inputs;  ///< those that may change; empty: all that prescribe no motion
  double precision = 1e-5;
};

/// The smallest change of the inputs that holds the mechanism where its guess is (after its constraints are met).
Trim find_trim(const Model& model, const State& guess, const TrimOptions& options = {});

/// For a person at a terminal.
std::string to_text(const Model& model, const Equilibrium& rest);
std::string to_text(const Model& model, const std::vector<Equilibrium>& found);
std::string to_text(const Model& model, const Trim& trim);

struct JsonOptions {
  bool all_coordinates = false;  ///< also beyond the first 200
};

/// One JSON object, schema "stillpoint.equilibrium/1" (for a trim "stillpoint.trim/1").
std::string to_json(const Model& model, const Equilibrium& rest, const JsonOptions& options = {});
std::string to_json(const Model& model, const std::vector<Equilibrium>& found, const JsonOptions& options = {});
std::string to_json(const Model& model, const Trim& trim, const JsonOptions& options = {});

}  // namespace stillpoint
