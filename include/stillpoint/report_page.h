// One HTML file that shows a mechanism, its equilibrium, its modes moving, and the evidence that the numbers are right
// (docs/report.md). It holds everything that it needs and fetches nothing.
//
//   const AnalysisCase analysis{linearize(model, rest), model, rest};
//   const Comparison comparison = compare_methods(analysis);
//   write(report_page(analysis, comparison, {.command = "my program", .date = "2026-11-26T12:00:00Z"}));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stillpoint/frequency_response.h"
#include "stillpoint/motion.h"
#include "stillpoint/report.h"
#include "stillpoint/scene.h"
#include "stillpoint/sweep.h"

namespace stillpoint {

/// A redundant constraint, with what says the same and what may be released.
struct PageRedundancy {
  std::string name;                    ///< "hinge[2].tilt_x"
  std::string joint{};                 ///< which is drawn: "hinge[2]"
  std::vector<std::string> loop{};     ///< the joints of the loop that it closes
  std::vector<std::string> said_by{};  ///< constraints from which it follows
  std::string release{};               ///< a sentence
};

/// Another equilibrium of the same model, with its modes.
struct PageEquilibrium {
  AnalysisCase analysis;  ///< with the model and the equilibrium
  ModesReport modes;
};

/// What a page shows beside the analysis: where the numbers come from, and what others say of them. Texts are shown as
/// text, whatever is in them.
struct PageContent {
  std::string command{}, date{}, model_path{}, model_text{}, model_hash{};
  std::string description{};
  std::vector<FrequencyResponse> responses{};
  std::vector<std::string> verdict_words{};     ///< why the verdict is what it is, a paragraph each
  std::vector<std::string> redundancy_words{};  ///< which constraints are redundant and why
  std::vector<PageRedundancy> redundancy{};     ///< empty: the dependent sets of the equilibrium are listed
  std::vector<PageEquilibrium> equilibria{};    ///< others than the one that is analysed
  std::optional<Motion> motion{};               ///< to be played in time; with its states
  std::optional<Sweep> sweep{};                 ///< a root locus
  std::vector<std::string> left_out{};          ///< what was not asked for, or is too large
};

struct PageOptions {
  Index modes = 30;     ///< so many of the lowest are listed and move
  bool motions = true;  ///< of the modes
  ModeMotionOptions motion{};
  Index most_frames = 30'000;        ///< a model with more of them is not drawn, and the page says so
  Index most_for_pictures = 50'000;  ///< coordinates up to which the sparsity of the matrices is drawn
};

/// The page. Works for systems that were read as matrices, which have no mechanism, too.
std::string report_page(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content = {},
                        const PageOptions& options = {});

/// The data of the page alone: one JSON object, schema "stillpoint.page/1".
std::string page_data(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content = {},
                      const PageOptions& options = {});

}  // namespace stillpoint
