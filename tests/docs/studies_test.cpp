// The page docs/studies.md: what it shows is run, and prints and plots what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/clients.h"
#include "support/docs/pictures.h"
#include "support/shown_code.h"

using namespace stillpoint;

namespace {

const std::string docs = STILLPOINT_SOURCE_DIR "/docs";

// How much rounding does is for the machine to decide: bounds, and digits beyond the eighth.
std::string without_rounding(const std::string& text) {
  const std::string without_bounds = std::regex_replace(text, std::regex("± [0-9e.-]+"), "±");
  return std::regex_replace(without_bounds, std::regex("([0-9]\\.[0-9]{8})[0-9]+"), "$1");
}

}  // namespace

TEST_CASE("docs: the page on parameter studies prints and plots what it shows") {
  const ScratchFolder place;
  std::filesystem::create_symlink(STILLPOINT_SOURCE_DIR "/cases", place / "cases");
  const std::string prompt = "$ ./dev run ";
  const std::vector<std::string> blocks = all_shown_code(docs + "/studies.md", "console");
  CHECK(blocks.size() == 10);
  for (const std::string& block : blocks) {
    CAPTURE(block);
    REQUIRE(block.starts_with(prompt));
    const std::size_t end = block.find('\n');
    const Answer answer =
        shell("cd '" + place / "." + "' && \"$TOOL\" " + block.substr(prompt.size(), end - prompt.size()));
    const bool ends_early = block.find("The study ends early") != std::string::npos;
    CHECK_MESSAGE(answer.code == (ends_early ? 1 : 0), answer.err);
    CHECK(without_rounding(answer.out) == without_rounding(block.substr(end + 1)));
  }
  for (const char* const picture : {"flutter.svg", "locus.svg", "snap.svg", "fork.svg"}) {
    CAPTURE(picture);
    const std::string now = content_of(place / picture), shown = content_of(docs + "/pictures/" + picture);
    CHECK(words_of_picture(now) == words_of_picture(shown));
    CHECK(lines_in_picture(now) == lines_in_picture(shown));
  }
}
