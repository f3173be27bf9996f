// The three methods side by side, in numbers that are made up.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "report/differences.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"
#include "support/report/made_reports.h"

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
Comparison some_comparison(const AnalysisCase& analysis) {
  Comparison comparison;
  comparison.methods = {
      made::method(Method::mcs, analysis, {made::mode({0, 2}), made::mode({0, -2})}),
      made::method(Method::rcs, analysis,
                   {made::mode({0, 2 + 1e-15}), made::mode({0, -2 - 1e-15}), made::infinite(), made::infinite()}),
      made::method(Method::ucs, analysis,
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
  CHECK(!differences.within_error_bounds);

  // Two that coincide are two.
  const Spectrum twins = spectrum_of({made::mode({-1, 0}), made::mode({-1, 0})});
  const Differences of_pair_members =
      differences_between(twins, spectrum_of({made::mode({-1, 0}), made::mode({-5, 0})}));
  CHECK(of_pair_members.each[0] == 0);
  CHECK(of_pair_members.each[1] == 4);
}

TEST_CASE("differences: within error bounds means no more than both together") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0})});  // ± 3e-15
  CHECK(differences_between(reference, spectrum_of({made::mode({-1 + 5e-15, 0})})).within_error_bounds);
  CHECK(!differences_between(reference, spectrum_of({made::mode({-1 + 7e-15, 0})})).within_error_bounds);
}

TEST_CASE("differences: of penalties the corrected values count") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0})});
  CHECK(differences_between(reference, spectrum_of({penalised({-1.001, 0}, {-1 - 1e-9, 0})})).within_error_bounds);
  CHECK(!differences_between(reference, spectrum_of({penalised({-1, 0}, {-1 - 3e-9, 0})})).within_error_bounds);
}

TEST_CASE("differences: only true modes are compared, and one that is missing is not a number") {
  const Spectrum reference = spectrum_of({made::mode({-1, 0}), made::mode({-2, 0}, ModeClass::undecided)});
  const Spectrum other = spectrum_of({made::mode({-1, 0}, ModeClass::spurious), made::infinite()});
  const Differences differences = differences_between(reference, other);
  REQUIRE(differences.each.size() == 1);
  CHECK(std::isnan(differences.each[0]));
  CHECK(std::isnan(differences.largest));
  CHECK(!differences.within_error_bounds);
}

TEST_CASE("comparison text: the three side by side, then the values") {
  const AnalysisCase analysis = made::two_masses();
  const std::string text = to_text(analysis, some_comparison(analysis));
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
  const AnalysisCase analysis = made::two_masses();
  Comparison comparison = some_comparison(analysis);
  comparison.methods[1] = MethodReport();
  comparison.methods[1].method = Method::rcs;
  comparison.methods[1].why_not = "the pencil is too large";
  comparison.differences[1].reset();
  const std::string text = to_text(analysis, comparison);
  CHECK(contains(text, "  not RCS       the pencil is too large\n"));
  CHECK(contains(text, "  true eigenvalues                 2 of 2              -         2 of 2\n"));
  CHECK(is_certified(comparison));
}

TEST_CASE("comparison text: with --spurious all eigenvalues of each method are listed") {
  const AnalysisCase analysis = made::two_masses();
  const std::string text = to_text(analysis, some_comparison(analysis), {.spurious = true});
  CHECK(contains(text, "  UCS, all eigenvalues\n"));
  CHECK(contains(text, "-10.00000000      ± 1.00000000"));
  CHECK(contains(text, "∞         2 of them"));
  CHECK(made::longest_line(text) <= 100);
}

TEST_CASE("comparison JSON: has the keys that scripts rely on") {
  const AnalysisCase analysis = made::two_masses();
  const TestJson json = TestJson::parse(to_json(analysis, some_comparison(analysis)));
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
  const AnalysisCase analysis = made::two_masses();
  Comparison comparison = some_comparison(analysis);
  CHECK(is_certified(comparison));
  comparison.methods[2].spectrum.certified = false;
  CHECK(!is_certified(comparison));
  CHECK(contains(to_text(analysis, comparison), "DISAGREE"));
}

