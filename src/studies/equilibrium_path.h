// The equilibria of a mechanism while a parameter changes: each is found from its neighbour, on the same branch.
//
// The neighbour is displaced along its tangent dq/dp, and Newton's method goes on from there. Where the tangents at
// both ends do not explain the way from one to the other, as beside a fold, a point is put in between; so a branch that
// ends is not left for another one that happens to be near.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "equilibrium/corrected_equilibrium.h"
#include "equilibrium/scales.h"
#include "forms/minimal_form_nearby.h"
#include "linearize/evaluated_assembly.h"
#include "modes/damped/motions_nearby.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

struct PathPoint {
  double parameter = 0;
  Model model;
  Equilibrium rest;
  SystemRates rates;
  std::shared_ptr<const FullRank> rank;  ///< for the equilibria next to it
};

/// With a change that is not small beside these values, which ascend.
Variation with_scale(Variation variation, const std::vector<double>& values);

class EquilibriumPath {
 public:
  /// Starts at the value of the variation, where `first` must be an equilibrium.
  EquilibriumPath(const Variation& variation, const Equilibrium& first, RatesDigits digits = RatesDigits::all);
  /// Goes through these values of the parameter, which ascend, and starts at their points only from then on: those
  /// found later may be next to a place where another branch crosses.
  EquilibriumPath(const Variation& variation, const Equilibrium& first, const std::vector<double>& through);

  /// The point at another value. Throws Undecided if the branch cannot be followed so far, and Error where there is no
  /// model, or no derivative.
  std::shared_ptr<const PathPoint> at(double parameter) { return reached(parameter).point; }
  /// The same with the matrices there, unless the point was known before.
  struct Reached {
    std::shared_ptr<const PathPoint> point;
    std::shared_ptr<EvaluatedAssembly> matrices;
  };
  Reached reached(double parameter);

  /// The same path, which starts at this point of it.
  EquilibriumPath from(const std::shared_ptr<const PathPoint>& point) const;
  /// The largest scaled difference of the coordinates.
  double distance(const PathPoint& a, const PathPoint& b) const;
  /// The following may start there, unless the point is next to one that it may start at.
  void keep_as_start(const std::shared_ptr<const PathPoint>& point);

  /// The independent coordinates of the spectrum that was found last on this path; empty before the first one.
  const std::optional<ChosenPartition>& partition() const { return partition_; }
  void keep_partition(std::optional<ChosenPartition> partition) { partition_ = std::move(partition); }
  /// The motions that the search for modes left there; none before the first one.
  MotionsNearby take_motions() { return std::exchange(motions_, {}); }
  void keep_motions(MotionsNearby motions) { motions_ = std::move(motions); }

  /// From now on the following starts at the points known so far: those found later may be next to a place where
  /// another branch crosses.
  void hold_starts() { holds_starts_ = true; }

 private:
  Reached followed(const PathPoint& from, double parameter, int halvings);
  Reached point(double parameter, Model model, CorrectedEquilibrium found) const;
  State predicted(const PathPoint& from, const Model& model, double step) const;
  bool is_explained(const PathPoint& from, const PathPoint& to) const;
  void keep_nearest(double parameter);
  void keep_analysis(const std::shared_ptr<BorderedAnalysis>& analysis, const Model& model);

  Variation variation_;
  RatesDigits digits_;
  Eigen::VectorXd scales_;                      // of the coordinates
  std::shared_ptr<BorderedAnalysis> analysis_;  // of the last correction
  std::optional<ChosenPartition> partition_;
  MotionsNearby motions_;
  std::map<double, std::shared_ptr<const PathPoint>> known_;  // where the following starts
  std::shared_ptr<const PathPoint> last_;
  bool holds_starts_ = false;
};

}  // namespace stillpoint
