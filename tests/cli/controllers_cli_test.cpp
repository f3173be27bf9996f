// Controllers of a model through the tool: loops that verbs close, and loops that are closed by SciPy.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/clients.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

const std::string cart = case_folder("controlled_cart_pole") + " --rest nearest";

Json modes_of(const std::string& arguments) {
  const Answer answer = run("modes " + arguments + " --json --quiet");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return Json::parse(answer.out);
}

}  // namespace

TEST_CASE("controllers: loops closed by the tool are those that SciPy closes, to 1e-9, on more than 30 systems") {
  require_python();
  const ScratchFolder folder;
  const Answer answer = shell(fmt::format("{} '{}/tests/support/plants/close_with_scipy.py' \"$TOOL\" '{}/cases' '{}'",
                                          python, STILLPOINT_SOURCE_DIR, STILLPOINT_SOURCE_DIR, folder / "."));
  CHECK_MESSAGE(answer.code == 0, answer.err);
  std::istringstream lines(answer.out);
  const std::regex numbers(".*: ([0-9]+) poles, ([^ ]+), ([^ ]+), (.*)");
  int systems = 0, unstable = 0;
  for (std::string line; std::getline(lines, line); ++systems) {
    CAPTURE(line);
    std::smatch found;
    REQUIRE(std::regex_match(line, found, numbers));
    CHECK(std::stod(found[2]) < 1e-9);
    CHECK(std::stod(found[3]) < 1e-9);
    unstable += contains(found[4], "unstable");
  }
  CHECK(systems > 30);
  CHECK(unstable > 0);
}

TEST_CASE("controllers: --open leaves a controller out, and all of them") {
  const Json closed = modes_of(cart), one = modes_of(cart + " --open station"), none = modes_of(cart + " --open all");
  CHECK(closed.at("modes").size() == 7);
  CHECK(contains(closed.at("verdict"), "stable"));
  CHECK(!contains(closed.at("verdict"), "unstable"));
  CHECK(closed.at("model").at("controllers").size() == 2);
  CHECK(one.at("modes").size() == 5);
  CHECK(one.at("model").at("controllers").size() == 1);
  CHECK(none.at("modes").size() == 4);
  CHECK(contains(none.at("verdict"), "unstable"));
  check_refused("modes " + cart + " --open statoin", "there is no controller 'statoin' (did you mean 'station'?)");
}

TEST_CASE("controllers: states of controllers are in descriptions and shapes of modes") {
  const Json closed = modes_of(cart + " --shapes");
  bool is_named = false;
  for (const Json& mode : closed.at("modes")) {
    CHECK(mode.at("shape").contains("station.integral"));
    is_named = is_named || contains(mode.at("description"), "station.integral");
  }
  CHECK(is_named);
}

TEST_CASE("controllers: the closed loop has inputs and outputs of its own, and a broken one those of the loop") {
  const Answer closed = run("response " + cart + " --input station.reference --output position --points 3");
  CHECK_MESSAGE(closed.code == 0, closed.err);
  const Answer broken =
      run("response " + cart + " --open balance --input balance.error --output balance.feedback --points 3");
  CHECK_MESSAGE(broken.code == 0, broken.err);
  check_refused("response " + cart + " --open all --input station.reference --output position",
                "there is no input or coordinate 'station.reference'");
}

TEST_CASE("controllers: verbs that work on the mechanism alone refuse a model with controllers, unless they are open") {
  for (const char* const verb :
       {"motion CASE --until 0.01", "verify CASE --count 1", "sensitivity CASE", "sweep CASE --over m=1:2:3",
        "critical CASE --over m=1:2", "follow CASE --over m=1:2", "explain CASE"}) {
    std::string command = verb;
    command.replace(command.find("CASE"), 4, cart);
    check_refused(command, "has controllers, which act on the linearized model");
    check_refused(command + " --open balance", "only --open all has a meaning");
  }
  for (const std::string& command : {"motion " + cart + " --until 0.01", "explain " + cart}) {
    const Answer answer = run(command + " --open all --json --quiet");
    CHECK_MESSAGE(answer.code == 0, answer.err);
  }
}

TEST_CASE("controllers: a model from a pipe has none, for it can be read only once") {
  const std::string cases = STILLPOINT_SOURCE_DIR "/cases/";
  const Answer plain = shell("cat '" + cases + "cart_pole/model.yaml' | \"$TOOL\" modes /dev/stdin --rest nearest");
  CHECK_MESSAGE(plain.code == 0, plain.err);
  const Answer refused = shell("cat '" + cases + "controlled_cart_pole/model.yaml' | \"$TOOL\" modes /dev/stdin");
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "a model with controllers must be a file"));
}

TEST_CASE("controllers: 'check' refuses a wrong section with its place") {
  const ScratchFolder folder;
  folder.write("model.yaml", content_of(std::string(STILLPOINT_SOURCE_DIR) + "/cases/controlled_cart_pole/model.yaml") +
                                 "  - gain: more\n    from: angel\n    to: u\n    value: 1\n");
  check_refused("check '" + (folder / "model.yaml") + "'",
                "'from' of gain 'more': there is no output or coordinate 'angel' (did you mean 'angle'?)");
  check_refused("modes '" + (folder / "model.yaml") + "'", "did you mean 'angle'?");
}
