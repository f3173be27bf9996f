// The penalty system of models of any size: its modes, followed from those of the mechanism, are those that the dense
// solver finds, each once.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stillpoint/modes.h"
#include "stillpoint/report.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/modes/random_systems.h"
#include "support/sanitized.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Spectrum known_of(const LinearSystem& system, Index count) {
  const ModesOptions lowest{.which = Lowest{count}};
  return is_conservative(system) ? solve_conservative(system, lowest) : solve_general(system, lowest);
}

Spectrum sparse_penalty(const LinearSystem& system, Index count, const PenaltyOptions& penalty = {}) {
  return continue_into_penalty(system, system, penalty, known_of(system, count));
}

Spectrum dense_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {}) {
  return solve_modes(system, penalty_form(system, penalty), count_true(system, minimal_form(system)));
}

/// How far rounding of M_p, C_p, K_p may have moved the values of the dense solver.
double rounding(const Mode& dense) { return dense.s == 0.0 ? 0 : 10 * epsilon * dense.condition * std::abs(dense.s); }

/// Each mode takes the nearest true one of the dense solver that is left, within rounding and so much of what the
/// penalty changes. How many find none.
int strangers(const Spectrum& sparse, const Spectrum& dense, double of_change = 0) {
  std::vector<const Mode*> left;
  for (const Mode& mode : dense.modes) {
    if (mode.kind == ModeClass::genuine) left.push_back(&mode);
  }
  int count = 0;
  for (const Mode& mode : sparse.modes) {
    const auto nearest = std::min_element(left.begin(), left.end(), [&](const Mode* a, const Mode* b) {
      return std::abs(a->s - mode.s) < std::abs(b->s - mode.s);
    });
    const auto is_same = [&](const Mode& other) {
      return std::abs(other.s - mode.s) <= rounding(other) + rounding(mode) + of_change * mode.penalty_error;
    };
    if (nearest == left.end() || !is_same(**nearest)) ++count;
    else left.erase(nearest);
  }
  return count;
}

/// Corrected, each is one of the mechanism's, within the bars of both.
bool are_corrected(const Spectrum& sparse, const Spectrum& known) {
  return std::all_of(sparse.modes.begin(), sparse.modes.end(), [&](const Mode& mode) {
    return std::any_of(known.modes.begin(), known.modes.end(), [&](const Mode& of_mechanism) {
      return std::abs(mode.corrected - of_mechanism.s) <= mode.corrected_error + of_mechanism.error;
    });
  });
}

}  // namespace

TEST_CASE("sparse modes: the penalty system of every case has the modes that the dense solver finds") {
  int cases = 0;
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.singular || system.dof() == 0) continue;
    CAPTURE(named.name);
    // Eight: no group of copies is cut, which the penalty would mix (nafems_fv2 has one, two and five).
    const Spectrum known = known_of(system, 8), sparse = continue_into_penalty(system, system, {}, known);
    const Spectrum dense = dense_penalty(system);
    CHECK(sparse.certified);
    CHECK(sparse.found == static_cast<Index>(known.modes.size()));
    CHECK(sparse.modes.size() == known.modes.size());
    CHECK(strangers(sparse, dense) == 0);
    CHECK(are_corrected(sparse, known));
    for (const Mode& mode : sparse.modes) {
      CHECK(mode.backward_error < 1e-12);
      CHECK(mode.violation < 1e-4);
      CHECK(mode.kind == ModeClass::genuine);
      if (mode.s != 0.0) CHECK(mode.penalty_error == doctest::Approx(std::abs(mode.s - mode.corrected)));
    }
    ++cases;
  }
  CHECK(cases > 30);
}

