// Every folder in cases/ goes through the tool and through the dense reference, and is compared with its expected.json.
// What may stand in that file is told in cases/README.md.

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/outputs.h"
#include "stillpoint/read_controllers.h"
#include "support/case_runs.h"
#include "support/dense_reference.h"

using namespace stillpoint;
using namespace stillpoint::cases;
using Json = nlohmann::json;

namespace {

// The tool prints all digits; sums of masses and moments round differently in another order.
constexpr double tool_tolerance = 1e-12;

/// What a command prints; without its talk on stderr. Throws std::runtime_error if it fails.
std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot be started: " + command);
  std::string text;
  char part[4096];
  while (const std::size_t size = std::fread(part, 1, sizeof part, pipe)) text.append(part, size);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("fails: " + command);
  return text;
}

std::string tool(const std::string& arguments) {
  return output_of("cd '" + root().string() + "' && '" STILLPOINT_TOOL "' " + arguments);
}

bool agrees(const Json& found, const Json& expected) {
  if (expected.is_array()) {
    return found.is_array() && found.size() == expected.size() &&
           std::equal(found.begin(), found.end(), expected.begin(), agrees);
  }
  if (!expected.is_number()) return found == expected;
  return found.is_number() && std::abs(found.get<double>() - expected.get<double>()) <=
                                  tool_tolerance * std::max(1.0, std::abs(expected.get<double>()));
}

/// The coordinate of this name; `coordinates()` if there is none.
Index coordinate_index(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return i;
  }
  return model.coordinates();
}

/// Whether a coordinate is an increment of an orientation: always zero, it tells nothing about a state.
bool is_turn(const Model& model, Index coordinate) {
  return std::any_of(model.blocks().begin(), model.blocks().end(), [&](const Block& block) {
    return block.kind == BlockKind::space_body && coordinate >= block.first + 3 && coordinate < block.first + 6;
  });
}

/// What a coordinate, or else an output, of this name is in a state.
double value_named(const Model& model, const State& state, const std::string& name) {
  const Index coordinate = coordinate_index(model, name);
  if (coordinate < model.coordinates()) {
    if (is_turn(model, coordinate)) throw std::runtime_error(name + " has no value of its own; make it an output");
    return state.q[coordinate];
  }
  for (Index k = 0; k < model.outputs(); ++k) {
    if (model.output_name(k) == name) return observe(model, state).y[k];
  }
  throw std::runtime_error("neither a coordinate nor an output is called " + name);
}

double difference(const std::string& name, double found, double expected) {
  const bool is_angle = name.ends_with("phi") || name.ends_with("theta");
  return is_angle ? std::remainder(found - expected, 2 * std::numbers::pi) : found - expected;
}

/// A command in a README, and the output that is shown below it.
struct ShownRun {
  std::string arguments, output;
  std::size_t output_begin = 0;  ///< where in the README
};

std::vector<ShownRun> shown_runs(const std::string& readme) {
  const std::string opening = "```console\n$ ./dev run ", closing = "```";
  std::vector<ShownRun> shown;
  for (auto at = readme.find(opening); at != std::string::npos; at = readme.find(opening, at)) {
    at += opening.size();
    const auto line_end = readme.find('\n', at);
    const auto end = readme.find(closing, at);
    shown.push_back({readme.substr(at, line_end - at), readme.substr(line_end + 1, end - line_end - 1), line_end + 1});
  }
  return shown;
}

/// Without what is only rounding and may differ between machines: tiny numbers, and which constraint has the residual.
std::string without_rounding(const std::string& text) {
  static const std::regex residual("\n  residual [^\n]*"), tiny("-?[0-9.]+e-(1[5-9]|[2-9][0-9])");
  return std::regex_replace(std::regex_replace(text, residual, ""), tiny, "0");
}

/// Shows what the tool prints now in place of what is outdated; tells whether anything was.
bool rewrite(const std::filesystem::path& path) {
  std::string text = content_of(path);
  auto runs = shown_runs(text);
  std::reverse(runs.begin(), runs.end());  // so that places found before stay where they are
  bool is_changed = false;
  for (const ShownRun& run : runs) {
    const std::string printed = tool(run.arguments);
    if (without_rounding(printed) == without_rounding(run.output)) continue;
    text.replace(run.output_begin, run.output.size(), printed);
    is_changed = true;
  }
  if (is_changed) std::ofstream(path) << text;
  return is_changed;
}

}  // namespace

