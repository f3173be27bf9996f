// A flexible body given by matrices (see flexible_matrices.h) in space, with linear elasticity relative to a floating
// frame, theory (10.3). Its nodes are frames of the mechanism, so joints and forces act on them as on any body; its
// other degrees of freedom, displacements or modes, are scalars. The axes of the first node are the floating frame, in
// which displacements are small:
//
//   u        at node k  R₀ᵀ (p_k − p₀) − (x_k − x₀)  and the rotation vector of R₀ᵀ R_k;  otherwise the scalars
//   V        ½ uᵀ K u − m g·p₀ − γ·(s + P u),   γ = R₀ᵀ g,   P u = ∫ u dm,   s = ∫ (x − x₀) dm
//   w        at node k its velocity and angular velocity in the axes of the first node; otherwise the rates of the
//            scalars, plus the rigid motion of the first node
//   inertia  Bᵀ M B q̈ with w = B q̇, at rest
//   damping  −(α Bᵀ M B + Jᵀ (β K + D) J) q̇,   J = ∂u/∂q
//
// The first node must have the axes in which the matrices are given.
#pragma once

#include <memory>

#include "stillpoint/authoring/element_array.h"
#include "stillpoint/elements/flexible_matrices.h"
#include "stillpoint/elements/rayleigh.h"

namespace stillpoint {

namespace space {

struct FlexibleBody {
  std::vector<FrameOf> nodes;
  Index first_scalar = 0;                            ///< coordinate of its first scalar; the others follow
  std::shared_ptr<const FlexibleMatrices> matrices;  ///< with the nodes first
  Rayleigh damping{};

  static constexpr unsigned laws = Law::energy | Law::weight | Law::inertia | Law::forces;
  static const ElementInfo& info();
};

}  // namespace space

/// Elements of any number of places and coordinates have machinery of their own.
template <>
std::shared_ptr<ElementArrayBase> new_element_array<space::FlexibleBody>();

}  // namespace stillpoint
