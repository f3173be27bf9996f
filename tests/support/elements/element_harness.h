// The cases, specimens and states of the elements in the plane.
#pragma once

#include "support/elements/differences.h"
#include "support/elements/specimens.h"

namespace stillpoint {

/// Every element type at least once; types whose data change the sparsity once for each way.
const std::vector<ElementCase>& element_cases();

/// One model for each combination of places that the element can hold on to, and one with all of them on one body.
std::vector<Specimen> specimens(const ElementCase& element, const Vec2<double>& gravity);

/// Positions within 2 m of the origin, angles over three turns, everything else between −2 and 2. Places on different
/// blocks are at least half a metre apart, and residuals that are angles keep away from ±π: there a law has no
/// derivative, and near there differences have no digits.
State random_state(const Model& model, Random& random, Assembly::Motion motion);

/// The velocities of all coordinates when the whole moves with (x, y) and turns with omega about the origin.
Eigen::VectorXd rigid_velocity(const Model& model, const State& state, double x, double y, double omega);

}  // namespace stillpoint
