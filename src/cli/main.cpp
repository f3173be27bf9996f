// The stillpoint command: arguments in, library calls, text out. Exit codes: 0 done, 1 the
// numerics did not get there, 2 usage or input wrong, 6 a requested check failed, 130 interrupted.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "algebra/whole_program.h"
#include "cli/interrupt.h"
#include "cli/origin.h"
#include "cli/verbs.h"
#include "stillpoint/error.h"
#include "stillpoint/threads.h"
#include "stillpoint/version.h"

namespace {

using namespace stillpoint;

constexpr int done = 0, undecided = 1, wrong_input = 2;

bool colour_wanted(const std::string& choice) {
  if (choice == "always") return true;
  const char* const no_colour = std::getenv("NO_COLOR");
  if (choice == "never" || (no_colour && *no_colour)) return false;
  return isatty(STDERR_FILENO) == 1;
}

int complain(const std::string& message, const std::string& colour, int code = wrong_input) {
  fmt::print(stderr, "{} {}\n", colour_wanted(colour) ? "\033[1;31merror:\033[0m" : "error:", message);
  return code;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands()) names = option_names(*verb);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name().starts_with("-")) names.push_back(option->get_name());
  }
  return names;
}

std::string no_verb(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::App* verb : app.get_subcommands({})) known.push_back(verb->get_name());
  const std::string what = words.empty()
                               ? "a verb is missing"
                               : fmt::format("there is no verb '{}'{}", words[0], did_you_mean(words[0], known));
  return fmt::format("{}; there are {}", what, fmt::join(known, ", "));
}

// What is wrong with the arguments, and what was probably meant.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  for (const std::string& word : unexpected) {
    const std::string option = word.substr(0, word.find('='));
    if (option.starts_with("-"))
      return fmt::format("there is no option '{}'{}", option, did_you_mean(option, option_names(app)));
  }
  if (app.get_subcommands().empty()) return no_verb(app, unexpected);
  if (!unexpected.empty()) return fmt::format("'{}' is one argument too many", unexpected.front());
  return error.what();
}

// Lists each verb with one sentence, the first after its examples.
class Help : public CLI::Formatter {
  std::string make_subcommand(const CLI::App* verb) const override {
    const std::string text = verb->get_description();
    const std::string sentence = text.substr(text.find("\n\n") + 2);
    return fmt::format("  {:<12}{}\n", verb->get_name(), sentence.substr(0, sentence.find_first_of(".?") + 1));
  }
};

}  // namespace

int main(int argc, char** argv) {
  cli::leave_nothing_half_written();
  set_up_whole_program();
  CLI::App app(
      "Examples:\n"
      "  stillpoint new my_mechanism\n"
      "  stillpoint check cases/four_bar --set N=5\n"
      "  stillpoint equilibrium cases/four_bar --set N=5\n"
      "  stillpoint modes cases/four_bar --set N=5\n"
      "  stillpoint compare cases/four_bar --set N=5\n"
      "  stillpoint export cases/cart_pole --output cart.x,pole.phi -o plant.mat\n\n"
      "Linearization, modal and stability analysis of constrained multibody systems about equilibrium.");
  app.name("stillpoint");
  app.formatter(std::make_shared<Help>());
  app.footer(
      "Environment:\n"
      "  STILLPOINT_THREADS=N  work on N threads at most (as many as there are processors); results are the same");
  app.set_version_flag("--version", "stillpoint " + version());
  app.require_subcommand(1);
  app.fallthrough();
  std::string colour = "auto";
  app.add_option("--color", colour, "colour on the terminal")->check(CLI::IsMember({"auto", "always", "never"}));
  cli::add_new(app);
  cli::add_schema(app);
  cli::add_check(app);
  cli::add_equilibrium(app);
  cli::add_linearize(app);
  cli::add_modes(app);
  cli::add_compare(app);
  cli::add_sparsity(app);
  cli::add_response(app);
  cli::add_export(app, cli::command_line(argc, argv));

  try {
    most_threads();  // what is wrong there is said before any work
    app.parse(argc, argv);
    return done;
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::RuntimeError& outcome) {  // said already
    return outcome.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return complain(explain(app, error), colour);
  } catch (const Undecided& error) {
    return complain(error.what(), colour, undecided);
  } catch (const Error& error) {
    return complain(error.what(), colour);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory for this model", colour);
  }
}
