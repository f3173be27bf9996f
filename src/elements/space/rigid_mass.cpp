#include "stillpoint/elements/space/rigid_mass.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::RigidMass::info() {
  static const ElementInfo info{
      "rigid_mass",
      "The mass of a rigid body, given at its centre of mass (the fields mass, inertia and centre of a body make one).",
      "inertia force m a_c, inertia torque R (I α + ω × I ω)",
      {field<&space::RigidMass::centre>("at", "", "the centre of mass: a frame on a body"),
       field<&space::RigidMass::mass>("mass", "kg", "its mass").must_be(Allowed::non_negative),
       field<&space::RigidMass::inertia_about_centre>(
           "inertia", "kg m²",
           "Ixx, Iyy, Izz, or Ixx, Iyy, Izz, Ixy, Ixz, Iyz: entries of the matrix (Ixy = −∫ x y dm), about the centre "
           "of mass, in the axes of the frame")
           .optional("0, 0, 0")}};
  return info;
}

// Without products of inertia the diagonal entries are exact.
std::array<double, 3> space::principal_moments(const Inertia& I) {
  std::array<double, 3> moments{I.xx, I.yy, I.zz};
  if (I.xy != 0 || I.xz != 0 || I.yz != 0) {
    Eigen::Matrix3d tensor;
    tensor << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    Eigen::Map<Eigen::Vector3d>(moments.data()) =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

const char* space::RigidMass::problem() const {
  const auto [least, middle, largest] = principal_moments(inertia_about_centre);
  // Rounding may make a zero moment slightly negative.
  if (least >= -1e-12 * std::max(-least, largest)) return nullptr;
  return "has an inertia with a negative principal moment, which no body has";
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::RigidMass>();

}  // namespace stillpoint
