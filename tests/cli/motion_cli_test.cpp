// The verbs `motion` and `verify` on the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/clients.h"
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

TEST_CASE("motion: it goes on where another one ended, also with other inputs and at an interruption") {
  const ScratchFolder folder;
  const std::string linkage = "motion " + case_folder("actuated_four_bar") + " --input 'motor=6*sin(3*t)' --quiet ";
  const std::string half = folder / "half.json";
  REQUIRE(run(linkage + "--until 0.7 -o '" + half + "'").code == 0);
  const TestJson whole = TestJson::parse(run(linkage + "--until 2 --every 0.1 --json").out);
  const Answer answer = run(linkage + "--until 2 --every 0.1 --start '" + half + "' --json");
  REQUIRE_MESSAGE(answer.code == 0, answer.err);
  const TestJson second = TestJson::parse(answer.out);
  CHECK(second["times"].front() == 0.7);
  CHECK(second["times"].size() == 14);
  for (const auto& output : second["outputs"].items()) {
    CAPTURE(output.key());
    const double there = output.value().back(), expected = whole["outputs"][output.key()].back();
    CHECK(std::abs(there - expected) < 1e-7);  // of 1 m, 1 rad and 100 N
  }
  CHECK(contains(run("motion " + case_folder("actuated_four_bar") + " --until 1 --start '" + half + "'").err,
                 "note: from 0.7 to 1 s in "));

  // Inputs that are not given keep their last value, and --at changes single ones.
  const std::string go_on =
      "motion " + case_folder("actuated_four_bar") + " --until 0.8 --json --quiet --start '" + half + "'";
  const TestJson kept = TestJson::parse(run(go_on).out);
  CHECK(kept["end"]["inputs"]["motor"] == TestJson::parse(content_of(half))["end"]["inputs"]["motor"]);
  CHECK(TestJson::parse(run(go_on + " --at motor=0.5").out)["end"]["inputs"]["motor"] == 0.5);
  const TestJson turned = TestJson::parse(run(go_on + " --at crank.phi=1 --rate crank.phi=0.25").out);
  CHECK(std::abs(turned["outputs"]["crank"].front().get<double>() - 1) < 1e-12);

  const std::string swinging = "motion " + case_folder("four_bar") + " --set k=0 --at phi=1.2 --rate phi=1 ";
  const std::string ended = folder / "cut.json";
  for (const int seconds : {1, 4, 16}) {  // a signal before the first step leaves nothing
    if (std::filesystem::exists(ended)) break;
    const std::string interrupt = "timeout --preserve-status -s INT " + std::to_string(seconds) + " \"$TOOL\" ";
    REQUIRE(shell(interrupt + swinging + "--until 1e6 --every 1e4 --quiet -o '" + ended + "'").code == 130);
  }
  const TestJson cut = TestJson::parse(content_of(ended));
  CHECK(cut["status"] == "stopped");
  const double time = cut["end"]["time"];
  CHECK(time > 0);
  const Answer later = run("motion " + case_folder("four_bar") + " --set k=0 --json --quiet --start '" +
                           folder / "cut.json" + "' --until " + std::to_string(time + 0.5));
  CHECK_MESSAGE(later.code == 0, later.err);
  CHECK(TestJson::parse(later.out)["times"].front() == time);

  check_refused(go_on + " --trim motor", "--trim cannot stand beside --start");
  check_refused("motion " + case_folder("actuated_four_bar") + " --until 0.7 --start '" + half + "'", "ended at 0.7 s");
  check_refused("motion " + case_folder("four_bar") + " --until 2 --start '" + half + "'",
                "this is a motion of the model \"actuated_four_bar\", not of 'four_bar'");
  check_refused("motion " + case_folder("four_bar") + " --until 2 --start equilibrum",
                "there is no such file; a motion starts at guess, at equilibrium (did you mean 'equilibrium'?), or "
                "where the motion "
                "in a FILE.json ended");
}

