// The page docs/motion.md: what it shows is run, and prints and plots what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/clients.h"
#include "support/docs/pictures.h"
#include "support/docs/shown_blocks.h"

using namespace stillpoint;

namespace {

const std::string docs = STILLPOINT_SOURCE_DIR "/docs";

// What two computations differ by is rounding, of which the machine decides.
std::string without_differences(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+e-1[0-9]"), "rounding");
}

}  // namespace

TEST_CASE("docs: the page on motion prints and plots what it shows") {
  const ScratchFolder place;
  CHECK(run_shown_blocks(docs + "/motion.md", place, without_differences) == 3);
  for (const char* const picture : {"swing.svg", "beside_linear.svg"}) {
    CAPTURE(picture);
    const std::string now = content_of(place / picture), shown = content_of(docs + "/pictures/" + picture);
    CHECK(words_of_picture(now) == words_of_picture(shown));
    CHECK(lines_in_picture(now) == lines_in_picture(shown));
  }
}
