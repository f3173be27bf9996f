// The verb `controllability` on the command line, and `export --reduce minimal`.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/clients.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;
using ReachJson = nlohmann::json;

namespace {

const std::string cart_pole = case_folder("cart_pole"), drive = case_folder("drive_train"),
                  pendulums = case_folder("n_pendulum"), closed_cart_pole = case_folder("controlled_cart_pole");

ReachJson json_of(const std::string& arguments) {
  const Answer answer = run("controllability " + arguments + " --json");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return ReachJson::parse(answer.out);
}

}  // namespace

TEST_CASE("controllability: the angle of the upright cart-pole does not show where its cart is") {
  const Answer text = run("controllability " + cart_pole + " --rest nearest --output angle");
  CHECK(text.code == 0);
  CHECK_MESSAGE(contains(text.out, "2 of 4: no output shows them"), text.out);
  CHECK_MESSAGE(contains(text.out, "2 at zero, 1 unstable"), text.out);
  const ReachJson json = json_of(cart_pole + " --rest nearest --output angle");
  CHECK(json["schema"] == "stillpoint.controllability/1");
  CHECK(json["count"] == 4);
  CHECK(json["unmoved"] == 0);
  CHECK(json["unshown"] == 2);
  CHECK(json["modes"][0]["multiplicity"] == 2);
  CHECK(json["modes"][0]["shown"]["decision"] == "none");
  CHECK(json["modes"][0]["moved"]["decision"] == "all");
  CHECK(json["modes"][1]["s"][0].get<double>() == doctest::Approx(4.64564312).epsilon(1e-9));
}

TEST_CASE("controllability: the closed loop of the cart-pole has Hankel singular values, the open one has none") {
  const ReachJson closed = json_of(closed_cart_pole + " --rest nearest");
  CHECK(closed["hankel"].size() == 7);  // of two coordinates, two filters, an integral
  CHECK(closed["unmoved"] == 0);
  CHECK(closed["unshown"] == 0);
  const ReachJson open = json_of(closed_cart_pole + " --rest nearest --open all");
  CHECK(open["hankel"].empty());
  CHECK(open["count"] == 4);
}

TEST_CASE("controllability: some modes of a large model by their vectors, and what rounding hides ends with code 1") {
  const std::string large = pendulums + " --set N=20000 --count 3";
  const ReachJson by_the_end = json_of(large + " --input 'P[20000].x' --output 'P[20000].x'");
  CHECK(by_the_end["all_modes"] == false);
  CHECK(by_the_end["count"] == 3);
  CHECK(by_the_end["undecided"] == 0);
  CHECK(by_the_end["unmoved"] == 0);
  // A force next to the support moves these modes by a millionth of what a force could, the bound on the rounding of
  // their vectors.
  const Answer by_the_support = run("controllability " + large + " --input 'P[1].x' --output 'P[20000].x'");
  CHECK(by_the_support.code == 1);
  CHECK_MESSAGE(contains(by_the_support.out, "rounding hides whether inputs move it"), by_the_support.out);
  CHECK_MESSAGE(!contains(by_the_support.out, "no input moves"), by_the_support.out);
}

TEST_CASE("controllability: what does not exist is refused with a suggestion") {
  check_refused("controllability " + cart_pole + " --input uu", "there is no input or coordinate 'uu'");
  check_refused("controllability " + case_folder("twin_chains"), "'twin_chains' has no inputs: name a coordinate");
}

TEST_CASE("export: --reduce minimal leaves out the angle of a drive whose speed is measured, and says so") {
  const ScratchFolder folder;
  const std::string export_it = "export " + drive + " --input motor --output load_speed --reduce minimal";
  const Answer answer = run(export_it + " -o '" + folder / "drive.json" + "'");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  const ReachJson plant = ReachJson::parse(content_of(folder / "drive.json"));
  CHECK(plant["A"].size() == 3);
  CHECK(plant["hidden"] == ReachJson{{"modes", 3}, {"unmoved", 0}, {"unshown", 1}, {"undecided", 0}});
  CHECK(contains(plant["notes"].dump(), "left out, because no output shows it: 0 rad/s (rotor.phi)"));
  check_refused(export_it + " --order 2 -o '" + folder / "two.json" + "'", "leave order out");
}