TEST_CASE("motion: an input follows an expression of the time and of parameters") {
  const ScratchFolder folder;
  const std::string shaken =
      "motion " + case_folder("base_excited") + " --until 1 --every 0.25 --all-coordinates --quiet ";
  const TestJson json = TestJson::parse(run(shaken + "--input 'base=h/3*sin(15*t)' --json").out);
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(std::abs(json["coordinates"]["B.y"][k].get<double>() - 0.1 * std::sin(15 * 0.25 * static_cast<double>(k))) <
          1e-12);
  check_refused(shaken + "--input 'base=sin(3*q)'",
                "--input base: 'sin(3*q)' is not an expression of the time: 'q' at character 7 is unknown");
  check_refused(shaken + "--input 'base=nowhere.csv'", "nowhere.csv: cannot be read");
  check_refused(shaken + "--input base=t --input base=0", "--input base: this input is given twice");
  // A motion whose input loses its value is written up to there.
  const Answer lost = run(shaken + "--input 'base=0.01*t^3*log(0.8 - t)' --json");
  CHECK(lost.code == 1);
  CHECK(contains(lost.err, "has no finite "));
  const TestJson until_there = TestJson::parse(lost.out);
  CHECK(until_there["status"] == "stuck");
  CHECK(until_there["times"].size() == 4);
}

TEST_CASE("motion: it starts on a mode, numbered as in the list of the modes") {
  const std::string linkage = case_folder("four_bar") + " --set N=3 --set c=0.5 ";
  const TestJson modes = TestJson::parse(run("modes " + linkage + "--json --quiet").out);
  const double damping = modes["modes"][0]["s"][0], omega = modes["modes"][0]["s"][1];
  REQUIRE(omega > 0);
  const std::string on_mode = "motion " + linkage + "--start equilibrium --all-coordinates --json --quiet ";
  const double period = 2 * std::acos(-1.0) / omega;
  const TestJson motion = TestJson::parse(
      run(on_mode + "--perturb mode=1:1e-4 --until " + std::to_string(period) + " --every " + std::to_string(period))
          .out);
  const TestJson at_rest = TestJson::parse(run(on_mode + "--until 1 --every 1").out);
  const auto away = [&](std::size_t k) {
    return motion["coordinates"]["phi"][k].get<double>() - at_rest["coordinates"]["phi"][0].get<double>();
  };
  CHECK(std::abs(away(0)) > 1e-5);
  CHECK(std::abs(away(0)) <= 1.001e-4);
  CHECK(away(1) / away(0) == doctest::Approx(std::exp(damping * period)).epsilon(1e-3));
  check_refused("motion " + linkage + "--until 1 --perturb mode=1:0.01", "--perturb needs --start equilibrium");
  check_refused(on_mode + "--until 1 --perturb mode=7:0.01",
                "--perturb mode=7: the list of the modes about the equilibrium ends at 1");
}

TEST_CASE("motion: NumPy reads what is in the JSON") {
  require_python();
  const ScratchFolder folder;
  const std::string swing = "motion " + case_folder("four_bar") + " --set k=0 --until 1 --every 0.25 --quiet ";
  REQUIRE(run(swing + "-o '" + folder / "run.npz" + "'").code == 0);
  REQUIRE(run(swing + "-o '" + folder / "run.json" + "'").code == 0);
  folder.write("compare.py", R"(
import json, numpy, sys
run, text = numpy.load('run.npz'), json.load(open('run.json'))
assert str(run['schema']) == text['schema'] and str(run['status']) == 'done' and str(run['model']) == text['model']['name']
assert run['times'].tolist() == text['times']
count = 0
for group in ('outputs', 'coordinates'):
    for name, values in text.get(group, {}).items():
        assert run[group + '.' + name].tolist() == values, name
        count += 1
assert count > 3
for name in ('kinetic', 'potential', 'work'):
    assert run['energy.' + name].tolist() == text['energy'][name]
print(len(run.files) - count)
)");
  const Answer answer = shell("cd '" + folder / "." + "' && " + python + " compare.py");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  CHECK(answer.out == "7\n");
  check_refused(swing + "--json -o run.npz", "--json -o run.npz: the ending .npz is that of another format");
}

