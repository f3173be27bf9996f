// The elements of a model as a scene shows them: kinds, names, and the places where they act.
#pragma once

#include <vector>

#include "scene/frames.h"

namespace stillpoint {

std::vector<SceneElement> scene_elements(const Model& model, const State& rest, const SceneFrames& frames);

}  // namespace stillpoint
