// The page: it is complete, safe and small, and its data say what the tool found.

#include "stillpoint/report_page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "formats/gzip.h"
#include "stillpoint/elements/all.h"
#include "support/case_runs.h"
#include "support/error_texts.h"

using namespace stillpoint;
using Json = nlohmann::ordered_json;

namespace {

AnalysisCase analysed(const Model& model) {
  const Equilibrium rest = find_equilibrium(model);
  return {linearize(model, rest), model, rest};
}

AnalysisCase analysed_case(const std::string& name, const Parameters& parameters = {}) {
  return analysed(read_model((cases::root() / "cases" / name).string(), parameters));
}

std::string page_of(const AnalysisCase& analysis, const PageContent& content = {}, const PageOptions& options = {}) {
  return report_page(analysis, compare_methods(analysis), content, options);
}

std::string between(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = page.find(to, begin + from.size());
  REQUIRE(end != std::string::npos);
  return page.substr(begin + from.size(), end - begin - from.size());
}

Json data_in(const std::string& page) {
  return Json::parse(between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

Json scene_in(const Json& data) {
  const Json& scene = data.at("scene");
  return scene.contains("gzip") ? Json::parse(gunzip(from_base64(scene.at("gzip").get<std::string>()))) : scene;
}

std::string base64_of_hash(const std::string& text) {
  const std::string hexadecimal = sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return base64(bytes);
}

}  // namespace

TEST_CASE("page: the policy allows the script that is there, and nothing is fetched") {
  const std::string page = page_of(analysed_case("four_bar", {{"N", 5}}));
  const std::string script = between(page, "<script>", "</script>");
  CHECK(contains(page, "default-src 'none'; script-src 'sha256-" + base64_of_hash(script) + "'"));
  for (const char* const reference : {"src=\"", "href=\"http", "url(http", "@import", "fetch("}) {
    INFO(reference);
    CHECK_FALSE(contains(page, reference));
  }
  CHECK(page.size() <= 150'000);
  for (const char* const mark : {"@TITLE@", "@STYLE@", "@DATA@", "@SCRIPT@", "@SCRIPT_HASH@"})
    CHECK_FALSE(contains(page, mark));
}

TEST_CASE("page: names and texts of a model are never markup") {
  ModelBuilder build("<script>alert(1)</script>");
  build.gravity({0, -9.81, 0});
  const auto bob = build.point("B", {0, -1}, {.mass = 1});
  build.add("rod", Distance{.a = ground, .b = bob, .length = 1});
  PageContent content;
  content.model_text = "name: x\n# </script><script>alert(2)</script> <!-- \n";
  content.description = "</ScRiPt><img src=x onerror=alert(3)>";
  content.command = "stillpoint report '</script>'";
  const std::string page = page_of(analysed(build.model()), content);
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "<img"));
  CHECK(contains(page, "<title>&lt;script&gt;alert(1)&lt;/script&gt;: "));
  std::size_t scripts = 0;
  for (std::size_t place = page.find("<script"); place != std::string::npos; place = page.find("<script", place + 1))
    ++scripts;
  CHECK(scripts == 2);  // the data and the program
  const Json data = data_in(page);
  CHECK(data.at("model").at("name") == "<script>alert(1)</script>");
  CHECK(data.at("provenance").at("model_text") == content.model_text);
  CHECK(data.at("model").at("description") == content.description);
}

TEST_CASE("page: the data have the eigenvalues of three methods, and each mode moves") {
  const AnalysisCase analysis = analysed_case("spatial_double_pendulum");
  const Comparison comparison = compare_methods(analysis);
  const Json data = Json::parse(page_data(analysis, comparison));
  CHECK(data.at("schema") == "stillpoint.page/1");
  CHECK(data.at("main") == "mcs");
  const Json scene = scene_in(data);
  const Json& modes = data.at("methods").at("mcs").at("modes");
  std::size_t k = 0;
  for (const Mode& mode : comparison.methods[0].spectrum.modes) {
    if (mode.s.imag() < 0) continue;
    const Json& shown = modes.at(k++);
    CHECK(shown.at("s").at(1).get<double>() == mode.s.imag());
    CHECK(shown.at("error").get<double>() == mode.error);
    const Json& motion = scene.at("motions").at(shown.at("motion").get<std::size_t>());
    CHECK(motion.at("s").at(1).get<double>() == mode.s.imag());
    CHECK(motion.at("error").get<double>() <= 5e-4);
  }
  CHECK(k == modes.size());
  std::size_t spurious = 0;
  for (const Json& mode : data.at("methods").at("rcs").at("modes"))
    if (mode.at("class") == "spurious") ++spurious;
  CHECK(spurious > 0);
  CHECK(data.at("sparsity").size() == 4);
  CHECK(data.at("equilibrium").at("residual").get<double>() < 1e-8);
}

TEST_CASE("page: branches of a singular configuration have tangents and modes that move") {
  ModelBuilder build("flat");
  const auto left = build.point("L", {1, 0}, {.mass = 1}), right = build.point("R", {3, 0}, {.mass = 1});
  const auto anchor = build.fixed("A", {2, 0});
  build.add("one", Distance{.a = ground, .b = left, .length = 1});
  build.add("two", Distance{.a = left, .b = right, .length = 2});
  build.add("three", Distance{.a = anchor, .b = right, .length = 1});
  build.add("hold", Spring{.a = ground, .b = right, .stiffness = 3, .free_length = 3});
  const AnalysisCase flat = analysed(build.model());
  REQUIRE(flat.rest->kind == ConfigurationType::singular);
  const Json singular = Json::parse(page_data(flat, compare_methods(flat)));
  REQUIRE(singular.at("branches").size() == 2);
  const Json scene = scene_in(singular);
  for (const Json& branch : singular.at("branches")) {
    const Json& tangent = scene.at("motions").at(branch.at("tangent_motion").get<std::size_t>());
    CHECK(tangent.at("kind") == "tangent");
    CHECK(tangent.at("branch") == branch.at("name"));
    for (const Json& mode : branch.at("modes")) CHECK((mode.contains("motion") || mode.contains("motion_missing")));
  }
}

TEST_CASE("page: a system of matrices has a page without a mechanism") {
  AnalysisCase analysis = analysed_case("cart_pole");
  analysis.model.reset();
  analysis.rest.reset();
  const Json data = data_in(page_of(analysis));
  CHECK_FALSE(data.contains("scene"));
  CHECK_FALSE(data.contains("equilibrium"));
  CHECK(data.at("methods").at("mcs").at("modes").size() > 0);
}

TEST_CASE("page: a mechanism that is too large to be drawn is left out, in words") {
  PageOptions options;
  options.most_frames = 1;
  options.most_for_pictures = 1;
  const Json data = data_in(page_of(analysed_case("four_bar"), {}, options));
  CHECK_FALSE(data.contains("scene"));
  CHECK_FALSE(data.contains("sparsity"));
  REQUIRE(data.at("left_out").size() == 2);
  CHECK(contains(data.at("left_out").at(0), "The mechanism is not drawn: it has 2 bodies, points and nodes"));
  CHECK(contains(data.at("left_out").at(1), "The matrices are not drawn: there are 5 coordinates."));
}

TEST_CASE("page: frequency responses come back as they were computed") {
  const AnalysisCase analysis = analysed_case("cart_pole");
  PageContent content;
  content.responses = {frequency_response(analysis.system, log_spaced(0.5, 50, 40))};
  const FrequencyResponse& response = content.responses[0];
  const Json data = data_in(page_of(analysis, content));
  const Json& curve = data.at("responses").at(0);
  CHECK(curve.at("input") == response.input_names[0]);
  const auto real = unpacked(curve.at("real")), frequency = unpacked(curve.at("frequency_hz"));
  REQUIRE(real.size() == 40);
  // Single precision.
  for (std::size_t k = 0; k < real.size(); ++k)
    CHECK(real[k] == doctest::Approx(response.response[k](0, 0).real()).epsilon(1e-6));
  CHECK(frequency[0] == doctest::Approx(0.5 / (2 * 3.14159265358979)).epsilon(1e-6));
}