TEST_CASE("motion: plots have a panel for each unit, with a curve for each output") {
  const ScratchFolder folder;
  const std::string path = folder / "run.svg";
  REQUIRE(run("motion " + case_folder("actuated_four_bar") + " --until 1 --quiet -o '" + path + "'").code == 0);
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  CHECK(text.starts_with("<svg"));
  CHECK(text.find(">kinetic energy</text>") != std::string::npos);
  CHECK(text.find(">time (s)</text>") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
  check_refused("motion " + case_folder("four_bar") + " --set N=50 --until 1 --all-coordinates -o run.svg",
                "a plot shows at most 8 panels");
}

TEST_CASE("motion: the linear model moves beside the mechanism, and nearly as it does") {
  const std::string linkage = "motion " + case_folder("actuated_four_bar") + " --until 1 --every 0.1 --quiet ";
  const TestJson json = TestJson::parse(
      run(linkage + "--start equilibrium --perturb mode=1:1e-4 --input 'motor=0.01*sin(5*t)' --linear --json").out);
  REQUIRE(json["linear"].size() == json["outputs"].size());
  for (const auto& output : json["outputs"].items()) {
    CAPTURE(output.key());
    const std::vector<double> y = output.value(), linear = json["linear"][output.key()];
    REQUIRE(y.size() == linear.size());
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    for (std::size_t k = 0; k < y.size(); ++k) CHECK(std::abs(y[k] - linear[k]) < 1e-2 * (*most - *least) + 1e-9);
  }
  const std::string table = run(linkage + "--start equilibrium --rate crank.phi=0.01 --linear").out;
  CHECK(contains(table, ",crank linear,coupler.x linear,"));
  check_refused(linkage + "--linear",
                "--linear needs --start equilibrium: the linear model is that about an equilibrium, "
                "and this motion starts at the guess");
  check_refused("motion " + case_folder("pendulum") + " --until 1 --start equilibrium --linear", "names no outputs");
}

TEST_CASE("motion: the frequency and the damping that a motion shows are those of its mode") {
  const std::string linkage = case_folder("actuated_four_bar");
  const TestJson mode = TestJson::parse(run("modes " + linkage + " --json --quiet").out)["modes"][0];
  const Answer answer =
      run("motion " + linkage + " --start equilibrium --perturb mode=1:1e-4 --until 5 --identify --json");
  const TestJson decay = TestJson::parse(answer.out)["identified"]["crank"]["decay"];
  REQUIRE(!decay.is_null());
  CHECK(decay["frequency_hz"].get<double>() == doctest::Approx(mode["frequency_hz"].get<double>()).epsilon(1e-4));
  CHECK(std::abs(decay["damping_ratio"].get<double>() - mode["damping_ratio"].get<double>()) < 1e-4);
  CHECK(contains(answer.err, "spectral peaks (Hz)\ncrank "));
  const Answer still = run("motion " + linkage + " --start equilibrium --until 1 --identify --json");
  CHECK(contains(still.err, "it is constant"));
  CHECK(TestJson::parse(still.out)["identified"]["crank"]["decay"].is_null());
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
  check_refused("motion " + case_folder("pendulum") + " --until 1 -o swing.png",
                "the endings are .csv, .json, .npz and .svg");
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

TEST_CASE("verify: at a singular configuration the report names each branch") {
  const std::string flat =
      "verify " + case_folder("four_bar") + " --set N=2 --set k=0 --set gx=9.81 --set gy=0 --set phi_guess=0";
  const Answer answer = run(flat);
  CHECK(answer.code == 0);
  CHECK(contains(answer.out, "3 of 3 modes agree with the motion of the mechanism"));
  CHECK(contains(answer.out, "branch 'B[2], phi move; B[0], B[1] stand still'\n     1  ±3.836013556i"));
  const TestJson json = TestJson::parse(run(flat + " --all --json").out);
  REQUIRE(json["modes"].size() == 3);
  CHECK(json["modes"][1]["branch"] == "B[0], B[1], B[2], phi move");
  CHECK(TestJson::parse(run("verify " + case_folder("four_bar") + " --json").out)["modes"][0]["branch"].is_null());
}

TEST_CASE("motion: in minimal coordinates up to a singular configuration, which the message names") {
  const std::string loops = "motion " + case_folder("four_bar") + " --set k=0 --set N=2 --at phi=1.5708 --rate phi=-1";
  const Answer answer = run(loops + " --until 2 --method minimal --json");
  CHECK(answer.code == 1);
  CHECK(contains(answer.err, "the mechanism reaches a singular configuration"));
  const TestJson json = TestJson::parse(answer.out);
  CHECK(json["method"]["name"] == "minimal");
  CHECK(json["steps"]["reselections"].is_number());
  CHECK(json["singular"].empty());
  const Answer swing = run("motion " + case_folder("crank_rocker") + " --until 1 --method minimal");
  CHECK(swing.code == 0);
  CHECK(contains(swing.err, "independent coordinates were selected anew"));
}
