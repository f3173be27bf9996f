#include "scene/frames.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

Rotation<double> about_normal(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

struct PlanePose {
  Vec2<double> position;
  double angle = 0;
};

PlanePose plane_pose(const Model& model, const Block& block, const Eigen::VectorXd& q) {
  const Index i = block.first;
  if (block.kind == BlockKind::point) return {{q[i], q[i + 1]}, 0};
  if (block.kind == BlockKind::body) return {{q[i], q[i + 1]}, q[i + 2]};
  // A node is displaced in the axes of its floating frame.
  const PlanePose frame = plane_pose(model, model.blocks()[at(block.carrier)], q);
  const double c = std::cos(frame.angle), s = std::sin(frame.angle);
  const double x = block.rest.x + q[i], y = block.rest.y + q[i + 1];
  return {{frame.position.x + c * x - s * y, frame.position.y + s * x + c * y}, frame.angle + q[i + 2]};
}

// In a schematic scalars stand in a row. Angles turn; all others slide across the row.
PlanePose scalar_pose(const Model& model, const Block& block, Index frame, const Eigen::VectorXd& q) {
  const double value = q[block.first];
  if (model.scalar_unit(block.first) == "rad") return {{static_cast<double>(frame), 0}, value};
  return {{static_cast<double>(frame), value}, 0};
}

}  // namespace

SceneFrames::SceneFrames(const Model& model) : model_(model), frame_of_(model.blocks().size(), -1) {
  const std::vector<Block>& all = model.blocks();
  const auto is_scalar = [](const Block& block) { return block.kind == BlockKind::scalar; };
  in_space_ = std::any_of(all.begin(), all.end(), [](const Block& block) { return in_space(block.kind); });
  schematic_ = !all.empty() && std::all_of(all.begin(), all.end(), is_scalar);
  for (std::size_t b = 0; b < all.size(); ++b) {
    if (is_scalar(all[b]) && !schematic_) continue;
    frame_of_[b] = size();
    blocks_.push_back(static_cast<Index>(b));
  }
}

Index SceneFrames::of_block(Index block) const { return block < 0 ? -1 : frame_of_[at(block)]; }
Index SceneFrames::block_of(Index frame) const { return blocks_[at(frame)]; }

SceneFrames::Poses SceneFrames::poses(const State& state) const {
  Poses found;
  found.poses.resize(blocks_.size());
  if (!in_space_) found.angles.resize(blocks_.size());
  for (std::size_t f = 0; f < blocks_.size(); ++f) {
    const Block& block = model_.blocks()[at(blocks_[f])];
    ScenePose& pose = found.poses[f];
    if (stillpoint::in_space(block.kind)) {
      const Index i = block.first;
      pose.position = {state.q[i], state.q[i + 1], state.q[i + 2]};
      if (block.kind == BlockKind::space_body) pose.rotation = state.orientations[at(block.orientation)];
      continue;
    }
    const PlanePose plane =
        schematic_ ? scalar_pose(model_, block, static_cast<Index>(f), state.q) : plane_pose(model_, block, state.q);
    pose.position = {plane.position.x, plane.position.y, 0};
    pose.rotation = about_normal(plane.angle);
    if (!in_space_) found.angles[f] = plane.angle;
  }
  return found;
}

Eigen::VectorXd SceneFrames::displacements(const Poses& from, const Poses& to) const {
  const auto frames = static_cast<Eigen::Index>(blocks_.size());
  Eigen::VectorXd d(frames * components());
  for (Eigen::Index f = 0; f < frames; ++f) {
    const auto k = static_cast<std::size_t>(f);
    const Vec3<double> moved = to.poses[k].position - from.poses[k].position;
    d[f] = moved.x;
    d[frames + f] = moved.y;
    if (!in_space_) {
      d[2 * frames + f] = to.angles[k] - from.angles[k];
      continue;
    }
    const Vec3<double> turn = rotation_vector(inverse(from.poses[k].rotation) * to.poses[k].rotation);
    d[2 * frames + f] = moved.z;
    d[3 * frames + f] = turn.x;
    d[4 * frames + f] = turn.y;
    d[5 * frames + f] = turn.z;
  }
  return d;
}

ScenePose displaced_pose(const SceneFrame& frame, int dimension, const double* components) {
  const double* c = components;
  if (dimension == 2) return {frame.position + Vec3<double>{c[0], c[1], 0}, frame.rotation * about_normal(c[2])};
  return {frame.position + Vec3<double>{c[0], c[1], c[2]}, frame.rotation * rotation_about({c[3], c[4], c[5]})};
}

}  // namespace stillpoint
