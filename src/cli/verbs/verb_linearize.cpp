#include <fmt/format.h>

#include "cli/rest_options.h"
#include "equilibrium/words.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"

namespace stillpoint::cli {

namespace {

std::string size_of(const SparseMatrix& A) {
  return fmt::format("{} x {}, {} entries", A.rows(), A.cols(), A.nonZeros());
}

std::string summary(const LinearSystem& system, const std::string& folder) {
  std::string text = system.name + "\n";
  const auto line = [&](const std::string& title, const std::string& content) {
    text += fmt::format("  {:<12}{}\n", title, content);
  };
  line("M", size_of(system.M));
  line("C", size_of(system.C));
  line("K", size_of(system.K));
  if (system.constraints() > 0) {
    line("J", size_of(system.J));
    line("rank", fmt::format("{} of {}, {}", system.rank(), system.constraints(), word_of(system.rows.rank.outcome)));
  }
  line("dof",
       fmt::format("{}{}", system.dof(), system.singular ? " instantaneous: the configuration is singular" : ""));
  line("inputs", std::to_string(system.inputs()));
  line("outputs", std::to_string(system.outputs()));
  line("written to", folder);
  return text;
}

void run(const SystemOptions& options) {
  if (is_matrix_folder(options.path))
    throw Error({options.path, 0, 0}, "is a folder of matrices already: linearize takes a model");
  const AnalysisCase loaded = load_system(options);
  write_linear_system(loaded.system, options.output);
  const Equilibrium& rest = *loaded.rest;
  if (!options.quiet) {
    if (rest.status != EquilibriumStatus::at_rest) print_warnings({rest.message});
    print_warnings(rest.warnings);
  }
  deliver({}, summary(loaded.system, options.output));
}

}  // namespace

void add_linearize(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("linearize", "the sparse matrices of the linearized equations");
  verb->description(
      "Examples:\n"
      "  stillpoint linearize cases/four_bar -o matrices\n"
      "  stillpoint linearize cases/four_bar --set N=20 --rest nearest -o matrices\n\n"
      "Writes the sparse matrices of the linearized equations, as a folder of Matrix Market files. The equations are\n"
      "linearized about the equilibrium. Files there that have the names of matrices of a linear system are replaced.");
  auto options = std::make_shared<SystemOptions>();
  options->breaks_loops = true;
  add_model_options(*verb, *options);
  verb->remove_option(verb->get_option("--json"));
  CLI::Option* const folder = verb->get_option("-o");
  folder->required()->type_name("FOLDER")->description("folder to write to; it is created if it does not exist");
  add_system_options(*verb, *options);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
