// The verbs `motion` and `verify` on the command line.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

namespace {

const std::string a02 = case_folder("four_bar") + " --set k=0 --set N=2 --at phi=1.5707963267948966";

std::vector<double> last_line_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  std::vector<double> numbers;
  std::istringstream cells(last);
  for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  return numbers;
}

}  // namespace

TEST_CASE("motion: the linkage of A02 is where the closed form says after ten seconds") {
  const Answer answer = run("motion " + a02 + " --rate 'B[0].x=1' --until 10 --every 1");
  CHECK(answer.code == 0);
  CHECK(answer.out.starts_with("time,B[0].x,B[0].y,"));
  CHECK(contains(answer.err, "note: the energy account closes to "));
  const std::vector<double> end = last_line_of(answer.out);
  REQUIRE(end.size() > 3);
  CHECK(end[0] == 10);
  CHECK(std::abs(end[1] - 0.3284581115408) < 1e-5);
  CHECK(std::abs(end[2] - 0.9445185381786) < 1e-5);
}

TEST_CASE("motion: tables and JSON hold the same numbers, and nothing else is printed on request") {
  const ScratchFolder folder;
  const std::string swing = "motion " + case_folder("double_pendulum") + " --until 1 --every 0.25 --quiet";
  const Answer answer = run(swing + " --json");
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  const TestJson json = TestJson::parse(answer.out);
  CHECK(json["schema"] == "stillpoint.motion/1");
  CHECK(json["status"] == "done");
  CHECK(json["times"].size() == 5);
  CHECK(json["energy"]["largest_imbalance"].get<double>() < 1e-6 * json["energy"]["largest"].get<double>() + 1e-9);
  CHECK(run(swing + " -o '" + folder / "swing.csv" + "'").code == 0);
  CHECK(contains(content_of(folder / "swing.csv"), "kinetic energy,potential energy,work"));
}

TEST_CASE("motion: from the equilibrium nothing moves") {
  const Answer answer = run("motion " + case_folder("four_bar") + " --start equilibrium --until 1 --json --quiet");
  const TestJson json = TestJson::parse(answer.out);
  for (const TestJson& kinetic : json["energy"]["kinetic"]) CHECK(kinetic.get<double>() < 1e-12);
}

TEST_CASE("motion: an input follows its table") {
  const ScratchFolder folder;
  folder.write("drive.csv", "time,value\n0,0\n1,0.1\n2,0.1\n");
  const Answer answer = run("motion " + case_folder("base_excited") +
                            " --until 2 --all-coordinates --input 'base=" + folder / "drive.csv" + "' --json --quiet");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  check_refused("motion " + case_folder("base_excited") + " --until 2 --input drive", "NAME=FILE");
  check_refused("motion " + case_folder("base_excited") + " --until 2 --input 'nothing=" + folder / "drive.csv" + "'",
                "there is no input 'nothing'");
  folder.write("bad.csv", "0,0\n1,a\n");
  check_refused("motion " + case_folder("base_excited") + " --until 2 --input 'base=" + folder / "bad.csv" + "'",
                "bad.csv:2: ");
}

TEST_CASE("motion: reactions, the ones that are open, and singular configurations") {
  const std::string five_bar = case_folder("five_bar_parallelogram") + " --set phi_guess=0.785 --until 0.6 --every 0.3";
  const Answer answer = run("motion " + five_bar + " --reactions --json");
  CHECK(answer.code == 0);
  CHECK(contains(answer.err, "1 singular configurations were passed, the first at 0.422854 s; constraint forces stay"));
  const TestJson json = TestJson::parse(answer.out);
  CHECK(json["outputs"]["base[1].fx"].size() == 3);
  CHECK(json["coordinates"]["coupler.x"].size() == 3);
  const TestJson& reaction = json["reactions"]["base[1].fx"];
  CHECK(reaction["determined"] == false);
  CHECK(reaction["unknowns"] == 1);
  CHECK(reaction["shared_with"].size() == 12);
  REQUIRE(json["singular"].size() == 1);
  CHECK(json["singular"][0]["rank"] == 10);
  CHECK(json["singular"][0]["reactions"] == "bounded");
  CHECK(json["singular"][0]["branch"] == "confirmed");
  const TestJson hinge =
      TestJson::parse(run("motion " + case_folder("pendulum_spatial") + " --until 0.2 --reactions --json --quiet").out);
  CHECK(hinge["reactions"]["hinge.mx"]["determined"] == true);
}

TEST_CASE("motion: other forms and methods on request, and an end where an output crosses a value") {
  const std::string swing = "motion " + a02 + " --rate 'B[0].x=1' --until 0.5 --every 0.5 --quiet";
  const std::vector<double> usual = last_line_of(run(swing).out);
  for (const std::string other : {" --form kkt", " --form tree", " --form null-space", " --stabilize baumgarte"}) {
    CAPTURE(other);
    const std::vector<double> found = last_line_of(run(swing + other).out);
    REQUIRE(found.size() == usual.size());
    CHECK(std::abs(found[1] - usual[1]) < 1e-8);
  }
  const TestJson implicit = TestJson::parse(run(swing + " --method implicit --tolerance 1e-9 --json").out);
  CHECK(implicit["method"]["name"] == "implicit");
  CHECK(implicit["method"]["order"] == 2);
  CHECK(std::abs(implicit["coordinates"]["B[0].x"].back().get<double>() - usual[1]) < 1e-4);
  const TestJson stopped = TestJson::parse(run(swing + " --stop phi=1.2 --json").out);
  CHECK(stopped["status"] == "stopped");
  CHECK(std::abs(stopped["coordinates"]["phi"].back().get<double>() - 1.2) < 1e-9);
  check_refused(swing + " --stop nothing=1", "no output or coordinate 'nothing'");
  check_refused(swing + " --form wrong", "--form");
  check_refused(swing + " --form udwadia-kalaba", "'phi' has no inertia");
  const std::string five_bar = "motion " + case_folder("five_bar_parallelogram") + " --until 0.2 --every 0.2 --quiet";
  CHECK(run(five_bar + " --form udwadia-kalaba --pseudoinverse greville").code == 0);
}

TEST_CASE("motion: what cannot be understood is refused in one line") {
  check_refused("motion " + case_folder("pendulum"), "--until is required");
  check_refused("motion " + case_folder("pendulum") + " --until -1", "--until");
  check_refused("motion " + case_folder("pendulum") + " --until 1 --rate nothing=1",
                "there is no coordinate 'nothing'");
  check_refused("motion " + case_folder("pendulum") + " --until 1 -o swing.png", "the endings are .csv and .json");
  check_refused("motion " + case_folder("pendulum") + " --until 1 --tolerance 1", "--tolerance");
}

TEST_CASE("verify: the modes of a damped linkage agree with its motion") {
  const Answer answer = run("verify " + case_folder("four_bar") + " --set c=1 --json");
  CHECK(answer.code == 0);
  const TestJson json = TestJson::parse(answer.out);
  CHECK(json["schema"] == "stillpoint.verify/1");
  CHECK(json["verified"] == json["of"]);
  CHECK(json["of"].get<int>() > 0);
  for (const TestJson& mode : json["modes"]) CHECK(mode["difference"].get<double>() <= mode["bar"].get<double>());
  CHECK(contains(run("verify " + case_folder("four_bar")).out, "modes agree with the motion of the mechanism"));
}
