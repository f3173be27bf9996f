// The section `controllers` of model files: what it makes, and how wrong ones are refused.

#include "stillpoint/read_controllers.h"

#include <doctest/doctest.h>

#include "support/error_texts.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

const std::string mechanism = R"(stillpoint: 1
name: cart
parameters:
  k: 3
mechanism:
  - input: push
  - scalar: cart
    mass: 2
  - torque: pushed
    on: cart
    magnitude: 1
    input: push
  - output: position
    coordinate: cart
controllers:
)";

std::vector<Controller> read(const std::string& controllers, const Parameters& parameters = {}) {
  const ScratchFolder folder;
  folder.write("model.yaml", mechanism + controllers);
  const Model model = read_model(folder / "model.yaml", parameters);
  return read_controllers(folder / "model.yaml", model, parameters);
}

std::string refusal(const std::string& controllers) {
  const std::string text = error_of([&] { read(controllers); });
  const std::size_t place = text.find("model.yaml:");
  return place == std::string::npos ? text : text.substr(place + 11);
}

const std::string channels = "    from: position\n    to: push\n";

}  // namespace

TEST_CASE("read_controllers: numbers are expressions of parameters") {
  const std::string text = "  - pid: hold\n" + channels + "    kp: 2*k\n    ki: k\n    kd: 1\n    filter_time: 0.5\n";
  const std::vector<Controller> made = read(text, {{"k", 5}});
  REQUIRE(made.size() == 1);
  CHECK(made[0].name == "hold");
  CHECK(made[0].from == std::vector<std::string>{"position"});
  CHECK(made[0].to == std::vector<std::string>{"push"});
  CHECK(made[0].D(0, 0) == 12);  // kp + kd/T
  CHECK(made[0].C(0, 0) == 5);
  CHECK(made[0].state_names == std::vector<std::string>{"integral", "filtered"});
  CHECK(!made[0].positive_feedback);
}

TEST_CASE("read_controllers: every kind of controller is made, with rates, coordinates and delays") {
  const std::vector<Controller> made =
      read("  - gain: a\n" + channels + "    value: k\n    feedback: positive\n" +
           "  - state_feedback: b\n    from: [position, position', cart]\n    to: cart\n    gain: [1, 2, k]\n" +
           "  - transfer_function: c\n" + channels + "    numerator: 2\n    denominator: 1, k\n    delay: 0.1\n" +
           "  - state_space: d\n" + channels +
           "    A: [[0, 1], [-k, -1]]\n    B: [0, 1]\n    C: [1, 0]\n    states: [s, t]\n");
  REQUIRE(made.size() == 4);
  CHECK(made[0].positive_feedback);
  CHECK(made[0].D(0, 0) == 3);
  CHECK(made[1].D == Eigen::RowVector3d(1, 2, 3));
  CHECK(made[1].from == std::vector<std::string>{"position", "position'", "cart"});
  CHECK(made[2].A.rows() == 3);
  CHECK(made[2].A(0, 0) == -3);
  CHECK(made[3].A == Eigen::Matrix2d{{0, 1}, {-3, -1}});
  CHECK(made[3].B == Eigen::Vector2d(0, 1));
  CHECK(made[3].D(0, 0) == 0);
  CHECK(made[3].state_names == std::vector<std::string>{"s", "t"});
}

TEST_CASE("read_controllers: a delay of zero makes no states") {
  CHECK(read("  - gain: a\n" + channels + "    value: k\n    delay: k - 3\n")[0].A.rows() == 0);
}

