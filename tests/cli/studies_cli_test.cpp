// The verbs `sensitivity`, `sweep`, `critical` and `follow` on the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <string>

#include "support/clients.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

namespace {

const std::string four_bar = case_folder("four_bar"), column = case_folder("ziegler_column"),
                  arch = case_folder("von_mises_truss");

}  // namespace

TEST_CASE("sensitivity: the report ranks parameters, and JSON has the rates") {
  const Answer text = run("sensitivity " + four_bar + " --parameters k,l0");
  CHECK(text.code == 0);
  CHECK(text.out.find("l0 ") < text.out.find("k "));
  CHECK(contains(text.out, "-5.9046 %"));
  const TestJson json = TestJson::parse(run("sensitivity " + four_bar + " --json").out);
  CHECK(json["schema"] == "stillpoint.sensitivity/1");
  CHECK(json["modes"][0]["rates"]["k"]["s"][1].get<double>() == doctest::Approx(-0.080019336404).epsilon(1e-10));
  const TestJson rows = json["rows"];
  const TestJson row =
      *std::find_if(rows.begin(), rows.end(), [](const TestJson& one) { return one["parameter"] == "k"; });
  CHECK(row["mode"] == 1);
  CHECK(row["ds"] == json["modes"][0]["rates"]["k"]["s"]);
  CHECK(json["equilibrium"]["k"]["coordinates"]["phi"].get<double>() == doctest::Approx(-0.0628762261).epsilon(1e-8));
}

TEST_CASE("sensitivity: what has no rates is told, with exit code 1, and what does not exist with 2") {
  const Answer opens = run("sensitivity " + case_folder("four_bar_spatial") + " --parameters b");
  CHECK(opens.code == 1);
  CHECK(contains(opens.out, "no rates with respect to 'b': 'b' opens a closed loop"));
  check_refused("sensitivity " + four_bar + " --parameters N", "parameter 'N' takes whole numbers only");
  check_refused("sensitivity " + four_bar + " --parameters kk", "there is no parameter 'kk'");
  check_refused("sensitivity " + four_bar + " --parameters input:u", "there is no input 'u'");
  check_refused("sensitivity " + four_bar + " --parameters diagonal[1].stif", "there is no number 'diagonal[1].stif'");
}

// The torque of the shaft is ±(k + iωd) a/(k + iωd − J₁aω²), a = J₂/(J₁ + J₂).
TEST_CASE("sensitivity: of a response and of a DC gain") {
  const std::string train = case_folder("drive_train"), shaft = "sensitivity " + train + " --response motor:shaft@3";
  const Answer text = run(shaft);
  CHECK(text.code == 0);
  CHECK(contains(text.out, "response from 'motor' to 'shaft' at 3 Hz: "));
  CHECK(contains(text.out, "phase (°)"));
  const TestJson json = TestJson::parse(run(shaft + " --parameters k --json").out);
  CHECK(json["schema"] == "stillpoint.response_sensitivity/1");
  const TestJson one = json["responses"][0];
  const double omega = 2 * std::acos(-1.0) * 3, a = 0.5 / 0.52;
  const std::complex<double> D(400, omega * 0.05), P = D - 0.02 * a * omega * omega;
  const std::complex<double> relative = 1.0 / D - 1.0 / P;
  CHECK(one["omega"].get<double>() == doctest::Approx(omega));
  CHECK(one["rates"]["k"]["decibels"].get<double>() ==
        doctest::Approx(20 / std::log(10.0) * relative.real()).epsilon(1e-10));
  CHECK(one["rates"]["k"]["degrees"].get<double>() ==
        doctest::Approx(180 / std::acos(-1.0) * relative.imag()).epsilon(1e-9));
  const Answer gain = run("sensitivity " + four_bar + " --dc-gain phi:phi,phi:B[0].x --parameters k");
  CHECK(contains(gain.out, "DC gain from 'phi' to 'phi': "));
  CHECK(contains(gain.out, "DC gain from 'phi' to 'B[0].x': "));
  CHECK(!contains(gain.out, "phase"));
  check_refused("sensitivity " + train + " --response motor:shaft", "INPUT:OUTPUT@HERTZ");
  check_refused("sensitivity " + train + " --response motor:shaft@0", "INPUT:OUTPUT@HERTZ");
  check_refused("sensitivity " + train + " --response motor:shaft@3 --equilibrium",
                "--response excludes --equilibrium");
  check_refused("sensitivity " + train + " --dc-gain motor", "INPUT:OUTPUT, such as motor:shaft, is meant");
  check_refused("sensitivity " + train + " --dc-gain motor:load_speed", "no DC gain from 'motor' to 'load_speed'");
  check_refused(shaft + " --count 2", "--count");
}

