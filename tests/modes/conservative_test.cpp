// Some modes of conservative systems by Lanczos' method: against dense solutions and closed forms, and none missed.
#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/stability.h"
#include "support/equilibrium/campaign.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

/// A row of masses and springs between two walls, all of size one: ω_j = 2 sin(jπ / 2(N + 1)).
LinearSystem row_of_masses(Index N) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < N; ++i) {
    entries.emplace_back(i, i, 2);
    if (i == 0) continue;
    entries.emplace_back(i, i - 1, -1);
    entries.emplace_back(i - 1, i, -1);
  }
  LinearSystem system;
  system.K.resize(N, N);
  system.K.setFromTriplets(entries.begin(), entries.end());
  system.M.resize(N, N);
  system.M.setIdentity();
  return checked(std::move(system));
}

double frequency_in_row(Index N, Index j) { return 2 * std::sin(j * pi / (2 * (N + 1))); }

/// A square of masses between four walls: ω² = ω_i² + ω_j² of a row, often many times the same.
LinearSystem square_of_masses(Index side) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto spring = [&](Index i, Index j) {
    entries.emplace_back(i, j, -1);
    entries.emplace_back(j, i, -1);
  };
  for (Index i = 0; i < side * side; ++i) {
    entries.emplace_back(i, i, 4);
    if (i % side > 0) spring(i, i - 1);
    if (i >= side) spring(i, i - side);
  }
  LinearSystem system;
  system.K.resize(side * side, side * side);
  system.K.setFromTriplets(entries.begin(), entries.end());
  system.M.resize(side * side, side * side);
  system.M.setIdentity();
  return checked(std::move(system));
}

ModesOptions lowest(Index count) { return {.which = Lowest{count}}; }

/// Of the upper half plane, the real axis included.
std::vector<Mode> upper(const Spectrum& spectrum) {
  std::vector<Mode> modes;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() >= 0) modes.push_back(mode);
  }
  return modes;
}

/// Of the copies, as often as they are there.
std::vector<double> sizes_expected(const Copies& drawn) {
  std::vector<double> sizes;
  for (const Mode& mode : solve_modes(drawn.one, minimal_form(drawn.one)).modes) {
    sizes.insert(sizes.end(), static_cast<std::size_t>(drawn.copies), std::abs(mode.s));
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

TEST_CASE("sparse modes: those of every conservative case, as the dense solver has them") {
  int tried = 0;
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.singular || system.dof() == 0 || !is_conservative(system)) continue;
    CAPTURE(named.name);
    ++tried;
    const Spectrum dense = solve_modes(system, minimal_form(system));
    for (const Index count : {Index{1}, Index{4}, system.dof()}) {
      CAPTURE(count);
      const Spectrum sparse = solve_conservative(system, lowest(count));
      CHECK(sparse.certified);
      REQUIRE(sparse.modes.size() <= dense.modes.size());
      CHECK(sparse.modes.size() >= std::min(dense.modes.size(), static_cast<std::size_t>(count)));
      for (std::size_t k = 0; k < sparse.modes.size(); ++k) {
        const Mode &a = sparse.modes[k], &b = dense.modes[k];
        CHECK(std::abs(a.s - b.s) <= a.error + b.error);
        CHECK(a.error <= 1e-5 * std::abs(dense.modes.back().s));
        CHECK(a.residual < 3e-10);
      }
    }
  }
  CHECK(tried >= 15);
}

// ω² = g x / l at the zeros x of Laguerre's polynomial L_N: by Newton's method with 60 digits.
TEST_CASE("sparse modes: a pendulum of ten thousand points, the lowest twenty to eight digits and certified") {
  const LinearSystem system = system_of_case("n_pendulum", {{"N", 10000}});
  CHECK(system.coordinates() == 20000);
  const Spectrum spectrum = solve_conservative(system, lowest(20));
  CHECK(spectrum.certified);
  CHECK(spectrum.expected == 40);
  const std::vector<Mode> modes = upper(spectrum);
  REQUIRE(modes.size() == 20);
  CHECK(std::abs(modes[0].s.imag() / 0.03765973241750627 - 1) < 1e-8);
  CHECK(std::abs(modes[1].s.imag() / 0.08644480030013605 - 1) < 1e-8);
  CHECK(std::abs(modes[9].s.imag() / 0.4797400754085588 - 1) < 1e-8);
  CHECK(std::abs(modes[19].s.imag() / 0.9716836528000288 - 1) < 1e-8);
  for (const Mode& mode : modes) CHECK(mode.s.real() == 0);
  // A witness by other authors: Lanczos' method of the library Spectra.
  const Spectrum witness = solve_conservative(system, {.which = Lowest{20}, .spectra = true});
  CHECK(witness.certified);
  CHECK(witness.solver == "Spectra Lanczos, counted");
  REQUIRE(witness.modes.size() == spectrum.modes.size());
  for (std::size_t k = 0; k < witness.modes.size(); ++k) {
    const Mode &a = spectrum.modes[k], &b = witness.modes[k];
    CHECK(std::abs(a.s - b.s) <= a.error + b.error);
  }
}

