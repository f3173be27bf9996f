// The momenta of a model that moves with its ground as a rigid body.
//
// Masses between a place on the ground and one that moves, such as those of rods and beams, act on both. So the ground
// is made a body, of which all markers on the ground are markers, and the inertia laws of the elements are evaluated in
// a rigid-body acceleration of everything.
#include <fmt/format.h>

#include "stillpoint/effective_masses.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// A rigid-body motion at unit speed.
struct RigidMotion {
  Vec3<double> about, linear, angular;

  Vec3<double> at(const Vec3<double>& p) const { return linear + cross(angular, p - about); }
};

/// The directions x, y, z, rx, ry, rz.
RigidMotion motion_along(int direction, const Vec3<double>& about) {
  const int axis = direction % 3;
  const Vec3<double> unit{axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0}, none;
  return direction < 3 ? RigidMotion{about, unit, none} : RigidMotion{about, none, unit};
}

/// A model at a state, with its ground as a further body of the plane and one of space, behind all others.
class MovableGround {
 public:
  MovableGround(const Model& model, const State& state)
      : model_(model),
        context_(model.context(state)),
        n_(model.coordinates()),
        blocks_(model.blocks()),
        markers_(model.markers()),
        space_markers_(model.space_markers()),
        orientations_(state.orientations),
        q_(Eigen::VectorXd::Zero(n_ + 3 + 6)) {
    q_.head(n_) = state.q;
    const auto ground = static_cast<Index>(blocks_.size());
    blocks_.push_back({.kind = BlockKind::body, .first = n_, .marker = ground_marker});
    blocks_.push_back({.kind = BlockKind::space_body,
                       .first = n_ + 3,
                       .marker = ground_marker,
                       .orientation = static_cast<Index>(orientations_.size())});
    orientations_.emplace_back();
    for (Marker& marker : markers_) {
      if (marker.block == on_ground) marker.block = ground;
    }
    for (space::Marker& marker : space_markers_) {
      if (marker.block == on_ground) marker.block = ground + 1;
    }
    context_.blocks = blocks_.data();
    context_.block_count = static_cast<Index>(blocks_.size());
    context_.markers = markers_.data();
    context_.space_markers = space_markers_.data();
    context_.orientations = orientations_.data();
    context_.q = q_.data();
    context_.v = nullptr;
  }

  /// The rates of all coordinates, those of the ground last.
  Eigen::VectorXd rates(const RigidMotion& motion) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(q_.size());
    for (const Block& block : blocks_) put_rates(block, motion, all);
    return all;
  }

  /// The generalised momenta in a motion with these rates, those of the ground last.
  Eigen::VectorXd momenta(const Eigen::VectorXd& rates) const {
    Context context = context_;
    context.a = rates.data();
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(q_.size());
    for (const ModelArray& array : model_.arrays()) array.elements->add_inertia(context, forces.data());
    return forces;
  }

 private:
  // Scalars, and nodes in floating frames, are relative to what they belong to.
  void put_rates(const Block& block, const RigidMotion& motion, Eigen::VectorXd& rates) const {
    const Index i = block.first;
    if (block.kind == BlockKind::point || block.kind == BlockKind::body) {
      const Vec3<double> v = motion.at({q_[i], q_[i + 1], 0});
      rates.segment(i, 2) << v.x, v.y;
      if (block.kind == BlockKind::body) rates[i + 2] = motion.angular.z;
    }
    if (!in_space(block.kind)) return;
    const Vec3<double> v = motion.at({q_[i], q_[i + 1], q_[i + 2]});
    rates.segment(i, 3) << v.x, v.y, v.z;
    if (block.kind != BlockKind::space_body) return;
    const Rotation<double>& R = orientations_[static_cast<std::size_t>(block.orientation)];
    const Vec3<double> omega = turned_back(R, motion.angular);  // increments rotate a body about its own axes
    rates.segment(i + 3, 3) << omega.x, omega.y, omega.z;
  }

  const Model& model_;
  Context context_;
  Index n_;
  std::vector<Block> blocks_;
  std::vector<Marker> markers_;
  std::vector<space::Marker> space_markers_;
  std::vector<Rotation<double>> orientations_;
  Eigen::VectorXd q_;
};

bool is_model_in_space(const Model& model) {
  for (const Block& block : model.blocks()) {
    if (in_space(block.kind)) return true;
  }
  return false;
}

}  // namespace

BaseMotions base_motions(const Model& model, const State& state, const Vec3<double>& about) {
  const char* const names[] = {"x", "y", "z", "rx", "ry", "rz"};
  const std::vector<int> directions =
      is_model_in_space(model) ? std::vector<int>{0, 1, 2, 3, 4, 5} : std::vector<int>{0, 1, 5};
  const MovableGround whole(model, state);
  BaseMotions base;
  base.about = about;
  base.momenta.resize(model.coordinates(), static_cast<Eigen::Index>(directions.size()));
  base.total.resize(base.momenta.cols());
  for (Eigen::Index k = 0; k < base.total.size(); ++k) {
    const int direction = directions[static_cast<std::size_t>(k)];
    const Eigen::VectorXd rates = whole.rates(motion_along(direction, about)), momenta = whole.momenta(rates);
    base.names.emplace_back(names[direction]);
    base.units.emplace_back(direction < 3 ? "kg" : "kg m²");
    base.momenta.col(k) = momenta.head(model.coordinates());
    base.total[k] = rates.dot(momenta);
  }
  return base;
}

// Of a unit rotation about an axis through the origin, the momentum is the first moment: rz gives m x along y and −m y
// along x, rx gives −m z along y.
Vec3<double> centre_of_mass(const Model& model, const State& state) {
  const MovableGround whole(model, state);
  const auto rates_of = [&](int direction) { return whole.rates(motion_along(direction, {})); };
  const Eigen::VectorXd rx = rates_of(3), rz = rates_of(5);
  const Eigen::VectorXd x = whole.momenta(rates_of(0)), y = whole.momenta(rates_of(1));
  const double mass = rates_of(0).dot(x);
  if (!(mass > 0)) throw Error(fmt::format("'{}' has no centre of mass: nothing in it has a mass", model.name()));
  return {rz.dot(y) / mass, -rz.dot(x) / mass, -rx.dot(y) / mass};
}

}  // namespace stillpoint