TEST_CASE("cases: every folder has a model, a README and expected values in two settings at least") {
  CHECK(case_folders().size() >= 25);
  for (const auto& folder : case_folders()) {
    INFO(folder.filename().string());
    CHECK(std::filesystem::exists(folder / "model.yaml"));
    CHECK(!shown_runs(content_of(folder / "README.md")).empty());
    REQUIRE(std::filesystem::exists(folder / "expected.json"));
    const auto runs = runs_of(folder);
    CHECK(runs.size() >= 2);
    for (const CaseRun& run : runs) CHECK(!run.expected.at("source").get<std::string>().empty());
  }
}

TEST_CASE("cases: 'check --json' tells what is expected of every run") {
  for_each_run([](const CaseRun& run) {
    const Json report = Json::parse(tool("check cases/" + run.folder.filename().string() + run.settings + " --json"));
    const Json& expected = run.expected.at("check");
    CHECK(expected.size() >= 3);
    for (const auto& item : expected.items()) {
      const std::string& key = item.key();
      const Json& value = item.value();
      const Json& found = report.at("model").contains(key) ? report.at("model").at(key) : report.at(key);
      INFO(key, " is ", found.dump(), ", expected ", value.dump());
      CHECK(agrees(found, value));
    }
  });
}

TEST_CASE("cases: every run rests where its source says") {
  for_each_run([](const CaseRun& run) {
    const Model model = read_model(run.folder.string(), run.parameters);
    const State rest = dense::find_rest(model, model.initial_state());
    for (const auto& item : run.expected.at("rest").items()) {
      const std::string& name = item.key();
      const double expected = item.value();
      const double found = value_named(model, rest, name);
      INFO(name, " is ", found, ", expected ", expected);
      CHECK(std::abs(difference(name, found, expected)) <= run.expected.at("rest_tolerance"));
    }
  });
}

TEST_CASE("cases: every run has the rank and the spectrum of its source") {
  for_each_run([](const CaseRun& run) {
    const Model model = read_model(run.folder.string(), run.parameters);
    const State rest = dense::find_rest(model, model.initial_state());
    const auto rank = model.coordinates() - dense::null_space(dense::matrices_at(model, rest).J).cols();
    CHECK(rank == run.expected.value("rank", model.constraints()));

    if (has_controllers(run.folder.string())) return;  // the reference knows the mechanism alone
    const Eigenvalues found = dense::dense_spectrum(model, rest);
    const ExpectedSpectrum expected(run.expected);
    const double tolerance = run.expected.at("tolerance");
    const Eigenvalues compared = expected.comparable(found);
    INFO("found ", listed(compared), "expected ", listed(expected.values));
    CHECK(found.size() == expected.count);
    CHECK(same_spectrum(compared, expected.values, tolerance, run.expected.value("zero_tolerance", tolerance)));
  });
}

// With STILLPOINT_UPDATE_READMES=1 in the environment, READMEs that are outdated are rewritten. Such a run fails, so
// that none passes because of what it wrote itself.
TEST_CASE("cases: the READMEs show what the tool prints") {
  const char* const update = std::getenv("STILLPOINT_UPDATE_READMES");
  for (const auto& folder : case_folders()) {
    const std::string readme = "cases/" + folder.filename().string() + "/README.md";
    if (update && std::string(update) == "1" && rewrite(folder / "README.md")) {
      FAIL_CHECK(readme, " was rewritten; look at the difference and run the test again");
      continue;
    }
    for (const ShownRun& run : shown_runs(content_of(folder / "README.md"))) {
      INFO(readme, ": ", run.arguments);
      std::string printed;
      CHECK_NOTHROW(printed = tool(run.arguments));
      CHECK(without_rounding(printed) == without_rounding(run.output));
    }
  }
}

TEST_CASE("cases: what a run rests at is a coordinate or an output, and never an increment of an orientation") {
  const Model model = read_model_text(
      "{stillpoint: 1, dimension: 3, mechanism: [{body: b, at: '1, 2, 3', rotation: '0, 0, 0.5'},"
      " {output: heading, angle: 'ground, b'}]}",
      "b");
  const State state = model.initial_state();
  CHECK(value_named(model, state, "b.y") == 2);
  CHECK(value_named(model, state, "heading") == doctest::Approx(0.5).epsilon(1e-15));
  CHECK_THROWS_AS(value_named(model, state, "b.rz"), std::runtime_error);
  CHECK_THROWS_AS(value_named(model, state, "course"), std::runtime_error);
}