TEST_CASE("sparse modes: a row of a hundred thousand masses, the lowest twenty to nine digits and certified") {
  constexpr Index N = 100'000;
  const Spectrum spectrum = solve_conservative(row_of_masses(N), lowest(20));
  CHECK(spectrum.certified);
  const std::vector<Mode> modes = upper(spectrum);
  REQUIRE(modes.size() == 20);
  for (Index j = 1; j <= 20; ++j) {
    const Mode& mode = modes[static_cast<std::size_t>(j - 1)];
    CHECK(std::abs(mode.s.imag() / frequency_in_row(N, j) - 1) < 1e-9);
    CHECK(std::abs(mode.s.imag() - frequency_in_row(N, j)) <= mode.error);
  }
  CHECK(judge_part(spectrum).stability == Stability::stable);
}

TEST_CASE("sparse modes: a band holds all that are in it, however many slices that takes") {
  constexpr Index N = 2000;
  const LinearSystem system = row_of_masses(N);
  const auto hertz = [](double omega) { return omega / (2 * pi); };
  const double from = 0.5 * (frequency_in_row(N, 600) + frequency_in_row(N, 601));
  const double to = 0.5 * (frequency_in_row(N, 800) + frequency_in_row(N, 801));
  const Spectrum spectrum = solve_conservative(system, {.which = Band{hertz(from), hertz(to)}});
  CHECK(spectrum.certified);
  CHECK(spectrum.expected == 400);
  const std::vector<Mode> modes = upper(spectrum);
  REQUIRE(modes.size() == 200);
  for (Index j = 0; j < 200; ++j) {
    CHECK(std::abs(modes[static_cast<std::size_t>(j)].s.imag() - frequency_in_row(N, 601 + j)) < 1e-9);
  }
  CHECK(solve_conservative(system, {.which = Band{1, 2}}).modes.empty());
  CHECK(spectrum.counted->unstable == 0);
}

// At 2 rad/s there are as many copies as the square has rows.
TEST_CASE("sparse modes: those of a square of masses nearest to a point, with all their copies") {
  constexpr Index side = 30;
  const LinearSystem system = square_of_masses(side);
  std::vector<double> frequencies;
  for (Index i = 1; i <= side; ++i) {
    for (Index j = 1; j <= side; ++j)
      frequencies.push_back(std::hypot(frequency_in_row(side, i), frequency_in_row(side, j)));
  }
  for (const double omega : {0.5, 1.9, 2.0, 2.7, 4.0}) {
    std::sort(frequencies.begin(), frequencies.end(),
              [&](double a, double b) { return std::abs(a - omega) < std::abs(b - omega); });
    for (const double damping : {0.0, 0.1}) {
      for (const Index count : {1, 7, 50}) {
        CAPTURE(omega);
        CAPTURE(count);
        const Spectrum found = solve_some(system, {.which = Nearest{std::complex<double>(-damping, -omega), count}});
        CHECK(found.certified);
        CHECK(found.solver == "sparse Lanczos, counted");
        const auto told_apart = static_cast<std::size_t>(found.found / 2);
        REQUIRE(told_apart >= static_cast<std::size_t>(count));
        CHECK(told_apart < static_cast<std::size_t>(count) + side);
        const auto off = [&](std::size_t k) { return std::abs(frequencies[k] - omega); };
        CHECK(off(told_apart) > off(told_apart - 1) + 1e-9);
        const std::vector<Mode> modes = upper(found);
        REQUIRE(modes.size() == static_cast<std::size_t>(count));
        std::vector<double> expected(frequencies.begin(), frequencies.begin() + count);
        std::vector<double> values;
        for (const Mode& mode : modes) values.push_back(mode.s.imag());
        std::sort(expected.begin(), expected.end());
        std::sort(values.begin(), values.end());
        for (std::size_t k = 0; k < values.size(); ++k) CHECK(std::abs(values[k] - expected[k]) < 1e-12);
      }
    }
  }
}

