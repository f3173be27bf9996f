// The three methods side by side, in numbers that are made up.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "error_texts.h"
#include "forms/systems.h"
#include "report/differences.h"
#include "report/made_reports.h"
#include "report/steps.h"

using namespace stillpoint;
using TestJson = nlohmann::json;

namespace {

Spectrum spectrum_of(const std::vector<Mode>& modes) {
  Spectrum spectrum;
  spectrum.modes = modes;
  return spectrum;
}

Mode penalised(std::complex<double> s, std::complex<double> corrected) {
  Mode mode = made::mode(s);
  mode.corrected = corrected;
  mode.penalty_error = std::abs(s - corrected);
  mode.corrected_error = 2e-9;
  return mode;
}

/// One pair by each method; RCS has two infinite ones besides, UCS a spurious pair.
Comparison some_comparison(const Subject& subject) {
  Comparison comparison;
  comparison.methods = {
      made::method(Method::mcs, subject, {made::mode({0, 2}), made::mode({0, -2})}),
      made::method(Method::rcs, subject,
                   {made::mode({0, 2 + 1e-15}), made::mode({0, -2 - 1e-15}), made::infinite(), made::infinite()}),
      made::method(Method::ucs, subject,
                   {penalised({0, 2.000001}, {0, 2 + 1e-9}), penalised({0, -2.000001}, {0, -2 - 1e-9}),
                    made::mode({-10, 1}, ModeClass::spurious), made::mode({-10, -1}, ModeClass::spurious)})};
  for (std::size_t k = 1; k < 3; ++k) {
    comparison.differences[k] = differences_between(comparison.methods[0].spectrum, comparison.methods[k].spectrum);
  }
  comparison.verdict = made::stable();
  return comparison;
}

}  // namespace

TEST_CASE("differences: modes are matched whatever their order, each taken once") {
  const Spectrum reference = spectrum_of({made::mode({0, 2}), made::mode({0, -2}), made::mode({-3, 0})});
  const Spectrum other = spectrum_of({made::mode({-3.001, 0}), made::mode({0, -2}), made::mode({0, 2.01})});
  const Differences differences = differences_between(reference, other);
  CHECK(differences.each[0] == doctest::Approx(0.01));
  CHECK(differences.each[1] == 0);
  CHECK(differences.each[2] == doctest::Approx(0.001));
  CHECK(differences.largest == doctest::Approx(0.01));
  CHECK(!differences.within_error_bars);

  // Two that coincide are two.
  const Spectrum twins = spectrum_of({made::mode({-1, 0}), made::mode({-1, 0})});
  const Differences of_twins = differences_between(twins, spectrum_of({made::mode({-1, 0}), made::mode({-5, 0})}));
  CHECK(of_twins.each[0] == 0);
  CHECK(of_twins.each[1] == 4);
}

TEST_CASE("differences: within error bars means no more than both together") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0})});  // ± 3e-15
  CHECK(differences_between(reference, spectrum_of({made::mode({-1 + 5e-15, 0})})).within_error_bars);
  CHECK(!differences_between(reference, spectrum_of({made::mode({-1 + 7e-15, 0})})).within_error_bars);
}

TEST_CASE("differences: of penalties the corrected values count") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0})});
  CHECK(differences_between(reference, spectrum_of({penalised({-1.001, 0}, {-1 - 1e-9, 0})})).within_error_bars);
  CHECK(!differences_between(reference, spectrum_of({penalised({-1, 0}, {-1 - 3e-9, 0})})).within_error_bars);
}

TEST_CASE("differences: only true modes are compared, and one that is missing is not a number") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0}), made::mode({-2, 0}, ModeClass::undecided)});
  const Spectrum other = spectrum_of({made::mode({-1, 0}, ModeClass::spurious), made::infinite()});
  const Differences differences = differences_between(reference, other);
  REQUIRE(differences.each.size() == 1);
  CHECK(std::isnan(differences.each[0]));
  CHECK(std::isnan(differences.largest));
  CHECK(!differences.within_error_bars);
}

TEST_CASE("comparison text: the three side by side, then the values") {
  const Subject subject = made::two_masses();
  const std::string text = to_text(subject, some_comparison(subject));
  CHECK(text.starts_with("two masses: asymptotically stable\n"));
  CHECK(contains(text, "                                      MCS            RCS            UCS\n"));
  CHECK(contains(text, "  true eigenvalues                 2 of 2         2 of 2         2 of 2\n"));
  CHECK(contains(text, "  spurious                              0              2              2\n"));
  CHECK(contains(text, "    of these finite                     0              0              2\n"));
  CHECK(contains(text, "  difference from MCS                            8.9e-16        1.0e-06"));
  CHECK(contains(text, "    after correction                                   -        1.0e-09"));
  CHECK(contains(text, "     1  ±2.000000000i                             8.9e-16    1.0e-06    1.0e-09\n"));
  CHECK(made::longest_line(text) <= 100);
}

TEST_CASE("comparison text: a method that was left out says why") {
  const Subject subject = made::two_masses();
  Comparison comparison = some_comparison(subject);
  comparison.methods[1] = MethodReport();
  comparison.methods[1].method = Method::rcs;
  comparison.methods[1].why_not = "the pencil is too large";
  comparison.differences[1].reset();
  const std::string text = to_text(subject, comparison);
  CHECK(contains(text, "  not RCS       the pencil is too large\n"));
  CHECK(contains(text, "  true eigenvalues                 2 of 2              -         2 of 2\n"));
  CHECK(is_certified(comparison));
}

