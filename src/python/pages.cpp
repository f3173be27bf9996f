// The page that shows a mechanism, its modes, and the evidence.
#include <pybind11/stl.h>

#include "base/sha256.h"
#include "base/utc_now.h"
#include "explain/page_parts.h"
#include "python/channels.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/rest_request.h"
#include "python/study_beginning.h"
#include "python/watched.h"
#include "python/words.h"
#include "stillpoint/error.h"
#include "stillpoint/report_page.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

/// What the page is to show beside the analysis.
struct PageRequest {
  std::vector<std::string> inputs, outputs;
  PageResponse response;
  std::optional<double> seconds{};  ///< of the motion from the guess
  bool equilibria = false;          ///< others than the one that is analysed
  std::string over{};               ///< a parameter; empty: no sweep
  std::vector<double> values{};
  Spacing spacing = Spacing::linear;
  RestRequest rest{};
  PageOptions page{};
};

struct PageHandle {
  std::string html;
  Comparison comparison;
};

PageRequest page_request(const py::dict& asked, const py::dict& rest) {
  PageRequest request;
  request.inputs = given<std::vector<std::string>>(asked, "inputs").value_or(request.inputs);
  request.outputs = given<std::vector<std::string>>(asked, "outputs").value_or(request.outputs);
  if (const auto hertz = given<std::pair<std::optional<double>, std::optional<double>>>(asked, "frequencies"))
    request.response = {.from = hertz->first, .to = hertz->second};
  request.response.minimum_norm = given<bool>(asked, "minimum_norm").value_or(false);
  request.seconds = given<double>(asked, "motion");
  if (request.seconds && !(*request.seconds > 0))
    throw Error(fmt::format("motion={:g}: this must be above zero (s)", *request.seconds));
  request.equilibria = given<bool>(asked, "equilibria").value_or(false);
  request.over = given<std::string>(asked, "over").value_or("");
  request.values = given<std::vector<double>>(asked, "values").value_or(request.values);
  request.spacing = meaning("spacing", given<std::string>(asked, "spacing").value_or("linear"), spacings());
  request.rest = rest_request(rest);
  request.page.modes = given<Index>(asked, "modes").value_or(request.page.modes);
  request.page.motions = !given<bool>(asked, "no_motion").value_or(false);
  request.page.motion.amplitude = given<double>(asked, "amplitude").value_or(request.page.motion.amplitude);
  return request;
}

/// Responses where the model names inputs and outputs, or the user does.
std::vector<FrequencyResponse> responses_of(const LinearSystem& system, const PageRequest& request) {
  const bool is_asked = !request.inputs.empty() || !request.outputs.empty();
  if (!is_asked && (system.inputs() == 0 || system.outputs() == 0)) return {};
  const LinearSystem with = is_asked ? with_named_channels(system, request.inputs, request.outputs) : system;
  return {response_for_page(with, request.response)};
}

PageContent content_of(const SystemHandle& system, const std::optional<ModelHandle>& model, const PageRequest& request,
                       const AnalysisOptions& how, Watch& watch) {
  PageContent content;
  content.command = "stillpoint in Python";
  content.date = utc_now();
  if (model) {
    content.model_path = model->source.words;
    content.model_hash = sha256(*model->source.text);
    show_model_text(*model->source.text, model->source.file, content);
  }
  explain_on_page(*system.analysis, model ? model->source.words : system.system().name, content);
  content.responses = responses_of(system.system(), request);
  if (!model && (request.seconds || request.equilibria || !request.over.empty()))
    throw Error("motion, equilibria and over need a model: Model.report has them");
  if (request.seconds || request.equilibria) {
    const RestSearch search = search_for(model->model, request.rest);
    if (request.seconds)
      content.motion = motion_on_page(*system.analysis->model, search.point.state, *request.seconds, watch.sink());
    if (request.equilibria) add_equilibria(*system.analysis, search.point.state, search.how, how, content);
  }
  if (!request.over.empty()) {
    const StudyBeginning study = begin_study(family_of(*model), request.over, request.values.front(), request.rest);
    content.sweep = sweep_modes(study.variation, study.rest, request.values,
                                watched_options(SweepOptions{.spacing = request.spacing}, watch));
  }
  return content;
}

PageHandle page_of(const SystemHandle& system, const std::optional<ModelHandle>& model, const AnalysisOptions& asked,
                   const PageRequest& request, Watch& watch) {
  AnalysisOptions how = for_page(asked, system.system(), request.page.modes);
  how.modes.progress = watch.sink();
  Comparison comparison = compare_methods(*system.analysis, how);
  const PageContent content = content_of(system, model, request, how, watch);
  std::string html = report_page(*system.analysis, comparison, content, request.page);
  return {std::move(html), std::move(comparison)};
}

}  // namespace

void bind_pages(py::module_& module) {
  py::class_<PageHandle>(module, "Page").def_readonly("html", &PageHandle::html).def("facts", [](const PageHandle& h) {
    return py::dict("verdict"_a = to_words(h.comparison.verdict.stability), "certified"_a = is_certified(h.comparison),
                    "warnings"_a = h.comparison.warnings);
  });
  module.def(
      "report",
      [](const SystemHandle& system, const std::optional<ModelHandle>& model, const py::dict& analysis,
         const py::dict& page, const py::dict& rest, const py::object& show) {
        const AnalysisOptions how = analysis_options(system.system(), analysis);
        return watched(show, [=, request = page_request(page, rest)](Watch& watch) {
          return page_of(system, model, how, request, watch);
        });
      },
      "system"_a, "model"_a, "analysis"_a, "page"_a, "rest"_a, "show"_a);
}

}  // namespace stillpoint::python