TEST_CASE("sparse modes: nearest to a point may be what grows, decays or does not move at all") {
  LinearSystem system = row_of_masses(300);
  system.K.coeffRef(150, 150) = -7;  // one pair ±2.65 rad/s, about
  const Spectrum lowest_ones = solve_modes(system, minimal_form(system));
  for (const std::complex<double> near :
       {std::complex<double>(2.6, 0.3), {-2.7, 1.9}, {-2.7, 3}, {0.1, 0.01}, {3, 1}}) {
    CAPTURE(near);
    const auto distance = [&](const Mode& mode) { return std::abs(mode.s - near); };
    const auto nearer = [&](const Mode& a, const Mode& b) { return distance(a) < distance(b); };
    const Mode& first = *std::min_element(lowest_ones.modes.begin(), lowest_ones.modes.end(), nearer);
    const Spectrum found = solve_some(system, {.which = Nearest{near, 1}});
    CHECK(found.certified);
    REQUIRE(!found.modes.empty());
    const Mode& mode = *std::min_element(found.modes.begin(), found.modes.end(), nearer);
    CHECK(std::abs(mode.s - first.s) < 1e-9);
  }
}

LinearSystem diagonal_system(const Eigen::VectorXd& masses, const Eigen::VectorXd& stiffness) {
  LinearSystem system;
  system.M = Eigen::MatrixXd(masses.asDiagonal()).sparseView();
  system.K = Eigen::MatrixXd(stiffness.asDiagonal()).sparseView();
  return checked(std::move(system));
}

TEST_CASE("sparse modes: what is asked for far from zero does not decide what is slow, free or grows") {
  const auto told = [](const LinearSystem& system, ModesOptions options) {
    const Spectrum spectrum = solve_some(system, options);
    return spectrum.certified ? judge_part(spectrum).stability : Stability::undecided;
  };
  const auto near = [](double omega, Index count) { return ModesOptions{.which = Nearest{{0, omega}, count}}; };
  const Eigen::Vector2d ones = Eigen::Vector2d::Ones();
  const LinearSystem slow = diagonal_system(ones, Eigen::Vector2d(1e6, 1e-6));
  const LinearSystem unstable = diagonal_system(ones, Eigen::Vector2d(1e6, -1e-6));
  const LinearSystem free = diagonal_system(ones, Eigen::Vector2d(1e6, 0));
  for (const ModesOptions& options : {near(1e3, 1), near(900, 1), ModesOptions{.which = Band{100, 200}}}) {
    CHECK(told(slow, options) == Stability::stable);
    CHECK(told(unstable, options) == Stability::unstable);
    CHECK(told(free, options) == Stability::neutral);
  }
  const Eigen::Vector3d three = Eigen::Vector3d::Ones();
  CHECK(told(diagonal_system(three, Eigen::Vector3d(1, 1e-10, -1e-10)), near(1, 2)) != Stability::stable);
  CHECK(told(diagonal_system(three, Eigen::Vector3d(1, 1e-10, 0)), near(1, 2)) != Stability::stable);
  const LinearSystem pendulum = system_of_case("n_pendulum", {{"N", 300}});
  for (const double omega : {1.0, 1e2, 1e4, 1e5}) CHECK(told(pendulum, near(omega, 3)) == Stability::stable);
  for (const char* name : {"free_beam", "free_beam_spatial"}) {
    CAPTURE(name);
    const LinearSystem beam = system_of_case(name);
    const Index zeros = solve_modes(beam, minimal_form(beam)).at_zero;
    for (const double omega : {10.0, 20.0, 100.0, 3000.0}) {
      CAPTURE(omega);
      const Spectrum spectrum = solve_some(beam, {.which = Nearest{{0, omega}, 2}});
      if (spectrum.certified && spectrum.counted) CHECK(spectrum.counted->at_zero == zeros);
      CHECK(told(beam, near(omega, 2)) != Stability::stable);
    }
  }
}

