#include <fmt/format.h>

#include <utility>

#include "cli/controllers.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "cli/variations.h"
#include "explain/topic_words.h"
#include "stillpoint/error.h"
#include "stillpoint/explanation.h"
#include "stillpoint/linearize.h"

namespace stillpoint::cli {

namespace {

struct ExplainArguments : SystemOptions {
  std::vector<std::string> topic;
};

/// The model as the commands that are recommended name it.
std::string model_in_words(const ExplainArguments& options) {
  std::string words = options.path;
  for (const std::string& setting : options.settings) words += " --set " + setting;
  for (const std::string& value : options.at) words += " --at " + value;
  if (options.rest != RestOptions().rest) words += " --rest " + options.rest;
  return words;
}

/// Explains the analysis, with its progress on a terminal.
void explain(const ExplainArguments& options, const AnalysisCase& analysis, ExplanationRequest request) {
  ProgressLine progress(!options.quiet);
  request.progress = progress.sink();
  const Explanation found = explain_analysis(analysis, request);
  progress.clear();
  deliver(options, options.json ? to_json(found) : to_text(found));
}

void explain_the_model(const ExplainArguments& options, ExplanationRequest request) {
  refuse_controllers(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  Equilibrium rest = find(guess);
  if (rest.status != EquilibriumStatus::at_rest) {
    const Explanation refusal = explain_refusal(guess.model, rest, request.model_words);
    deliver(options, options.json ? to_json(refusal) : to_text(refusal));
    throw CLI::RuntimeError(numerics_failed);
  }
  // Preloaded springs would have to be found again for every other value of a parameter.
  if (guess.preload.empty()) request.parameters = variations_of(family_of(options));
  explain(options, {linearize(guess.model, rest), guess.model, std::move(rest)}, std::move(request));
}

void run(const ExplainArguments& options) {
  ExplanationRequest request = explanation_request(options.topic);
  request.model_words = model_in_words(options);
  if (is_matrix_folder(options.path)) explain(options, {load_system(options).system}, std::move(request));
  else explain_the_model(options, std::move(request));
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("explain", "the reasons behind the results, with the numbers that decide");
  verb->description(
      "Examples:\n"
      "  stillpoint explain cases/five_bar_parallelogram\n"
      "  stillpoint explain cases/four_bar_spatial redundancy\n"
      "  stillpoint explain cases/four_bar spurious ucs 2\n"
      "  stillpoint explain cases/governor mode 2 --json\n\n"
      "Why are the results what they are? Without a topic, the few things worth knowing about this model. Topics:\n"
      "redundancy (the loop, the equations that depend on each other, and what to release, which is tried), singular\n"
      "(which motions branch), spurious [rcs|ucs [K]] (why an eigenvalue is, by violation and by twice the penalty),\n"
      "verdict and undecided (the numbers that decide, with error bounds), method (which one suits), mode [K] (its\n"
      "energies, and the parameter that changes it most), warnings. Ends with exit code 1 if there is no equilibrium,\n"
      "after the reason.");
  auto options = std::make_shared<ExplainArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("TOPIC", options->topic,
                   "verdict, redundancy, singular, undecided, spurious [rcs|ucs [K]], method, mode [K] or warnings")
      ->group(group::general)
      ->expected(0, 3);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