TEST_CASE("sparse modes: the penalty's own rest position is taken as by the dense solver") {
  struct Case {
    const char* name;
    Parameters parameters;
  };
  for (const Case& of : {Case{"four_bar", {{"N", 20}}}, Case{"four_bar", {{"N", 20}, {"c", 1}}},
                         Case{"n_pendulum", {{"N", 12}}}, Case{"flexible_double_pendulum", {}}}) {
    CAPTURE(of.name);
    Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + of.name, of.parameters);
    const Equilibrium rest = find_equilibrium(model);
    const AnalysisCase analysis{linearize(model, rest), model, rest};
    const ModesReport sparse =
        report_modes(analysis, Method::ucs, {.engine = EngineChoice::sparse, .modes = {.which = Lowest{4}}});
    const ModesReport dense = report_modes(analysis, Method::ucs, {.engine = EngineChoice::dense});
    REQUIRE(sparse.result.computed);
    CHECK(is_certified(sparse));
    CHECK(sparse.result.penalty->largest_residual == dense.result.penalty->largest_residual);
    CHECK(sparse.verdict.stability == dense.verdict.stability);
    CHECK(strangers(sparse.result.spectrum, dense.result.spectrum) == 0);
  }
}

// m₁ = m₂ = 1, x₁ on a spring k₁ and a damper, x₂ on a spring k₂, a x₁ = b x₂: det (s² M_p + s C_p + K_p) = 0 in long
// double.
TEST_CASE("sparse modes: of the penalty system no digit is lost to the squares of J") {
  const double a = 0.7, b = 1.3, k1 = 3, k2 = 5, c1 = 0.1;
  const LinearSystem system =
      system_of(Eigen::Matrix2d::Identity(), Eigen::Vector2d(k1, k2).asDiagonal().toDenseMatrix(),
                Eigen::RowVector2d(a, -b), Eigen::Vector2d(c1, 0).asDiagonal().toDenseMatrix());
  for (const double alpha : {1e3, 1e7, 1e11}) {
    CAPTURE(alpha);
    const PenaltyOptions penalty{.alpha = Eigen::VectorXd::Constant(1, alpha)};
    const Spectrum sparse = sparse_penalty(system, 1, penalty);
    REQUIRE(sparse.modes.size() == 2);
    using Long = std::complex<long double>;
    const auto exact = [](double value) { return static_cast<long double>(value); };
    const auto determinant = [&](Long s) {
      const Long g = s * s + 20.0L * s + 100.0L, p = s * s + exact(c1) * s + exact(k1), q = s * s + exact(k2);
      return p * q / (exact(alpha) * g) + exact(a) * exact(a) * q + exact(b) * exact(b) * p;
    };
    Long s = Long(sparse.modes[0].s), before = s + Long(1e-6L);
    for (int step = 0; step < 20 && s != before; ++step) {
      const Long slope = (determinant(s) - determinant(before)) / (s - before);
      before = s;
      s -= determinant(s) / slope;
    }
    CHECK(std::abs(Complex(s) - sparse.modes[0].s) < 1e-15 * std::abs(Complex(s)) * 4);
    CHECK(std::abs(sparse.modes[0].penalty_error * alpha - 0.4) < 0.4);
  }
}

TEST_CASE("sparse modes: copies of a mechanism stay apart in the penalty system, whatever forces act") {
  constexpr std::array kinds{Forces::conservative, Forces::damped, Forces::gyroscopic, Forces::any};
  int compared = 0, uncertified = 0;
  for (int seed = 1; seed <= draws(600, 40); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Copies drawn = random_copies(random, kinds[static_cast<std::size_t>(seed) % kinds.size()]);
    if (drawn.all.dof() == 0 || drawn.all.constraints() == 0) continue;
    const Index wanted = random.whole(1, std::max(1, static_cast<int>(drawn.all.dof()) / 2));
    const Spectrum known = known_of(drawn.all, wanted);
    if (!known.certified) continue;
    const Spectrum sparse = continue_into_penalty(drawn.all, drawn.all, {}, known), dense = dense_penalty(drawn.all);
    ++compared;
    uncertified += !sparse.certified;
    if (!sparse.certified || !dense.certified) continue;
    CHECK(strangers(sparse, dense, 1e-2) == 0);
    CHECK(are_corrected(sparse, known));
  }
  CHECK(compared > draws(200, 10));
  CHECK(uncertified <= 1 + compared / 50);
}

