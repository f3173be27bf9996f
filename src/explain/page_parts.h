// What the page of a report says beside the analysis, from a few wishes: which modes, a response, a motion, and
// reasons.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "stillpoint/report_page.h"

namespace stillpoint {

/// The page shows the whole spectrum of a small system; of a large one the lowest modes are found.
AnalysisOptions for_page(AnalysisOptions how, const LinearSystem& system, Index modes);

struct PageResponse {
  std::optional<double> from{}, to{};  ///< Hz; by default a decade around the modes
  bool minimum_norm = false;
};
/// From all inputs to all outputs. Throws Error if the first frequency is not below the second.
FrequencyResponse response_for_page(const LinearSystem& system, const PageResponse& asked);

/// The motion from a guess, with closed constraints and at rest there, at most 50 instants in a second of the page.
Motion motion_on_page(const Model& model, const State& guess, double seconds,
                      const std::function<void(const std::string&)>& progress);

/// Other equilibria than the one that is analysed, which random starts lead to, each with its modes by MCS: of a family
/// one, and a dozen at most. The page says if there is none, or if there are more.
void add_equilibria(const AnalysisCase& analysis, const State& guess, const EquilibriumOptions& search,
                    const AnalysisOptions& how, PageContent& content);

/// The model file, and what it says of itself.
void show_model_text(const std::string& text, const std::string& file, PageContent& content);

/// What `explain` says of the verdict and of redundant constraints; of large systems nothing.
void explain_on_page(const AnalysisCase& analysis, const std::string& model_words, PageContent& content);

}  // namespace stillpoint