TEST_CASE("comparison text: with --spurious all eigenvalues of each method are listed") {
  const Subject subject = made::two_masses();
  const std::string text = to_text(subject, some_comparison(subject), {.spurious = true});
  CHECK(contains(text, "  UCS, all eigenvalues\n"));
  CHECK(contains(text, "-10.00000000      ± 1.00000000"));
  CHECK(contains(text, "∞         2 of them"));
  CHECK(made::longest_line(text) <= 100);
}

TEST_CASE("comparison JSON: has the keys that scripts rely on") {
  const Subject subject = made::two_masses();
  const TestJson json = TestJson::parse(to_json(subject, some_comparison(subject)));
  CHECK(json["schema"] == "stillpoint.compare/1");
  CHECK(json["model"]["dof"] == 1);
  CHECK(json["equilibrium"] == nullptr);
  for (const char* const method : {"mcs", "rcs", "ucs"}) {
    const TestJson& one = json["methods"][method];
    for (const char* const key : {"modes", "size", "spurious", "fill", "time", "solver", "shares_computation_with"}) {
      CAPTURE(key);
      CHECK(one.contains(key));
    }
    CHECK(one["shares_computation_with"] == nullptr);
    CHECK(one["time"]["modes"] == 2e-3);
  }
  CHECK(json["methods"]["ucs"]["spurious"] == 2);
  CHECK(json["methods"]["ucs"]["modes"][2]["class"] == "spurious");
  CHECK(json["methods"]["ucs"]["modes"][0]["corrected"] == TestJson{0.0, 2 + 1e-9});
  CHECK(json["methods"]["rcs"]["modes"][2]["s"] == TestJson{nullptr, nullptr});
  CHECK(json["differences"]["ucs"].get<double>() == doctest::Approx(1e-6));
  CHECK(json["difference_details"]["ucs"]["largest_corrected"].get<double>() == doctest::Approx(1e-9));
  CHECK(json["difference_details"]["rcs"]["within_error_bars"] == true);
  CHECK(json["branches"] == TestJson::array());
  CHECK(json["verdict"] == "asymptotically stable");
}

TEST_CASE("comparison: is certified only if every method that was computed is") {
  const Subject subject = made::two_masses();
  Comparison comparison = some_comparison(subject);
  CHECK(is_certified(comparison));
  comparison.methods[2].spectrum.certified = false;
  CHECK(!is_certified(comparison));
  CHECK(contains(to_text(subject, comparison), "DISAGREE"));
}

TEST_CASE("the sparse solver: it is taken for some modes of a large system, but not against what was asked for") {
  const Subject large{.system = system_of_case("n_pendulum", {{"N", 600}})};
  const Subject small{.system = system_of_case("n_pendulum", {{"N", 50}})};
  const ReportOptions some{.modes = {.all = false, .count = 3}};
  CHECK(takes_sparse(Method::mcs, large, some));
  CHECK(takes_sparse(Method::rcs, large, some));
  CHECK(takes_sparse(Method::ucs, large, some));
  CHECK_FALSE(takes_sparse(Method::mcs, small, some));
  CHECK_FALSE(takes_sparse(Method::mcs, large, {}));
  CHECK_FALSE(takes_sparse(Method::mcs, large, {.minimal = {.tangent = Tangent::topological}, .modes = some.modes}));
  CHECK_FALSE(takes_sparse(Method::mcs, large, {.minimal = {.independent = {0}}, .modes = some.modes}));
  CHECK(takes_sparse(Method::ucs, large, {.minimal = {.independent = {0}}, .modes = some.modes}));
  CHECK_FALSE(takes_sparse(Method::mcs, large, {.solver = Solver::dense, .modes = some.modes}));
  CHECK(takes_sparse(Method::mcs, small, {.solver = Solver::sparse}));
  CHECK(takes_sparse(Method::ucs, small, {.solver = Solver::sparse}));
}

TEST_CASE(
    "the sparse solver: of what grows it looks for what the energy does not rule out, unless all are soon known") {
  const ReportOptions growing{.modes = {.all = false, .growing = true}};
  Subject pendulum{.system = system_of_case("n_pendulum", {{"N", 600}})};
  CHECK(takes_sparse(Method::mcs, pendulum, growing));  // nothing grows
  pendulum.system.K.coeffRef(0, 1) += 1;                // a force without a potential
  CHECK_FALSE(takes_sparse(Method::mcs, pendulum, growing));
  Subject larger{.system = system_of_case("n_pendulum", {{"N", 1200}})};
  larger.system.K.coeffRef(0, 1) += 1;
  CHECK(takes_sparse(Method::mcs, larger, growing));
}

TEST_CASE("the sparse solver: few freedoms among many coordinates are dense for MCS only") {
  const Subject loops{.system = system_of_case("four_bar", {{"N", 300}})};
  const ReportOptions some{.modes = {.all = false, .count = 3}};
  CHECK_FALSE(takes_sparse(Method::mcs, loops, some));
  CHECK(takes_sparse(Method::rcs, loops, some));
  CHECK(takes_sparse(Method::ucs, loops, some));
  const Comparison comparison = compare_methods(loops, some);
  CHECK(is_certified(comparison));
  CHECK_FALSE(comparison.methods[1].shares_with);
  CHECK(comparison.methods[2].shares_with == Method::rcs);
  for (const std::size_t k : {1, 2}) {
    CHECK(comparison.methods[k].computed);
    CHECK(comparison.differences[k]->within_error_bars);
  }
  CHECK(comparison.differences[2]->largest > 1e-10);
  CHECK(comparison.differences[2]->largest_corrected < 1e-12);
  CHECK(comparison.verdict.stability == Stability::stable);
}
