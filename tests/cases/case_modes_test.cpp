// The spectra of cases/*/expected.json by each of the tool's three methods.

#include <algorithm>
#include <complex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/case_runs.h"
#include "support/tool.h"

using namespace stillpoint;
using namespace stillpoint::cases;
using TestJson = nlohmann::json;

namespace {

/// An error bar wider than this part of the eigenvalue would make a comparison within it worthless. The penalty factors
/// that are chosen without a choice of the user are meant to keep half of the digits, 1e-8.
constexpr double widest_error_bar = 1e-4;

std::complex<double> complex_in(const TestJson& pair) { return {pair.at(0).get<double>(), pair.at(1).get<double>()}; }

struct TrueModes {
  Eigenvalues s, corrected;  ///< UCS only: corrected
  double largest_bar = 0;    ///< 1/s; UCS: of the corrected ones
};

TrueModes true_modes(const TestJson& method, bool is_penalty) {
  TrueModes found;
  for (const TestJson& mode : method.at("modes")) {
    if (mode.at("class") != "true") continue;
    const std::complex<double> s = complex_in(mode.at("s"));
    found.s.push_back(s);
    if (is_penalty) found.corrected.push_back(complex_in(mode.at("corrected")));
    const double bar = mode.at(is_penalty ? "corrected_error" : "error").get<double>();
    // Zeros by structure are zero; their bars are of what a solver left of them, the root of rounding in a stiff
    // system.
    if (s != 0.0) CHECK(bar <= widest_error_bar * std::max(1.0, std::abs(s)));
    found.largest_bar = std::max(found.largest_bar, bar);
  }
  return found;
}

/// Everything that is expected was found, and nothing else was taken for it.
void check_counts(const TestJson& method, std::size_t expected, std::size_t zeros) {
  CHECK(method.at("computed") == true);
  INFO(method.at("message").get<std::string>());
  const TestJson& count = method.at("count");
  CHECK(count.at("certified") == true);
  CHECK(count.at("expected") == expected);
  CHECK(count.at("found") == expected);
  CHECK(count.at("at_zero") == zeros);
  const TestJson& modes = method.at("modes");
  CHECK(std::count_if(modes.begin(), modes.end(), [](const TestJson& mode) { return mode.at("class") == "true"; }) ==
        static_cast<std::ptrdiff_t>(expected));
  CHECK(std::none_of(modes.begin(), modes.end(), [](const TestJson& mode) { return mode.at("class") == "undecided"; }));
}

/// The forms add as many as they must: the pencil of RCS has 2n + r, and the penalty gives each of the r independent
/// constraints two. The states of controllers are coordinates of the forms, too.
void check_spurious(const TestJson& json, std::size_t expected) {
  const TestJson& model = json.at("model");
  std::size_t n = model.at("coordinates"), r = model.at("rank").at("value");
  for (const TestJson& controller : model.value("controllers", TestJson::array())) n += controller.at("states").size();
  CHECK(json.at("methods").at("mcs").at("spurious") == 0);
  CHECK(json.at("methods").at("rcs").at("spurious") == 2 * n + r - expected);
  CHECK(json.at("methods").at("ucs").at("spurious") == 2 * r);
}

/// Structural zeros are zero, and the rest is within the tolerance of the source.
void check_values(const Eigenvalues& found, const Eigenvalues& expected, double tolerance) {
  const Distances distances = distances_between(found, expected);
  INFO("off by ", distances.largest, ", zeros by ", distances.largest_of_zeros, "; tolerance ", tolerance);
  INFO("found ", listed(found), "expected ", listed(expected));
  CHECK(distances.within(tolerance, 0));
}

}  // namespace

TEST_CASE("case modes: MCS, RCS and UCS find the spectrum of every source, all of it and nothing else") {
  for_each_run([](const CaseRun& run) {
    const Answer answer = stillpoint::run("compare " + case_folder(run.folder.filename().string()) + run.settings +
                                          " --rest nearest --json");
    CHECK_MESSAGE(answer.code == 0, answer.err);
    if (answer.out.empty()) return;
    const TestJson json = TestJson::parse(answer.out);
    const ExpectedSpectrum expected(run.expected);
    const double tolerance = run.expected.at("tolerance");

    check_spurious(json, expected.count);
    for (const std::string key : {"mcs", "rcs", "ucs"}) {
      CAPTURE(key);
      const TestJson& method = json.at("methods").at(key);
      check_counts(method, expected.count, expected.zeros());
      const bool is_penalty = key == "ucs";
      const TrueModes found = true_modes(method, is_penalty);
      if (is_penalty)
        check_values(expected.comparable(found.corrected), expected.values, tolerance + found.largest_bar);
      else check_values(expected.comparable(found.s), expected.values, tolerance);
    }
    for (const std::string key : {"rcs", "ucs"}) {
      CAPTURE(key);
      CHECK(json.at("difference_details").at(key).at("within_error_bars") == true);
    }
  });
}
