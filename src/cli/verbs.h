// The verbs of the command line. Each adds itself to the parser; what it does runs after parsing and only calls the
// library, prints and writes files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "stillpoint/read_model.h"

namespace stillpoint::cli {

/// What all verbs that take a model have in common.
struct ModelOptions {
  std::string path;
  std::vector<std::string> settings;  ///< NAME=VALUE
  bool json = false;
  bool quiet = false;
  std::string output;  ///< a file instead of stdout
};

void add_model_options(CLI::App& verb, ModelOptions& options);

/// NAME=VALUE, several times. Throws Error, with the name of the option.
Parameters parse_settings(const std::string& option, const std::vector<std::string>& texts);

/// The model that the options ask for.
Model load(const ModelOptions& options);

/// To the file asked for, or to stdout.
void deliver(const ModelOptions& options, const std::string& content);

void add_new(CLI::App& app);
void add_schema(CLI::App& app);
void add_check(CLI::App& app);
void add_equilibrium(CLI::App& app);
void add_linearize(CLI::App& app);
void add_modes(CLI::App& app);
void add_compare(CLI::App& app);
void add_sparsity(CLI::App& app);
void add_response(CLI::App& app);
/// `command`: what was typed; it goes into the file.
void add_export(CLI::App& app, const std::string& command);

}  // namespace stillpoint::cli
