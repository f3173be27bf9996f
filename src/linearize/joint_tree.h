// Spanning trees of the topology as blocks of coordinates, with the motion of bodies that are fixed to their parents:
// input for the choice of relative (joint) coordinates, theory (3.5).
#pragma once

#include "stillpoint/linear_system.h"
#include "stillpoint/model.h"

namespace stillpoint {

JointTree joint_tree(const Model& model, const State& state);

}  // namespace stillpoint
