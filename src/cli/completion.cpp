#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/model_words.h"
#include "cli/shell_line.h"
#include "stillpoint/linear_system.h"

namespace stillpoint::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_candidates = 1000;

// ---------------------------------------------------------------------------------------------------------------------
// Options and their values

struct NamesTaken {
  std::string_view option;
  std::vector<WordKind> kinds;
};

/// Which names of a model an option takes. How they are written follows from its type name: NAME=VALUE, or NAME,...
const std::vector<NamesTaken>& names_taken() {
  using enum WordKind;
  static const std::vector<NamesTaken> table = {{"--set", {parameter}},
                                                {"--at", {coordinate, input}},
                                                {"--rate", {coordinate}},
                                                {"--stop", {output, coordinate}},
                                                {"--trim", {input}},
                                                {"--preload", {spring}},
                                                {"--input", {input, coordinate}},
                                                {"--delay", {input}},
                                                {"--output", {output, coordinate}},
                                                {"--independent", {coordinate}},
                                                {"--boundary", {coordinate}},
                                                {"--show", {coordinate}},
                                                {"--over", {parameter, varied_input}},
                                                {"--along", {parameter}},
                                                {"--parameters", {parameter, varied_input}},
                                                {"--psd", {input, coordinate}},
                                                {"--unbalance", {input, coordinate}},
                                                {"--response", {input, coordinate}},
                                                {"--dc-gain", {input, coordinate}},
                                                {"--orbit", {output, coordinate}},
                                                {"--coherence", {input, coordinate}},
                                                {"--speed-parameter", {parameter}}};
  return table;
}

const NamesTaken* names_of(const CLI::Option& option) {
  for (const NamesTaken& taken : names_taken()) {
    if (option.check_name(std::string(taken.option))) return &taken;
  }
  return nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool may_stand_alone(const CLI::Option& option) { return option.get_items_expected_min() == 0; }

/// The options of a verb and those of the tool as a whole, without hidden ones.
std::vector<const CLI::Option*> options_of(const CLI::App& app, const CLI::App* verb) {
  const auto shown = [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); };
  std::vector<const CLI::Option*> options;
  if (verb) options = verb->get_options(shown);
  for (const CLI::Option* option : app.get_options(shown)) {
    const bool is_repeated = verb && (option->check_name("--help") || option->check_name("--version"));
    if (!is_repeated) options.push_back(option);
  }
  return options;
}

const CLI::Option* option_called(const CLI::App& app, const CLI::App* verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (verb) {
    if (const CLI::Option* const option = verb->get_option_no_throw(name)) return option;
  }
  return app.get_option_no_throw(name);
}

/// "TEXT:{a,b}" → a, b; "guess|equilibrium|FILE" → guess, equilibrium; "mode=K:AMPLITUDE" → mode=
std::vector<std::string> fixed_words(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin != std::string::npos && end != std::string::npos)
    return parts_between(type.substr(begin + 1, end - begin - 1), ',');
  if (type.starts_with("mode=")) return {"mode="};
  if (type == "QUANTITY=VALUE") return {"frequency=", "damping="};
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos || type.find('=') != std::string::npos) return words;
  for (const std::string& word : parts_between(type, '|')) {
    if (std::none_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) words.push_back(word);
  }
  return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// What stands on the line

/// The words before the one that is completed, as far as they have a meaning.
struct Request {
  const CLI::App* verb = nullptr;
  const CLI::Option* awaits = nullptr;     ///< the option that the word belongs to
  const CLI::Option* continues = nullptr;  ///< or the option of which the word may be a further value
  std::string model;                       ///< empty: not given yet
  Parameters settings;                     ///< values of --set
};

const CLI::App* verb_called(const CLI::App& app, const std::string& word) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == word) return verb;
  }
  return nullptr;
}

void take_value(const CLI::Option& option, const std::string& value, Request& request) {
  if (!option.check_name("--set")) return;
  if (const auto setting = setting_in(value)) request.settings.push_back(*setting);
}

bool takes_settings(const CLI::Option& option) { return option.check_name("--set") || option.check_name("--at"); }

