// Equilibria followed over a parameter through folds: pseudo-arc-length continuation [Keller 1977].
//
//   EquilibriumBranch branch = follow_equilibria(parameter_of(family, "P"), start, {.from = 0, .to = 3});
//
// The parameter is an unknown beside the coordinates and multipliers, and the length of the path is prescribed:
//
//   g(q, λ, p) = 0,   Φ(q, p) = 0,   τᵀ (x − x₀) = Δσ,      x = (q, λ, p) dimensionless                         (15.7)
//
// so that nothing special happens where the branch turns back. Folds, where dp/dσ = 0, and branch points, where another
// branch crosses, are located; the stability of each equilibrium is that of its spectrum.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/stability.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

struct EquilibriumSample {
  double parameter = 0;
  double length = 0;  ///< σ, from the start
  State state;
  Verdict verdict;
  bool certified = false;
};

struct BranchEvent {
  enum class Kind {
    fold,         ///< the branch turns back
    branch_point  ///< another branch of equilibria crosses
  };
  Kind kind = Kind::fold;
  double parameter = 0;
  double error = 0;  ///< estimate of the error of the parameter
  double length = 0;
  State state;
  Eigen::VectorXd direction;  ///< of the coordinates: along the branch at a fold, across it at a branch point
};
const char* to_words(BranchEvent::Kind kind);

struct EquilibriumBranch {
  std::string model, parameter, unit;
  std::vector<EquilibriumSample> samples;
  std::vector<BranchEvent> events;
  bool reached_end = false;  ///< the parameter has left the interval
  std::string ended;         ///< why the path ends, if it has not
  /// The branches that cross this one, followed from each branch point to both sides, if that was asked for.
  std::vector<EquilibriumBranch> crossing{};
};

struct ContinuationOptions {
  double from = 0, to = 0;  ///< the parameter stays between them; the path ends where it leaves the interval
  bool downwards = false;   ///< the way in which the parameter goes at first
  Index most_points = 400;
  bool crossing_branches = false;  ///< also follow the branches that cross the path
  double largest_step = 0.05;      ///< Δσ: one is the whole interval, a typical length of the model, or a radian
  std::function<void(const std::string&)> progress{};
  std::function<bool()> stop{};
};

/// `start` is an equilibrium at the value of the variation, which lies in the interval. The matrices are dense: up to
/// 2000 coordinates and constraints. Throws Error beyond that, and if `start` is not regular.
EquilibriumBranch follow_equilibria(const Variation& variation, const Equilibrium& start,
                                    const ContinuationOptions& options);

std::string to_text(const EquilibriumBranch& branch, const Model& model);
std::string to_csv(const EquilibriumBranch& branch, const Model& model);
std::string to_json(const EquilibriumBranch& branch, const Model& model);
/// A coordinate over the parameter, stable parts as full lines, unstable ones dashed. Throws Error for an unknown name.
std::string to_svg(const EquilibriumBranch& branch, const Model& model, const std::string& coordinate);

}  // namespace stillpoint
