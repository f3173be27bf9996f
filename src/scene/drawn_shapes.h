// The shapes that a model file draws itself, as primitives of a scene.
#pragma once

#include "scene/frames.h"

namespace stillpoint {

/// In the order of the file. Throws Error for a mesh that cannot be read.
std::vector<ScenePrimitive> drawn_shapes(const Model& model, const SceneFrames& frames);

}  // namespace stillpoint
