#include "scene/masses.h"

#include <Eigen/Dense>
#include <cmath>

#include "base/at.h"
#include "stillpoint/elements/plane/rigid_mass.h"
#include "stillpoint/elements/point_mass.h"
#include "stillpoint/elements/scalar_mass.h"
#include "stillpoint/elements/space/rigid_mass.h"

namespace stillpoint {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d as_vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

Matrix3d as_matrix(const Rotation<double>& r) {
  Matrix3d R;
  R << as_vector(x_axis(r)), as_vector(y_axis(r)), as_vector(z_axis(r));
  return R;
}

/// A mass with its inertia about its centre, in the axes of a frame.
struct MassOnFrame {
  Index frame = -1;
  double mass = 0;
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
};

struct Markers {
  const Model& model;
  const SceneFrames& frames;

  MassOnFrame in_plane(Index marker, double mass, double moment = 0) const {
    const Marker& m = model.markers()[at(marker)];
    MassOnFrame found{frames.of_block(m.block), mass, {m.position.x, m.position.y, 0}};
    found.inertia(2, 2) = moment;
    return found;
  }
  MassOnFrame in_space(Index marker, double mass, const Inertia& about = {}) const {
    const space::Marker& m = model.space_markers()[at(marker)];
    Matrix3d inertia;
    inertia << about.xx, about.xy, about.xz, about.xy, about.yy, about.yz, about.xz, about.yz, about.zz;
    const Matrix3d R = as_matrix(m.rotation);
    return {frames.of_block(m.block), mass, as_vector(m.position), R * inertia * R.transpose()};
  }
};

std::vector<MassOnFrame> masses_of(const Model& model, const SceneFrames& frames) {
  const Markers markers{model, frames};
  std::vector<MassOnFrame> masses;
  for (const ModelArray& array : model.arrays()) {
    const ElementArrayBase& elements = *array.elements;
    for (Index i = 0; i < elements.size(); ++i) {
      if (const auto* const point = element_as<PointMass>(elements, i)) {
        masses.push_back(markers.in_plane(point->at.marker, point->mass));
      } else if (const auto* const body = element_as<RigidMass>(elements, i)) {
        masses.push_back(markers.in_plane(body->centre.marker, body->mass, body->moment));
      } else if (const auto* const point_in_space = element_as<space::PointMass>(elements, i)) {
        masses.push_back(markers.in_space(point_in_space->at.marker, point_in_space->mass));
      } else if (const auto* const solid = element_as<space::RigidMass>(elements, i)) {
        masses.push_back(markers.in_space(solid->centre.marker, solid->mass, solid->inertia_about_centre));
      } else if (const auto* const scalar = element_as<ScalarMass>(elements, i)) {
        masses.push_back({frames.of_block(owner_of(model.blocks(), scalar->coordinate.coordinate)), scalar->mass});
      } else {
        break;
      }
    }
  }
  return masses;
}

/// The inertia of a homogeneous ellipsoid with half axes a, b, c is m/5 (b² + c², …); a disc in the plane has m r²/2.
void add_ellipsoid(bool is_in_space, double mass, const Matrix3d& inertia, SceneFrame& frame) {
  if (!(mass > 0)) return;
  if (!is_in_space) {
    const double radius = std::sqrt(std::max(0.0, 2 * inertia(2, 2) / mass));
    frame.half_axes = {radius, radius, 0};
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia);
  const Vector3d I = principal.eigenvalues();
  const auto half = [&](int i) {
    const double others = I.sum() - 2 * I[i];
    return std::sqrt(std::max(0.0, 2.5 * others / mass));
  };
  frame.half_axes = {half(0), half(1), half(2)};
  Matrix3d R = principal.eigenvectors();
  if (R.determinant() < 0) R.col(2) *= -1;
  const Eigen::Quaterniond q(R);
  frame.principal_axes = {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

void add_masses(const Model& model, const SceneFrames& frames, std::vector<SceneFrame>& to) {
  const std::vector<MassOnFrame> masses = masses_of(model, frames);
  std::vector<MassOnFrame> sum(to.size());
  for (const MassOnFrame& each : masses) {
    if (each.frame < 0) continue;
    MassOnFrame& total = sum[at(each.frame)];
    total.mass += each.mass;
    total.centre += each.mass * each.centre;
  }
  for (MassOnFrame& total : sum)
    if (total.mass > 0) total.centre /= total.mass;
  for (const MassOnFrame& each : masses) {
    if (each.frame < 0) continue;
    MassOnFrame& total = sum[at(each.frame)];
    const Vector3d arm = each.centre - total.centre;
    total.inertia += each.inertia + each.mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
  }
  for (std::size_t f = 0; f < to.size(); ++f) {
    to[f].mass = sum[f].mass;
    to[f].centre = {sum[f].centre.x(), sum[f].centre.y(), sum[f].centre.z()};
    if (to[f].kind == SceneFrame::Kind::body) add_ellipsoid(frames.is_in_space(), sum[f].mass, sum[f].inertia, to[f]);
  }
}

}  // namespace stillpoint
