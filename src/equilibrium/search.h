// The search for an equilibrium: the data that its steps share, and the steps in the order of their use. The header of
// each source file describes the method of its step.
#pragma once

#include <memory>
#include <optional>
#include <random>

#include "equilibrium/assembly_problem.h"
#include "equilibrium/relax.h"
#include "equilibrium/stability.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// Tolerance of residuals where the guess is only tested.
constexpr double checked_to = 1e-8;

/// A decision on the rank of this many rows takes more time and memory than a factorisation.
constexpr Index many_rows = 1000;

struct Search {
  /// The search starts at the guess, at rest: its q, orientations and u are used.
  Search(const Model& model, const State& guess, const EquilibriumOptions& options);
  /// The search starts at a state at rest with multipliers, which are near to those of an equilibrium.
  struct Predicted {
    const State& state;
  };
  Search(const Model& model, Predicted start, const EquilibriumOptions& options);

  /// Moves the search to the point at which a relaxation ended.
  void continue_from(Relaxation done);
  /// The residual that constraints not in use may reach before the rows in use are chosen again.
  double allowed_residual() const { return residual_bound + 1e-7; }
  int most_iterations() const;
  /// Calls `relax`, and counts the iterations.
  Relaxation relaxed(const State& from, Measure measure);
  /// Calls `assemble_constraints`, and counts the iterations.
  AssemblyResult assembled(const State& from);

  const Model& model;
  const EquilibriumOptions options;
  const std::shared_ptr<Statics> shared_statics;  ///< those of the search, which may be used after it
  Statics& statics;
  const State guess;
  State start;                ///< an assembled state
  double residual_bound = 0;  ///< residual of redundant constraints that cannot all be satisfied
  RowDependence dependence;   ///< of the constraints, where it was evaluated last
  Point point;                ///< the current point
  Relaxation::End end = Relaxation::End::no_progress;  ///< the reason why the relaxation ended at the current point
  std::optional<StiffnessSigns> signs;  ///< signs of the reduced stiffness at the current point, if counted
  Equilibrium rest;                     ///< the result so far
};

// ----- guess.cpp: the assembly problem

/// Assembles the constraints from the guess. Returns false if that is not possible; the result then says why.
bool assemble_guess(Search& search);
bool is_assembled(const Search& search, const AssemblyResult& assembled);
/// Displaces a state at random by about `size`, in typical lengths and radians.
State perturbed_at_random(const Search& search, const State& state, double size, std::mt19937& random);

// ----- rows.cpp: the choice of independent constraints

/// Decides which rows of J depend on others at the state, and uses an independent set from then on.
void choose_rows(Search& search, const State& state);
/// Chooses the rows at the start of the search.
void choose_first_rows(Search& search);
/// The numbers of all rows.
std::vector<Index> all_rows(const Search& search);
/// Uses all rows, dependent or not.
void use_all_rows(Search& search);
RowDependence dependence_at(Search& search, const State& state);
/// The relative uncertainty of the coordinates of a state.
double state_uncertainty(const Search& search, const State& state);

// ----- balance.cpp: force balance from an assembled state

void balance(Search& search);

// ----- singular.cpp: singular configurations

/// Tells whether J loses rank at the point, but not in its neighbourhood.
bool may_be_singular(Search& search);
/// Moves the search into a singular configuration if the point is next to one.
void enter_singular_configuration(Search& search);

// ----- findings.cpp: description of the point, and judge.cpp: its stability

/// Describes the point, and judges its stability if it is an equilibrium.
void examine(Search& search);
void note_rank(Search& search);
void note_constraint_residual(Search& search, const Eigen::VectorXd& phi);
/// Determines the configuration type and the branches at the point.
void describe_configuration(Search& search);
/// The relative uncertainty of K that follows from the accepted constraint residual.
double stiffness_uncertainty(const Search& search);
/// floating_beams.cpp: warns of axial loads whose effect on bending linear theory omits.
void warn_of_axial_loads(const Model& model, const State& state, std::vector<std::string>& warnings);
/// compressed_springs.cpp: warns of springs shorter than half their free length.
void warn_of_compressed_springs(const Model& model, const State& state, std::vector<std::string>& warnings);
/// Gives the verdict on an equilibrium.
void judge(Search& search);
/// perturbed_equilibria.cpp: the sensitivity of the equilibrium to rounding.
void find_perturbed_equilibria(Search& search);

}  // namespace stillpoint
