// A scene as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/scene.h"

namespace stillpoint {

nlohmann::ordered_json scene_json(const Scene& scene);

}  // namespace stillpoint
