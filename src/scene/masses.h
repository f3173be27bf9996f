// The masses on each frame of a scene, and the ellipsoids of their inertia.
#pragma once

#include "scene/frames.h"

namespace stillpoint {

/// Sets mass, centre, half axes and principal axes of the frames.
void add_masses(const Model& model, const SceneFrames& frames, std::vector<SceneFrame>& to);

}  // namespace stillpoint
