// What a person reads about the modes.

#include <doctest/doctest.h>

#include "report/mode_table.h"
#include "support/error_texts.h"
#include "support/report/made_reports.h"

using namespace stillpoint;

namespace {}  // namespace

TEST_CASE("modes text: the verdict comes first, in words, then its reason") {
  const AnalysisCase analysis = made::two_masses();
  const std::string text = to_text(analysis, made::some_modes(analysis));
  CHECK(text.starts_with("two masses: asymptotically stable\n  all roots lie to the left\n"));
}

TEST_CASE("modes text: a pair is one line, with as many digits as are known") {
  const AnalysisCase analysis = made::two_masses();
  const std::string text = to_text(analysis, made::some_modes(analysis));
  CHECK(contains(text,
                 "  mode         Re s 1/s        Im s rad/s          Hz   damping    error  residual  class\n"
                 "     1     -0.242412346     ± 2.133987654    0.339635    0.1129  3.0e-15   1.0e-16  true\n"
                 "     2     -3.000000000                 0           -    1.0000  3.0e-15   1.0e-16  true\n"));
  CHECK(contains(
      text,
      "\n     1  left moves along x\n     2  decays without oscillation, time constant 0.333 s: left moves along x\n"));
}

TEST_CASE("modes text: spurious ones are counted, and listed if somebody wants them") {
  const AnalysisCase analysis = made::two_masses();
  const ModesReport report = made::some_modes(analysis);
  const std::string without = to_text(analysis, report);
  CHECK(contains(without, "eigenvalues   3 of 3 true, 3 spurious\n"));
  CHECK(!contains(without, "  spurious\n"));
  CHECK(!contains(without, "∞"));
  const std::string with = to_text(analysis, report, {.spurious = true});
  CHECK(contains(with, "-10.00000000"));
  CHECK(contains(with, "∞         2 of them           -"));
}

TEST_CASE("modes text: a spectrum that contradicts itself says so") {
  const AnalysisCase analysis = made::two_masses();
  ModesReport report = made::some_modes(analysis);
  CHECK(is_certified(report));
  report.result.spectrum.certified = false;
  report.warnings = {"one eigenvalue is missing"};
  CHECK(!is_certified(report));
  const std::string text = to_text(analysis, report);
  CHECK(contains(text, "count, gap and violations DISAGREE"));
  CHECK(contains(text, "  warning       one eigenvalue is missing\n"));
}

TEST_CASE("modes text: penalties come with the corrected value and what they change") {
  const AnalysisCase analysis = made::two_masses();
  ModesReport report;
  Mode first = made::mode({0.0, 2.1477}), second = made::mode({0.0, -2.1477});
  for (Mode* const mode : {&first, &second}) {
    mode->penalty_error = 3e-6;
    mode->corrected_error = 1e-9;
    mode->corrected = mode->s + std::complex<double>(0, mode->s.imag() > 0 ? 3e-6 : -3e-6);
  }
  report.result = made::method(Method::ucs, analysis, {first, second});
  report.result.penalty = {.smallest_alpha = 1e6, .largest_alpha = 1e6, .xi = 1, .omega = 10};
  report.verdict = made::stable();
  const std::string text = to_text(analysis, report);
  CHECK(contains(text, "± 2.14770 "));  // the penalty hides the digits after these
  CHECK(contains(text, "corrected ±2.147703000i, penalty error 3.0e-06\n"));
  CHECK(contains(text, "α = 1e+06, ξ = 1, ω = 10 rad/s; at the equilibrium of the constrained system\n"));
  report.result.penalty->largest_residual = 2e-7;
  CHECK(contains(to_text(analysis, report), "at its own equilibrium, constraint"));
}

