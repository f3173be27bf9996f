// The page docs/studies.md: what it shows is run, and prints and plots what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/clients.h"
#include "support/docs/pictures.h"
#include "support/docs/shown_blocks.h"

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
  const auto has_code = [](const std::string& shown) {
    return shown.find("The study ends early") != std::string::npos ? 1 : 0;
  };
  CHECK(run_shown_blocks(docs + "/studies.md", place, without_rounding, has_code) == 18);
  for (const char* const picture : {"flutter.svg", "locus.svg", "map.svg", "curves.svg", "snap.svg", "fork.svg"}) {
    CAPTURE(picture);
    const std::string now = content_of(place / picture), shown = content_of(docs + "/pictures/" + picture);
    CHECK(words_of_picture(now) == words_of_picture(shown));
    CHECK(lines_in_picture(now) == lines_in_picture(shown));
  }
}
