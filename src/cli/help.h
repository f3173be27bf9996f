// The layout of --help, and what is said of arguments that are wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace stillpoint::cli {

/// Lists each verb with one sentence, the first after its examples, and the options by groups in a fixed order.
std::shared_ptr<CLI::FormatterBase> help_layout();

/// What a verb does, in one sentence: the first after its examples.
std::string first_sentence(const CLI::App& verb);

/// Says what is wrong with the arguments, and suggests the nearest known word.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace stillpoint::cli