TEST_CASE("cases: two spectra are the same only if every eigenvalue has a partner of its own") {
  const Eigenvalues expected{{0, 1}, {0, -1}, {0, 1}, {0, -1}};
  CHECK(same_spectrum({{0, -1}, {0, 1}, {0, 1}, {0, -1}}, expected, 1e-9, 1e-9));
  CHECK(!same_spectrum({{0, -1}, {0, 1}, {0, 1}, {0, 1}}, expected, 1e-9, 1e-9));      // two are enough for three
  CHECK(!same_spectrum({{0, -1}, {0, 1}}, expected, 1e-9, 1e-9));                      // missing
  CHECK(!same_spectrum({{0, -1}, {0, 1}, {1e-8, 1}, {0, -1}}, expected, 1e-9, 1e-9));  // moved
  CHECK(!same_spectrum({{std::numeric_limits<double>::quiet_NaN(), 0}}, {{1, 0}}, 1e-9, 1e-9));
  CHECK(same_spectrum({{1e-8, 0}}, {{0, 0}}, 1e-9, 1e-7));
  CHECK(!same_spectrum({{1, 1e-8}}, {{1, 0}}, 1e-9, 1e-7));
}

// The multipliers are known only up to the left null vector of J; along a direction in which the linkage cannot move
// they decide the frequency (theory, section 9). This pins the choice of [González 2017].
TEST_CASE("dense reference: at a singular position λ has the least norm") {
  const Model model =
      read_model((root() / "cases/four_bar").string(), {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
  State rest = dense::find_rest(model, model.initial_state());
  const Eigen::MatrixXd J = dense::matrices_at(model, rest).J;
  const Eigen::MatrixXd nu = dense::null_space(J.transpose());
  REQUIRE(nu.cols() == 1);
  CHECK(std::abs(nu.col(0).dot(rest.lambda)) <= 1e-12 * rest.lambda.norm());
  CHECK((J.transpose() * rest.lambda - applied_forces(model, rest)).norm() <= 1e-12 * rest.lambda.norm());

  const Eigenvalues printed = eigenvalues_in(Json{{0, 3.4310}, {0, -3.4310}, {0, 4.4294}, {0, -4.4294}});
  CHECK(same_spectrum(dense::dense_spectrum(model, rest), printed, 5e-5, 5e-5));
  rest.lambda += nu.col(0);
  CHECK(!same_spectrum(dense::dense_spectrum(model, rest), printed, 0.1, 0.1));
}

// Where constraints are redundant in every position the multipliers are as undetermined, but nothing moves in a
// direction in which they would matter.
TEST_CASE("dense reference: with redundant constraints the spectrum is the same for all possible λ") {
  const Model model = read_model((root() / "cases/four_bar_spatial").string());
  const State rest = dense::find_rest(model, model.initial_state());
  const Eigen::MatrixXd nu = dense::null_space(dense::matrices_at(model, rest).J.transpose());
  REQUIRE(nu.cols() == 3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    State loaded = rest;
    loaded.lambda += rest.lambda.norm() * nu.col(k);
    CHECK((dense::matrices_at(model, loaded).K - dense::matrices_at(model, rest).K).norm() > 1);
    CHECK(same_spectrum(dense::dense_spectrum(model, loaded), dense::dense_spectrum(model, rest), 1e-10, 1e-10));
  }
}

TEST_CASE("dense reference: it says so where there is no rest position, or no mass") {
  const Model falling =
      read_model_text("{stillpoint: 1, gravity: '0, -1', mechanism: [{point: P, at: '0, 0', mass: 1}]}", "f");
  CHECK_THROWS_AS(dense::find_rest(falling, falling.initial_state()), std::runtime_error);

  const Model apart = read_model_text(
      "{stillpoint: 1, mechanism: [{point: P, at: '1, 0'}, {distance: a, between: 'ground, P', length: 1},"
      " {distance: b, between: 'ground(5, 0), P', length: 1}]}",
      "a");
  CHECK_THROWS_AS(dense::find_rest(apart, apart.initial_state()), std::runtime_error);

  const Model empty = read_model_text("{stillpoint: 1, mechanism: [{point: P, at: '1, 0'}]}", "m");
  CHECK_THROWS_AS(dense::dense_spectrum(empty, dense::find_rest(empty, empty.initial_state())), std::runtime_error);
}
