// The page README.md: its C++ is compiled and run here, and its first command prints what it shows.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "stillpoint/stillpoint.h"
#include "support/docs/page_runs.h"
#include "support/shown_code.h"

using namespace stillpoint;

namespace {

const std::string readme = STILLPOINT_SOURCE_DIR "/README.md";

/// With one space in place of all white space between two words.
std::string in_one_line(const std::string& text) {
  const std::string line = std::regex_replace(text, std::regex("[ \n]+"), " ");
  return line.substr(line.starts_with(" ") ? 1 : 0);
}

/// The working directory is a scratch folder with the cases as long as this exists.
class ScratchWorkplace {
 public:
  ScratchWorkplace() {
    std::filesystem::create_directory_symlink(STILLPOINT_SOURCE_DIR "/cases", folder_ / "cases");
    std::filesystem::current_path(folder_ / ".");
  }
  ~ScratchWorkplace() { std::filesystem::current_path(before_); }
  ScratchWorkplace(const ScratchWorkplace&) = delete;
  ScratchWorkplace& operator=(const ScratchWorkplace&) = delete;

 private:
  ScratchFolder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
};

}  // namespace

TEST_CASE("docs: the README shows what its first command prints") {
  const Lines page = page_lines("README.md");
  const std::string prompt = "./dev run ";
  const auto command =
      std::find_if(page.begin(), page.end(), [&](const auto& line) { return line.starts_with(prompt); });
  const auto words = std::find(command, page.end(), "The first prints");
  const auto begin = std::find(words, page.end(), "```");
  REQUIRE(begin != page.end());
  const auto end = std::find(begin + 1, page.end(), "```");
  REQUIRE(end != page.end());
  const PageStep step{"", *command, Lines(begin + 1, end), static_cast<std::size_t>(begin + 1 - page.begin())};
  check_steps("README.md", page, {step});
}

TEST_CASE("docs: the C++ of the README is what is compiled here") {
  const std::string here = in_one_line(content_of(STILLPOINT_SOURCE_DIR "/tests/docs/readme_test.cpp"));
  const auto blocks = all_shown_code(readme, "cpp");
  CHECK(blocks.size() == 2);
  for (const std::string& block : blocks) CHECK_MESSAGE(here.find(in_one_line(block)) != std::string::npos, block);
}

TEST_CASE("docs: the README goes from a model file to a plant") {
  const ScratchWorkplace workplace;
  const Model model = read_model("cases/four_bar", {{"N", 5}});
  const Equilibrium rest = find_equilibrium(model);                  // q, λ, stability, rank of the constraints
  const LinearSystem system = linearize(model, rest);                // sparse M, C, K, J, F, G with names
  const Spectrum modes = solve_modes(system, minimal_form(system));  // s, shapes, error bounds
  write_plant(state_space(with_channels(system, {"phi"}, {"phi"})), "plant.mat");

  REQUIRE(!modes.modes.empty());
  CHECK(modes.modes[0].s.imag() == doctest::Approx(1.545522030).epsilon(1e-9));
  CHECK(std::filesystem::exists("plant.mat"));
}

TEST_CASE("docs: the README builds a door, and its hinges bear its weight") {
  ModelBuilder build("door");
  build.gravity({0, 0, -9.81});
  const space::Place door =
      build.space_body("door", {0, 0, 0}, {.mass = 30, .inertia = {10, 2.5, 12.5}, .centre = {0.5, 0, 1}});
  build.add("hinges", space::Revolute{.a = space::ground, .b = door});  // about their z axes
  build.output_reaction("load", build.constraint_ref("hinges"));
  const Model model = build.model();
  const OutputValues loads = observe(model, find_equilibrium(model).state);  // y and its exact derivatives

  REQUIRE(loads.y.size() == 6);
  CHECK(loads.y[2] == doctest::Approx(30 * 9.81).epsilon(1e-12));
  CHECK(loads.y[4] == doctest::Approx(-30 * 9.81 * 0.5).epsilon(1e-12));
}
