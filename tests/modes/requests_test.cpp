// Modes that are asked for in other ways than by their size: against all of them, by the dense solver.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "modes/count/argument_principle.h"
#include "modes/count/energy_count.h"
#include "stillpoint/stability.h"
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

ModesOptions nearest(Complex centre, Index count) { return {.which = Nearest{centre, count}}; }

Index pairs(const std::vector<Mode>& modes) {
  return static_cast<Index>(
      std::count_if(modes.begin(), modes.end(), [](const Mode& mode) { return mode.s.imag() >= 0; }));
}

/// Somewhere among the values; on one of them; on the real axis.
Complex random_centre(Random& random, const std::vector<Complex>& values) {
  const Complex other = values[static_cast<std::size_t>(random.below(static_cast<Index>(values.size())))];
  const Complex one(other.real(), std::abs(other.imag()));
  const double way = random.between(0, 1);
  if (way < 0.2) return one;
  if (way < 0.4) return one.real() - random.between(-1, 1) * std::abs(one);
  return {random.between(-1.2, 0.2) * std::abs(one), random.between(0.1, 1.5) * std::abs(one)};
}

struct NearPoint {
  bool is_certified = false, is_right = false;
};

/// Equal mechanisms with any forces, and those of their modes that are nearest to some point; nothing if none can move.
std::optional<NearPoint> near_point(int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  constexpr std::array kinds{Forces::conservative, Forces::damped, Forces::gyroscopic, Forces::any};
  const Copies drawn = random_copies(random, kinds[static_cast<std::size_t>(seed) % kinds.size()]);
  if (drawn.one.dof() == 0) return {};
  const std::vector<Complex> values = values_of(solve_modes(drawn.one, minimal_form(drawn.one)), drawn.copies);
  if (values.empty()) return {};
  const Complex centre = random_centre(random, values);
  const Index wanted = random.whole(1, std::max(1, static_cast<int>(drawn.all.dof()) / 2));
  const Spectrum spectrum = solve_general(drawn.all, nearest(centre, wanted));
  const Match with = match(spectrum.modes, values, centre);
  return NearPoint{spectrum.certified, !with.missed && !with.invented && pairs(spectrum.modes) == wanted};
}

/// The number of eigenvalues with Re s > 0.
Index unstable_of(const Spectrum& spectrum) {
  return static_cast<Index>(std::count_if(spectrum.modes.begin(), spectrum.modes.end(), [](const Mode& mode) {
    return !mode.is_infinite() && mode.s.real() > mode.error;
  }));
}

/// One with dampers on every velocity and forces without a potential, sometimes pushed from its rest.
LinearSystem pushed(Random& random) {
  LinearSystem system = random_copies(random, Forces::any).one;
  SparseMatrix everywhere(system.coordinates(), system.coordinates());
  everywhere.setIdentity();
  system.C += random.scaled(0.1, 10) * everywhere;
  if (random.maybe(0.5)) system.K -= random.scaled(1, 300) * everywhere;
  return system;
}

}  // namespace

