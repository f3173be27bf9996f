// What is this mode? Descriptions and shares of motions that are known beforehand.

#include <doctest/doctest.h>

#include <limits>

#include "report/participation.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/report.h"

using namespace stillpoint;

namespace {

SparseMatrix diagonal(const std::vector<double>& values) {
  const auto n = static_cast<Index>(values.size());
  SparseMatrix A(n, n);
  for (Index i = 0; i < n; ++i) A.insert(i, i) = values[static_cast<std::size_t>(i)];
  return A;
}

/// Masses without any stiffness, under given names.
AnalysisCase masses(const std::vector<double>& mass, const std::vector<std::string>& names) {
  LinearSystem system;
  system.name = "masses";
  system.M = diagonal(mass);
  system.K = diagonal(std::vector<double>(mass.size(), 0));
  system.coordinate_name = [names](Index i) { return names[static_cast<std::size_t>(i)]; };
  return {checked(std::move(system))};
}

Mode mode_of(std::complex<double> s, const std::vector<double>& shape) {
  Mode mode;
  mode.s = s;
  mode.error = 1e-12;
  mode.shape = Eigen::Map<const Eigen::VectorXd>(shape.data(), static_cast<Eigen::Index>(shape.size()));
  return mode;
}

std::string description(const AnalysisCase& analysis, const Mode& mode) {
  return account_for(analysis, {mode}).front().description;
}

const std::complex<double> swings{0, 2};

}  // namespace

TEST_CASE("mode account: shares are those of the kinetic energy, and what couples two coordinates is halved") {
  LinearSystem system;
  system.M.resize(2, 2);
  system.M.insert(0, 0) = 2;
  system.M.insert(1, 1) = 1;
  system.M.insert(0, 1) = system.M.insert(1, 0) = 0.5;
  system.K = diagonal({1, 1});
  const Eigen::VectorXd shares = participation(checked(system), Eigen::Vector2cd(1., std::complex<double>(0, 1)));
  CHECK(shares[0] == doctest::Approx(2. / 3));  // a quarter of a period apart: the coupling does no work
  const Eigen::VectorXd together = participation(checked(system), Eigen::Vector2cd(1., 1.));
  CHECK(together[0] == doctest::Approx(2.5 / 4));
  CHECK(together.sum() == doctest::Approx(1));
}

TEST_CASE("mode account: without kinetic energy, shares are those of the displacement") {
  const AnalysisCase analysis = masses({0, 0, 1}, {"a", "b", "c"});
  const Eigen::VectorXd shares = participation(analysis.system, Eigen::Vector3cd(1., 0.5, 0.));
  CHECK(shares[0] == doctest::Approx(0.8));
  CHECK(shares[1] == doctest::Approx(0.2));
}

TEST_CASE("mode account: who moves, along what, and who turns") {
  const AnalysisCase analysis =
      masses({1, 1, 1, 1, 1, 1}, {"cart.x", "cart.y", "cart.phi", "pole.x", "pole.y", "pole.phi"});
  CHECK(description(analysis, mode_of(swings, {1, 0, 0, 0, 0, 0})) == "cart moves along x");
  CHECK(description(analysis, mode_of(swings, {0.5, 0, 0, 0, 0, 1})) == "pole rotates 80 %, cart moves along x 20 %");
  CHECK(description(analysis, mode_of(swings, {1, 1, 0, 0, 0, 0})) == "cart moves");
  CHECK(description(analysis, mode_of(swings, {1, 0, 1, 0, 0, 0})) == "cart moves and rotates");
  // A share that is not worth it is left out.
  CHECK(description(analysis, mode_of(swings, {1, 0, 0, 0.1, 0, 0})) == "cart moves along x");
}

TEST_CASE("mode account: many alike are one thing, unless few of them do most of it") {
  std::vector<std::string> names;
  for (int i = 0; i <= 20; ++i) {
    names.push_back("B[" + std::to_string(i) + "].x");
    names.push_back("B[" + std::to_string(i) + "].y");
  }
  const AnalysisCase analysis = masses(std::vector<double>(names.size(), 1), names);
  CHECK(description(analysis, mode_of(swings, std::vector<double>(names.size(), 1))) == "B[0..20] move");
  std::vector<double> one(names.size(), 0.01), some(names.size(), 0);
  one[6] = 1;
  CHECK(description(analysis, mode_of(swings, one)) == "B[3] moves along x");
  for (const std::size_t i : {4U, 6U, 8U}) some[i] = 1;
  CHECK(description(analysis, mode_of(swings, some)) == "B[2..4] move along x");
}

