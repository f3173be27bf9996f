// The verbs of the command line. Each adds itself to the parser. Its action runs after parsing and only calls the
// library, prints, and writes files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "stillpoint/read_model.h"

namespace stillpoint::cli {

/// The options that all verbs with a model share.
struct ModelOptions {
  std::string path;
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::vector<std::string> open;      ///< controllers whose loops stay open, or "all"
  bool json = false;
  bool quiet = false;
  std::string output;  ///< a file; empty: stdout
};

void add_model_options(CLI::App& verb, ModelOptions& options);

/// Reads texts NAME=VALUE. Throws Error, with the name of the option, for any other text.
Parameters parse_settings(const std::string& option, const std::vector<std::string>& texts);

/// Reads the model that the options name.
Model load(const ModelOptions& options);

/// Writes to the file that the options name, or to stdout, with options of the library named as on the command line.
void deliver(const ModelOptions& options, const std::string& content);

/// Prints a message of the library on stderr, with options named as on the command line.
void print_message(const std::string& message);
/// Prints each warning of the library so, after the word "warning".
void print_warnings(const std::vector<std::string>& warnings);
/// Does the same unless --quiet is given or the warnings are on the terminal already, as part of a report.
void warn(const ModelOptions& options, const std::vector<std::string>& warnings);

void add_new(CLI::App& app);
void add_schema(CLI::App& app);
void add_check(CLI::App& app);
void add_equilibrium(CLI::App& app);
void add_linearize(CLI::App& app);
void add_modes(CLI::App& app);
void add_compare(CLI::App& app);
void add_explain(CLI::App& app);
void add_motion(CLI::App& app);
void add_verify(CLI::App& app);
void add_sensitivity(CLI::App& app);
void add_sweep(CLI::App& app);
void add_critical(CLI::App& app);
void add_follow(CLI::App& app);
void add_sparsity(CLI::App& app);
void add_response(CLI::App& app);
void add_scene(CLI::App& app);
/// `command` is the command line, which the page records.
void add_report(CLI::App& app, const std::string& command);
void add_doctor(CLI::App& app);
void add_zeros(CLI::App& app);
void add_controllability(CLI::App& app);
/// `command` is the command line, which the exported file records.
void add_export(CLI::App& app, const std::string& command);

}  // namespace stillpoint::cli
