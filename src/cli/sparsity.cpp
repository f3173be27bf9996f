#include "stillpoint/sparsity.h"

#include <fmt/format.h>

#include <limits>

#include "cli/rest_options.h"

namespace stillpoint::cli {

namespace {

struct Options : SystemOptions {
  std::string spy;  ///< a folder
  double gigabytes = 1;
  bool metis = false;
};

SparsityOptions sparsity_options(const Options& options) {
  SparsityOptions how;
  how.memory = 1e9 * options.gigabytes;
  how.pictures = !options.spy.empty();
  if (options.metis) how.largest_metis = std::numeric_limits<Index>::max();
  return how;
}

void run(const Options& options) {
  const LoadedSystem loaded = load_system(options);
  const SparsityReport report = measure_sparsity(loaded.system, sparsity_options(options));
  std::vector<std::string> pictures;
  if (!options.spy.empty()) pictures = write_spy(report, options.spy);
  deliver(options, options.json ? to_json(report) : to_text(report));
  if (options.quiet) return;
  if (loaded.rest) {
    for (const std::string& warning : loaded.rest->warnings) fmt::print(stderr, "warning: {}\n", warning);
  }
  for (const std::string& picture : pictures) fmt::print(stderr, "wrote {}\n", picture);
}

}  // namespace

void add_sparsity(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("sparsity", "which method suits this model, from how its matrices fill");
  verb->description(
      "Examples:\n"
      "  stillpoint sparsity cases/four_bar --set N=20\n"
      "  stillpoint sparsity cases/four_bar --set N=1000 --spy pictures\n"
      "  stillpoint sparsity folder_of_matrices --json\n\n"
      "How sparse are the matrices of each method, and which one suits this model?\n"
      "Entries, fill-in and work for natural, AMD and METIS orders; pictures of matrices and factors.");
  auto options = std::make_shared<Options>();
  add_model_options(*verb, *options);
  add_system_options(*verb, *options);
  verb->add_option("--spy", options->spy, "write pictures of matrices and factors (SVG) into this folder")
      ->type_name("FOLDER");
  verb->add_option("--memory", options->gigabytes, "what is larger than this is predicted, not formed (GB)")
      ->check(CLI::PositiveNumber)
      ->type_name("GB");
  verb->add_flag("--metis", options->metis, "METIS's order beyond 200 000 rows, too: a minute for some millions");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
