// What is known of a figure while it is constructed: places of points, directions and bodies, each with the step that
// made it. A step sees only what earlier steps have made, so that it finds the same conditions whenever it is repeated.
#pragma once

#include <optional>
#include <vector>

#include "equilibrium/closing/figure.h"
#include "equilibrium/closing/meeting.h"

namespace stillpoint {

/// The pose of a body; in the plane also its angle, with full turns.
struct BodyPose {
  Rotation<double> R;
  Vec3<double> p;
  double angle = 0;
};

/// A vector in the axes of a body, and the same vector in the axes of the ground.
struct KnownVector {
  Vec3<double> in_body, in_ground;
};

class Placement {
 public:
  static constexpr int unmade = -1;

  Placement(const Model& model, const Figure& figure, const State& guess);

  // ----- Values, and the steps that made them

  std::vector<Vec3<double>> points, directions;
  std::vector<BodyPose> poses;
  Eigen::VectorXd coordinates;  ///< scalars, and coordinates that are given
  std::vector<int> point_step, direction_step, turn_step, place_step, coordinate_step;

  int now = 0;            ///< the current step
  std::vector<int> used;  ///< the steps whose values the current one has used, with repetitions

  bool knows_point(Index i) { return knows(point_step[at_(i)]); }
  bool knows_direction(Index i) { return knows(direction_step[at_(i)]); }
  bool is_turned(Index body) { return knows(turn_step[at_(body)]); }
  bool is_placed(Index body) { return knows(place_step[at_(body)]); }
  std::optional<double> coordinate(Index i);
  std::optional<double> angle_of(const Heading& heading);

  // ----- The guess

  const BodyPose& drawn(Index body) const { return drawn_[at_(body)]; }
  Vec3<double> drawn_point(Index i) const;
  Vec3<double> drawn_direction(Index i) const;

  // ----- Conditions

  /// What the known parts leave for an unknown point. Bodies that are turned but not placed carry conditions of their
  /// other points to it.
  std::vector<Locus> loci_of_point(Index i);
  std::vector<Locus> loci_of_direction(Index i);
  /// Known vectors of a body that is not turned yet.
  std::vector<KnownVector> vectors_of(Index body);
  /// The points that move with a point in translation, as places relative to it; the first is the point itself.
  struct Carried {
    Index point = 0;
    Vec3<double> shift;  ///< from the carried point to the point
  };
  std::vector<Carried> carried_with(Index i);

 private:
  static std::size_t at_(Index i) { return static_cast<std::size_t>(i); }
  bool knows(int step);
  void add_loci(const Carried& carried, std::vector<Locus>& loci);
  void add_loci_of_body(const OnBody& on, const Carried& carried, std::vector<Locus>& loci);
  void add_loci_of_heading(const Heading& heading, Index link, const Carried& carried, std::vector<Locus>& loci);
  void add_given_coordinates(Index body, const Carried& carried, std::vector<Locus>& loci);
  void add_planes_of_body(const OnBody& on, std::vector<Locus>& loci);
  struct Anchor {
    Index point = nothing;
    double height = 0;  ///< of the place over the point, along the direction
  };
  Anchor anchor_along(Index direction, Index point);

  const Model& model_;
  const Figure& figure_;
  std::vector<BodyPose> drawn_;
};

}  // namespace stillpoint
