// The page docs/control.md: what it shows is run, and prints what it shows.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>

#include "support/clients.h"
#include "support/shown_code.h"

using namespace stillpoint;

namespace {

const std::string docs = STILLPOINT_SOURCE_DIR "/docs";
const std::string page = docs + "/control.md";

/// Rounding differs between machines; `verify` has looked at its size.
std::string without_rounding(const std::string& text) {
  const std::string rounded =
      std::regex_replace(text, std::regex("differs by [0-9.]+e-1[0-9] "), "differs by rounding ");
  const std::string ungapped =
      std::regex_replace(rounded, std::regex("smallest gap [0-9.]+e[+][0-9]+"), "smallest gap");
  const std::string undropped =
      std::regex_replace(ungapped, std::regex("[|] [0-9.]+(e-[0-9]+)?; rounding [0-9]+e-[0-9]+"), "| rounding");
  const std::string unbounded = std::regex_replace(undropped, std::regex("; rounding [0-9]+e-[0-9]+"), "; rounding");
  return std::regex_replace(unbounded, std::regex("[0-9][.][0-9]e-1[0-9]"), "rounding");
}

/// Runs "$ ./dev run ..." of a block in a folder in which cases/ is there, and compares the lines below.
void check_console(const std::string& block, const std::string& folder) {
  const std::string prompt = "$ ./dev run ";
  REQUIRE(block.starts_with(prompt));
  const std::size_t end = block.find('\n');
  const Answer answer = shell("cd '" + folder + "' && \"$TOOL\" " + block.substr(prompt.size(), end - prompt.size()));
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(without_rounding(answer.out) == without_rounding(block.substr(end + 1)));
}

struct Workplace : ScratchFolder {
  Workplace() {
    std::filesystem::create_symlink(STILLPOINT_SOURCE_DIR "/cases", *this / "cases");
    for (const std::string& block : all_shown_code(page, "console")) check_console(block, *this / ".");
  }
};

}  // namespace

TEST_CASE("docs: the page on control holds the upright cart-pole in Octave") {
  require_octave();
  const Workplace place;
  place.write("page.m", shown_code(page, "octave", 0));
  const Answer answer = shell("cd '" + place / "." + "' && octave-cli --norc --path '" + docs + "' page.m");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(without_rounding(answer.out) == without_rounding(shown_code(page, "text", 0)));
}

TEST_CASE("docs: the page on control holds the upright cart-pole in Python") {
  require_python();
  const Workplace place;
  place.write("page.py", fmt::format("{}", fmt::join(all_shown_code(page, "python"), "")));
  const Answer answer = shell("cd '" + place / "." + "' && " + python + " page.py");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(answer.out == shown_code(page, "text", 1) + shown_code(page, "text", 2) + shown_code(page, "text", 3));
}
