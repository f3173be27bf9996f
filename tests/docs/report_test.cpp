// The pages docs/report.md and docs/scene.md: their commands run, and print and write what they show.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/clients.h"
#include "support/docs/shown_blocks.h"

using namespace stillpoint;

namespace {

const std::string folder_of_docs = STILLPOINT_SOURCE_DIR "/docs";

std::string as_it_is(const std::string& text) { return text; }

}  // namespace

TEST_CASE("docs: the page on reports writes the page that it names") {
  const ScratchFolder place;
  CHECK(run_shown_blocks(folder_of_docs + "/report.md", place, as_it_is) == 1);
  CHECK(std::filesystem::file_size(place / "four_bar.html") < 150'000);
}

TEST_CASE("docs: the page on scenes prints what it shows, and its Python program reads the document") {
  require_python();
  const ScratchFolder place;
  CHECK(run_shown_blocks(folder_of_docs + "/scene.md", place, as_it_is) == 2);
  CHECK(std::filesystem::exists(place / "pendulum.gltf"));
  const std::vector<std::string> programs = all_shown_code(folder_of_docs + "/scene.md", "python");
  REQUIRE(programs.size() == 1);
  std::string program = programs[0];
  const std::string called = "\"stillpoint\"";
  program.replace(program.find(called), called.size(), "\"" STILLPOINT_TOOL "\"");
  std::ofstream(place / "read.py") << program;
  const Answer answer = shell("cd '" + place / "." + "' && " + python + " read.py");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  // Three bodies of the crank and rocker, each with x and y.
  CHECK(std::count(answer.out.begin(), answer.out.end(), '\n') == 3);
  CHECK_FALSE(contains(answer.out, "nan"));
}