TEST_CASE("sweep: the ending chooses the format") {
  const ScratchFolder folder;
  const std::string sweep = "sweep " + column + " --over P=0:3:7";
  CHECK(contains(run(sweep).out, "P = 2.085786438: flutter at 0.133833 Hz, modes 1 and 2: unstable beyond it"));
  CHECK(run(sweep + " -o '" + folder / "s.csv" + "'").code == 0);
  const std::string csv = content_of(folder / "s.csv");
  CHECK(csv.starts_with("P,stability,certified,mode 1 real,mode 1 imaginary"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 8);
  CHECK(run(sweep + " -o '" + folder / "s.json" + "'").code == 0);
  const TestJson json = TestJson::parse(content_of(folder / "s.json"));
  CHECK(json["schema"] == "stillpoint.sweep/1");
  CHECK(json["parameters"]["P"].size() == 7);
  CHECK(json["points"].size() == 7);
  CHECK(json["points"][2]["values"]["P"] == 1);
  CHECK(json["points"][2]["verdict"] == "oscillatory");
  CHECK(json["tracks"][0]["s"].size() == 7);
  CHECK(json["tracks"][0]["certain"][6] == true);
  CHECK(json["status"] == "finished");
  CHECK(json["events"][0]["kind"] == "flutter");
  CHECK(run(sweep + " -o '" + folder / "s.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "s.svg"), "frequency (Hz)"));
  CHECK(run(sweep + " --locus -o '" + folder / "l.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "l.svg"), "Re s (1/s)"));
  check_refused(sweep + " -o s.txt", "the endings are .csv, .json, .npz and .svg");
  check_refused(sweep + " --locus", "--locus draws a picture: give -o FILE.svg as well");
}

TEST_CASE("sweep: a range that is not one is refused with what is meant") {
  for (const char* const range : {"P", "P=", "P=1", "P=3:0", "P=0:3:1", "P=0:3:x", "P=2,1", "P=0:3:4:lin", "=0:1"}) {
    CAPTURE(range);
    const Answer answer = run("sweep " + column + " --over " + range);
    CHECK((std::string(range) == "P=1" || answer.code == 2));
  }
  check_refused("sweep " + column + " --over P=0:1:5:log", "a logarithmic range begins above zero");
  check_refused("sweep " + column + " --over X=0:1", "there is no parameter 'X'");
  check_refused("sweep " + column, "--over");
}

TEST_CASE("critical: rates with respect to other parameters") {
  const std::string flutter = "critical " + column + " --over P=0:3";
  CHECK(contains(run(flutter + " --parameters c,l").out, "dP/dl = -2.0857864: -1.0000 % with 1 % more"));
  // Both springs together are what c is.
  const auto json = nlohmann::json::parse(run(flutter + " --parameters base.stiffness,joint.stiffness --json").out);
  const auto rates = json["points"][0]["rates"];
  REQUIRE(rates.size() == 2);
  CHECK(rates[0]["parameter"] == "base.stiffness");
  const double sum = rates[0]["rate"].get<double>() + rates[1]["rate"].get<double>();
  CHECK(sum == doctest::Approx(3.5 - std::sqrt(2)).epsilon(1e-9));
  check_refused(flutter + " --parameters x", "there is no parameter 'x'");
  check_refused(flutter + " --parameters c --target frequency=1", "--target");
}

TEST_CASE("sweep: two parameters make a map, and a second one that counts makes a row for each number") {
  const ScratchFolder folder;
  const std::string damped = "sweep " + column + " --set b2=0.1 --over P=0:3:7";
  const Answer map = run(damped + " --over b1=0.1,0.2");
  CHECK(map.code == 0);
  CHECK(contains(map.out, "0.1             asymptotically stable to 1.469285714 (flutter), unstable to 3"));
  CHECK(contains(map.out, "flutter from P = 1.4692857, b1 = 0.1 to 1.8016667, 0.2: unstable for larger P"));
  CHECK(run(damped + " --over b1=0.1,0.2 -o '" + folder / "map.csv" + "'").code == 0);
  CHECK(content_of(folder / "map.csv").starts_with("P,b1,stability,certified,"));
  CHECK(run(damped + " --over b1=0.1,0.2 -o '" + folder / "map.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "map.svg"), "stability over P and b1"));
  const Answer rows = run("sweep " + four_bar + " --over k=30:40:3 --over N=1,3");
  CHECK(contains(rows.out, "\n1               stable (conservative) to 39.24 (divergence), unstable to 40\n"));
  CHECK(contains(rows.out, "\n3               stable (conservative) to 32.7"));
  CHECK(run(damped + " -o '" + folder / "s.npz" + "'").code == 0);
  CHECK(run(damped + " --over b1=0.1,0.2 -o '" + folder / "map.npz" + "'").code == 0);
  require_python();
  const std::string script = folder.write("check.py", R"(
import sys
import numpy as np
one, two = np.load(sys.argv[1]), np.load(sys.argv[2])
assert one['P'].shape == (7,) and one['s'].shape[1] == 7 and one['s'].dtype == complex
assert str(one['events.kind'][0]) == 'flutter' and abs(one['events.at'][0] - 4 / 12) < 1e-9
assert two['P'].shape == two['b1'].shape == two['verdict'].shape and set(two['b1']) >= {0.1, 0.2}
at = np.flatnonzero(two['boundaries.b1'] == 0.1)[0]
assert abs(two['boundaries.P'][at] - (41 / 28 + 0.005)) < 1e-9
)");
  const Answer checked = shell(python + " '" + script + "' '" + folder / "s.npz" + "' '" + folder / "map.npz" + "'");
  CHECK_MESSAGE(checked.code == 0, checked.err);
  check_refused(damped + " --over P=0:1", "'P' is varied twice");
  check_refused(damped + " --over b1=0:1 --over b2=0:1", "two parameters are the most");
  check_refused(damped + " --over b1=0:1 --locus -o l.svg", "there are two");
  check_refused("sweep " + four_bar + " --over k=1:2 --over diagonal[1].stiffness=1:2",
                "the second one must be one of the model file");
}

TEST_CASE("sweep: a study that ends early prints what it has, and ends with exit code 1") {
  const Answer early = run("sweep " + arch + " --over P=0:12:5");
  CHECK(early.code == 1);
  CHECK(contains(early.out, "The study ends early: the equilibrium cannot be followed beyond P = 9.94"));
  CHECK(contains(early.err, "its branch ends or turns back there"));
}

TEST_CASE("critical: the flutter load of Ziegler's column, with its proof") {
  const Answer text = run("critical " + column + " --over P=0:3");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "P = 2.085786437"));
  CHECK(contains(text.out, "unstable eigenvalues: 0 before, 2 beyond\n"));
  const TestJson json = TestJson::parse(run("critical " + column + " --over P=0:3 --json").out);
  CHECK(json["schema"] == "stillpoint.critical/1");
  CHECK(std::abs(json["points"][0]["value"].get<double>() - (3.5 - std::sqrt(2))) < 1e-13);
  CHECK(json["points"][0]["certified"] == true);
  CHECK(contains(run("critical " + column + " --over P=0:2").out, "Nothing happens between P = 0 and 2."));
}

TEST_CASE("critical: --target asks where a mode has a frequency or a damping ratio") {
  const std::string critical = "critical " + four_bar + " --over k=25:32";
  const Answer found = run(critical + " --target frequency=0.2864788975654116 --mode 1");
  CHECK(found.code == 0);
  CHECK(contains(found.out, "k = 29.04044"));
  CHECK(run(critical + " --target damping=0.5").code == 1);
  check_refused(critical + " --target speed=3", "frequency=HERTZ or damping=RATIO is meant");
  // On the axis of the turning frame ω² = g/l − W².
  const Answer once = run("critical " + case_folder("turning_pendulum") + " --set a=0 --over W=1:3 --target order=1");
  CHECK(contains(once.out, "W = 2.4761361"));
  check_refused(critical + " --mode 1", "--target");
}

TEST_CASE("follow: a path goes through its folds, and its picture names them") {
  const ScratchFolder folder;
  const std::string follow = "follow " + arch + " --over P=-12:12 --start 0";
  const Answer text = run(follow);
  CHECK(text.code == 0);
  CHECK(contains(text.out, "P = 9.94991695"));
  CHECK(run(follow + " --show top.y -o '" + folder / "f.svg" + "'").code == 0);
  CHECK(contains(content_of(folder / "f.svg"), "fold 9.94992"));
  const TestJson json = TestJson::parse(run(follow + " --json").out);
  CHECK(json["schema"] == "stillpoint.follow/1");
  CHECK(json["events"].size() == 2);
  CHECK(run(follow + " -o '" + folder / "f.csv" + "'").code == 0);
  CHECK(content_of(folder / "f.csv").starts_with("P,length,stability,top.x,top.y\n"));
  check_refused(follow + " -o f.svg", "-o FILE.svg draws one coordinate: name it with --show");
  check_refused(follow + " --start 20", "--start");
  const Answer few = run(follow + " --points 5");
  CHECK(few.code == 1);
  CHECK(contains(few.err, "5 points were found"));
}

TEST_CASE("studies: inputs and numbers of elements are varied as parameters are") {
  const std::string flutter = "P = 2.0857864";
  const Answer by_input = run("critical " + column + " --rest nearest --over input:P=0:3");
  CHECK(by_input.code == 0);
  CHECK(contains(by_input.out, flutter));
  const Answer by_parameter = run("sweep " + four_bar + " --over k=25:30:3"),
               by_number = run("sweep " + four_bar + " --over diagonal[1].stiffness=25:30:3");
  CHECK(by_number.code == 0);
  const auto values_of = [](const std::string& out) { return out.substr(out.find('\n')); };
  CHECK(values_of(by_number.out) == values_of(by_parameter.out));
}

TEST_CASE("studies: springs that are preloaded are refused") {
  check_refused("sweep " + four_bar + " --over m=1:2 --preload diagonal[1]",
                "parameter studies do not preload springs");
}

TEST_CASE("studies: a folder of matrices has no parameters") {
  const ScratchFolder folder;
  CHECK(run("linearize " + four_bar + " -o '" + folder / "m" + "'").code == 0);
  for (const std::string verb : {"sensitivity", "sweep", "critical", "follow"}) {
    const std::string over = verb == "sensitivity" ? "" : " --over k=1:2";
    check_refused(verb + " '" + folder / "m" + "'" + over, "is a folder of matrices, which have no parameters");
  }
}
