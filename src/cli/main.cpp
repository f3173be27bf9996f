// The stillpoint command: arguments in, library calls, text out. Exit codes: 0 done, 2 usage or input wrong.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/verbs.h"
#include "stillpoint/error.h"
#include "stillpoint/version.h"

namespace {

using namespace stillpoint;

constexpr int done = 0, wrong_input = 2;

bool colour_wanted(const std::string& choice) {
  if (choice == "always") return true;
  if (choice == "never" || std::getenv("NO_COLOR")) return false;
  return isatty(STDERR_FILENO) == 1;
}

int complain(const std::string& message, const std::string& colour) {
  fmt::print(stderr, "{} {}\n", colour_wanted(colour) ? "\033[1;31merror:\033[0m" : "error:", message);
  return wrong_input;
}

// For a word that the parser did not expect: the verb or option that was probably meant.
std::string suggestion(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> known;
  const auto chosen = app.get_subcommands();
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (chosen.empty()) known.push_back(verb->get_name());
  }
  for (const CLI::Option* option : (chosen.empty() ? &app : chosen.front())->get_options()) {
    known.push_back(option->get_name());
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    const bool is_option = word.starts_with("-");
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    if (!chosen.empty() && !is_option) continue;
    if (const std::string hint = did_you_mean(word, known); !hint.empty()) return fmt::format("; '{}'{}", word, hint);
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Examples:\n"
      "  stillpoint new my_mechanism\n"
      "  stillpoint check cases/four_bar --set N=5\n\n"
      "Linearization, modal and stability analysis of constrained multibody systems about equilibrium.");
  app.name("stillpoint");
  app.set_version_flag("--version", "stillpoint " + version());
  app.require_subcommand(1);
  app.fallthrough();
  std::string colour = "auto";
  app.add_option("--color", colour, "colour on the terminal")->check(CLI::IsMember({"auto", "always", "never"}));
  cli::add_new(app);
  cli::add_schema(app);
  cli::add_check(app);

  try {
    app.parse(argc, argv);
    return done;
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(error.what() + suggestion(app, argc, argv), colour);
  } catch (const Error& error) {
    return complain(error.what(), colour);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory for this model", colour);
  }
}