TEST_CASE("sparse modes: those nearest to any point are found, none missed unnoticed and none invented") {
  const CampaignSeeds seeds = campaign_seeds(draws(1500, 150), 100'000);
  int wrong = 0, uncertified = 0, tried = 0;
  for (int seed = seeds.first + 1; seed <= seeds.end(); ++seed) {
    CAPTURE(seed);
    const std::optional<NearPoint> result = near_point(seed);
    if (!result) continue;
    ++tried;
    uncertified += !result->is_certified;
    wrong += result->is_certified && !result->is_right;
    if (!result->is_certified || !result->is_right) {
      note("sparse modes: seed " + std::to_string(seed) + " near a point is " +
           (result->is_certified ? "wrong and says nothing" : "not certified"));
    }
  }
  CHECK(tried > seeds.count / 2);
  CHECK(wrong == 0);
  CHECK(100 * uncertified <= tried);
}

// Equal real ones came as pairs that rounding had parted from the real axis, and where nothing else was there, on the
// wrong side of it, as nothing.
TEST_CASE("sparse modes: equal real values around a point off the real axis are real, and all of them are listed") {
  for (const int seed : {7255, 12709, 16645, 18590, 27686, 35911, 39938}) {
    CAPTURE(seed);
    const std::optional<NearPoint> result = near_point(seed);
    REQUIRE(result);
    CHECK(result->is_certified);
    CHECK(result->is_right);
  }
}

// Real values far from the point, beside zeros that are double and have one vector: some were dropped for an imaginary
// part that was rounding, and zeros took their places.
TEST_CASE("sparse modes: real values beside zeros are not taken for the conjugates of others") {
  int certified = 0;
  for (const int seed : {2526, 6638, 24230, 27137}) {
    CAPTURE(seed);
    const std::optional<NearPoint> result = near_point(seed);
    REQUIRE(result);
    CHECK((result->is_right || !result->is_certified));
    certified += result->is_certified;
  }
  CHECK(certified > 0);
}

TEST_CASE("sparse modes: those of every case nearest to a point, with left vectors and error bars of the dense ones") {
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.singular || system.dof() == 0) continue;
    CAPTURE(named.name);
    const Spectrum dense = solve_modes(system, minimal_form(system));
    const Mode& third = dense.modes[std::min<std::size_t>(4, dense.modes.size() - 1)];
    const Complex centre(1.1 * third.s.real(), 1.1 * std::abs(third.s.imag()));
    const Spectrum sparse = solve_general(system, nearest(centre, 2));
    CHECK(sparse.certified);
    const std::vector<Mode> expected = solve_modes(system, minimal_form(system), nearest(centre, 2)).modes;
    REQUIRE(sparse.modes.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      CHECK(std::abs(sparse.modes[k].s - expected[k].s) <= sparse.modes[k].error + expected[k].error);
      CHECK(sparse.modes[k].residual < 1e-9);
    }
  }
}

TEST_CASE("sparse modes: of a row of a hundred thousand masses those near a point, to eight digits and certified") {
  constexpr Index N = 100'000, most = 40;
  constexpr double a = 1e-6, b = 0.1;
  const Complex centre = 1.0001 * damped_root(N, 20, a, b);
  const Spectrum spectrum = solve_general(damped_row(N, a, b), nearest(centre, 5));
  CHECK(spectrum.certified);
  std::vector<Complex> exact;
  for (Index j = 1; j <= most; ++j) exact.push_back(damped_root(N, j, a, b));
  std::sort(exact.begin(), exact.end(),
            [&](Complex x, Complex y) { return distance_of(x, centre) < distance_of(y, centre); });
  exact.resize(5);
  REQUIRE(spectrum.modes.size() == 10);
  for (const Mode& mode : spectrum.modes) {
    const Complex upper(mode.s.real(), std::abs(mode.s.imag()));
    const Complex right = *std::min_element(
        exact.begin(), exact.end(), [&](Complex x, Complex y) { return std::abs(x - upper) < std::abs(y - upper); });
    CHECK(std::abs(upper - right) < 1e-8 * std::abs(right));
    CHECK(std::abs(upper - right) <= mode.error);
  }
}

TEST_CASE("sparse modes: a band of a damped system holds all that are in it") {
  int in_bands = 0;
  for (int seed = 1; seed <= draws(200, 30); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Copies drawn = random_copies(random, seed % 2 == 0 ? Forces::damped : Forces::any);
    if (drawn.one.dof() == 0) continue;
    const Band band{random.scaled(0.01, 1), random.scaled(1, 10)};
    const Spectrum sparse = solve_general(drawn.all, {.which = band});
    if (!sparse.certified) continue;
    Index inside = 0;
    for (const Complex s : values_of(solve_modes(drawn.one, minimal_form(drawn.one)), drawn.copies)) {
      inside += std::abs(s) >= 2 * pi * band.from && std::abs(s) <= 2 * pi * band.to;
    }
    CHECK(static_cast<Index>(sparse.modes.size()) == inside);
    in_bands += inside;
  }
  CHECK(in_bands > draws(400, 40));
}