TEST_CASE("sparse modes: zeros that rounding has put beside those that grow are in a band once") {
  const Eigen::VectorXd mu{{-1e-4, -1e-4, 0, 0, 1e-6, 1, 1, 2e5}};
  int certain = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const Eigen::MatrixXd mixed = Eigen::MatrixXd::NullaryExpr(8, 8, [&] { return normal(random); });
    const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(mixed).householderQ();
    const Eigen::MatrixXd K = Q * mu.asDiagonal() * Q.transpose();
    LinearSystem system;
    system.M = Eigen::MatrixXd(Eigen::MatrixXd::Identity(8, 8)).sparseView();
    system.K = Eigen::MatrixXd(0.5 * (K + K.transpose())).sparseView();
    Spectrum found;
    try {
      found = solve_conservative(checked(std::move(system)), {.which = Band{0, 1.75e-4}});
    } catch (const Error&) {  // rounding may hide the signs
      continue;
    }
    if (!found.certified) continue;
    ++certain;
    CHECK(found.found == 6);
    CHECK(found.at_zero == 4);
  }
  CHECK(certain > 0);
}

TEST_CASE("sparse modes: what has no mass and is pushed away is not a motion that grows") {
  const LinearSystem system = diagonal_system(Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(4, 9, -1));
  for (const ModesOptions& options : {ModesOptions{.which = Lowest{1}}, ModesOptions{.which = Nearest{{0, 3}, 1}},
                                      ModesOptions{.which = Nearest{{3, 0}, 1}}, ModesOptions{.which = Unstable{}}}) {
    const Spectrum spectrum = solve_some(system, options);
    CHECK_FALSE(spectrum.counted);
    CHECK(judge_part(spectrum).stability == Stability::undecided);
  }
}

TEST_CASE("sparse modes: a band from zero holds the motions without a frequency") {
  const LinearSystem system = system_of_case("free_beam");
  const Spectrum dense = solve_modes(system, minimal_form(system));
  const Spectrum sparse = solve_conservative(system, {.which = Band{0, 50}});
  const auto in_band = std::count_if(dense.modes.begin(), dense.modes.end(),
                                     [](const Mode& mode) { return std::abs(mode.s) < 2 * pi * 50; });
  CHECK(sparse.certified);
  CHECK(static_cast<std::ptrdiff_t>(sparse.modes.size()) == in_band);
  CHECK(sparse.at_zero == 6);
}

TEST_CASE("sparse modes: motions that grow are counted, wherever they are") {
  // Pendulums upside down among others; the band that is asked for does not hold them.
  constexpr Index n = 60;
  Eigen::VectorXd K = Eigen::VectorXd::LinSpaced(n, 1, 60);
  for (const Index i : {5, 20, 40}) K[i] *= -1;
  const LinearSystem system = system_of(Eigen::MatrixXd::Identity(n, n), K.asDiagonal());
  for (const Spectrum& spectrum :
       {solve_conservative(system, lowest(4)), solve_conservative(system, {.which = Band{1, 1.1}})}) {
    CHECK(spectrum.certified);
    CHECK(spectrum.counted->unstable == 3);
    const Verdict verdict = judge_part(spectrum);
    CHECK(verdict.stability == Stability::unstable);
    CHECK(verdict.unstable_roots == 3);
  }
}

// A beam of so many pieces that its lowest frequencies are lost in the rounding of its stiffest entries.
TEST_CASE("sparse modes: what rounding hides is not taken for zero in silence") {
  constexpr Index N = 20'000;
  std::vector<Eigen::Triplet<double, Index>> bends;
  for (Index i = 0; i < N; ++i) {
    bends.emplace_back(i, i, 1);
    if (i > 0) bends.emplace_back(i, i - 1, -2);
    if (i > 1) bends.emplace_back(i, i - 2, 1);
  }
  SparseMatrix B(N, N);
  B.setFromTriplets(bends.begin(), bends.end());
  LinearSystem system;
  system.K = SparseMatrix(B.transpose()) * B;
  system.M.resize(N, N);
  system.M.setIdentity();
  const Spectrum spectrum = solve_conservative(checked(std::move(system)), lowest(3));
  CHECK_FALSE(spectrum.certified);
  CHECK(judge_part(spectrum).stability == Stability::undecided);
}

TEST_CASE("sparse modes: of what has no mass there are none") {
  const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
  const Spectrum spectrum = solve_conservative(system_of(Eigen::Matrix2d::Zero(), I), lowest(1));
  CHECK(spectrum.modes.empty());
  CHECK(spectrum.certified);
}

