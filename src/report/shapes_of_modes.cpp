#include "report/shapes_of_modes.h"

#include <fmt/format.h>

#include "stillpoint/error.h"

namespace stillpoint {

std::vector<ShapeToDraw> shapes_of_modes(const AnalysisCase& analysis, Index most,
                                         const std::function<void(const std::string&)>& progress) {
  if (most == 0) return {};
  AnalysisOptions how;
  how.modes.which = Lowest{most};
  how.modes.spurious = false;
  how.modes.progress = progress;
  const ModesReport report = report_modes(analysis, Method::mcs, how);
  if (report.branches.empty()) return shapes_to_draw(report.result.spectrum.modes, most);
  std::vector<ShapeToDraw> shapes;
  for (const BranchReport& branch : report.branches) {
    const auto of_branch = shapes_to_draw(branch.spectrum.modes, most, branch.name);
    shapes.insert(shapes.end(), of_branch.begin(), of_branch.end());
  }
  return shapes;
}

const ModeMotion* motion_of_mode(const Scene& scene, std::optional<Index> mode, const std::string& asks) {
  if (!mode) return scene.motions.empty() || scene.motions[0].degree == 0 ? nullptr : &scene.motions[0];
  for (const ModeMotion& motion : scene.motions) {
    if (motion.mode != *mode) continue;
    if (motion.degree == 0) throw Error(fmt::format("{}{}: {}", asks, *mode, motion.why_not));
    return &motion;
  }
  throw Error(fmt::format("{}{}: the mechanism has {} modes", asks, *mode, scene.motions.size()));
}

}  // namespace stillpoint
