// The verbs `report` and `scene` on the command line.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/sha256.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

namespace {

const std::string linkage = case_folder("four_bar"), bennett = case_folder("four_bar_spatial");

TestJson data_in(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return TestJson::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("report: without -o the page is called after the model, and the message says how long it is") {
  const ScratchFolder folder;
  const Answer answer = shell("cd '" + folder / "" + "' && \"$TOOL\" report " + linkage + " --set N=5");
  CHECK(answer.code == 0);
  CHECK(answer.out == "");
  const std::string page = content_of(folder / "four_bar.html");
  CHECK(answer.err == "wrote four_bar.html, " + std::to_string((page.size() + 999) / 1000) + " kB\n");
  CHECK(page.size() <= 150'000);
}

TEST_CASE("report: the page tells where its numbers come from") {
  const ScratchFolder folder;
  const std::string file = folder / "p.html";
  CHECK(run("report " + linkage + " --set N=2 --set k=30 -o '" + file + "' --quiet").err == "");
  const TestJson data = data_in(content_of(file));
  const std::string text = content_of(STILLPOINT_SOURCE_DIR "/cases/four_bar/model.yaml");
  const TestJson& origin = data.at("provenance");
  CHECK(origin.at("sha256") == sha256(text));
  CHECK(origin.at("model_text") == text);
  CHECK(contains(origin.at("command").get<std::string>(), "--set N=2 --set k=30"));
  CHECK(data.at("model").at("parameters").at("k") == 30);
  CHECK(contains(data.at("model").at("description").get<std::string>(), "N parallelogram loops"));
}

TEST_CASE("report: a folder of matrices has a page without a mechanism") {
  const ScratchFolder folder;
  const std::string matrices = folder / "matrices";
  CHECK(run("linearize " + linkage + " -o '" + matrices + "'").code == 0);
  const Answer answer = run("report '" + matrices + "' -o '" + folder / "m.html" + "'");
  CHECK(answer.code == 0);
  CHECK_FALSE(data_in(content_of(folder / "m.html")).contains("scene"));
  check_refused("scene '" + matrices + "'", "a folder of matrices has no mechanism that could be drawn");
}

TEST_CASE("report: responses are there where inputs and outputs are named, by the model or on the command line") {
  const ScratchFolder folder;
  const auto responses_of = [&](const std::string& arguments) {
    CHECK(run("report " + arguments + " -o '" + folder / "r.html" + "'").code == 0);
    const TestJson data = data_in(content_of(folder / "r.html"));
    return data.contains("responses") ? data.at("responses").size() : 0;
  };
  CHECK(responses_of(linkage) == 0);
  CHECK(responses_of(linkage + " --input phi --output phi") == 1);
  CHECK(responses_of(case_folder("drive_train")) > 0);
  check_refused("report " + linkage + " --input phi --output phi --from 5 --to 2 -o r.html",
                "the first frequency must be below the second");
}

TEST_CASE("report: what is asserted decides the exit code, and the page is there all the same") {
  const ScratchFolder folder;
  const std::string file = folder / "u.html";
  const Answer answer = run("report " + case_folder("ziegler_column") + " --set P=3 --assert-stable -o '" + file + "'");
  CHECK(answer.code == 6);
  CHECK(std::filesystem::exists(file));
  check_refused("report " + linkage + " --json", "--json: a report is a page");
}

TEST_CASE("scene: JSON has the motions that were asked for, text one line for each") {
  const TestJson scene = TestJson::parse(run("scene " + bennett + " --json").out);
  CHECK(scene.at("schema") == "stillpoint.scene/1");
  CHECK(scene.at("dimension") == 3);
  CHECK(scene.at("motions").size() == 1);
  CHECK(scene.at("motions").at(0).at("gap").get<double>() <= 5e-4);
  CHECK(TestJson::parse(run("scene " + bennett + " --json --modes 0").out).at("motions").empty());
  const Answer text = run("scene " + case_folder("spatial_double_pendulum") + " --modes 3");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "2 frames in space"));
  CHECK(contains(text.out, "mode 3"));
  CHECK_FALSE(contains(text.out, "mode 4"));
}

TEST_CASE("scene: the glTF file moves in the mode that is asked for") {
  const ScratchFolder folder;
  const std::string file = folder / "m.gltf";
  CHECK(run("scene " + case_folder("double_pendulum") + " --gltf '" + file + "' --mode 2").err ==
        "wrote " + file + "\n");
  CHECK(TestJson::parse(content_of(file)).at("animations").at(0).at("name") == "mode 2");
  check_refused("scene " + case_folder("double_pendulum") + " --gltf '" + file + "' --mode 7",
                "--mode 7: the mechanism has 2 modes");
}

TEST_CASE("report: a motion in time and a root locus are there on request") {
  const ScratchFolder folder;
  const std::string file = folder / "r.html";
  CHECK(run("report " + bennett + " --motion 0.5 -o '" + file + "'").code == 0);
  const TestJson motion = data_in(content_of(file)).at("motion_in_time");
  const std::size_t instants = motion.at("time").at("count"), frames = 3, numbers = 7;
  CHECK(instants == 26);  // 50 in a second
  CHECK(motion.at("frames").at("count") == instants * frames * numbers);
  CHECK(run("report " + case_folder("ziegler_column") + " --over P=0:3:7 -o '" + file + "'").code == 0);
  const TestJson locus = data_in(content_of(file)).at("root_locus");
  CHECK(locus.at("parameter") == "P");
  REQUIRE(locus.at("spectra").size() == 7);
  // Without a load the lower frequency is 0.3862887 rad/s (cases/ziegler_column).
  CHECK(locus.at("spectra").at(0).at(0).at(1).get<double>() == doctest::Approx(0.3862887).epsilon(1e-6));
  CHECK(locus.at("verdicts").at(6) == "unstable");
}

TEST_CASE("report: other equilibria have verdicts, energies and modes that move about them") {
  const ScratchFolder folder;
  const std::string file = folder / "p.html";
  CHECK(run("report " + case_folder("double_pendulum") + " --equilibria -o '" + file + "' --quiet").err == "");
  const TestJson data = data_in(content_of(file));
  const TestJson& others = data.at("equilibria");
  REQUIRE(others.size() == 3);  // the fourth one, which hangs, is the first of the page
  // Bars of 1 m and 1 kg: the lower one up, the upper one up, both up.
  const std::array<double, 3> energy{-1, 1, 2}, unstable{1, 1, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(others[k].at("name") == "equilibrium " + std::to_string(k + 2));
    CHECK(others[k].at("verdict") == "unstable");
    CHECK(others[k].at("energy").get<double>() == doctest::Approx(9.81 * energy[k]).epsilon(1e-9));
    double growing = 0;
    for (const TestJson& mode : others[k].at("modes")) {
      growing += mode.at("s")[0] > 0 ? 1 : 0;
      const TestJson& motion = data.at("scene").at("motions").at(mode.at("motion").get<std::size_t>());
      CHECK(motion.at("branch") == others[k].at("name"));
    }
    CHECK(growing == unstable[k]);
    CHECK(others[k].at("pose").at("count") == 6);  // x, y and angle of two bars
  }
}

TEST_CASE("report: where there is one equilibrium only the page says so, and matrices have none") {
  const ScratchFolder folder;
  const std::string file = folder / "p.html", matrices = folder / "matrices";
  CHECK(run("report " + case_folder("mass_ring") + " --equilibria -o '" + file + "' --quiet").code == 0);
  const TestJson data = data_in(content_of(file));
  CHECK_FALSE(data.contains("equilibria"));
  CHECK(data.at("left_out").dump().find("random starts lead to none") != std::string::npos);
  CHECK(run("linearize " + linkage + " -o '" + matrices + "'").code == 0);
  check_refused("report '" + matrices + "' --equilibria", "need a model; this is a folder of matrices");
}
