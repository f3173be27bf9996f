// `response` with --step, --impulse, --nyquist, --nichols, --singular-values and --figures from outside.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/clients.h"
#include "support/error_texts.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

using KindJson = nlohmann::json;

const std::string drive = "response " + case_folder("drive_train");
const std::string balance = "response " + case_folder("controlled_cart_pole") +
                            " --rest nearest --open balance --input balance.error --output balance.feedback";

KindJson parsed(const std::string& arguments) {
  const Answer answer = run(arguments + " --json --quiet");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return KindJson::parse(answer.out);
}

}  // namespace

TEST_CASE("response: steps, impulses and margins are those of SciPy") {
  require_python();
  const ScratchFolder folder;
  const Answer answer =
      shell(fmt::format("{} '{}/tests/support/plants/respond_with_scipy.py' \"$TOOL\" '{}/cases' '{}'", python,
                        STILLPOINT_SOURCE_DIR, STILLPOINT_SOURCE_DIR, folder / "."));
  CHECK_MESSAGE(answer.code == 0, answer.err);
  std::istringstream lines(answer.out);
  const std::regex numbers(".*: [0-9]+ channels, ([^ ]+), ([^ ]+), ([^ ]+), ([0-9]+) margins, ([^ ]+) rad");
  int systems = 0, margins = 0;
  for (std::string line; std::getline(lines, line); ++systems) {
    CAPTURE(line);
    std::smatch found;
    REQUIRE(std::regex_match(line, found, numbers));
    // Both use matrix exponentials, whose rounding is that of the phase of the fastest motion, or a thousand times
    // that.
    const double rounding = 1000 * 2.2e-16 * (1000 + std::stod(found[5]));
    CHECK(std::stod(found[1]) < rounding);
    CHECK(std::stod(found[2]) < rounding);
    CHECK(std::stod(found[3]) < 1e-8);
    margins += std::stoi(found[4]);
  }
  CHECK(systems == 12);
  CHECK(margins > 15);
}

TEST_CASE("response --step: CSV, JSON, table and picture agree") {
  const KindJson json = parsed(drive + " --step --output shaft");
  CHECK(json["schema"] == "stillpoint.time_response/1");
  CHECK(json["channels"][0]["behaviour"] == "settles");
  CHECK(json["channels"][0]["output"] == "shaft");
  const double overshoot = json["channels"][0]["figures"]["overshoot"];
  const double J = 0.02 * 0.5 / 0.52, sigma = 0.05 / J / 2;
  CHECK(overshoot == doctest::Approx(std::exp(-std::acos(-1.0) * sigma / std::sqrt(400 / J - sigma * sigma)))
                         .epsilon(1e-4));  // the twist is measured with its damping
  const Answer csv = run(drive + " --step --output shaft --points 5 --until 2");
  CHECK(csv.code == 0);
  CHECK(csv.out.starts_with("time_s,\"shaft/motor\"\n0,"));
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 6);
  const Answer table = run(drive + " --step --output shaft --figures");
  CHECK(contains(table.out, "shaft by motor"));
  CHECK(contains(table.out, "overshoot"));
  const ScratchFolder folder;
  const Answer picture = run(drive + " --step -o '" + folder / "step.svg" + "'");
  CHECK(picture.code == 0);
  CHECK(contains(picture.out, "load_speed by motor"));
  const std::string svg = content_of(folder / "step.svg");
  CHECK(contains(svg, "load_speed by motor"));
  CHECK(contains(svg, "integrates: a pole at zero"));
}

TEST_CASE("response --nyquist: the loop of a controller has the margins that its closed loop confirms") {
  const KindJson json = parsed(balance + " --nyquist");
  CHECK(json["schema"] == "stillpoint.loops/1");
  const KindJson& pair = json["pairs"][0];
  // One pole of the upright pole is unstable as long as the loop is open.
  CHECK(pair["nyquist"]["open_unstable"] > 0);
  CHECK(pair["nyquist"]["closed_unstable"] == 0);
  REQUIRE(pair["margins"]["phase_margins"].size() >= 1);
  // A gain beyond its margin makes the closed loop unstable, a gain within does not.
  double below = 0;
  for (const KindJson& margin : pair["margins"]["gain_margins"]) {
    if (margin["factor"] < 1) below = std::max(below, margin["factor"].get<double>());
  }
  REQUIRE(below > 0);
  for (const auto& [part, code] : {std::pair{1.01, 0}, std::pair{0.99, 6}}) {
    const Answer closed = run("modes " + case_folder("controlled_cart_pole") +
                              fmt::format(" --rest nearest --set kp_angle={} --set kd_angle={} --assert-stable --quiet",
                                          350 * below * part, 80 * below * part));
    CHECK(closed.code == code);
  }
}

TEST_CASE("response: pictures of all kinds are written, and tables printed beside them") {
  const ScratchFolder folder;
  for (const std::string kind : {"impulse", "nyquist", "nichols", "singular-values"}) {
    CAPTURE(kind);
    const Answer answer = run(drive + " --" + kind + " -o '" + folder / (kind + ".svg") + "'");
    CHECK_MESSAGE(answer.code == 0, answer.err);
    CHECK(content_of(folder / (kind + ".svg")).starts_with("<svg "));
  }
  const Answer table = run(balance + " --nichols --figures --unit rad");
  CHECK(contains(table.out, "phase margin"));
  CHECK(contains(table.out, "at rad/s"));
  const Answer bandwidth = run(drive + " --set d=2 --output shaft --figures");
  CHECK(contains(bandwidth.out, "bandwidth Hz"));
  const KindJson json = parsed(drive + " --singular-values --points 3 --from 1 --to 10");
  CHECK(json["schema"] == "stillpoint.singular_values/1");
  CHECK(json["singular_values"].size() == 3);
  CHECK(json["singular_values"][0].size() == 1);
}

TEST_CASE("response: kinds exclude each other, and options that do not fit are refused") {
  CHECK(run(drive + " --step --nyquist").code == 2);
  check_refused(drive + " --until 3", "--until is for --step and --impulse");
  check_refused(drive + " --nyquist --order 3", "--order is for --step and --impulse");
  check_refused(drive + " --step --from 3", "an answer in time goes on --until SECONDS");
  check_refused(drive + " --nichols --points 30", "--points is not for --nyquist and --nichols");
  check_refused(drive + " --step --figures -o step.csv", "--figures prints a table, and -o FILE prints it beside");
  check_refused(drive + " --singular-values --figures", "--figures is not for --singular-values");
  const std::string large =
      "response " + case_folder("n_pendulum") + " --set N=320 --input 'P[1].x' --output 'P[1].x' --step";
  check_refused(large, "has 320 degrees of freedom; the answer in time is computed with up to 300");
  const std::string small = "response " + case_folder("n_pendulum") +
                            " --set N=4 --input 'P[1].x' --output 'P[1].x' --step --until 1 --points 3";
  check_refused(small + " --order 2", "of the largest response: give a larger --order");
  const Answer reduced = run(small + " --order 8");
  CHECK(reduced.code == 0);
  CHECK(contains(reduced.err, "a modal reduction to 8 states, whose frequency response is off by "));
}