TEST_CASE("modes text: at a singular configuration it is said which values rest on an arbitrary choice") {
  AnalysisCase analysis = made::two_masses();
  analysis.system.singular = true;
  analysis.system.branches = {{"left moves; right stands still", Eigen::MatrixXd(Eigen::Vector2d(1, 0))}};
  ModesReport report;
  Mode sure = made::mode({0, 3.43}), arbitrary = made::mode({0, 4.43});
  arbitrary.depends_on_constraint_scaling = true;
  report.result = made::method(Method::mcs, analysis, {sure, arbitrary});
  report.verdict = made::stable();
  BranchReport branch;
  branch.name = analysis.system.branches[0].name;
  branch.tangents = analysis.system.branches[0].tangents;
  branch.spectrum = made::method(Method::mcs, analysis, {sure}).spectrum;
  branch.accounts = account_for(analysis, branch.spectrum.modes);
  branch.verdict = made::stable();
  report.branches = {branch};
  const std::string text = to_text(analysis, report);
  CHECK(contains(text, "Values marked *"));
  CHECK(contains(text, "4.430000000    0.705056         0  3.0e-15   1.0e-16  true *\n"));
  CHECK(contains(text, "3.430000000    0.545901         0  3.0e-15   1.0e-16  true\n"));
  CHECK(contains(text, "\nbranch 'left moves; right stands still': asymptotically stable\n"));
  CHECK(contains(text, "Values on a branch depend neither on the choice of multipliers nor on constraint scaling.\n"));
}

TEST_CASE("modes text: fits a terminal, whatever there is to say") {
  const AnalysisCase analysis = made::two_masses();
  ModesReport report = made::some_modes(analysis);
  report.warnings = {std::string("many words ") +
                     "that go on and on and on, as warnings do when they explain at length "
                     "what was found, what is allowed, and what could be done about it"};
  report.verdict.reason = report.warnings[0];
  report.result.spectrum.modes.push_back(made::mode({-1.23456789e14, 3.456789e13}, ModeClass::spurious));
  report.result.accounts.push_back({report.warnings[0], {}});
  CHECK(made::longest_line(to_text(analysis, report, {.spurious = true})) <= 100);
}

TEST_CASE("modes text: a pair is a pair only if the two are conjugate") {
  const auto rows = [](const std::vector<Mode>& modes) { return table_rows(modes).size(); };
  CHECK(rows({made::mode({-1, 2}), made::mode({-1, -2})}) == 1);
  CHECK(rows({made::mode({-1, 2}), made::mode({-1.1, -2})}) == 2);
  CHECK(rows({made::mode({-1, 2}), made::mode({-1, 2})}) == 2);
  CHECK(rows({made::mode({-1, 0}), made::mode({-1, 0})}) == 2);
  CHECK(rows({made::mode({-1, 2}), made::mode({-1, -2}, ModeClass::spurious)}) == 2);
  CHECK(rows({}) == 0);
}

TEST_CASE("modes text: what is smaller than its error bound has neither digits nor a sign") {
  const AnalysisCase analysis = made::two_masses();
  ModesReport report;
  report.result = made::method(Method::rcs, analysis, {made::mode({-4e-16, 2}), made::mode({-4e-16, -2})});
  CHECK(contains(to_text(analysis, report),
                 "0.000000000     ± 2.000000000    0.318310    0.0000  3.0e-15   1.0e-16  true\n"));
}

TEST_CASE("modes text: no line breaks between a number and its percent sign") {
  const AnalysisCase analysis = made::two_masses();
  for (std::size_t words = 1; words < 40; ++words) {
    ModesReport report = made::some_modes(analysis);
    report.result.accounts[0].description = std::string(2 * words + 60, 'x') + " 50 %, and more 50 %, and more";
    const std::string text = to_text(analysis, report);
    CHECK(!contains(text, "50\n"));
  }
}

TEST_CASE("modes text: zero eigenvalues are one line, with the number of motions and no shares of stiffness") {
  const AnalysisCase analysis = made::two_masses();
  std::vector<Mode> modes(4, made::mode({0, 0}));
  modes[2].shape = Eigen::Vector2cd(0., 1.);
  modes[3].error = 2e-7;
  modes.push_back(made::mode({0, 2}));
  modes.push_back(made::mode({0, -2}));
  ModesReport report;
  report.result = made::method(Method::mcs, analysis, modes);
  const std::string text = to_text(analysis, report);
  CHECK(contains(text, "     1                0         4 of them           -         0  2.0e-07"));
  CHECK(contains(text, "     2                0     ± 2.000000000"));
  CHECK(contains(text, "     1  neutral: 2 rigid-body motions, such as: left moves along x\n"));
}

TEST_CASE("modes text: what is stable is told in words that fit damped and gyroscopic systems, too") {
  CHECK(in_words({.stability = Stability::stable}) == "stable (conservative)");
  CHECK(in_words({.stability = Stability::stable, .manner = "some motions do not decay"}) ==
        "stable (some motions do not decay)");
  CHECK(in_words({.stability = Stability::growing}) == "grows polynomially");
}
