// What the claims about elements in space share: element_harness.h once more, for places in space.
//
// Differences are taken along the chart of mathematics §1, written out here in full and by means of its own (Eigen's
// quaternions and matrices): a state q, R₀ is displaced along increments of its coordinates, and on the way
//
//   R = R₀ exp[θ]×,   ω = T(θ) θ̇,   α = T(θ) θ̈ + Ṫ θ̇,   generalised force on θ: T(θ)ᵀ τ      (axes of the body)
//   T(θ) = I − (1 − cos φ)/φ² [θ]× + (φ − sin φ)/φ³ [θ]×²,   φ = |θ|
#pragma once

#include <Eigen/Geometry>

#include "elements/element_harness.h"

namespace stillpoint {

/// Every element type in space at least once; types whose data change the sparsity once for each way.
const std::vector<ElementCase>& space_element_cases();

/// One model for each combination of places that the element can hold on to, and one with all of them on one body.
/// An element between places on the ground has a bystander beside it: a body without mass.
std::vector<Specimen> space_specimens(const ElementCase& element, const Vec3<double>& gravity);

/// Whether all that the element holds on to can move freely as a whole. A scalar, which is nowhere, may be there if it
/// is the angle or the travel between places.
bool floats_in_space(const Specimen& specimen);

/// Positions within 2 m of the origin, orientations uniform over all rotations, angles of scalars over three turns,
/// everything else between −2 and 2. Places on different blocks are at least half a metre apart, their relative
/// rotations keep away from half turns, the twists in them and residuals that are angles from ±π: there a law has no
/// derivative, and near there differences have no digits.
State random_space_state(const Model& model, Random& random, Assembly::Motion motion);

/// A rotation, uniform over all of them.
Rotation<double> random_rotation(Random& random);

// ---------------------------------------------------------------------------------------------------------------------
// The chart

Eigen::Matrix3d right_jacobian(const Eigen::Vector3d& theta);
Eigen::Matrix3d right_jacobian_rate(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate);

/// The state at the increments `along` of a chart about a state, whose rates and accelerations (if it has any) are
/// those of the chart's coordinates.
State in_chart(const Model& model, const State& about, const Eigen::VectorXd& along);

/// Forces on the coordinates of a displaced state, as the chart's coordinates feel them.
Eigen::VectorXd pulled_back(const Model& model, const Eigen::VectorXd& along, Eigen::VectorXd force);

/// The derivative of g(state) by increments of the coordinates, along the chart.
Eigen::MatrixXd chart_derivative(
    const Model& model, const State& state,
    const std::function<Eigen::VectorXd(const State& at, const Eigen::VectorXd& along)>& g);

/// The same by a vector of the state on which nothing else depends: u, v, a or λ.
Eigen::MatrixXd derivative_by(Eigen::VectorXd State::*variable, const State& state,
                              const std::function<Eigen::VectorXd(const State& at)>& g);

/// Central differences of r(q, v, a, u) = inertia + Jᵀλ − f and of Φ(q, u), along the chart.
class SpaceDifferences {
 public:
  explicit SpaceDifferences(const Model& model) : model_(model), assembly_(model) {}
  DenseMatrices at(const State& state);

 private:
  Eigen::VectorXd r_and_phi(const State& state);

  Model model_;
  Assembly assembly_;
};

// ---------------------------------------------------------------------------------------------------------------------
// The whole as a rigid body

/// The rates of all coordinates when the whole moves with a velocity and turns with omega about the origin.
Eigen::VectorXd rigid_velocity(const Model& model, const State& state, const Vec3<double>& velocity,
                               const Vec3<double>& omega);

/// The whole turned about the origin, then moved.
State moved_rigidly(const Model& model, State state, const Rotation<double>& turn, const Vec3<double>& by);

/// Newton's method from where the state is to the nearest place where the constraints hold.
void bring_together_in_space(const Model& model, State& state);

}  // namespace stillpoint
