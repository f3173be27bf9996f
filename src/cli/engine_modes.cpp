#include "cli/engine_modes.h"

#include <fmt/format.h>

#include "cli/engine_process.h"
#include "cli/option_groups.h"
#include "engines/answered_modes.h"
#include "modes/request_words.h"
#include "report/engine_report.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

constexpr int most_ranks = 100'000;

/// What is asked of an engine: of small systems not all eigenvalues, as they are of the dense ones.
ModesOptions request_of(const ModeOptions& options, const LinearSystem& system) {
  ModesOptions modes = modes_options(options, system);
  const All* const all = modes.if_asks_for<All>();
  if (all && !all->is_required) modes.which = Lowest{options.least_damped ? lowest_for_damping : Lowest{}.count};
  return modes;
}

const char* program_for(const EngineRequest& request) {
  return request.scalar == PetscScalarType::real ? "stillpoint-slepc-real" : "stillpoint-slepc-complex";
}

}  // namespace

void add_engine_arguments(CLI::App& verb, EngineArguments& arguments) {
  verb.add_option("--ranks", arguments.ranks, "--engine slepc: the number of processes (default: 1)")
      ->check(CLI::Range(1, most_ranks))
      ->group(group::engine);
  CLI::Option* const write =
      verb.add_option("--engine-write", arguments.write,
                      "write what an engine is to solve into this folder, and end: a batch system runs the engine")
          ->type_name("DIR")
          ->group(group::engine);
  verb.add_option("--engine-read", arguments.read,
                  "read the answer of an engine from the folder that --engine-write has written for the same model and "
                  "options")
      ->type_name("DIR")
      ->excludes(write)
      ->group(group::engine);
}

void require_engine_arguments(const EngineArguments& arguments, const ModeOptions& options, const std::string& method) {
  const bool has_folder = !arguments.write.empty() || !arguments.read.empty();
  if (arguments.ranks && (has_folder || options.engine != "slepc"))
    throw Error(
        "--ranks belongs to --engine slepc without --engine-write and --engine-read: there the batch system decides");
  if (!arguments.are_meant(options)) return;
  const char* const asked =
      arguments.write.empty() ? arguments.read.empty() ? "--engine slepc" : "--engine-read" : "--engine-write";
  if (options.engine != "auto" && options.engine != "slepc")
    throw Error(fmt::format("{} is for the engine of another program, and --engine {} is one of our own", asked,
                            options.engine));
  if (method == "ucs")
    throw Error(fmt::format("--method ucs is a computation of its own: {} finds modes of mcs and rcs", asked));
  if (options.basis != ModeOptions().basis || !options.independent.empty())
    throw Error(fmt::format("--basis and --independent choose a basis for the dense engines; {} needs none", asked));
}

std::string write_engine_request(const EngineArguments& arguments, const ModeOptions& options,
                                 const AnalysisCase& analysis) {
  const EngineProblem problem(analysis.system, request_of(options, analysis.system));
  problem.write(arguments.write);
  const EngineRequest& request = problem.request();
  const char* const scalar = request.scalar == PetscScalarType::real ? "real" : "complex";
  if (options.json)
    return fmt::format(
        "{{\"schema\": \"stillpoint.engine.written/1\", \"problem\": \"{}\", \"scalar\": \"{}\", \"unknowns\": {}, "
        "\"identity\": \"{}\", \"program\": \"{}\"}}\n",
        request.is_quadratic ? "quadratic" : "symmetric", scalar, request.unknowns(), request.identity,
        program_for(request));
  return fmt::format(
      "{} is written: a {} problem in {} numbers, of {} unknowns ({} coordinates and {} constraints).\n"
      "An engine answers it, such as\n"
      "  mpirun -n RANKS {} {}\n"
      "and the same command with --engine-read in place of --engine-write goes on.\n",
      arguments.write, request.is_quadratic ? "quadratic" : "symmetric", scalar, request.unknowns(),
      request.coordinates, request.constraints, program_for(request), arguments.write);
}

ModesReport report_by_engine(const EngineArguments& arguments, const ModeOptions& options, const AnalysisCase& analysis,
                             Method method, const std::function<void(const std::string&)>& progress) {
  ModesOptions modes = request_of(options, analysis.system);
  modes.progress = progress;
  if (!arguments.read.empty())
    return report_engine_modes(analysis, modes_by_engine(analysis.system, modes, method, arguments.read));
  const EngineFolder folder;
  const EngineProblem problem(analysis.system, modes);
  const EngineProcess process(program_for(problem.request()), arguments.ranks.value_or(1));
  problem.write(folder.path());
  if (progress) progress(fmt::format("{} on {} ranks", program_for(problem.request()), arguments.ranks.value_or(1)));
  process.run(folder.path());
  return report_engine_modes(analysis, modes_by_engine(analysis.system, problem, modes, method, folder.path()));
}

}  // namespace stillpoint::cli
