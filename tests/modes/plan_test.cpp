// The plan: which engine runs, for every row of its table, and what is done when an engine cannot certify its answer.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "support/scratch_folder.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

/// A chain of n masses between two walls.
LinearSystem chain(Index n) {
  LinearSystem system;
  std::vector<Eigen::Triplet<double, Index>> stiffness;
  for (Index i = 0; i < n; ++i) {
    stiffness.emplace_back(i, i, 2.0);
    if (i + 1 < n) {
      stiffness.emplace_back(i, i + 1, -1.0);
      stiffness.emplace_back(i + 1, i, -1.0);
    }
  }
  system.M.resize(n, n);
  system.M.setIdentity();
  system.K.resize(n, n);
  system.K.setFromTriplets(stiffness.begin(), stiffness.end());
  return checked(std::move(system));
}

LinearSystem with(LinearSystem system, Index row, Index column, double damping) {
  if (system.C.size() == 0) system.C.resize(system.M.rows(), system.M.cols());
  system.C.coeffRef(row, column) += damping;
  return system;
}

LinearSystem damped_everywhere(LinearSystem system, double damping) {
  system.C = damping * system.K;
  return system;
}

LinearSystem gyroscopic(LinearSystem system) { return with(with(std::move(system), 0, 1, 0.3), 1, 0, -0.3); }

LinearSystem circulatory(LinearSystem system) {
  system.K.coeffRef(0, 1) += 0.3;
  return system;
}

struct Case {
  const char* name;
  LinearSystem system;
  Method method;
  Which which;
  Engine engine;
};

std::vector<Case> cases() {
  const LinearSystem small = chain(6), large = chain(400);
  LinearSystem light = large;
  light.C = 1e-3 * large.K;
  return {
      {"small, undamped", small, Method::mcs, All{}, Engine::dense_symmetric},
      {"small, one damper", with(chain(12), 0, 0, 0.1), Method::mcs, All{}, Engine::dense_low_rank},
      {"small, damped", damped_everywhere(small, 0.1), Method::mcs, All{}, Engine::dense_qz},
      {"small, RCS", small, Method::rcs, All{}, Engine::dense_qz},
      {"small, circulatory", circulatory(small), Method::mcs, All{}, Engine::dense_qz},
      {"large, undamped", large, Method::mcs, Lowest{3}, Engine::spectrum_slicing},
      {"large, undamped, band", large, Method::rcs, Band{0.01, 0.02}, Engine::spectrum_slicing},
      {"large, undamped, near a frequency", large, Method::mcs, Nearest{{0, 1}, 3}, Engine::spectrum_slicing},
      {"large, lightly damped", light, Method::mcs, Lowest{3}, Engine::light_damping},
      {"large, gyroscopic", gyroscopic(large), Method::mcs, Lowest{3}, Engine::toar},
      {"large, circulatory", circulatory(large), Method::mcs, Lowest{3}, Engine::toar},
      {"large, damped, near a point", light, Method::mcs, Nearest{{-0.1, 1}, 3}, Engine::toar},
      {"unstable ones of a stable system", light, Method::mcs, Unstable{}, Engine::energy_criterion},
      {"large, UCS", large, Method::ucs, Lowest{3}, Engine::penalty_continuation},
  };
}

}  // namespace

TEST_CASE("plan: each row of the table is taken where it fits, and its answer is certified") {
  std::set<Engine> taken;
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    const AnalysisOptions options{.modes = {.which = one.which}};
    ModeFinder finder(one.system, options);
    const std::vector<PlannedEngine> planned = finder.plan_for(one.method);
    REQUIRE(!planned.empty());
    CHECK(std::string(to_words(planned.front().engine)) == to_words(one.engine));
    CHECK(*planned.front().why != 0);
    CHECK(*planned.front().proof != 0);
    taken.insert(planned.front().engine);
    const FoundModes found = finder.find(one.method, false);
    CHECK(found.computed);
    CHECK_MESSAGE(found.spectrum.certified, found.spectrum.solver);
  }
  CHECK(taken.size() == 8);  // all but those of singular configurations, which need a model: modes_test.cpp
}

TEST_CASE("plan: the tables in docs/modes.md and docs/architecture.md are that of the code") {
  for (const char* name : {"modes.md", "architecture.md"}) {
    CAPTURE(name);
    const std::string page = content_of(std::string(STILLPOINT_SOURCE_DIR "/docs/") + name);
    CHECK(page.find("<!-- begin plan table -->\n" + plan_table() + "<!-- end plan table -->") != std::string::npos);
  }
}

TEST_CASE("plan: what was chosen by the user is run, and nothing else") {
  const LinearSystem large = chain(400);
  for (const auto& asked :
       {std::pair{EngineChoice::dense, Engine::dense_symmetric}, std::pair{EngineChoice::qz, Engine::dense_qz},
        std::pair{EngineChoice::sparse, Engine::spectrum_slicing}}) {
    const AnalysisOptions options{.engine = asked.first, .modes = {.which = Lowest{2}}};
    const std::vector<PlannedEngine> planned = ModeFinder(large, options).plan_for(Method::mcs);
    REQUIRE(planned.size() == 1);
    CHECK(planned.front().engine == asked.second);
  }
  const LinearSystem damped = with(large, 0, 0, 0.1);
  const AnalysisOptions spectra{.engine = EngineChoice::spectra, .modes = {.which = Lowest{2}}};
  CHECK_THROWS_WITH_AS(ModeFinder(damped, spectra).plan_for(Method::mcs),
                       "the engine 'spectra' finds modes of undamped systems with symmetric matrices and M ≥ 0", Error);
}

TEST_CASE("plan: few of many modes are never left to an engine that finds all") {
  for (const Index n : {300, 500}) {
    for (const bool is_damped : {false, true}) {
      const LinearSystem system = is_damped ? damped_everywhere(chain(n), 0.01) : chain(n);
      const AnalysisOptions few{.modes = {.which = Lowest{3}}};
      CHECK(is_sparse(ModeFinder(system, few).plan_for(Method::mcs).front().engine));
    }
  }
}

TEST_CASE("plan: an answer that is not certified calls no value true, and gives way to one that is") {
  // Damping couples massless coordinates that it does not resist with others: the condensation of MCS leaves that out.
  int others = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Index n = random.whole(4, 9);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), C(n, n), K(n, n), J(1, n);
    for (Index i = 0; i < n; ++i) {
      M(i, i) = i < 2 ? 0 : random.scaled(0.5, 2);
      for (Index j = 0; j < n; ++j) {
        C(i, j) = random.scaled(0.1, 1) * (random.whole(0, 1) ? 1 : -1);
        K(i, j) = random.scaled(0.1, 1) * (random.whole(0, 1) ? 1 : -1) + (i == j ? 5.0 * n : 0);
      }
      J(0, i) = i < 2 ? 0 : random.scaled(0.5, 1);
    }
    C.topLeftCorner(2, 2).setZero();
    LinearSystem system;
    system.M = M.sparseView();
    system.C = C.sparseView();
    system.K = K.sparseView();
    system.J = J.sparseView();
    system = checked(std::move(system));
    const FoundModes found = find_modes(system);
    const bool questions = std::any_of(found.spectrum.reasons.begin(), found.spectrum.reasons.end(), questions_values);
    for (const Mode& mode : found.spectrum.modes) {
      if (questions) CHECK(mode.kind != ModeClass::genuine);
    }
    if (found.method == Method::rcs) {
      ++others;
      CHECK(found.spectrum.certified);
      CHECK(found.spectrum.warnings.back().find("could not certify its answer") != std::string::npos);
    }
  }
  CHECK(others > 50);
}
