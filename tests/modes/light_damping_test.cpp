// Some modes of lightly damped systems from those without damping: against dense solutions and closed forms. Where that
// way is taken, the solver says so.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stillpoint/modes.h"
#include "support/equilibrium/campaign.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/modes/damped_row.h"
#include "support/modes/matching.h"
#include "support/sanitized.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

ModesOptions lowest(Index count) { return {.which = Lowest{count}}; }

bool is_from_undamped(const Spectrum& spectrum) { return spectrum.solver.starts_with("sparse Lanczos and Galerkin"); }

/// A row of equal masses and springs whose dampers differ, between two walls, every third mass tied to the next one.
LinearSystem tied_row(Index N, double damping, Random& random) {
  LinearSystem system = damped_row(N, 0, 0);
  std::vector<Eigen::Triplet<double, Index>> dampers, ties;
  for (Index i = 1; i < N; ++i) {
    const double size = damping * random.between(0, 1);
    dampers.emplace_back(i, i, size);
    dampers.emplace_back(i - 1, i - 1, size);
    dampers.emplace_back(i, i - 1, -size);
    dampers.emplace_back(i - 1, i, -size);
  }
  const Index rows = (N - 1) / 3;
  for (Index k = 0; k < rows; ++k) {
    ties.emplace_back(k, 3 * k, 1);
    ties.emplace_back(k, 3 * k + 1, -1);
  }
  LinearSystem tied;
  tied.M = system.M;
  tied.K = system.K;
  tied.C.resize(N, N);
  tied.C.setFromTriplets(dampers.begin(), dampers.end());
  tied.J.resize(rows, N);
  tied.J.setFromTriplets(ties.begin(), ties.end());
  return checked(std::move(tied));
}

}  // namespace

TEST_CASE("lightly damped: a row with proportional damping has the modes of the closed form") {
  const Index N = 2000;
  const double a = 1e-5, b = 1e-3;
  const Spectrum spectrum = solve_general(damped_row(N, a, b), lowest(10));
  CHECK(is_from_undamped(spectrum));
  REQUIRE(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 20);
  for (Index j = 1; j <= 10; ++j) {
    const Mode& mode = spectrum.modes[static_cast<std::size_t>(2 * j - 2)];
    const double wrong = std::abs(mode.s - damped_root(N, j, a, b));
    CHECK(wrong <= mode.error);
    CHECK(wrong <= 1e-9 * std::abs(mode.s));
    CHECK(mode.error <= 1e-8 * std::abs(mode.s));
  }
}

TEST_CASE("lightly damped: with any dampers and with constraints the modes are those of the dense solver") {
  int from_undamped = 0;
  for (int seed = 1; seed <= draws(20, 4); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    CAPTURE(seed);
    const LinearSystem system = tied_row(120, random.scaled(1e-4, 1e-1), random);
    const Index count = random.whole(2, 12);
    const Spectrum some = solve_general(system, lowest(count)), all = solve_modes(system, minimal_form(system));
    from_undamped += is_from_undamped(some);
    CHECK(some.certified);
    REQUIRE(some.modes.size() == static_cast<std::size_t>(2 * count));
    for (std::size_t k = 0; k < some.modes.size(); ++k) {
      const Mode &found = some.modes[k], &expected = all.modes[k];
      CHECK(std::abs(found.s - expected.s) <= found.error + expected.error);
      CHECK(found.error <= 1e-9 * std::abs(found.s));
      CHECK(found.residual <= 1e-13);
    }
  }
  CHECK(from_undamped >= draws(18, 3));
}

TEST_CASE("lightly damped: all in a band that begins at zero are there, with the next one left out") {
  const Index N = 1000;
  const double a = 1e-5, b = 1e-3;
  const auto hertz = [&](Index j) { return std::abs(damped_root(N, j, a, b)) / (2 * pi); };
  const ModesOptions band{.which = Band{0, 0.5 * (hertz(7) + hertz(8))}};
  const Spectrum spectrum = solve_general(damped_row(N, a, b), band);
  CHECK(is_from_undamped(spectrum));
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 14);
  CHECK(std::abs(spectrum.modes[12].s - damped_root(N, 7, a, b)) <= spectrum.modes[12].error);
}

