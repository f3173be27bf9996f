// The modes of an analysis that a scene shows moving.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/report.h"
#include "stillpoint/scene.h"

namespace stillpoint {

/// Those of the lowest modes, at most `most`; at a singular configuration of each branch.
std::vector<ShapeToDraw> shapes_of_modes(const AnalysisCase& analysis, Index most,
                                         const std::function<void(const std::string&)>& progress = {});

/// The motion of the mode with this number; without a number that of the first one, or null if it does not move. Throws
/// Error if there is no such mode, or it does not move; `asks` stands before the number in its text.
const ModeMotion* motion_of_mode(const Scene& scene, std::optional<Index> mode, const std::string& asks = "mode ");

}  // namespace stillpoint
