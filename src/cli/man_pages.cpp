#include "cli/man_pages.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "cli/help.h"
#include "cli/option_groups.h"
#include "cli/roff.h"
#include "stillpoint/read_model.h"

namespace stillpoint::cli {

namespace {

constexpr const char* user_commands = "User Commands";

/// A help text before and after the empty line: "Examples:" with the examples, and what it does.
struct Description {
  std::string examples, text;
};

Description description_of(const CLI::App& app) {
  const std::string all = app.get_description();
  const std::size_t gap = all.find("\n\n"), first = all.find('\n') + 1;
  std::string examples;
  std::istringstream lines(all.substr(first, gap - first));
  for (std::string line; std::getline(lines, line);) examples += line.substr(line.find_first_not_of(' ')) + "\n";
  return {examples, all.substr(gap + 2)};
}

/// "What is in this model?" → "what is in this model?"; "The spectra of ..." → "the spectra of ..."
std::string as_clause(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string page_name(const CLI::App& verb) { return "stillpoint-" + verb.get_name(); }

std::string name_section(const std::string& name, const std::string& clause) {
  return ".SH NAME\n" + roff::code(name) + " \\- " + roff::text(clause) + "\n";
}

// ---------------------------------------------------------------------------------------------------------------------
// Options

/// What CLI11 says about values: "TEXT:{a,b}" is the placeholder "{a,b}", or "WORD" with "a, b" if there are many;
/// "INT:INT in [1 - 9]" is "INT" with "1 to 9".
struct ValueText {
  std::string placeholder, allowed;
};

ValueText words_text(const std::string& braces) {
  constexpr std::size_t longest = 40;
  if (braces.size() <= longest) return {braces, ""};
  std::string words;
  for (const char c : braces.substr(1, braces.size() - 2)) words += c == ',' ? std::string(", ") : std::string(1, c);
  return {"WORD", words};
}

ValueText value_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':'), brace = type.find('{'), range = type.find(" in [");
  if (brace != std::string::npos) return words_text(type.substr(brace));
  const bool has_check = colon != std::string::npos && !type.starts_with("mode=") && !type.starts_with("NAME=");
  ValueText text{has_check ? type.substr(0, colon) : type, ""};
  if (range == std::string::npos) return text;
  std::string limits = type.substr(range + 5, type.size() - range - 6);
  const std::size_t dash = limits.find(" - ");
  if (dash != std::string::npos) limits.replace(dash, 3, " to ");
  text.allowed = limits;
  return text;
}

std::string option_term(const CLI::Option& option) {
  std::string term;
  for (const std::string& name : option.get_snames()) term += (term.empty() ? "" : ", ") + roff::bold("-" + name);
  for (const std::string& name : option.get_lnames()) term += (term.empty() ? "" : ", ") + roff::bold("--" + name);
  const ValueText value = value_text(option);
  if (option.get_items_expected_max() > 0) term += " " + roff::italic(value.placeholder);
  return term;
}

/// The description as a sentence, and what the parser demands.
std::string option_text(const CLI::Option& option) {
  std::string text = option.get_description();
  const auto add = [&text](const std::string& sentence) { text += (text.ends_with('.') ? " " : ". ") + sentence; };
  const std::string allowed = value_text(option).allowed;
  if (!allowed.empty()) add("Allowed: " + allowed + ".");
  if (option.get_required()) add("Required.");
  std::string others;
  for (const CLI::Option* other : option.get_excludes()) {
    if (!other->get_group().empty()) others += (others.empty() ? "" : ", ") + other->get_name();
  }
  if (!others.empty()) add("Not together with " + others + ".");
  return roff::text(text);
}

std::string option_list(const CLI::App& app) {
  std::string text = ".SH OPTIONS\n";
  for (const char* const group : group::in_order) {
    const auto options = app.get_options(
        [group](const CLI::Option* option) { return option->nonpositional() && option->get_group() == group; });
    if (!options.empty()) text += fmt::format(".SS {}\n", group);
    for (const CLI::Option* option : options)
      text += ".TP\n" + option_term(*option) + "\n" + option_text(*option) + "\n";
  }
  return text;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string arguments_list(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : positionals_of(app))
    text += ".TP\n" + roff::italic(option->get_name(true)) + "\n" + roff::text(option->get_description()) + "\n";
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sections

std::string synopsis(const CLI::App& verb) {
  std::string text =
      ".SH SYNOPSIS\n" + roff::bold("stillpoint " + verb.get_name()) + " [" + roff::italic("OPTIONS") + "]";
  for (const CLI::Option* option : verb.get_options()) {
    if (option->nonpositional() && option->get_required()) text += " " + option_term(*option);
  }
  for (const CLI::Option* option : positionals_of(verb)) {
    const std::string name = roff::italic(option->get_name(true));
    text += " " + (option->get_required() ? name : "[" + name + "]");
  }
  return text + "\n";
}

/// The footer of --help: "Environment:", and lines NAME  text.
std::string environment_section(const CLI::App& app) {
  std::string text = ".SH ENVIRONMENT\n";
  std::istringstream lines(app.get_footer());
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::string entry = line.substr(line.find_first_not_of(' '));
    const std::size_t gap = entry.find("  ");
    text += ".TP\n" + roff::bold(entry.substr(0, gap)) + "\n" +
            roff::text(entry.substr(entry.find_first_not_of(' ', gap))) + "\n";
  }
  return text;
}

std::string exit_section() {
  return ".SH EXIT STATUS\n"
         ".TP\n\\fB0\\fR\nThe work is done.\n"
         ".TP\n\\fB1\\fR\nThe numerics did not get there, or the result is not certified.\n"
         ".TP\n\\fB2\\fR\nThe command line or the input is wrong, or a file cannot be read or written.\n"
         ".TP\n\\fB6\\fR\nA check that was asked for does not hold.\n"
         ".TP\n\\fB130\\fR\nInterrupted.\n";
}

std::string reference(const std::string& name, const char* section) { return roff::bold(name) + "(" + section + ")"; }

std::string see_also(const CLI::App& app, const std::string& self) {
  std::string text = ".SH SEE ALSO\n";
  if (self != "stillpoint") text += reference("stillpoint", "1") + ",\n";
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (page_name(*verb) != self) text += reference(page_name(*verb), "1") + ",\n";
  }
  return text + (self == "stillpoint-model" ? std::string("and the files in cases/ of the sources\n")
                                            : reference("stillpoint-model", "5") + "\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages

std::string main_page(const CLI::App& app) {
  const Description description = description_of(app);
  std::string text = roff::title("stillpoint", "1", user_commands) +
                     name_section("stillpoint", as_clause(first_sentence(app))) + ".SH SYNOPSIS\n" +
                     roff::bold("stillpoint") + " " + roff::italic("VERB") + " [" + roff::italic("OPTIONS") + "] [" +
                     roff::italic("MODEL") + "]\n.SH DESCRIPTION\n" + roff::text(description.text) +
                     "\nA model is a file or a folder, see " + reference("stillpoint-model", "5") + ".\n.SH VERBS\n";
  for (const CLI::App* verb : app.get_subcommands({}))
    text += ".TP\n" + reference(page_name(*verb), "1") + "\n" + roff::text(first_sentence(*verb)) + "\n";
  return text + option_list(app) + ".SH EXAMPLES\n" + roff::example(description.examples) + environment_section(app) +
         exit_section() + see_also(app, "stillpoint");
}

std::string verb_page(const CLI::App& app, const CLI::App& verb) {
  const Description description = description_of(verb);
  const std::string name = page_name(verb);
  return roff::title(name, "1", user_commands) + name_section(name, as_clause(first_sentence(verb))) + synopsis(verb) +
         ".SH DESCRIPTION\n" + roff::text(description.text) + "\n" + arguments_list(verb) + option_list(verb) +
         ".SH EXAMPLES\n" + roff::example(description.examples) + environment_section(app) + exit_section() +
         see_also(app, name);
}

std::string model_page(const CLI::App& app) {
  const std::string name = "stillpoint-model";
  return roff::title(name, "5", "File Formats") + name_section(name, "model files of stillpoint") +
         ".SH DESCRIPTION\n" + roff::from_markdown(model_manual()) + see_also(app, name);
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& app) {
  std::vector<ManPage> pages = {{"stillpoint.1", main_page(app)}, {"stillpoint-model.5", model_page(app)}};
  for (const CLI::App* verb : app.get_subcommands({}))
    pages.push_back({page_name(*verb) + ".1", verb_page(app, *verb)});
  return pages;
}

}  // namespace stillpoint::cli
