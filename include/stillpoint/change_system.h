// Changes of a linear system, as they are tried in design: members between coordinates, a controller in the loop,
// further constraints, and two systems coupled at named coordinates (substructuring).
//
//   with_member         M + m cᵀc,  C + d cᵀc,  K + k cᵀc,     r = c q the relative motion of the member
//   with_constraints    J q = 0 and  c q = 0 for each combination
//   close_loop          u = u_ext + C_c ξ + D_c y,  ξ̇ = A_c ξ + B_c y
//
// Names are those of the system. What is not known of the changed system any more is left out of it: strains, the tree
// of joints. Each function throws Error for an unknown name, with the nearest known one, and for a number that is not
// finite.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// A linear combination of coordinates by name: {{"a", 1}, {"b", -1}} is their difference.
using LinearCombination = std::vector<std::pair<std::string, double>>;

/// A massless spring and damper along a relative motion, or a mass that moves with it.
struct LinearMember {
  LinearCombination motion;
  double mass = 0, damping = 0, stiffness = 0;
};
LinearSystem with_member(const LinearSystem& system, const LinearMember& member);

/// Adds an equation for each combination: it stays zero. The rank of J is decided anew. Throws Error at a singular
/// configuration, whose branches would be others.
LinearSystem with_constraints(const LinearSystem& system, const std::vector<LinearCombination>& combinations);

/// A linear time-invariant controller. It measures outputs, coordinates, or rates of coordinates ("x'"), and adds to
/// inputs, or to the forces on coordinates. The feedback is positive: LQR with u = −K x has D = −K.
struct LinearController {
  Eigen::MatrixXd A, B, C, D;  ///< without states only D, driven × measured
  std::vector<std::string> measured, driven;
  std::string name = "controller";  ///< its states are coordinates "controller.x[1]", without mass
};
/// The system with the controller in the loop; its inputs are added to what the controller does. Throws Error if a
/// measured output contains multipliers, if a driven input prescribes a motion, if sizes do not agree, if D closes an
/// algebraic loop that has no solution, and at a singular configuration.
LinearSystem close_loop(const LinearSystem& system, const LinearController& controller);

/// Two systems side by side, not coupled yet; `with_constraints` couples them. The prefixes stand before the names of
/// each. Throws Error if a name occurs twice, and at a singular configuration.
LinearSystem side_by_side(const LinearSystem& first, const LinearSystem& second, const std::string& first_prefix = "",
                          const std::string& second_prefix = "");

}  // namespace stillpoint
