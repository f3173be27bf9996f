// Shapes of bodies about which nobody has said anything: what joins the places at which something hangs on them.
#pragma once

#include <vector>

#include "stillpoint/scene.h"

namespace stillpoint {

/// The shapes of all bodies, in the order of the frames; `radius` is that of a slender part (m).
std::vector<ScenePrimitive> automatic_shapes(const Scene& scene, double radius);

}  // namespace stillpoint
