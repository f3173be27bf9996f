// Modes by another program: the options, and the three ways from a request to a report.
#pragma once

#include <functional>

#include "cli/mode_options.h"

namespace stillpoint::cli {

struct EngineArguments {
  std::optional<int> ranks;
  std::string write, read;  ///< folders of a request, and of an answer

  /// Another program finds the modes, or is to.
  bool are_meant(const ModeOptions& options) const {
    return !write.empty() || !read.empty() || options.engine == "slepc";
  }
};

void add_engine_arguments(CLI::App& verb, EngineArguments& arguments);

/// Throws Error if options contradict each other.
void require_engine_arguments(const EngineArguments& arguments, const ModeOptions& options, const std::string& method);

/// Writes the folder of a request and returns what is to be printed about it.
std::string write_engine_request(const EngineArguments& arguments, const ModeOptions& options,
                                 const AnalysisCase& analysis);

/// Reads an answer, or starts the program of the engine and then reads its answer.
ModesReport report_by_engine(const EngineArguments& arguments, const ModeOptions& options, const AnalysisCase& analysis,
                             Method method, const std::function<void(const std::string&)>& progress);

}  // namespace stillpoint::cli
