// The verb `explain` on the command line.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

TEST_CASE("explain: text and JSON have the same words, and commands name the model with its settings") {
  const std::string five_bar = "explain " + case_folder("five_bar_parallelogram") + " redundancy --set L=0.8";
  const Answer text = run(five_bar);
  CHECK(text.code == 0);
  CHECK(contains(text.out, "release top[2].y: a pin in a slot (slider) there; this leaves 1 degree of"));
  const TestJson json = TestJson::parse(run(five_bar + " --json").out);
  CHECK(json["schema"] == "stillpoint.explain/1");
  const TestJson& choice = json["redundancy"]["groups"][0]["choices"][0];
  CHECK(choice["joints"][0]["joint"] == "top[2]");
  CHECK(choice["joints"][0]["becomes"] == "slider");
  CHECK(choice["dof"] == 1);
  CHECK(choice["redundant"] == 0);
  CHECK(json["words"][0]["topic"] == "redundancy");
  CHECK(json["words"][0]["more"].get<std::string>().ends_with("five_bar_parallelogram --set L=0.8"));
  CHECK(!json.contains("verdict"));
}

TEST_CASE("explain: topics with numbers choose a mode, or an eigenvalue of one method") {
  const TestJson mode = TestJson::parse(run("explain " + case_folder("governor") + " mode 2 --json").out);
  CHECK(mode["mode"]["mode"] == 2);
  CHECK(mode["mode"]["parameter"]["name"] == "c");
  const TestJson spurious = TestJson::parse(run("explain " + case_folder("four_bar") + " spurious ucs 3 --json").out);
  REQUIRE(spurious["spurious"].size() == 1);
  CHECK(spurious["spurious"][0]["method"] == "ucs");
  CHECK(spurious["spurious"][0]["eigenvalue"] == 3);
}

TEST_CASE("explain: what is asked for must exist") {
  const std::string four_bar = case_folder("four_bar");
  check_refused("explain " + four_bar + " redundanzy",
                "there is no topic 'redundanzy' (did you mean 'redundancy'?); there are verdict, redundancy");
  check_refused("explain " + four_bar + " mode two", "'two' is not the number of a mode");
  check_refused("explain " + four_bar + " mode 7", "mode 7: the table of modes has 1 lines");
  check_refused("explain " + four_bar + " spurious mcs", "'mcs' is no method with spurious eigenvalues");
  check_refused("explain " + four_bar + " spurious ucs 1", "is not spurious: its class is 'true'");
  check_refused("explain " + four_bar + " verdict 1", "topic 'verdict': '1' is too much");
}

TEST_CASE("explain: where there is no equilibrium the reason is explained, with exit code 1") {
  const ScratchFolder folder;
  folder.write("open.yaml",
               "{stillpoint: 1, mechanism: [{point: P, at: '1, 0', mass: 1}, "
               "{distance: a, between: 'ground, P', length: 1}, "
               "{distance: b, between: 'ground(5, 0), P', length: 1}]}");
  const Answer answer = run("explain '" + folder / "open.yaml" + "'");
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, "the constraints are not satisfied together"));
  CHECK(contains(answer.out, "3 m too far"));
}

TEST_CASE("explain: a folder of matrices is explained without joints") {
  const ScratchFolder folder;
  REQUIRE(run("linearize " + case_folder("five_bar_parallelogram") + " -o '" + folder / "matrices" + "'").code == 0);
  const Answer answer = run("explain '" + folder / "matrices" + "' redundancy");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(contains(answer.out, "1 of 12 constraints is redundant"));
  CHECK(contains(answer.out, "leaves 1 degree of freedom and no redundancy"));
}