TEST_CASE("read_controllers: a block comes from a plant file, which must be one") {
  const ScratchFolder folder;
  const auto with_file = [&](const std::string& plant) {
    folder.write("block.json", plant);
    folder.write("model.yaml", mechanism + "  - state_space: a\n" + channels + "    file: block.json\n");
    return read_controllers(folder / "model.yaml", read_model(folder / "model.yaml")).at(0);
  };
  const std::string head = R"({"schema": "stillpoint.plant/1", "StateName": ["z"], "E": [], "A": )";
  const Controller made = with_file(head + R"([[-2]], "B": [[1]], "C": [[3]], "D": [[0.5]]})");
  CHECK(made.A(0, 0) == -2);
  CHECK(made.D(0, 0) == 0.5);
  CHECK(made.state_names == std::vector<std::string>{"z"});
  const std::string triplets = R"({"shape": [1, 1], "rows": [0], "columns": [0], "values": [-2]})";
  CHECK(with_file(head + triplets + R"(, "B": [[1]], "C": [[3]], "D": [[0.5]]})").A(0, 0) == -2);
  CHECK(contains(error_of([&] { with_file(head + R"([[-2]], "B": [[1]], "C": [[3]]})"); }), "is no plant of"));
  CHECK(contains(error_of([&] { with_file(R"({"schema": "other"})"); }), "it is no plant with A, B, C and D"));
}

TEST_CASE("read_controllers: a file without the section has none") {
  const ScratchFolder folder;
  folder.write("model.yaml", mechanism.substr(0, mechanism.find("controllers")));
  CHECK(!has_controllers(folder / "model.yaml"));
  CHECK(read_controllers(folder / "model.yaml", read_model(folder / "model.yaml")).empty());
}

TEST_CASE("read_controllers: what is wrong is refused with its place") {
  CHECK(refusal("  - gains: a\n") ==
        "16:5: a controller cannot start with 'gains' (did you mean 'gain'?); allowed are gain, "
        "pid, state_feedback, transfer_function, state_space");
  CHECK(contains(refusal("  - gain: a\n    from: positon\n    to: push\n    value: 1\n"),
                 "17:11: 'from' of gain 'a': there is no output or coordinate 'positon' (did you mean 'position'?)"));
  CHECK(contains(refusal("  - gain: a\n    from: position\n    to: pusch\n    value: 1\n"),
                 "18:9: 'to' of gain 'a': there is no input or coordinate 'pusch' (did you mean 'push'?)"));
  CHECK(contains(refusal("  - gain: a\n" + channels), "gain 'a' lacks 'value'"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: 1\n    vlaue: 2\n"), "the key 'vlaue' is unknown"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: [1, 2]\n"), "gain 'a' has 1 row and 2 columns, but"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: q\n"), "19:12:"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: 1/0\n"), "it must be a finite number"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: 1\n    feedback: no\n"),
                 "must be negative or positive"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: 1\n    delay: -1\n"), "it must be a positive time"));
  CHECK(
      contains(refusal("  - gain: a\n" + channels + "    value: 1\n    delay_order: 1.5\n"), "a whole number from 1"));
  CHECK(contains(refusal("  - gain: all\n" + channels + "    value: 1\n"), "cannot be called 'all'"));
  CHECK(contains(refusal("  - gain: a\n" + channels + "    value: 1\n  - gain: a\n" + channels + "    value: 1\n"),
                 "there are two controllers 'a'"));
  CHECK(contains(refusal("  - pid: a\n" + channels + "    kd: 1\n"),
                 "pid 'a': a derivative of the error needs a filter"));
  CHECK(contains(refusal("  - transfer_function: a\n" + channels + "    numerator: 1, 0\n    denominator: 1\n"),
                 "is improper"));
  CHECK(contains(refusal("  - state_space: a\n" + channels + "    A: 1\n    B: 1\n"), "state_space 'a' lacks 'C'"));
  CHECK(contains(refusal("  - state_space: a\n" + channels + "    A: [[1, 2], [3]]\n    B: 1\n    C: 1\n"),
                 "row 2 of 'A' of state_space 'a' has 1 numbers, the first one has 2"));
  CHECK(contains(refusal("  - gain: a\n    from: [position, position]\n    to: push\n    value: [1, 1]\n"), "twice"));
}
