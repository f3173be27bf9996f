// The page docs/install.md: its commands run, and what it says of files and of CMake is what the tests of the
// installation know.

#include <doctest/doctest.h>

#include <regex>
#include <sstream>

#include "support/docs/page_runs.h"
#include "support/shown_code.h"

using namespace stillpoint;

namespace {

const std::string page_file = STILLPOINT_SOURCE_DIR "/docs/install.md";

}  // namespace

TEST_CASE("docs: the page on installing shows what its commands print") { check_page("docs/install.md"); }

TEST_CASE("docs: the page on installing names the places of files that are installed") {
  const std::string page = content_of(page_file), tested = content_of(STILLPOINT_SOURCE_DIR "/tests/install/layout.sh");
  const std::regex place("`PREFIX/([^`]+)`");
  std::size_t count = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), place), end; found != end; ++found, ++count) {
    const std::string path = std::regex_replace((*found)[1].str(), std::regex("^lib/"), "$library/");
    CHECK_MESSAGE((contains(tested, path) || path == "include/stillpoint"), path);
  }
  CHECK(count == 10);
}

TEST_CASE("docs: the CMake of the page on installing is that of the stranger's project") {
  const std::string stranger = content_of(STILLPOINT_SOURCE_DIR "/tests/install/CMakeLists.txt");
  const auto blocks = all_shown_code(page_file, "cmake");
  REQUIRE(blocks.size() == 1);
  std::istringstream lines(blocks[0]);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(contains(stranger, line + "\n"), line);
}

TEST_CASE("docs: the packages of the page on installing are those that are made") {
  const std::string page = content_of(page_file),
                    made = content_of(STILLPOINT_SOURCE_DIR "/src/packages/packages.cmake");
  for (const char* const package : {"stillpoint", "libstillpoint-dev", "python3-stillpoint"}) {
    CHECK(contains(page, "\n| `" + std::string(package) + "` | "));
    CHECK(contains(made, "describe(" + std::string(package) + " "));
  }
}
