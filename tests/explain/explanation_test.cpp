// Explanations against what is known of the systems: which constraints depend on each other, what is left without one
// of them, and which numbers decide.

#include "stillpoint/explanation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "explain/topics.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "support/case_runs.h"
#include "support/error_texts.h"
#include "support/stopping.h"

using namespace stillpoint;

namespace {

using Topic = ExplanationTopic;

AnalysisCase analysis_of(const Model& model, const EquilibriumOptions& how = {}) {
  const Equilibrium rest = find_equilibrium(model, how);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, rest.message);
  return {linearize(model, rest), model, rest};
}

AnalysisCase case_of(const std::string& name, const Parameters& parameters = {}) {
  return analysis_of(read_model((cases::root() / "cases" / name).string(), parameters));
}

Explanation explained(const AnalysisCase& analysis, Topic topic) {
  return explain_analysis(analysis, {.topics = {topic}});
}

AnalysisCase flat_four_bar() { return case_of("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}}); }

/// Rank by the singular values of the whole matrix, which the explanation does not compute.
Index dense_rank(const Eigen::MatrixXd& J) {
  const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
  return static_cast<Index>((sigma.array() > 1e-9 * sigma[0]).count());
}

/// J without the rows of these names.
Eigen::MatrixXd without(const LinearSystem& system, const std::vector<std::string>& names) {
  const Eigen::MatrixXd J = system.J;
  Eigen::MatrixXd rest(J.rows() - static_cast<Eigen::Index>(names.size()), J.cols());
  Eigen::Index row = 0;
  for (Index i = 0; i < system.constraints(); ++i) {
    const std::string name = system.constraint_name(i);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    REQUIRE(row < rest.rows());
    rest.row(row++) = J.row(i);
  }
  REQUIRE(row == rest.rows());
  return rest;
}

const JointRelease* release_of(const ReleaseChoice& choice, const std::string& becomes) {
  const auto found = std::find_if(choice.joints.begin(), choice.joints.end(),
                                  [&](const JointRelease& release) { return release.becomes == becomes; });
  return found == choice.joints.end() ? nullptr : &*found;
}

/// Whether a text has a digit: a number of this model, not a phrase that fits any.
bool has_number(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::ptrdiff_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("explain: of the five-bar one vertical equation is redundant, and without one nothing is") {
  const AnalysisCase analysis = case_of("five_bar_parallelogram");
  const RedundancyExplanation found = *explained(analysis, Topic::redundancy).redundancy;
  CHECK(found.redundant == 1);
  CHECK(found.rank == 11);
  REQUIRE(found.groups.size() == 1);
  const RedundantGroup& group = found.groups[0];
  // The links are parallel: what is too much is the third support of the coupler across them.
  CHECK(group.constraints ==
        std::vector<std::string>{"base[1].y", "top[1].y", "base[2].y", "top[2].y", "base[3].y", "top[3].y"});
  REQUIRE(group.loops.size() == 2);
  CHECK(group.loops[0].joints.size() == 4);
  REQUIRE(!group.choices.empty());
  const ReleaseChoice& choice = group.choices[0];
  REQUIRE(choice.joints.size() == 1);
  CHECK(choice.joints[0].becomes == "slider");
  REQUIRE(choice.joints[0].released.size() == 1);
  CHECK(choice.dof == 1);
  CHECK(choice.redundant == 0);
  CHECK(choice.constraints == 11);
  CHECK(dense_rank(without(analysis.system, choice.joints[0].released)) == 11);
  // A horizontal equation is needed: without it the linkage has one motion more.
  CHECK(dense_rank(without(analysis.system, {"base[1].x"})) == 10);
}

TEST_CASE("explain: Bennett's linkage has three equations too many, all twenty take part, and a ball in a tube helps") {
  const AnalysisCase analysis = case_of("four_bar_spatial");
  const RedundancyExplanation found = *explained(analysis, Topic::redundancy).redundancy;
  CHECK(found.redundant == 3);
  REQUIRE(found.groups.size() == 1);
  const RedundantGroup& group = found.groups[0];
  CHECK(group.constraint_count == 20);
  REQUIRE(group.loops.size() == 1);
  std::vector<std::string> loop = group.loops[0].joints;
  std::sort(loop.begin(), loop.end());
  CHECK(loop == std::vector<std::string>{"crank_bearing", "crank_pin", "rocker_bearing", "rocker_pin"});
  REQUIRE(group.choices.size() == 3);
  for (const ReleaseChoice& choice : group.choices) {
    CHECK(choice.equations == 3);
    CHECK(choice.rank == 17);
    CHECK(choice.dof == 1);
    CHECK(choice.redundant == 0);
  }
  CHECK(release_of(group.choices[0], "point_on_line"));
  CHECK(release_of(group.choices[1], "cylindrical"));
  CHECK(release_of(group.choices[1], "spherical"));
}

TEST_CASE("explain: what becomes of a released joint is what a model with that joint has") {
  std::string text = content_of(cases::root() / "cases/four_bar_spatial/model.yaml");
  const std::string hinge =
      "  - revolute: rocker_pin\n    between: rocker(b, 0, 0, beta, 0, 0), coupler(a, 0, 0, alpha, 0, 0)\n";
  const std::size_t place = text.find(hinge);
  REQUIRE(place != std::string::npos);
  text.replace(place, hinge.size(),
               "  - point_on_line: rocker_pin\n    line: rocker(b, 0, 0, beta, 0, 0)\n    point: coupler(a, 0, 0)\n");
  const AnalysisCase other = analysis_of(read_model_text(text, "tube"));
  CHECK(other.rest->kind == ConfigurationType::regular);
  const ReleaseChoice choice =
      explained(case_of("four_bar_spatial"), Topic::redundancy).redundancy->groups[0].choices[0];
  REQUIRE(choice.joints[0].joint == "rocker_pin");
  CHECK(other.system.constraints() == choice.constraints);
  CHECK(other.system.rank() == choice.rank);
  CHECK(other.system.dof() == choice.dof);
}

TEST_CASE(
    "explain: of a door with two hinges five equations are redundant: a ball joint and a ball in a tube carry it") {
  const AnalysisCase analysis = case_of("door");
  const RedundancyExplanation found = *explained(analysis, Topic::redundancy).redundancy;
  CHECK(found.redundant == 5);
  REQUIRE(found.groups.size() == 1);  // though x, y and z depend on each other apart
  const RedundantGroup& group = found.groups[0];
  CHECK(group.joint_count == 2);
  CHECK(group.constraint_count == 10);
  REQUIRE(group.loops.size() == 1);
  CHECK(group.loops[0].closed_by == "hinge[2]");
  REQUIRE(group.choices.size() == 2);
  REQUIRE(release_of(group.choices[0], "spherical"));
  REQUIRE(release_of(group.choices[0], "point_on_line"));
  CHECK(release_of(group.choices[0], "spherical")->joint != release_of(group.choices[0], "point_on_line")->joint);
  REQUIRE(group.choices[1].joints.size() == 1);
  CHECK(group.choices[1].joints[0].is_removed);
  for (const ReleaseChoice& choice : group.choices) {
    CHECK(choice.constraints == 5);
    CHECK(choice.dof == 1);
    CHECK(choice.redundant == 0);
  }
  CHECK(dense_rank(without(analysis.system, group.choices[1].joints[0].released)) == 5);
}

TEST_CASE("explain: groups that have no joint in common are released apart, and together") {
  const std::string text =
      "{stillpoint: 1, dimension: 3, mechanism: [{for: 'i in 1..5', do: ["
      "{body: 'door[i]', at: 'i, 0, 0', mass: 1, inertia: '1, 1, 1'},"
      "{revolute: 'low[i]', between: 'ground, door[i]', at: 'i, 0, 0', axis: '0, 0, 1'},"
      "{revolute: 'high[i]', between: 'ground, door[i]', at: 'i, 0, 1', axis: '0, 0, 1'},"
      "{torsion_spring: 'closer[i]', between: 'ground, door[i]', axis: '0, 0, 1', stiffness: 1}]}]}";
  const RedundancyExplanation found =
      *explained(analysis_of(read_model_text(text, "doors")), Topic::redundancy).redundancy;
  CHECK(found.redundant == 25);
  CHECK(found.group_count == 5);
  REQUIRE(found.groups.size() == 3);
  REQUIRE(!found.groups[0].choices.empty());
  CHECK(found.groups[0].choices[0].redundant == 20);
  REQUIRE(found.all);
  CHECK(found.all->redundant == 0);
  CHECK(found.all->dof == 5);
  CHECK(found.all->constraints == 25);
}

TEST_CASE("explain: without a joint that is redundant there is nothing to release") {
  const RedundancyExplanation found = *explained(case_of("four_bar"), Topic::redundancy).redundancy;
  CHECK(found.redundant == 0);
  CHECK(found.groups.empty());
  CHECK(found.rank == 4);
}

TEST_CASE("explain: the flat four-bar is singular, with its two branches and the constraints that meet in a line") {
  const AnalysisCase analysis = flat_four_bar();
  const SingularityExplanation found = *explained(analysis, Topic::singular).singular;
  CHECK(found.kind == ConfigurationType::singular);
  CHECK(found.rank == 3);
  CHECK(found.dof == 2);
  CHECK(found.constraints_that_depend == std::vector<std::string>{"crank[0]", "crank[1]", "coupler[1]"});
  REQUIRE(found.branches.size() == 2);
  for (const BranchFacts& branch : found.branches) {
    CHECK(branch.dimension == 1);
    CHECK(branch.rank == 4);
    CHECK(branch.confirmed);
  }
  const VerdictExplanation verdict = *explained(analysis, Topic::verdict).verdict;
  CHECK(!verdict.branch.empty());
  const RedundancyExplanation redundancy = *explained(analysis, Topic::redundancy).redundancy;
  CHECK(redundancy.redundant == 0);  // the rank drops here only
  const std::string text = to_text(explain_analysis(analysis));
  CHECK(contains(text, "motions branch"));
}

TEST_CASE("explain: spurious eigenvalues of the penalty follow its frequency, and true ones do not") {
  const AnalysisCase analysis = case_of("four_bar");
  const SpuriousExplanation found =
      explain_analysis(analysis, {.topics = {Topic::spurious}, .spurious_of = Method::ucs}).spurious.at(0);
  CHECK(found.spurious == 8);
  CHECK(found.finite_spurious == 8);
  CHECK(found.violation > 1e4 * found.true_violation);
  // They cluster near the roots of s² + 2ξωs + ω²: at −ω, which is then −2ω.
  CHECK(found.s.real() == doctest::Approx(-found.omega).epsilon(0.01));
  CHECK(found.moved_by_omega == doctest::Approx(1).epsilon(0.01));
  CHECK(found.true_moved_by_omega < 1e-6);
  CHECK(found.moved_by_alpha > 10 * found.true_moved_by_alpha);
}

TEST_CASE("explain: eigenvalues of RCS are spurious where no motion belongs to them, and true ones are refused") {
  const AnalysisCase analysis = case_of("four_bar");
  const SpuriousExplanation found =
      explain_analysis(analysis, {.topics = {Topic::spurious}, .spurious_of = Method::rcs}).spurious.at(0);
  CHECK(found.is_infinite);
  CHECK(found.order == 14);
  CHECK(found.spurious == 12);
  CHECK_THROWS_WITH_AS(
      explain_analysis(analysis, {.topics = {Topic::spurious}, .spurious_of = Method::ucs, .eigenvalue = 1}),
      doctest::Contains("is not spurious: its class is 'true'"), Error);
  CHECK_THROWS_WITH_AS(
      explain_analysis(analysis, {.topics = {Topic::spurious}, .spurious_of = Method::ucs, .eigenvalue = 99}),
      doctest::Contains("the table has"), Error);
}

TEST_CASE("explain: the number that decides a verdict is that of a closed form") {
  // θ s² + c s + k = 0, the closer of the door.
  const VerdictExplanation door = *explained(case_of("door"), Topic::verdict).verdict;
  CHECK(door.verdict.stability == Stability::asymptotically_stable);
  CHECK(door.value == doctest::Approx(-0.740375123395854).epsilon(1e-10));
  CHECK(door.error < 1e-10);
  CHECK(door.negative_stiffness == 0);

  const VerdictExplanation cart = *explained(case_of("cart_pole"), Topic::verdict).verdict;
  CHECK(cart.verdict.stability == Stability::neutral);
  CHECK(cart.value == 2);
  CHECK(cart.zero_stiffness == 1);

  const VerdictExplanation flutter = *explained(case_of("ziegler_column", {{"P", 2.5}}), Topic::verdict).verdict;
  CHECK(flutter.verdict.stability == Stability::unstable);
  CHECK(flutter.value > flutter.error);
}

TEST_CASE("explain: a mode has its largest energies, and the parameter that a difference of two models confirms") {
  const Parameters more{{"w", 0.9 * 1.01}};
  const ModelFamily family((cases::root() / "cases/door").string());
  const AnalysisCase analysis = case_of("door");
  const Explanation all =
      explain_analysis(analysis, {.topics = {Topic::mode}, .mode = 1, .parameters = variations_of(family)});
  const ModeExplanation& mode = *all.mode;
  CHECK(mode.parameter == "w");
  REQUIRE(mode.kinetic.size() == 1);
  CHECK(mode.kinetic[0].name == "door");
  REQUIRE(mode.potential.size() == 1);
  CHECK(mode.potential[0].name == "closer");
  const AnalysisCase wider = case_of("door", more);
  const auto lowest = [](const AnalysisCase& one) { return report_modes(one).result.spectrum.modes.at(0).s; };
  const double change = std::abs(lowest(wider) - lowest(analysis)) / std::abs(lowest(analysis));
  CHECK(mode.relative_change == doctest::Approx(change).epsilon(0.03));  // a step of 1 % against a rate
  CHECK_THROWS_WITH_AS(explain_analysis(analysis, {.topics = {Topic::mode}, .mode = 2}),
                       doctest::Contains("mode 2: the table of modes has 1 lines"), Error);
}

TEST_CASE("explain: a rank that the numbers do not decide is told, with the gap, its bar and what would decide it") {
  AnalysisCase analysis = case_of("four_bar");
  analysis.system.rows.rank.outcome = RankOutcome::undecided;
  analysis.system.rows.rank.gap = 40;
  analysis.rest->kind = ConfigurationType::undecided;
  const DecisionExplanation found = *explained(analysis, Topic::undecided).undecided;
  CHECK(found.undecided == 2);
  REQUIRE(!found.numbers.empty());
  CHECK(!found.numbers[0].decided);
  CHECK(found.numbers[0].value == 40);
  CHECK(found.numbers[0].bar == 1000);
  CHECK(contains(found.numbers[0].would_decide, "--rank"));
  CHECK(contains(to_text(explain_analysis(analysis)), "UNDECIDED"));
}

TEST_CASE("explain: a count that differs and a sign that rounding hides are undecided, with the numbers that differ") {
  const AnalysisCase analysis = case_of("four_bar");
  ModesReport report = report_modes(analysis);
  const auto number_called = [&](const std::string& begin) {
    const DecisionExplanation found = explanations::explain_decisions(analysis, report);
    const auto one = std::find_if(found.numbers.begin(), found.numbers.end(),
                                  [&](const DecidingNumber& number) { return number.what.starts_with(begin); });
    REQUIRE(one != found.numbers.end());
    return *one;
  };
  CHECK(explanations::explain_decisions(analysis, report).undecided == 0);
  CHECK(number_called("the number of eigenvalues found").value == 2);

  report.result.spectrum.certified = false;
  report.result.spectrum.reasons = {Uncertified::missing};
  report.result.spectrum.expected = 4;
  const DecidingNumber count = number_called("the number of eigenvalues found");
  CHECK(!count.decided);
  CHECK(count.bar == 4);
  CHECK(contains(count.what, to_words(Uncertified::missing)));

  report.verdict.stability = Stability::undecided;
  report.verdict.hidden_roots = 2;
  report.result.spectrum.modes[0].s = {1e-9, 2};
  report.result.spectrum.modes[0].error = 1e-7;
  const DecidingNumber sign = number_called("a real part");
  CHECK(!sign.decided);
  CHECK(sign.value == 1e-9);
  CHECK(sign.bar == 1e-7);
  CHECK(contains(sign.would_decide, "damping"));
}

TEST_CASE("explain: methods have the orders of theory, and what is recommended is what sparsity says") {
  const AnalysisCase analysis = case_of("four_bar");
  const MethodExplanation found = *explained(analysis, Topic::method).method;
  REQUIRE(found.methods.size() == 3);
  CHECK(found.methods[1].order == 2 * 5 + 4);
  CHECK(found.methods[1].spurious == 12);
  CHECK(found.methods[2].order == 2 * 5);
  CHECK(found.suits == measure_sparsity(analysis.system).suits);
}

TEST_CASE("explain: an equilibrium that does not exist is explained by its residual and where it is") {
  const Model model = read_model_text(
      "{stillpoint: 1, mechanism: [{point: P, at: '1, 0', mass: 1}, {distance: a, between: 'ground, P', length: 1},"
      " {distance: b, between: 'ground(5, 0), P', length: 1}]}",
      "open");
  const Equilibrium rest = find_equilibrium(model);
  const Explanation found = explain_refusal(model, rest, "open.yaml");
  REQUIRE(found.refusal);
  CHECK(found.refusal->residual > 0.1);
  CHECK(found.refusal->worst == "b");
  CHECK(contains(to_text(found), "stillpoint check open.yaml"));
  CHECK(nlohmann::json::parse(to_json(found))["refusal"]["worst"] == "b");
}

TEST_CASE("explain: a system of matrices has rows in place of joints") {
  AnalysisCase analysis{case_of("five_bar_parallelogram").system};
  const RedundancyExplanation found = *explained(analysis, Topic::redundancy).redundancy;
  REQUIRE(found.groups.size() == 1);
  REQUIRE(!found.groups[0].choices.empty());
  CHECK(found.groups[0].choices[0].joints[0].is_removed == false);
  CHECK(found.groups[0].choices[0].dof == 1);
  CHECK(found.groups[0].choices[0].redundant == 0);
}

TEST_CASE("explain: of a large system each release is not tried alone, and it is told") {
  const AnalysisCase analysis = case_of("n_pendulum", {{"N", 10'001}});
  const RedundancyExplanation none = *explained(analysis, Topic::redundancy).redundancy;
  CHECK(none.redundant == 0);
  const MethodExplanation method = *explained(analysis, Topic::method).method;
  CHECK(method.methods[1].order == 2 * 20'002 + 10'001);
  CHECK(method.methods[1].seconds_are_estimated);
  const SpuriousExplanation spurious = explained(analysis, Topic::spurious).spurious.at(0);
  CHECK(contains(spurious.why_not, "20002 coordinates"));
}

// Every verdict, class, warning and method that the cases show.
TEST_CASE("explain: every topic of every case has numbers of this model, in 30 lines at most, in text and JSON") {
  for (const auto& folder : cases::case_folders()) {
    CAPTURE(folder.filename().string());
    const AnalysisCase analysis = case_of(folder.filename().string());
    const ModelFamily family(folder.string());
    ExplanationRequest request;
    request.parameters = variations_of(family);
    const auto check = [&](const Explanation& found) {
      const std::string text = to_text(found);
      CHECK_MESSAGE(lines_of(text) <= 30, text);
      CHECK_MESSAGE(!contains(text, "nan"), text);
      for (const ExplanationBlock& block : in_words(found)) {
        CAPTURE(key_of(block.topic));
        CHECK(block.more.starts_with("stillpoint "));
        CHECK(has_number(block.title + fmt::format("{}", fmt::join(block.sentences, " "))));
      }
      const auto json = nlohmann::json::parse(to_json(found));
      CHECK(json.at("schema") == "stillpoint.explain/1");
      CHECK(json.at("words").size() == in_words(found).size());
    };
    check(explain_analysis(analysis, request));
    for (const Topic topic : {Topic::verdict, Topic::redundancy, Topic::singular, Topic::undecided, Topic::spurious,
                              Topic::method, Topic::mode, Topic::warnings}) {
      request.topics = {topic};
      check(explain_analysis(analysis, request));
    }
    const ModesReport report = report_modes(analysis);
    const VerdictExplanation verdict = *explained(analysis, Topic::verdict).verdict;
    CHECK(verdict.verdict.stability == report.verdict.stability);
    CHECK(std::isfinite(verdict.value));
    const std::vector<std::string> warnings = *explained(analysis, Topic::warnings).warnings;
    for (const std::string& warning : report.warnings)
      CHECK(std::find(warnings.begin(), warnings.end(), warning) != warnings.end());
    for (const std::string& warning : warnings) CHECK_MESSAGE(has_number(warning), warning);
  }
}

TEST_CASE("explain: the work tells its progress, and can be stopped there") {
  const ModelFamily family((cases::root() / "cases" / "four_bar").string());
  const AnalysisCase analysis = analysis_of(family.at());
  const auto check_topic = [](const AnalysisCase& of, ExplanationRequest request) {
    testing::check_that_it_can_be_stopped([&](const auto& listener) {
      request.progress = listener;
      explain_analysis(of, request);
    });
  };
  check_topic(analysis, {.topics = {Topic::method}});
  check_topic(analysis, {.topics = {Topic::spurious}, .spurious_of = Method::ucs});
  check_topic(analysis, {.topics = {Topic::mode}, .parameters = variations_of(family)});
  check_topic(case_of("four_bar_spatial"), {.topics = {Topic::redundancy}});
}
