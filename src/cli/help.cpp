#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/option_groups.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands()) names = option_names(*verb);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name().starts_with("-")) names.push_back(option->get_name());
  }
  return names;
}

/// The verbs that have this option.
std::vector<std::string> verbs_with(const CLI::App& app, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_option_no_throw(option)) names.push_back(verb->get_name());
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
    std::vector<std::string> groups(group::in_order.begin(), group::in_order.end());
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
    return fmt::format("  {:<16}{}\n", verb->get_name(), first_sentence(*verb));
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_layout() { return std::make_shared<Help>(); }

std::string first_sentence(const CLI::App& verb) {
  const std::string text = verb.get_description();
  const std::string sentence = text.substr(text.find("\n\n") + 2);
  return sentence.substr(0, sentence.find_first_of(".?") + 1);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  for (const std::string& word : unexpected) {
    const std::string option = word.substr(0, word.find('='));
    if (!option.starts_with("-")) continue;
    const std::vector<std::string> owners = verbs_with(app, option);
    if (owners.empty())
      return fmt::format("there is no option '{}'{}", option, did_you_mean(option, option_names(app)));
    return fmt::format("the option '{}' belongs to {}", option, fmt::join(owners, ", "));
  }
  if (app.get_subcommands().empty()) return no_verb(app, unexpected);
  if (!unexpected.empty()) return fmt::format("'{}' is one argument too many", unexpected.front());
  return error.what();
}

}  // namespace stillpoint::cli
