// The manual pages: those of the tool and of each verb from the texts of --help, and that of model files from the
// tables of the reader, as docs/model-files.md.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace stillpoint::cli {

struct ManPage {
  std::string file;     ///< "stillpoint-modes.1"
  std::string content;  ///< in roff
};

std::vector<ManPage> man_pages(const CLI::App& app);

}  // namespace stillpoint::cli