TEST_CASE("sparse modes: random systems with redundant rows, massless coordinates and free motions are followed") {
  int compared = 0, uncertified = 0;
  std::mt19937 random(7);
  for (int draw = 0; draw < draws(600, 40); ++draw) {
    CAPTURE(draw);
    const LinearSystem system = testing::random_system(testing::random_kind(random), random);
    if (system.dof() == 0 || system.constraints() == 0) continue;
    const Spectrum known = known_of(system, 4);
    if (!known.certified) continue;
    const Spectrum sparse = continue_into_penalty(system, system, {}, known), dense = dense_penalty(system);
    ++compared;
    uncertified += !sparse.certified;
    if (!sparse.certified || !dense.certified) continue;
    CHECK(strangers(sparse, dense, 1e-2) == 0);
    CHECK(are_corrected(sparse, known));
  }
  CHECK(compared > draws(200, 10));
  CHECK(100 * uncertified <= 2 * compared);
}

TEST_CASE("sparse modes: soft penalties mix modes, and none is taken twice or passed off as another") {
  int certified = 0, uncertified = 0;
  for (int seed = 1; seed <= draws(400, 40); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const LinearSystem system = random_copies(random, seed % 2 == 0 ? Forces::damped : Forces::any).one;
    if (system.dof() == 0 || system.constraints() == 0) continue;
    PenaltyOptions soft;
    soft.alpha = penalty_factors(system) * random.scaled(1e-9, 1e-3);
    const Spectrum known = known_of(system, 3);
    const Spectrum sparse = continue_into_penalty(system, system, soft, known), dense = dense_penalty(system, soft);
    (sparse.certified ? certified : uncertified)++;
    if (!sparse.certified) {
      CHECK_FALSE(sparse.warnings.empty());
      continue;
    }
    CHECK(are_corrected(sparse, known));
    Spectrum all = dense;  // soft constraints: the dense filter may not tell which are true
    for (Mode& mode : all.modes) mode.kind = ModeClass::genuine;
    CHECK(strangers(sparse, all) == 0);
  }
  CHECK(certified > draws(50, 5));
  CHECK(uncertified > draws(50, 5));
}

// 2 (s + 1) (s + r) = 0, and beside −10 the penalty with ω = 10 and ξ = 1 resists little, at −10 nothing.
TEST_CASE("sparse modes: where the penalty yields, at the roots of g, its modes do not pretend") {
  for (const double root : {9.0, 9.9, 9.999, 10.0, 10.001, 10.1, 11.0}) {
    CAPTURE(root);
    const LinearSystem system =
        system_of(Eigen::Matrix2d::Identity(), Eigen::Vector2d(2 * root, 0).asDiagonal().toDenseMatrix(),
                  Eigen::RowVector2d(1, -1), Eigen::Vector2d(2 * (1 + root), 0).asDiagonal().toDenseMatrix());
    const Spectrum sparse = sparse_penalty(system, 2);
    REQUIRE(sparse.found >= 1);
    CHECK(std::abs(sparse.modes[0].corrected + 1.0) <= sparse.modes[0].corrected_error);
    CHECK(sparse.expected == 2);
    CHECK(sparse.certified == sparse.warnings.empty());
    for (const Mode& mode : sparse.modes) {
      CHECK(mode.backward_error < 1e-9);
      const double to_true = std::min(std::abs(mode.corrected + 1.0), std::abs(mode.corrected + root));
      if (sparse.certified) CHECK(to_true <= mode.corrected_error);
      if (sparse.certified) CHECK(std::min(std::abs(mode.s + 1.0), std::abs(mode.s + root)) <= mode.error);
    }
    if (root == 10) {
      CHECK_FALSE(sparse.certified);
      CHECK(sparse.found == 1);
      CHECK(
          contains(sparse.warnings.at(0), "the mode near -10 + 0i 1/s could not be continued into the penalty system"));
    }
  }
}

TEST_CASE("sparse modes: penalties that are not positive, or of another system, are refused") {
  const LinearSystem system = system_of_case("four_bar");
  const Spectrum known = known_of(system, 1);
  CHECK_THROWS_AS(continue_into_penalty(system, system, {.xi = 0}, known), Error);
  CHECK_THROWS_AS(continue_into_penalty(system, system, {.omega = -1}, known), Error);
  CHECK_THROWS_AS(continue_into_penalty(system, system, {.alpha = Eigen::VectorXd::Constant(1, -1)}, known), Error);
  CHECK_THROWS_AS(continue_into_penalty(system, system_of_case("four_bar", {{"N", 2}}), {}, known), Error);
}