// Damped so much that modes without damping say little of them, or that a damper alone moves a slow coordinate.
TEST_CASE("lightly damped: where that way leads nowhere, another is taken, and nothing is missed") {
  const Index N = 300;
  Random random(1);
  const LinearSystem heavy = tied_row(N, 300, random);
  const Spectrum some = solve_general(heavy, lowest(8)), all = solve_modes(heavy, minimal_form(heavy));
  CHECK_FALSE(is_from_undamped(some));
  CHECK(some.certified);
  REQUIRE(some.modes.size() >= 8);
  for (std::size_t k = 0; k < some.modes.size(); ++k)
    CHECK(std::abs(some.modes[k].s - all.modes[k].s) <= some.modes[k].error + all.modes[k].error);

  LinearSystem row = damped_row(N, 1e-6, 0);
  for (SparseMatrix* matrix : {&row.M, &row.C, &row.K}) matrix->conservativeResize(N + 1, N + 1);
  row.C.coeffRef(N, N) = 1;
  row.K.coeffRef(N, N) = 1e-3;  // s = −0.001 among ± 0.01 i, ± 0.02 i ...
  const LinearSystem with_slow_damper =
      system_of(Eigen::MatrixXd(row.M), Eigen::MatrixXd(row.K), {}, Eigen::MatrixXd(row.C));
  const Spectrum spectrum = solve_general(with_slow_damper, lowest(4));
  CHECK_FALSE(is_from_undamped(spectrum));
  CHECK(spectrum.certified);
  REQUIRE(!spectrum.modes.empty());
  CHECK(std::abs(spectrum.modes[0].s + 1e-3) <= spectrum.modes[0].error);
}

TEST_CASE("lightly damped: copies of a mechanism keep all copies of their modes") {
  int from_undamped = 0;
  for (int seed = 1; seed <= draws(200, 30); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    CAPTURE(seed);
    Copies drawn = random_copies(random, Forces::damped);
    if (drawn.all.dof() == 0) continue;
    const double less = random.scaled(1e-6, 1e-2);
    drawn.all.C *= less;
    drawn.one.C *= less;
    const Index wanted = random.whole(1, std::max(1, static_cast<int>(drawn.all.dof()) / 3));
    const Spectrum spectrum = solve_general(drawn.all, lowest(wanted));
    if (!is_from_undamped(spectrum)) continue;
    ++from_undamped;
    const Match with = match(spectrum.modes, values_of(solve_modes(drawn.one, minimal_form(drawn.one)), drawn.copies));
    CHECK(spectrum.certified);
    CHECK_FALSE(with.invented);
    CHECK_FALSE(with.missed);
  }
  CHECK(from_undamped > draws(20, 2));
}

// Thousands are below it.
TEST_CASE("lightly damped: a band far from zero holds its modes and no others, also if that is none") {
  const Index N = draws(20000, 4000), first = N / 2;
  const double a = 1e-7, b = 1e-7;
  const auto hertz = [&](double j) {
    const auto below = static_cast<Index>(std::floor(j));
    const double part = j - below;
    return ((1 - part) * std::abs(damped_root(N, below, a, b)) + part * std::abs(damped_root(N, below + 1, a, b))) /
           (2 * pi);
  };
  const LinearSystem row = damped_row(N, a, b);
  const ModesOptions nine{.which = Band{hertz(first - 0.5), hertz(first + 8.5)}};
  const Spectrum spectrum = solve_general(row, nine);
  CHECK(is_from_undamped(spectrum));
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 18);
  for (Index j = 0; j < 9; ++j) {
    const Mode& mode = spectrum.modes[static_cast<std::size_t>(2 * j)];
    CHECK(std::abs(mode.s - damped_root(N, first + j, a, b)) <= mode.error);
    CHECK(mode.error <= 1e-9 * std::abs(mode.s));
  }
  const ModesOptions none{.which = Band{hertz(first + 0.2), hertz(first + 0.8)}};
  const Spectrum empty = solve_general(row, none);
  CHECK(is_from_undamped(empty));
  CHECK(empty.certified);
  CHECK(empty.modes.empty());
}

TEST_CASE("lightly damped: a band whose ends lie in gaps that damping fills is listed, and not certified") {
  const Index N = 4000, first = N / 2;
  const double b = 1e-3;
  const auto hertz = [&](Index j) { return std::abs(damped_root(N, j, 0, b)) / (2 * pi); };
  const ModesOptions band{.which = Band{hertz(first) * (1 - 1e-6), hertz(first + 4) * (1 + 1e-6)}};
  const Spectrum spectrum = solve_general(damped_row(N, 0, b), band);
  CHECK(is_from_undamped(spectrum));
  CHECK_FALSE(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 10);
  for (Index j = 0; j < 5; ++j)
    CHECK(std::abs(spectrum.modes[static_cast<std::size_t>(2 * j)].s - damped_root(N, first + j, 0, b)) <= 1e-9);
}