TEST_CASE("mode account: names that are no numbered families are left as they are") {
  const AnalysisCase analysis = masses({1, 1, 1, 1}, {"left wheel", "a.b", "grid[1,2]", "grid[x]"});
  CHECK(description(analysis, mode_of(swings, {1, 0, 0, 0})) == "left wheel moves");
  CHECK(description(analysis, mode_of(swings, {0, 1, 0, 0})) == "a.b moves");
  CHECK(description(analysis, mode_of(swings, {0, 0, 1, 0})) == "grid[1,2] moves");
}

TEST_CASE("mode account: what is more than a swing is said first") {
  const AnalysisCase analysis = masses({1}, {"x"});
  CHECK(description(analysis, mode_of({0, 2}, {1})) == "x moves");
  CHECK(description(analysis, mode_of({-0.1, 2}, {1})) == "x moves");
  CHECK(description(analysis, mode_of({-3, 0}, {1})) == "decays without oscillation, time constant 0.333 s: x moves");
  CHECK(description(analysis, mode_of({3, 0}, {1})) == "diverges, time constant 0.333 s: x moves");
  CHECK(description(analysis, mode_of({0.1, 2}, {1})) == "flutters: x moves");
  CHECK(description(analysis, mode_of({1e-14, 2}, {1})) == "x moves");  // nobody knows that sign
  CHECK(description(analysis, mode_of({0, 0}, {1})) == "neutral: x moves");
}

TEST_CASE("mode account: what is of the method is not described as a motion") {
  const AnalysisCase analysis = masses({1}, {"x"});
  Mode spurious = mode_of({-10, 0}, {1});
  spurious.kind = ModeClass::spurious;
  CHECK(description(analysis, spurious) == "belongs to the method, not to the mechanism");
  Mode infinite;
  infinite.s = {std::numeric_limits<double>::infinity(), 0};
  infinite.kind = ModeClass::spurious;
  CHECK(description(analysis, infinite) == "infinite: belongs to the constraints, not to the mechanism");
}

TEST_CASE("mode account: the springs that hold a motion are named with their share") {
  ModelBuilder build("two springs");
  const Place wall = build.fixed("wall", {-1, 0}), other = build.fixed("other", {2, 0});
  const Place mass = build.point("mass", {0, 0}, {.mass = 1});
  build.add("soft", Spring{.a = wall, .b = mass, .stiffness = 1, .free_length = 1});
  build.add("hard", Spring{.a = mass, .b = other, .stiffness = 3, .free_length = 2});
  const Model model = build.model();
  const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::check});
  const AnalysisCase analysis{linearize(model, rest, {.off_equilibrium = true}), model, rest};
  const std::vector<ModeAccount> accounts = account_for(analysis, {mode_of(swings, {1, 0}), mode_of(-swings, {1, 0})});
  CHECK(accounts[0].description == "mass moves along x; stiffness from hard 75 %, soft 25 %");
  CHECK(accounts[1].description == accounts[0].description);
  REQUIRE(accounts[0].energy.potential.size() == 2);
  CHECK(accounts[0].energy.potential[0].share == doctest::Approx(0.75));
}

TEST_CASE("mode account: where the list of elements ends before their energy does, none of them is named") {
  constexpr Index many = 12'000;  // the list ends at 10 000
  ModelBuilder build("many springs");
  const Place wall = build.fixed("wall", {-1, 0});
  for (Index i = 0; i < many; ++i) {
    const Place mass = build.point(Name("mass", {i}), {0, static_cast<double>(i)}, {.mass = 1});
    build.add(Name("spring", {i}), Spring{.a = wall, .b = mass, .stiffness = 1, .free_length = 1});
  }
  const Model model = build.model();
  LinearSystem system;
  system.M.resize(model.coordinates(), model.coordinates());
  system.M.setIdentity();
  system.coordinate_name = [model](Index i) { return model.coordinate_name(i); };
  Equilibrium rest;
  rest.state = model.initial_state();
  const AnalysisCase analysis{checked(std::move(system)), model, rest};
  const std::vector<double> all(static_cast<std::size_t>(model.coordinates()), 1);
  CHECK(description(analysis, mode_of(swings, all)) ==
        "mass[0..11999] move; stiffness from many elements, each with a small share");
}
