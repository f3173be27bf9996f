// What a program reads about the modes: the keys that scripts rely on.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/report/made_reports.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

TEST_CASE("modes JSON: has the keys that scripts rely on") {
  const AnalysisCase analysis = made::two_masses();
  const TestJson json = TestJson::parse(to_json(analysis, made::some_modes(analysis)));
  CHECK(json["schema"] == "stillpoint.modes/1");
  CHECK(json["model"]["name"] == "two masses");
  CHECK(json["model"]["coordinates"] == 2);
  CHECK(json["model"]["constraints"] == 1);
  CHECK(json["model"]["rank"]["value"] == 1);
  CHECK(json["model"]["rank"]["decision"] == "full");
  CHECK(json["model"]["dof"] == 1);
  CHECK(json["model"]["redundant"] == TestJson::array());
  CHECK(json["model"]["singular"] == false);
  CHECK(json["equilibrium"] == nullptr);
  CHECK(json["method"] == "rcs");
  CHECK(json["solver"] == "by hand");
  CHECK(json["count"]["expected"] == 3);
  CHECK(json["count"]["found"] == 3);
  CHECK(json["count"]["certified"] == true);
  CHECK(json["count"]["scope"] == "all finite");
  CHECK(json["verdict"] == "asymptotically stable");
  CHECK(json["verdict_basis"] == "spectrum");
  CHECK(json["branches"] == TestJson::array());
  CHECK(json["warnings"] == TestJson::array());
  CHECK(json["timing"]["modes"] == 2e-3);
  CHECK(json["timing"]["equilibrium"] == nullptr);
}

TEST_CASE("modes JSON: every eigenvalue with all its digits, its class, and what it rests on") {
  const AnalysisCase analysis = made::two_masses();
  const TestJson modes = TestJson::parse(to_json(analysis, made::some_modes(analysis)))["modes"];
  REQUIRE(modes.size() == 6);
  CHECK(modes[0]["s"] == TestJson{-0.24241234567, 2.13398765432});
  CHECK(modes[1]["s"] == TestJson{-0.24241234567, -2.13398765432});
  CHECK(modes[0]["frequency_hz"].get<double>() == doctest::Approx(0.3396347));
  CHECK(modes[0]["damping_ratio"].get<double>() == doctest::Approx(0.11287));
  CHECK(modes[0]["class"] == "true");
  CHECK(modes[0]["residual"] == 1e-16);
  CHECK(modes[0]["error"] == 3e-15);
  CHECK(modes[0]["constraint_violation"] == 1e-17);
  CHECK(modes[0]["description"] == "left moves along x");
  CHECK(modes[3]["class"] == "spurious");
  CHECK(modes[4]["s"] == TestJson{nullptr, nullptr});
  CHECK(modes[4]["frequency_hz"] == nullptr);
  for (const char* const key : {"shape", "energy", "depends_on_constraint_scaling", "corrected"}) {
    CHECK(!modes[0].contains(key));
  }
}

TEST_CASE("modes JSON: --shapes adds shapes and energies, up to 200 coordinates unless all are asked for") {
  AnalysisCase analysis = made::two_masses();
  const ModesReport report = made::some_modes(analysis);
  const TestJson mode = TestJson::parse(to_json(analysis, report, {.shapes = true}))["modes"][0];
  CHECK(mode["shape"] == TestJson{{"left.x", {1.0, 0.0}}, {"right.x", {0.0, 0.0}}});
  CHECK(mode["participation"] == TestJson{{"left.x", 1.0}, {"right.x", 0.0}});
  CHECK(mode["energy"] == TestJson::object());

  LinearSystem large;
  large.M.resize(201, 201);
  large.M.setIdentity();
  large.K = large.M;
  analysis.system = checked(large);
  Mode one = made::mode({0, 1});
  one.shape = Eigen::VectorXcd::Ones(201);
  ModesReport of_large;
  of_large.result = made::method(Method::mcs, analysis, {one});
  const auto listed = [&](const PrintOptions& options) {
    return TestJson::parse(to_json(analysis, of_large, options))["modes"][0]["shape"].size();
  };
  CHECK(listed({.shapes = true}) == 200);
  CHECK(listed({.shapes = true, .all_coordinates = true}) == 201);
}

TEST_CASE("modes JSON: at a singular configuration every mode says what it rests on, and there are branches") {
  AnalysisCase analysis = made::two_masses();
  analysis.system.singular = true;
  ModesReport report;
  Mode arbitrary = made::mode({0, 4.43});
  arbitrary.depends_on_constraint_scaling = true;
  report.result = made::method(Method::mcs, analysis, {made::mode({0, 3.43}), arbitrary});
  BranchReport branch;
  branch.name = "left moves";
  branch.tangents = Eigen::Vector2d(1, 0);
  branch.spectrum = made::method(Method::mcs, analysis, {made::mode({0, 3.43})}).spectrum;
  branch.accounts = account_for(analysis, branch.spectrum.modes);
  report.branches = {branch};
  const TestJson json = TestJson::parse(to_json(analysis, report));
  CHECK(json["model"]["singular"] == true);
  CHECK(json["modes"][0]["depends_on_constraint_scaling"] == false);
  CHECK(json["modes"][1]["depends_on_constraint_scaling"] == true);
  REQUIRE(json["branches"].size() == 1);
  CHECK(json["branches"][0]["name"] == "left moves");
  CHECK(json["branches"][0]["tangent"] == TestJson{{"left.x", 1.0}, {"right.x", 0.0}});
  CHECK(json["branches"][0]["modes"][0]["s"] == TestJson{0.0, 3.43});
}

TEST_CASE("modes JSON: redundant constraints of matrices are named") {
  LinearSystem system;
  system.M.resize(2, 2);
  system.M.setIdentity();
  system.J.resize(2, 2);
  system.J.insert(0, 0) = 1;
  system.J.insert(1, 0) = 2;
  const AnalysisCase analysis{checked(system)};
  ModesReport report;
  report.result = made::method(Method::mcs, analysis, {});
  const TestJson model = TestJson::parse(to_json(analysis, report))["model"];
  CHECK(model["rank"]["decision"] == "deficient");
  CHECK(model["redundant"] == TestJson::array({TestJson::array({"constraint[1]", "constraint[2]"})}));
  CHECK(model["redundant_equations"] == 1);
}

TEST_CASE("modes JSON: what is not known is null") {
  const AnalysisCase analysis = made::two_masses();
  ModesReport report = made::some_modes(analysis);
  report.verdict.largest_real = Mode::unset;
  report.result.spectrum.modes[0].error = Mode::unset;
  const TestJson json = TestJson::parse(to_json(analysis, report));
  CHECK(json["largest_real_part"] == nullptr);
  CHECK(json["modes"][0]["error"] == nullptr);
  CHECK(json["count"]["margin"] == nullptr);
}
