#include "report/html/page_scene.h"

#include <fmt/format.h>

#include "formats/gzip.h"
#include "scene/frames.h"
#include "scene/scene_json.h"

namespace stillpoint {

namespace {

constexpr std::size_t longest_plain = 32'768;  // bytes of a scene that is not compressed, for people who look inside

std::vector<ShapeToDraw> shapes_of(const Comparison& comparison, Index modes) {
  if (comparison.branches.empty()) {
    for (const MethodReport& method : comparison.methods)
      if (method.computed) return shapes_to_draw(method.spectrum.modes, modes);
    return {};
  }
  std::vector<ShapeToDraw> shapes;
  for (const BranchReport& branch : comparison.branches) {
    for (Eigen::Index k = 0; k < branch.tangents.cols(); ++k)
      shapes.push_back({static_cast<Index>(-1 - k),
                        {},
                        branch.tangents.col(k).cast<std::complex<double>>(),
                        ModeMotion::Kind::tangent,
                        branch.name});
    const auto of_branch = shapes_to_draw(branch.spectrum.modes, modes, branch.name);
    shapes.insert(shapes.end(), of_branch.begin(), of_branch.end());
  }
  return shapes;
}

/// The modes of other equilibria move about these, and are as true relative to the same picture.
void add_motions_of(const std::vector<PageEquilibrium>& equilibria, const PageOptions& options, Scene& scene) {
  for (std::size_t k = 0; k < equilibria.size(); ++k) {
    const auto& [other, found] = equilibria[k];
    Scene there = scene_of(*other.model, other.rest->state);
    there.size = scene.size;
    const auto shapes = shapes_to_draw(found.result.spectrum.modes, options.modes, PageScene::name_of_equilibrium(k));
    const std::vector<ModeMotion> motions = mode_motions(there, *other.model, *other.rest, shapes, options.motion);
    scene.motions.insert(scene.motions.end(), motions.begin(), motions.end());
  }
}

}  // namespace

std::string PageScene::name_of_equilibrium(std::size_t number) { return fmt::format("equilibrium {}", number + 2); }

PageScene::PageScene(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
                     const PageOptions& options) {
  if (!analysis.model || !analysis.rest) return;
  const Index frames = SceneFrames(*analysis.model).size();
  if (frames > options.most_frames) {
    left_out_.push_back(
        fmt::format("The mechanism is not drawn: it has {} bodies, points and nodes; the page draws up "
                    "to {}.",
                    frames, options.most_frames));
    return;
  }
  scene_ = scene_of(*analysis.model, analysis.rest->state);
  scene_->description = content.description;
  if (!options.motions) return;
  const std::vector<ShapeToDraw> shapes = shapes_of(comparison, options.modes);
  scene_->motions = mode_motions(*scene_, *analysis.model, *analysis.rest, shapes, options.motion);
  add_motions_of(content.equilibria, options, *scene_);
  Index index = 0;
  for (const ModeMotion& motion : scene_->motions) {
    motion_of_[{motion.branch, motion.mode}] = &motion;
    if (motion.degree > 0) index_of_[&motion] = index++;
  }
}

Json PageScene::json() const {
  Json json = scene_json(*scene_);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= longest_plain) return json;
  return {{"gzip", base64(gzip(text))}};
}

void PageScene::add_motion(Json& mode, const std::string& branch, Index number) const {
  const auto found = motion_of_.find({branch, number});
  if (found == motion_of_.end()) return;
  const auto index = index_of_.find(found->second);
  if (index != index_of_.end()) mode["motion"] = index->second;
  else mode["motion_missing"] = found->second->why_not;
}

std::optional<Index> PageScene::tangent_of(const std::string& branch) const {
  const auto found = motion_of_.find({branch, -1});
  if (found == motion_of_.end()) return std::nullopt;
  const auto index = index_of_.find(found->second);
  return index == index_of_.end() ? std::nullopt : std::optional(index->second);
}

}  // namespace stillpoint
