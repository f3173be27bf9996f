// The page docs/adding-an-element.md prints magnet.h; here it is compiled, used as the page says, and compared.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "docs/magnet.h"
#include "stillpoint/stillpoint.h"

using namespace stillpoint;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr const char* two_magnets = R"(
stillpoint: 1
mechanism:
  - fixed: A
    at: 0, 0
  - point: B
    at: 2, 0
    mass: 1
  - magnet: pair
    between: A, B
    strength: 3
)";

}  // namespace

TEST_CASE("docs: the element on the page is the one that is compiled") {
  const std::string page = content_of(STILLPOINT_SOURCE_DIR "/docs/adding-an-element.md");
  const std::string element = content_of(STILLPOINT_SOURCE_DIR "/tests/docs/magnet.h");
  REQUIRE(!element.empty());
  CHECK(page.find("```cpp\n" + element + "```\n") != std::string::npos);
}

TEST_CASE("docs: an element of one's own is read from a model file and has exact derivatives") {
  const Model model = read_model_text(two_magnets, "magnets", {}, {.more_types = {element_type<Magnet>()}});
  const State state = model.initial_state();
  CHECK(potential_energy(model, state) == -1.5);  // −3/2
  const Eigen::VectorXd f = applied_forces(model, state);
  CHECK(f[0] == -0.75);  // −3/2², towards A
  CHECK(f[1] == 0);
  Assembly assembly(model);
  const Eigen::MatrixXd K = assembly.at(state).K;
  CHECK(K(0, 0) == doctest::Approx(-0.75).epsilon(1e-15));  // V'' = −2·3/2³
  CHECK(K(1, 1) == doctest::Approx(0.375).epsilon(1e-15));  // V'/l = 3/2²/2
}

TEST_CASE("docs: an unknown element is refused without its type") {
  CHECK_THROWS_WITH_AS(read_model_text(two_magnets, "magnets"),
                       doctest::Contains("magnets:9:5: an entry cannot start with 'magnet'"), Error);
}