TEST_CASE("sparse modes: beside the zeros of a free body all of them are found, and the energy says what it is") {
  const LinearSystem beam = system_of_case("free_beam");
  for (const Complex near : {Complex(1e-9, 0), Complex(1e-3, 0), Complex(0, 1e-5), Complex(0, 1)}) {
    CAPTURE(near.real());
    const Spectrum sparse = solve_general(beam, nearest(near, 2));
    CHECK(sparse.certified);
    CHECK(judge_part(sparse).stability == Stability::neutral);
    REQUIRE(sparse.counted);
    CHECK(sparse.counted->at_zero == 6);
    REQUIRE(sparse.modes.size() == 2);
    for (const Mode& mode : sparse.modes) CHECK(mode.s == 0.0);
  }
}

// Zero is double with one vector, and known to the square of what the vector is: not ± 10⁻¹³ i, which rounding made of
// it.
TEST_CASE("sparse modes: far from the zeros of a free body they are zeros, too") {
  const LinearSystem cart = system_of_case("cart_pole");
  for (const Complex near : {Complex(-0.012697879699121584, 4.58393395355915), Complex(0.3, 4.6), Complex(0, 2)}) {
    CAPTURE(near.imag());
    const Spectrum sparse = solve_general(cart, nearest(near, 4));
    CHECK(sparse.certified);
    CHECK(judge_part(sparse).stability == Stability::neutral);
    CHECK(std::count_if(sparse.modes.begin(), sparse.modes.end(), [](const Mode& mode) { return mode.s == 0.0; }) == 2);
  }
}

// What lies much nearer to the point than all others hid them: fewer than asked for, certified.
TEST_CASE("sparse modes: as many as asked for are found around a point that nearly is an eigenvalue") {
  const LinearSystem chain = system_of_case("universal_chain");
  for (const Complex near : {Complex(6e-8, 1.6079573874), Complex(-1e-9, 1.6079573)}) {
    CAPTURE(near.imag());
    const Spectrum sparse = solve_general(chain, nearest(near, 3));
    CHECK(sparse.certified);
    CHECK(pairs(sparse.modes) == 3);
  }
}

TEST_CASE("sparse modes: where all eigenvalues are known, they decide on stability") {
  const LinearSystem system = system_of(Eigen::Matrix2d::Identity(), Eigen::Matrix2d{{2, 0.1}, {-0.1, 3}}, {},
                                        Eigen::Matrix2d{{0.1, 0}, {0, 0.2}});
  CHECK(judge_part(solve_general(system, nearest({0, 1}, 4))).stability == Stability::asymptotically_stable);
  const Eigen::Matrix2d turning{{2, 1}, {-1, 2}};
  const Verdict verdict =
      judge_part(solve_general(system_of(Eigen::Matrix2d::Identity(), turning), nearest({0, 1}, 4)));
  CHECK(verdict.stability == Stability::unstable);
  CHECK(verdict.basis == "spectrum");
}

TEST_CASE("sparse modes: a winding around a point beside the real axis counts what is left out") {
  const LinearSystem system = damped_row(40, 0.01, 0.02, 0.05);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const Complex centre(-0.05, 1);
  std::vector<Complex> known;
  for (const Complex s : values_of(solve_modes(system, minimal_form(system))))
    known.push_back(s / problem.frequency_scale());
  std::sort(known.begin(), known.end(),
            [&](Complex x, Complex y) { return std::abs(x - centre) < std::abs(y - centre); });
  const double radius = 0.5 * (std::abs(known[9] - centre) + std::abs(known[10] - centre));
  known.resize(20);
  ArgumentCount argument_count(pencil, centre, radius);
  CHECK(argument_count.unknown(known) == 0);
  for (const std::ptrdiff_t left_out : {0, 4, 9}) {
    std::vector<Complex> without = known;
    without.erase(without.begin() + left_out);
    CHECK(argument_count.unknown(without) == 1);
  }
  CHECK(argument_count.unknown({}) == 10);
}

