// The scene of a page with the motions of its modes, and which mode has which of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "report/json_parts.h"
#include "stillpoint/report_page.h"

namespace stillpoint {

class PageScene {
 public:
  /// There is no scene for systems that were read as matrices, and for those with too many frames.
  PageScene(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
            const PageOptions& options);

  bool exists() const { return scene_.has_value(); }
  /// The scene, or `{gzip}` with its compressed text where that is long.
  Json json() const;
  /// Adds to the JSON of a mode which motion it has, or why it has none. `number` is that of shapes_to_draw; of a
  /// tangent it is −1, −2, ….
  void add_motion(Json& mode, const std::string& branch, Index number) const;
  std::optional<Index> tangent_of(const std::string& branch) const;
  /// The name of another equilibrium, which its modes carry in place of that of a branch; `number` counts from 0.
  static std::string name_of_equilibrium(std::size_t number);
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  std::optional<Scene> scene_;
  std::map<std::pair<std::string, Index>, const ModeMotion*> motion_of_;
  std::map<const ModeMotion*, Index> index_of_;  // among the motions that exist
  std::vector<std::string> left_out_;
};

}  // namespace stillpoint