TEST_CASE("sparse modes: dampers, forces without a potential and negative masses are refused") {
  const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
  Eigen::Matrix2d skew = I, negative = I;
  skew(0, 1) = 0.5;
  negative(1, 1) = -1;
  CHECK(is_conservative(system_of(I, I)));
  CHECK_FALSE(is_conservative(system_of(I, skew)));
  CHECK_FALSE(is_conservative(system_of(negative, I)));
  CHECK_FALSE(is_conservative(system_of(I, I, {}, I)));
  CHECK_THROWS(solve_conservative(system_of(I, skew)));
  const Eigen::Matrix2d units = Eigen::Vector2d(0x1p24, 0x1p-24).asDiagonal();  // the same, in mixed units
  CHECK(is_conservative(system_of(units * units, units * units)));
  CHECK_FALSE(is_conservative(system_of(units * units, units * skew * units)));
}

// Six mechanisms with seven motions each that nothing brings back: from where some numbers of these seem to end,
// nothing more was seen, and "do not converge" or "cannot be counted" was all that was said.
TEST_CASE("sparse modes: of many motions without stiffness any number can be asked for") {
  for (const std::uint64_t seed : {86578U, 62404U}) {
    Random random(seed);
    const LinearSystem system = random_copies(random, Forces::conservative).all;
    for (Index count = 3; count <= 12; ++count) {
      CAPTURE(seed);
      CAPTURE(count);
      const Spectrum spectrum = solve_conservative(system, lowest(count));
      CHECK(spectrum.certified);
      CHECK(spectrum.modes.size() == static_cast<std::size_t>(count));
    }
  }
}

// A converged Krylov run misses copies: that of a single start vector sees one of each. Here every eigenvalue has two
// to six, and redundant constraints and rigid motions are among them.
TEST_CASE("sparse modes: of equal mechanisms beside each other no mode is missed unnoticed, and none invented") {
  const CampaignSeeds seeds = campaign_seeds(draws(2000, 200), 100'000);
  int missed = 0, uncertified = 0, false_alarms = 0;
  for (int seed = seeds.first; seed < seeds.end(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 1);
    CAPTURE(seed);
    const Copies drawn = random_copies(random, Forces::conservative);
    if (drawn.all.dof() == 0) continue;
    const Spectrum spectrum = solve_conservative(drawn.all, lowest(random.whole(1, static_cast<int>(drawn.all.dof()))));
    const std::vector<double> expected = sizes_expected(drawn);
    bool is_right = spectrum.modes.size() <= expected.size();
    for (std::size_t k = 0; is_right && k < spectrum.modes.size(); ++k) {
      const double size = std::abs(spectrum.modes[k].s);
      is_right = std::abs(size - expected[k]) <= 1e-6 * expected.back();
    }
    uncertified += !spectrum.certified;
    if (spectrum.certified && !is_right) {
      ++missed;
      note("sparse modes: seed " + std::to_string(seed) + " is wrong and says nothing");
    }
    if (!spectrum.certified && is_right) {
      ++false_alarms;
      note("sparse modes: seed " + std::to_string(seed) + " is right and doubts: " + spectrum.warnings.front());
    }
  }
  CHECK(missed == 0);
  CHECK(false_alarms == 0);
  CHECK(100 * uncertified <= seeds.count);
}

TEST_CASE("sparse modes: a band holds the motions that grow and decay as fast, too") {
  const Eigen::Vector4d stiffness(-1, -0.01, 1, 4);
  const LinearSystem system = system_of(Eigen::MatrixXd::Identity(4, 4), stiffness.asDiagonal());
  ModesOptions within;
  within.which = Band{0.1, 0.4};  // 0.63 to 2.5 rad/s
  const Spectrum spectrum = solve_conservative(system, within);
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 6);
  for (const std::complex<double> s : {std::complex<double>(1, 0), {-1, 0}, {0, 1}, {0, -1}, {0, 2}, {0, -2}}) {
    CHECK(std::count_if(spectrum.modes.begin(), spectrum.modes.end(),
                        [&](const Mode& mode) { return std::abs(mode.s - s) <= mode.error; }) == 1);
  }
  CHECK(judge_part(spectrum).unstable_roots == 2);
}
