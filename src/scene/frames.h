// The frames of a scene: which block of a model is which frame, and where the frames are at a state.
#pragma once

#include <vector>

#include "stillpoint/model.h"
#include "stillpoint/scene.h"

namespace stillpoint {

class SceneFrames {
 public:
  explicit SceneFrames(const Model& model);

  /// The number of frames.
  Index size() const { return static_cast<Index>(blocks_.size()); }
  /// The frame of a block; −1 if it has none.
  Index of_block(Index block) const;
  Index block_of(Index frame) const;
  bool is_in_space() const { return in_space_; }
  bool is_schematic() const { return schematic_; }
  int components() const { return in_space_ ? 6 : 3; }

  /// The pose of each frame at a state. Angles in the plane are not reduced: they are returned beside.
  struct Poses {
    std::vector<ScenePose> poses;
    std::vector<double> angles;  ///< in the plane only
  };
  Poses poses(const State& state) const;

  /// The displacements from one state to another as a vector: for each component all frames.
  Eigen::VectorXd displacements(const Poses& from, const Poses& to) const;

 private:
  Model model_;
  std::vector<Index> blocks_;    // of each frame
  std::vector<Index> frame_of_;  // of each block
  bool in_space_ = false, schematic_ = false;
};

/// Adds the displacement of one frame, given by its components, to its pose at rest.
ScenePose displaced_pose(const SceneFrame& frame, int dimension, const double* components);

/// A place in the axes of the ground.
inline Vec3<double> place_in(const std::vector<ScenePose>& poses, const ScenePlace& place) {
  if (place.frame < 0) return place.at;
  const ScenePose& pose = poses[static_cast<std::size_t>(place.frame)];
  return pose.position + turned(pose.rotation, place.at);
}
/// A direction in the axes of the ground.
inline Vec3<double> direction_in(const std::vector<ScenePose>& poses, Index frame, const Vec3<double>& direction) {
  return frame < 0 ? direction : turned(poses[static_cast<std::size_t>(frame)].rotation, direction);
}

}  // namespace stillpoint