TEST_CASE("sparse modes: nothing grows beyond the radius of growth, and all that does is found") {
  int bounded = 0, unstable = 0, stable = 0, unknown = 0;
  for (int seed = 1; seed <= draws(600, 60); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const LinearSystem system = pushed(random);
    if (system.dof() == 0) continue;
    const BorderedProblem problem(system);
    const std::optional<double> radius = radius_of_instability(problem, QuadraticPencil(problem));
    REQUIRE(radius);  // dampers are everywhere
    ++bounded;
    const Spectrum dense = solve_modes(system, minimal_form(system));
    for (const Mode& mode : dense.modes) {
      if (mode.s.real() > mode.error) CHECK(std::abs(mode.s) < *radius * problem.frequency_scale());
    }
    const Spectrum sparse = solve_general(system, {.which = Unstable{}});
    unknown += !sparse.certified;
    if (!sparse.certified) continue;
    CHECK(static_cast<Index>(sparse.modes.size()) == unstable_of(dense));
    const Stability told = judge_part(sparse).stability, known = judge(minimal_form(system), dense).stability;
    CHECK((told == known || told == Stability::undecided));
    unstable += told == Stability::unstable;
    stable += told == Stability::asymptotically_stable;
  }
  CHECK(bounded > draws(400, 40));
  CHECK(unstable > draws(50, 5));
  CHECK(stable > draws(50, 5));
  CHECK(100 * unknown <= bounded);
}

TEST_CASE(
    "sparse modes: a column that flutters under a following load, with damping, has its growing modes and no more") {
  // Beck's column beyond its load of 20.05, damped in proportion to mass; without damping nothing bounds what grows.
  LinearSystem column = system_of_case("beck_column", {{"P", 25}});
  CHECK_FALSE(solve_general(column, {.which = Unstable{}}).certified);
  column.C = 0.5 * column.M;
  const Spectrum sparse = solve_general(column, {.which = Unstable{}});
  const Spectrum dense = solve_modes(column, minimal_form(column), {.which = Unstable{}});
  CHECK(sparse.certified);
  REQUIRE(dense.modes.size() == 2);
  REQUIRE(sparse.modes.size() == 2);
  CHECK(std::abs(sparse.modes[0].s - dense.modes[0].s) <= sparse.modes[0].error + dense.modes[0].error);
  CHECK(judge_part(sparse).stability == Stability::unstable);
}

TEST_CASE("sparse modes: where all eigenvalues are found nothing has to bound those that grow") {
  for (const double P : {1.0, 3.0}) {  // below and above its flutter load of 2.09
    const LinearSystem column = system_of_case("ziegler_column", {{"P", P}});
    const Spectrum unstable = solve_general(column, {.which = Unstable{}});
    CHECK(unstable.certified);
    CHECK(unstable.modes.size() == (P > 2 ? 2 : 0));
  }
}

TEST_CASE("modes: the least damped ones of those that are asked for are kept, both of a pair") {
  const LinearSystem system = damped_row(30, 0.02, 0.1);  // the damping ratio is least at ω² = a / b
  const std::vector<Mode> all = solve_modes(system, minimal_form(system)).modes;
  std::vector<double> ratios;
  for (const Mode& mode : all) ratios.push_back(damping_ratio(mode));
  std::sort(ratios.begin(), ratios.end());
  const std::vector<Mode> least = solve_modes(system, minimal_form(system), {.least_damped = 3}).modes;
  REQUIRE(least.size() == 6);
  for (const Mode& mode : least) CHECK(damping_ratio(mode) <= ratios[5] * (1 + 1e-12));
  const std::vector<Mode> in_band = solve_general(system, {.which = Band{0.1, 0.3}, .least_damped = 1}).modes;
  REQUIRE(in_band.size() == 2);
  for (const Mode& mode : all) {
    if (std::abs(mode.s) >= 0.2 * pi && std::abs(mode.s) <= 0.6 * pi)
      CHECK(damping_ratio(mode) >= damping_ratio(in_band[0]) * (1 - 1e-9));
  }
}
