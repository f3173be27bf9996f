#include <fmt/format.h>

#include <cstdio>

#include "base/whole_file.h"
#include "cli/arguments.h"
#include "cli/complaint.h"
#include "cli/option_groups.h"
#include "cli/option_names.h"
#include "cli/verbs.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

std::pair<std::string, double> parse_setting(const std::string& option, const std::string& text) {
  if (const auto setting = setting_in(text)) return *setting;
  throw Error(fmt::format("{0} {1}: this must be NAME=VALUE with a number, such as {0} {2}", option, text,
                          option == "--set" ? "N=20" : "phi=1.5"));
}

}  // namespace

void add_model_options(CLI::App& verb, ModelOptions& options) {
  verb.add_option("MODEL", options.path, "model file, or folder with a model.yaml")->required();
  verb.add_option("--set", options.settings, "replace the value of a parameter of the model (repeatable)")
      ->group(group::model)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb.add_flag("--json", options.json, "print one JSON object instead of text")->group(group::output);
  verb.add_flag("--quiet", options.quiet, "print no warnings and no progress on stderr")->group(group::output);
  verb.add_option("-o", options.output, "write to this file instead of stdout")
      ->group(group::output)
      ->type_name("FILE");
}

Parameters parse_settings(const std::string& option, const std::vector<std::string>& texts) {
  Parameters settings;
  for (const std::string& text : texts) settings.push_back(parse_setting(option, text));
  return settings;
}

Model load(const ModelOptions& options) { return read_model(options.path, parse_settings("--set", options.settings)); }

void deliver(const ModelOptions& options, const std::string& report) {
  const std::string content = with_flags(report);
  if (!options.output.empty()) return write_whole_file(options.output, content);
  if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() || std::fflush(stdout) != 0) {
    throw Error("the output could not be written");
  }
}

void print_message(const std::string& message) { print_to_stderr(with_short_quotations(with_flags(message)) + "\n"); }

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) print_message("warning: " + warning);
}

void warn(const ModelOptions& options, const std::vector<std::string>& warnings) {
  const bool is_shown_already = !options.json && options.output.empty();
  if (!options.quiet && !is_shown_already) print_warnings(warnings);
}

}  // namespace stillpoint::cli
