// The construction of a figure, step by step outwards from the ground and from given coordinates. Each step finds one
// point, direction, orientation or coordinate in closed form from what earlier steps have found, as the structural
// groups of dimension zero are found in the composition of mechanisms [Assur 1914]. Where nothing follows any more, the
// first body that is tied to known ones keeps its guess in one respect, which adds an independent coordinate.
//
// A point or direction that two spheres or planes determine has two solutions. The assembly mode of the guess comes
// first. If a later step has no solution, the latest choice on which it depends is changed, and what follows from it is
// repeated: dynamic backtracking [Ginsberg 1993].
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "equilibrium/closing/placement.h"

namespace stillpoint {

struct ConstructionStep {
  enum class Act {
    start,             ///< the ground, and bodies that do not rotate
    give,              ///< a given coordinate, or a scalar that keeps its guess
    add_up,            ///< the last coordinate of a sum
    read_heading,      ///< a scalar that is an angle in the plane
    read_twist,        ///< a scalar that is an angle about an axis
    read_travel,       ///< a scalar that is a distance along an axis
    meet_point,        ///< a point from its loci
    meet_direction,    ///< a direction from its loci
    turn,              ///< the orientation of a body from known vectors
    place,             ///< the origin of a body from a known point
    keep_orientation,  ///< the orientation of a body, nearest to the guess
    keep_place         ///< the origin of a body, nearest to the guess
  };

  Act act = Act::start;
  Index which = 0;
  bool is_chosen = false;  ///< it adds an independent coordinate
  std::vector<int> parents{};
  int choice = 0, choices = 0;  ///< the solution in use, and how many there are
  int branch = 0;
  bool is_done = false;
  std::set<int> conflicts{};  ///< earlier steps whose choices have ruled out solutions of this one
};

class Construction {
 public:
  Construction(const Model& model, const Figure& figure, const State& guess, const std::vector<Index>& given);

  /// Constructs the figure. Returns false if a step has no solution, whatever the assembly modes.
  bool run();

  /// The guess with all that was found.
  State state() const;
  const std::vector<ConstructionStep>& steps() const { return steps_; }
  /// The first step without a solution, as a sentence.
  const std::string& failure() const { return failure_; }
  /// The length by which its loci do not meet; 0 if it failed otherwise.
  double gap() const { return gap_; }
  /// The conditions that determine the point or direction of a step.
  std::vector<Locus> loci_of(int step);
  std::string name_of(const Locus::Link& link) const;

 private:
  using Act = ConstructionStep::Act;
  enum class Kind { body, point, direction, sum, heading, twist, travel };
  struct Task {
    Kind kind = Kind::body;
    Index which = 0;
  };

  // ----- Plan
  void give(const std::vector<Index>& given);
  void add(Act act, Index which, bool is_chosen = false);
  void claim(Act act, Index which, int step);
  void claim_body(Index body, int step, bool turns);
  bool plan_next();
  bool plan_from(const Task& task);
  bool plan_body(Index body);
  bool plan_sum(Index sum);
  bool choose();
  bool is_free(Index coordinate);

  // ----- What may follow from something new
  void wake(Kind kind, Index which);
  void wake_around_point(Index point);
  void wake_around_direction(Index direction);
  void wake_conditions_of(Index body);
  void wake_point(Index point);
  void wake_body(Index body);
  void wake_coordinate(Index coordinate);

  // ----- Evaluation
  bool settle();
  bool evaluate(int k);
  bool perform(ConstructionStep& step);
  bool meet_at(ConstructionStep& step, bool is_direction);
  bool turn_body(Index body);
  bool place_body(Index body);
  void keep_orientation(Index body);
  void set_orientation(Index body, const Rotation<double>& R, double angle);
  void set_coordinate(Index coordinate, double value);
  void set_sum(Index sum);
  void set_scalar_angle(Index scalar, double angle);

  // ----- Search
  int change_a_choice(int failed);
  void undo_after(int changed);
  void add_choices_before(int step, std::set<int>& choices) const;
  std::string distance_of(const Locus& sphere) const;
  void explain(const ConstructionStep& step, const std::vector<Locus>& loci, const Meeting& meeting);

  const Model& model_;
  const Figure& figure_;
  const State guess_;
  Placement placement_;
  double size_ = 1;  ///< a typical length
  std::vector<ConstructionStep> steps_;
  std::deque<Task> tasks_;
  std::set<Index> touched_;  ///< bodies that are tied to known points, and not placed yet
  std::vector<std::vector<Index>> sums_of_, headings_of_, twists_of_, travels_of_;  ///< of each coordinate
  std::size_t next_untouched_ = 1;
  int changes_ = 0;  ///< of assembly modes, so far
  std::string failure_;
  double gap_ = 0;
};

}  // namespace stillpoint