namespace {

Engine first_engine(Method method, const LinearSystem& system, const AnalysisOptions& options) {
  return ModeFinder(system, options).plan_for(method).front().engine;
}

}  // namespace

TEST_CASE("plan: sparse engines are taken for some modes of a large system, but not against what was asked for") {
  const LinearSystem large = system_of_case("n_pendulum", {{"N", 600}}),
                     small = system_of_case("n_pendulum", {{"N", 5}});
  const AnalysisOptions some{.modes = {.which = Lowest{3}}};
  CHECK(first_engine(Method::mcs, large, some) == Engine::spectrum_slicing);
  CHECK(first_engine(Method::rcs, large, some) == Engine::spectrum_slicing);
  CHECK(first_engine(Method::ucs, large, some) == Engine::penalty_continuation);
  CHECK(first_engine(Method::mcs, small, some) == Engine::dense_symmetric);
  CHECK(first_engine(Method::mcs, large, {}) == Engine::dense_symmetric);
  const AnalysisOptions along_tree{.minimal = {.basis = NullSpaceBasis::topological}, .modes = some.modes};
  CHECK(first_engine(Method::mcs, large, along_tree) == Engine::dense_symmetric);
  const AnalysisOptions chosen{.minimal = {.independent = {0}}, .modes = some.modes};
  CHECK(first_engine(Method::mcs, large, chosen) == Engine::dense_symmetric);
  CHECK(first_engine(Method::ucs, large, chosen) == Engine::penalty_continuation);
  CHECK(first_engine(Method::mcs, large, {.engine = EngineChoice::dense, .modes = some.modes}) ==
        Engine::dense_symmetric);
  CHECK(first_engine(Method::mcs, small, {.engine = EngineChoice::qz}) == Engine::dense_qz);
  CHECK(first_engine(Method::mcs, small, {.engine = EngineChoice::sparse}) == Engine::spectrum_slicing);
  CHECK(first_engine(Method::ucs, small, {.engine = EngineChoice::sparse}) == Engine::penalty_continuation);
}

TEST_CASE("plan: unstable modes are not searched for where the energy criterion excludes them") {
  const AnalysisOptions unstable{.modes = {.which = Unstable{}}};
  LinearSystem pendulum = system_of_case("n_pendulum", {{"N", 600}});
  CHECK(first_engine(Method::mcs, pendulum, unstable) == Engine::energy_criterion);
  pendulum.K.coeffRef(0, 1) += 1;  // a circulatory force
  CHECK(first_engine(Method::mcs, pendulum, unstable) != Engine::energy_criterion);
}

TEST_CASE("plan: few degrees of freedom among many coordinates are dense for MCS only") {
  const AnalysisCase loops{.system = system_of_case("four_bar", {{"N", 300}})};
  const AnalysisOptions some{.modes = {.which = Lowest{3}}};
  CHECK(first_engine(Method::mcs, loops.system, some) == Engine::dense_symmetric);
  CHECK(first_engine(Method::rcs, loops.system, some) == Engine::spectrum_slicing);
  CHECK(first_engine(Method::ucs, loops.system, some) == Engine::penalty_continuation);
  const Comparison comparison = compare_methods(loops, some);
  CHECK(is_certified(comparison));
  CHECK_FALSE(comparison.methods[1].shares_with);
  CHECK(comparison.methods[2].shares_with == Method::rcs);
  for (const std::size_t k : {1, 2}) {
    CHECK(comparison.methods[k].computed);
    CHECK(comparison.differences[k]->within_error_bounds);
  }
  CHECK(comparison.differences[2]->largest > 1e-10);
  CHECK(comparison.differences[2]->largest_corrected < 1e-12);
  CHECK(comparison.verdict.stability == Stability::stable);
}