Request read_words(const CLI::App& app, const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (request.awaits && may_stand_alone(*request.awaits) && word.starts_with('-')) request.awaits = nullptr;
    if (request.awaits) {
      take_value(*request.awaits, word, request);
      request.continues = takes_settings(*request.awaits) ? request.awaits : nullptr;
      request.awaits = nullptr;
    } else if (word.starts_with('-')) {
      const CLI::Option* const option = option_called(app, request.verb, word);
      const std::size_t equals = word.find('=');
      request.continues = nullptr;
      if (option && equals != std::string::npos) take_value(*option, word.substr(equals + 1), request);
      else if (option && takes_value(*option)) request.awaits = option;
    } else if (!request.verb) {
      request.verb = verb_called(app, word);
    } else if (request.continues && setting_in(word)) {
      take_value(*request.continues, word, request);
    } else {
      request.model = word;
      request.continues = nullptr;
    }
  }
  return request;
}

// ---------------------------------------------------------------------------------------------------------------------
// Candidates

class Collector {
 public:
  /// `prefix` is what stands before the part of the word that is completed: "--set=", or "a,b," of a list.
  Collector(std::string word, std::string prefix) : word_(std::move(word)), prefix_(std::move(prefix)) {}

  const std::string& word() const { return word_; }
  void offer(const std::string& word, const std::string& meaning, bool is_whole = true) {
    const bool is_clean = std::none_of(word.begin(), word.end(), [](unsigned char c) { return c < ' '; });
    if (!word.starts_with(word_) || !is_clean || found_.size() >= most_candidates) return;
    found_.push_back({prefix_ + word, meaning, is_whole});
  }
  /// Offers a word that does not begin as what was typed, in its place.
  void offer_instead(const std::string& word, const std::string& meaning) {
    if (found_.size() < most_candidates) found_.push_back({prefix_ + word, meaning, true});
  }
  bool is_empty() const { return found_.empty(); }
  std::vector<Candidate> found() && { return std::move(found_); }

 private:
  std::string word_, prefix_;
  std::vector<Candidate> found_;
};

/// In one line, cut at a word.
std::string short_text(const std::string& text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  return text.substr(0, text.rfind(' ', most)) + " ...";
}

void offer_verbs(const CLI::App& app, Collector& found) {
  for (const CLI::App* verb : app.get_subcommands({})) found.offer(verb->get_name(), first_sentence(*verb));
}

void offer_options(const CLI::App& app, const CLI::App* verb, Collector& found) {
  for (const CLI::Option* option : options_of(app, verb)) {
    for (const std::string& name : option->get_lnames())
      found.offer("--" + name, short_text(option->get_description()));
    for (const std::string& name : option->get_snames()) {
      if (option->get_lnames().empty()) found.offer("-" + name, short_text(option->get_description()));
    }
  }
}

enum class FileKind { any, folder, model };

bool is_model_folder(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / "model.yaml", failed) || is_matrix_folder(folder.string());
}

