// The search for a rest position: what its steps share, and the steps in their order. Each step is told in its file.
#pragma once

#include <optional>
#include <random>

#include "equilibrium/close.h"
#include "equilibrium/relax.h"
#include "equilibrium/stability.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// What a guess that is only checked may be off.
constexpr double checked_to = 1e-8;

struct Search {
  /// At rest at the guess: its q, orientations and u count.
  Search(const Model& model, const State& guess, const EquilibriumOptions& options);

  /// From here on the search is at the point where a relaxation ended.
  void go_on_from(Relaxation done);
  /// How far constraints that do not count may open before others must.
  double may_open() const { return opening + 1e-7; }
  int most_iterations() const;
  /// As `relax`; counts the iterations.
  Relaxation relaxed(const State& from, Measure measure);
  /// As `close_constraints`; counts the iterations.
  Closing closed(const State& from);

  const Model& model;
  const EquilibriumOptions options;
  Statics statics;
  const State guess;
  State start;                                         ///< with closed loops
  double opening = 0;                                  ///< what redundant constraints leave open that cannot all be met
  RowDependence dependence;                            ///< of the constraints, where it was looked at last
  Point point;                                         ///< where the search is,
  Relaxation::End end = Relaxation::End::no_progress;  ///< why it stopped there,
  std::optional<StiffnessSigns> signs;                 ///< and those of the reduced stiffness there, once counted
  Equilibrium rest;                                    ///< what has been found out
};

// ----- guess.cpp: closing the loops

/// Closes the loops of the guess. False if that cannot be done; the reason is then told.
bool close_guess(Search& search);
bool is_closed(const Search& search, const Closing& closing);
/// Displaced at random by about `size`, in typical lengths and radians.
State shaken(const Search& search, const State& state, double size, std::mt19937& random);

// ----- rows.cpp: which constraints count

/// Finds out which rows of J depend on others, and goes on with those that do not.
void choose_rows(Search& search, const State& state);
/// To start with.
void choose_first_rows(Search& search);
/// All of them, whether they depend on each other or not.
void use_all_rows(Search& search);
RowDependence dependence_at(Search& search, const State& state);
/// How well the state is known, relative.
double blur(const Search& search, const State& state);

// ----- balance.cpp: from closed loops to balanced forces

void balance(Search& search);

// ----- singular.cpp: where J loses rank

/// J loses rank at the point only, not all around.
bool may_be_singular(Search& search);
/// Ends in a singular configuration if the point is next to one.
void draw_into_singular(Search& search);

// ----- findings.cpp: what was found, and judge.cpp: is it stable?

/// Describes the point, and judges it if it is a rest position.
void examine(Search& search);
void note_rank(Search& search);
void note_gap(Search& search, const Eigen::VectorXd& gap);
/// What the constraints leave free at the point.
void describe_freedom(Search& search);
/// How little K may be known where loops stay open.
double blur_of_stiffness(const Search& search);
/// floating_beams.cpp: axial loads that matter, of which linear theory knows nothing.
void warn_of_axial_loads(const Model& model, const State& state, std::vector<std::string>& warnings);
/// The verdict on a point at rest.
void judge(Search& search);
/// neighbours.cpp: where it might rest as well.
void find_neighbours(Search& search);

}  // namespace stillpoint
