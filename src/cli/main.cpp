// The command-line tool: it parses arguments, calls the library, and prints. Exit codes: 0 done, 1 the computation did
// not converge or is not certified, 2 wrong usage or input, 6 a requested check failed, 130 interrupted.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "base/whole_program.h"
#include "cli/interrupt.h"
#include "cli/option_groups.h"
#include "cli/option_names.h"
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
  fmt::print(stderr, "{} {}\n", colour_wanted(colour) ? "\033[1;31merror:\033[0m" : "error:", cli::with_flags(message));
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

// Says what is wrong with the arguments, and suggests the nearest known word.
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

/// Breaks a text between words into lines of at most `most` bytes.
std::string wrapped(const std::string& text, std::size_t most) {
  std::istringstream words(text);
  std::string lines;
  std::size_t length = 0;
  for (std::string word; words >> word; length += word.size()) {
    const bool fits = length + 1 + word.size() <= most;
    if (length > 0) lines += fits ? ' ' : '\n';
    length = length > 0 && fits ? length + 1 : 0;
    lines += word;
  }
  return lines;
}

// Lists each verb with one sentence, the first after its examples, and the options by groups in a fixed order.
class Help : public CLI::Formatter {
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const override {
    return make_description(app) + make_usage(app, name) + make_positionals(app) + option_groups(app) +
           make_subcommands(app, CLI::AppFormatMode::Normal) + "\n" + make_footer(app);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    constexpr std::string_view excludes_hidden = " Excludes: ";  // CLI11 prints a hidden option as an empty name
    std::string text = CLI::Formatter::make_option_opts(option);
    if (text.ends_with(excludes_hidden)) text.resize(text.size() - excludes_hidden.size());
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t most = 86;
    return wrapped(option->get_description(), most);
  }
  std::string option_groups(const CLI::App* app) const {
    std::vector<std::string> groups(cli::group::in_order.begin(), cli::group::in_order.end());
    for (const std::string& group : app->get_groups()) {
      if (!group.empty() && std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    }
    std::string text;
    for (const std::string& group : groups) {
      const std::vector<const CLI::Option*> options = app->get_options(
          [&group](const CLI::Option* option) { return option->nonpositional() && option->get_group() == group; });
      if (!options.empty()) text += make_group(group, false, options);
    }
    return text;
  }
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
      "  STILLPOINT_THREADS=N  largest number of threads (default: the number of processors); results do not depend on "
      "it");
  app.set_help_flag("-h,--help", "print this help and exit")->group(cli::group::general);
  app.set_version_flag("--version", "stillpoint " + version(), "print the version and exit")
      ->group(cli::group::general);
  app.option_defaults()->group(cli::group::general);
  app.require_subcommand(1);
  app.fallthrough();
  std::string colour = "auto";
  app.add_option("--color", colour, "use colour on the terminal")->check(CLI::IsMember({"auto", "always", "never"}));
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
  for (CLI::App* const verb : app.get_subcommands({})) verb->get_help_ptr()->group(cli::group::general);

  try {
    most_threads();  // a wrong number of threads is an error before any work
    app.parse(argc, argv);
    return done;
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::RuntimeError& outcome) {  // the message is printed already
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