bool is_model_file(const std::string& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

fs::path without_tilde(const std::string& path) {
  const char* const home = std::getenv("HOME");
  return path.starts_with("~/") && home ? fs::path(home) / path.substr(2) : fs::path(path);
}

/// The entries of the folder in which the word ends. Folders end with a slash, but for those that are models.
void offer_files(FileKind kind, Collector& found) {
  const std::size_t slash = found.word().rfind('/');
  const std::string folder = slash == std::string::npos ? std::string() : found.word().substr(0, slash + 1);
  const std::string begin = found.word().substr(folder.size());
  std::vector<std::pair<std::string, bool>> entries;  // name, and whether it is a folder
  std::error_code failed;
  const fs::path place = folder.empty() ? fs::path(".") : without_tilde(folder);
  for (fs::directory_iterator entry(place, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const bool is_hidden = name.starts_with('.') && !begin.starts_with('.');
    if (name.starts_with(begin) && !is_hidden) entries.emplace_back(name, entry->is_directory(failed));
    failed.clear();  // of a link that leads nowhere
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [name, is_folder] : entries) {
    if (is_folder && kind == FileKind::model && is_model_folder(place / name)) found.offer(folder + name, "model");
    else if (is_folder) found.offer(folder + name + "/", "folder", false);
    else if (kind == FileKind::any || (kind == FileKind::model && is_model_file(name)))
      found.offer(folder + name, "file");
  }
}

/// Models here, and by their name alone those in the folder `cases`.
void offer_models(Collector& found) {
  offer_files(FileKind::model, found);
  const bool is_name = !found.word().empty() && found.word().find('/') == std::string::npos;
  if (!is_name || !found.is_empty()) return;
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry("cases", failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(found.word()) && is_model_folder(entry->path())) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) found.offer_instead("cases/" + name, "case");
}

void offer_setting(const ModelWord& word, bool is_interval, Collector& found) {
  const bool has_equals = found.word().find('=') != std::string::npos;
  if (has_equals && !is_interval && !word.value.empty()) found.offer(word.name + "=" + word.value, "present value");
  if (has_equals) return;
  const std::string now = word.value.empty() ? std::string() : fmt::format("= {}", word.value);
  const bool says_both = !word.meaning.empty() && !now.empty();
  found.offer(word.name + "=", word.meaning + (says_both ? " " : "") + now, false);
}

void offer_names(const CLI::Option& option, const Request& request, Collector& found) {
  const NamesTaken* const taken = names_of(option);
  if (!taken || request.model.empty()) return;
  const std::string type = option.get_type_name();
  const bool is_setting = type.find('=') != std::string::npos;
  for (const ModelWord& word : words_of_model(request.model, request.settings, taken->kinds)) {
    if (is_setting) offer_setting(word, option.check_name("--over"), found);
    else found.offer(word.name, word.meaning);
  }
}

/// What may follow an option. `before` is what stands before its value in the same word: "--set=" or nothing.
std::vector<Candidate> values_of(const CLI::Option& option, const Request& request, const std::string& before,
                                 const std::string& word) {
  const std::string type = option.get_type_name();
  const bool is_list = names_of(option) && type.find(",...") != std::string::npos;
  const std::size_t comma = is_list ? word.rfind(',') : std::string::npos;
  const std::string listed = comma == std::string::npos ? std::string() : word.substr(0, comma + 1);
  Collector found(word.substr(listed.size()), before + listed);
  for (const std::string& fixed : fixed_words(type)) found.offer(fixed, "", !fixed.ends_with('='));
  offer_names(option, request, found);
  if (type == "FILE" || type.ends_with("|FILE")) offer_files(FileKind::any, found);
  if (type == "FOLDER") offer_files(FileKind::folder, found);
  return std::move(found).found();
}

void append(std::vector<Candidate> more, std::vector<Candidate>& candidates) {
  for (Candidate& candidate : more) candidates.push_back(std::move(candidate));
}

/// A word that no option awaits: an option, a further setting, the model, or a folder.
std::vector<Candidate> words_in_place(const CLI::App& app, const Request& request, const std::string& word) {
  Collector found(word, "");
  if (!request.verb) {
    if (word.starts_with('-')) offer_options(app, nullptr, found);
    else offer_verbs(app, found);
    return std::move(found).found();
  }
  if (word.starts_with('-')) {
    offer_options(app, request.verb, found);
    return std::move(found).found();
  }
  std::vector<Candidate> candidates;
  if (request.continues) append(values_of(*request.continues, request, "", word), candidates);
  const bool takes_model = request.verb->get_option_no_throw("MODEL") != nullptr;
  if (request.model.empty() && takes_model) offer_models(found);
  else if (request.model.empty() && request.verb->get_option_no_throw("FOLDER")) offer_files(FileKind::folder, found);
  else if (word.empty()) offer_options(app, request.verb, found);
  append(std::move(found).found(), candidates);
  return candidates;
}

}  // namespace

std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const Request request = read_words(app, words);
  const std::string& word = words.back();
  try {
    const bool is_value = request.awaits && !(may_stand_alone(*request.awaits) && word.starts_with('-'));
    if (is_value) return values_of(*request.awaits, request, "", word);
    const std::size_t equals = word.find('=');
    const CLI::Option* const option =
        word.starts_with("--") && equals != std::string::npos ? option_called(app, request.verb, word) : nullptr;
    if (option) return values_of(*option, request, word.substr(0, equals + 1), word.substr(equals + 1));
    return words_in_place(app, request, word);
  } catch (const std::exception&) {
    return {};  // a model that is wrong or not there yet
  }
}

std::string completion_text(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::string text;
  if (arguments.size() == 3 && arguments[0] == "--bash") {
    const ShellLine line = split_shell_line(arguments[1], arguments[2]);
    const std::vector<std::string> words(line.words.begin() + 1, line.words.end());  // the first is the program
    for (const Candidate& candidate : completions(app, words)) {
      const std::string insertion = inserted_for(candidate.word, line);
      text += insertion + (candidate.is_whole && line.open_quote == '\0' ? " \n" : "\n");
    }
  } else if (!arguments.empty() && arguments[0] == "--") {
    for (const Candidate& candidate : completions(app, {arguments.begin() + 1, arguments.end()}))
      text += candidate.word + "\t" + candidate.meaning + "\n";
  }
  return text;
}

}  // namespace stillpoint::cli
