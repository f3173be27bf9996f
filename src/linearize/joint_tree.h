// The spanning trees of a model's topology as blocks of coordinates, with the motion of rigid bodies that are carried.
#pragma once

#include "stillpoint/linear_system.h"
#include "stillpoint/model.h"

namespace stillpoint {

JointTree joint_tree(const Model& model, const State& state);

}  // namespace stillpoint
