#include <fmt/format.h>

#include <limits>

#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "stillpoint/error.h"
#include "stillpoint/sparsity.h"

namespace stillpoint::cli {

namespace {

struct SparsityArguments : SystemOptions {
  std::string spy;  ///< a folder
  double gigabytes = 1;
  bool metis = false;
};

SparsityOptions sparsity_options(const SparsityArguments& options) {
  SparsityOptions how;
  how.memory = 1e9 * options.gigabytes;
  how.pictures = !options.spy.empty();
  how.times = true;
  if (options.metis && cholesky_library().empty()) {
    throw Error("the METIS order is found by CHOLMOD, without which this program was built (STILLPOINT_CHOLMOD=OFF)");
  }
  if (options.metis) how.largest_metis = std::numeric_limits<Index>::max();
  return how;
}

void run(const SparsityArguments& options) {
  const AnalysisCase loaded = load_system(options);
  ProgressLine progress(!options.quiet);
  SparsityOptions how = sparsity_options(options);
  how.progress = progress.sink();
  const SparsityReport report = measure_sparsity(loaded.system, how);
  progress.clear();
  std::vector<std::string> pictures;
  if (!options.spy.empty()) pictures = write_spy(report, options.spy);
  deliver(options, options.json ? to_json(report) : to_text(report));
  if (options.quiet) return;
  if (loaded.rest) print_warnings(loaded.rest->warnings);
  for (const std::string& picture : pictures) print_message(fmt::format("wrote {}", picture));
}

}  // namespace

void add_sparsity(CLI::App& app) {
  CLI::App* const verb =
      app.add_subcommand("sparsity", "the sparsity of the matrices, and which method suits the model");
  verb->description(
      "Examples:\n"
      "  stillpoint sparsity cases/four_bar --set N=20\n"
      "  stillpoint sparsity cases/four_bar --set N=1000 --spy pictures\n"
      "  stillpoint sparsity folder_of_matrices --json\n\n"
      "How sparse are the matrices of each method, and which one suits this model?\n"
      "The report gives entries, fill-in, work and measured times of factorisations in the natural, AMD and METIS\n"
      "orders; pictures show the patterns.");
  auto options = std::make_shared<SparsityArguments>();
  add_model_options(*verb, *options);
  add_system_options(*verb, *options);
  verb->add_option("--spy", options->spy, "write pictures (SVG) of matrices and factors into this folder")
      ->group(group::output)
      ->type_name("FOLDER");
  verb->add_option("--memory", options->gigabytes, "memory limit; larger matrices are predicted, not formed (GB)")
      ->group(group::method)
      ->check(CLI::PositiveNumber)
      ->type_name("GB");
  verb->add_flag("--metis", options->metis,
                 "compute the METIS order beyond 200 000 rows, too (a minute for some millions)")
      ->group(group::method);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
