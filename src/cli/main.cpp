// The command-line tool: it parses arguments, calls the library, and prints. Exit codes: 0 done, 1 the computation did
// not converge or is not certified, 2 wrong usage or input, 6 a requested check failed, 130 interrupted.

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <ios>
#include <iostream>
#include <system_error>
#include <utility>

#include "base/text_width.h"
#include "base/unfinished.h"
#include "base/whole_program.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/help.h"
#include "cli/hidden_verbs.h"
#include "cli/interrupt.h"
#include "cli/option_groups.h"
#include "cli/origin.h"
#include "cli/verbs.h"
#include "stillpoint/error.h"
#include "stillpoint/threads.h"
#include "stillpoint/version.h"

namespace {

using namespace stillpoint;

constexpr int done = 0, undecided = 1, wrong_input = 2;

void set_up(CLI::App& app, std::string& colour, int argc, char** argv) {
  app.name("stillpoint");
  app.formatter(cli::help_layout());
  app.footer(
      "Environment:\n"
      "  STILLPOINT_THREADS=N  largest number of threads (default: the number of processors); results do not depend on "
      "it");
  app.set_help_flag("-h,--help", "print this help and exit")->group(cli::group::general);
  app.set_version_flag("--version", "stillpoint " + version(), "print the version and exit")
      ->group(cli::group::general);
  app.option_defaults()->group(cli::group::general);
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--color", colour, "use colour on the terminal")->check(CLI::IsMember({"auto", "always", "never"}));
  cli::add_new(app);
  cli::add_schema(app);
  cli::add_check(app);
  cli::add_equilibrium(app);
  cli::add_linearize(app);
  cli::add_modes(app);
  cli::add_compare(app);
  cli::add_explain(app);
  cli::add_motion(app);
  cli::add_verify(app);
  cli::add_sensitivity(app);
  cli::add_sweep(app);
  cli::add_critical(app);
  cli::add_follow(app);
  cli::add_sparsity(app);
  cli::add_response(app);
  cli::add_zeros(app);
  cli::add_controllability(app);
  cli::add_scene(app);
  cli::add_report(app, cli::command_line(argc, argv));
  cli::add_export(app, cli::command_line(argc, argv));
  cli::add_doctor(app);
  for (CLI::App* const verb : app.get_subcommands({})) verb->get_help_ptr()->group(cli::group::general);
}

void fit_text_to_terminal() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    set_text_width(size.ws_col);
}

/// --help and --version. Nobody who writes them into a full disk is told that all is well.
int print_on_request(const CLI::App& app, const CLI::Success& request) {
  const int code = app.exit(request);
  if (!std::cout.flush()) throw Error("the output could not be written");
  return code;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Examples:\n"
      "  stillpoint new my_mechanism\n"
      "  stillpoint check cases/four_bar --set N=5\n"
      "  stillpoint equilibrium cases/four_bar --set N=5\n"
      "  stillpoint modes cases/four_bar --set N=5\n"
      "  stillpoint compare cases/four_bar --set N=5\n"
      "  stillpoint export cases/cart_pole --output cart.x,pole.phi -o plant.mat\n\n"
      "Linearization, modal and stability analysis of constrained multibody systems about equilibrium.");
  std::string colour = "auto";
  const auto failed = [&colour](const std::string& message, int code) {
    cli::complain(message, colour);
    return code;
  };
  try {
    fit_text_to_terminal();
    set_up(app, colour, argc, argv);
    if (const std::vector<std::string> words(argv + 1, argv + argc); cli::is_hidden_verb(words))
      return cli::run_hidden_verb(app, words);
    most_threads();  // a wrong number of threads is an error before any work
    try {
      std::vector<std::string> words = cli::with_repeated_options({argv + 1, argv + argc});
      std::reverse(words.begin(), words.end());  // as CLI11 wants them
      app.parse(std::move(words));
    } catch (const CLI::Success& request) {
      return print_on_request(app, request);
    }
    return done;
  } catch (const CLI::RuntimeError& outcome) {  // the message is printed already
    return outcome.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return failed(cli::explain(app, error), wrong_input);
  } catch (const Undecided& error) {
    return failed(error.what(), undecided);
  } catch (const Error& error) {
    return failed(error.what(), wrong_input);
  } catch (const std::system_error& error) {  // of files, folders and streams
    return failed(error.what(), wrong_input);
  }
}

/// The last resort, where an exception can reach nobody: as of a destructor that finds no memory.
[[noreturn]] void end_without_abort() {
  remove_unfinished();
  cli::print_to_stderr("error: not enough memory, or an error while another was handled\n");
  _exit(wrong_input);
}

/// Runs before the constructors of static objects.
[[gnu::constructor(101)]] void prepare_for_failure() {
  std::set_terminate(end_without_abort);
  keep_memory_in_reserve();
}

}  // namespace

int main(int argc, char** argv) {
  cli::leave_nothing_half_written();
  set_up_whole_program();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    cli::print_to_stderr("error: not enough memory for this model\n");
    return wrong_input;
  } catch (const std::exception& error) {
    cli::print_to_stderr("error: ");
    cli::print_to_stderr(error.what());
    cli::print_to_stderr(" (a defect of stillpoint; please report it with the model)\n");
    return undecided;
  } catch (...) {
    end_without_abort();
  }
}
