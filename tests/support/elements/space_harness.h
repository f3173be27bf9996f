// The cases, specimens and states of the elements in space.
#pragma once

#include "support/elements/differences.h"
#include "support/elements/specimens.h"

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

/// A vector with components within ±size.
Vec3<double> random_vector(Random& random, double size = 2);

// ---------------------------------------------------------------------------------------------------------------------
// The whole as a rigid body

/// The rates of all coordinates when the whole moves with a velocity and turns with omega about the origin.
Eigen::VectorXd rigid_velocity(const Model& model, const State& state, const Vec3<double>& velocity,
                               const Vec3<double>& omega);

/// The whole turned about the origin, then moved.
State moved_rigidly(const Model& model, State state, const Rotation<double>& turn, const Vec3<double>& by);

}  // namespace stillpoint
