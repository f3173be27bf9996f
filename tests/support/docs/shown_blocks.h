// The console blocks of a page of the docs, run one after the other.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "support/clients.h"
#include "support/scratch_folder.h"
#include "support/shown_code.h"

namespace stillpoint {

/// Runs each block in a folder, beside the cases, and checks its exit code and that it prints what is shown, both
/// without what is left to the machine. Returns the number of blocks.
inline std::size_t run_shown_blocks(
    const std::string& page, const ScratchFolder& place, const std::function<std::string(const std::string&)>& without,
    const std::function<int(const std::string&)>& code = [](const std::string&) { return 0; }) {
  std::filesystem::create_symlink(STILLPOINT_SOURCE_DIR "/cases", place / "cases");
  const std::string prompt = "$ ./dev run ";
  const std::vector<std::string> blocks = all_shown_code(page, "console");
  for (const std::string& block : blocks) {
    CAPTURE(block);
    REQUIRE(block.starts_with(prompt));
    const std::size_t end = block.find('\n');
    const Answer answer =
        shell("cd '" + place / "." + "' && \"$TOOL\" " + block.substr(prompt.size(), end - prompt.size()));
    CHECK_MESSAGE(answer.code == code(block), answer.err);
    CHECK(without(answer.out) == without(block.substr(end + 1)));
  }
  return blocks.size();
}

}  // namespace stillpoint
