// Bands of periodic structures: the lowest values lie close together and far from zero, so that 1/s of one is nearly
// that of the next. All against closed forms, by the sparse solvers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "modes/count/argument_principle.h"
#include "modes/problem/quadratic_pencil.h"
#include "stillpoint/modes.h"
#include "stillpoint/stability.h"
#include "support/forms/systems.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

// What the shift takes from the digits of the values is a few units in the last place; the rest is for the closed form.
constexpr double ten_digits = 1e-10;

ModesOptions lowest(Index count) { return {.which = Lowest{count}}; }

SparseMatrix identity(Index n) {
  SparseMatrix I(n, n);
  I.setIdentity();
  return I;
}

/// Of springs of size one between masses and two walls.
SparseMatrix row_stiffness(Index N) { return damped_row(N, 0, 0).K; }
double row_value(Index N, Index j) { return 4 * std::pow(std::sin(static_cast<double>(j) * pi / (2.0 * (N + 1))), 2); }

LinearSystem system_from(const SparseMatrix& K, const SparseMatrix& C, const SparseMatrix& J) {
  LinearSystem system;
  system.M = identity(static_cast<Index>(K.rows()));
  system.K = K;
  system.C = C;
  system.J = J;
  return checked(std::move(system));
}
LinearSystem system_from(const SparseMatrix& K) {
  const auto n = static_cast<Index>(K.rows());
  return system_from(K, SparseMatrix(n, n), SparseMatrix(0, n));
}
LinearSystem system_from(const SparseMatrix& K, const SparseMatrix& C) {
  return system_from(K, C, SparseMatrix(0, K.cols()));
}

/// [A, 0; 0, B]
SparseMatrix beside(const SparseMatrix& A, const SparseMatrix& B) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto add = [&](const SparseMatrix& part, Eigen::Index from) {
    for (Eigen::Index j = 0; j < part.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(part, j); entry; ++entry)
        entries.emplace_back(static_cast<Index>(from + entry.row()), static_cast<Index>(from + j), entry.value());
    }
  };
  add(A, 0);
  add(B, A.rows());
  SparseMatrix both(A.rows() + B.rows(), A.cols() + B.cols());
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

/// A grid of masses between walls: each is held by its row and its column.
SparseMatrix grid_stiffness(Index side) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const Index n = side * side;
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 4);
    for (const Index next : {i % side + 1 < side ? i + 1 : n, i + side}) {
      if (next >= n) continue;
      entries.emplace_back(i, next, -1);
      entries.emplace_back(next, i, -1);
    }
  }
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

/// Around a ring: −2 and 1, 1 beside it.
SparseMatrix circulant(Index n) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, -2);
    entries.emplace_back(i, (i + 1) % n, 1);
    entries.emplace_back((i + 1) % n, i, 1);
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Both roots of s² + c s + k.
void add_roots(double c, double k, std::vector<Complex>& roots) {
  const Complex root = std::sqrt(Complex(c * c / 4 - k)), far = -c / 2 + (c > 0 ? -root : root);
  roots.push_back(far);
  roots.push_back(k / far);
}

/// Whether these are the values of least size, each as often as it is there.
void check_lowest(const Spectrum& spectrum, std::vector<Complex> exact) {
  std::sort(exact.begin(), exact.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); });
  REQUIRE(spectrum.modes.size() <= exact.size());
  for (std::size_t k = 0; k < spectrum.modes.size(); ++k) {
    const Complex s = spectrum.modes[k].s;
    CAPTURE(k);
    CHECK(std::abs(std::abs(s) / std::abs(exact[k]) - 1) < ten_digits);
    const auto is_it = [&](Complex x) { return std::abs(x - s) <= spectrum.modes[k].error + 1e-13; };
    CHECK(std::any_of(exact.begin(), exact.end(), is_it));
  }
}

std::vector<Complex> roots_of(const std::vector<double>& mu) {
  std::vector<Complex> roots;
  for (const double k : mu) add_roots(0, k, roots);
  return roots;
}

}  // namespace

TEST_CASE("sparse modes: the lowest twenty of a band whose values differ by 1e-7 of themselves are all there") {
  constexpr Index N = 10'000;
  const Spectrum spectrum = solve_conservative(system_from(identity(N) + row_stiffness(N)), lowest(20));
  CHECK(spectrum.certified);
  CHECK(spectrum.modes.size() == 40);
  std::vector<double> mu;
  for (Index j = 1; j <= N; ++j) mu.push_back(1 + row_value(N, j));
  check_lowest(spectrum, roots_of(mu));
  CHECK(judge_part(spectrum).stability == Stability::stable);
  CHECK(spectrum.region != "with |s| < 1 rad/s");  // as many digits as part it from the modes
}

TEST_CASE("sparse modes: double values of a band are all there, of pendulums that are coupled weakly, too") {
  constexpr Index side = 60;
  for (const double coupling : {1.0, 1e-3, 1e-6}) {
    CAPTURE(coupling);
    const Spectrum spectrum =
        solve_conservative(system_from(identity(side * side) + coupling * grid_stiffness(side)), lowest(10));
    CHECK(spectrum.certified);
    CHECK(spectrum.modes.size() >= 20);
    std::vector<double> mu;
    for (Index i = 1; i <= side; ++i) {
      for (Index j = 1; j <= side; ++j) mu.push_back(1 + coupling * (row_value(side, i) + row_value(side, j)));
    }
    check_lowest(spectrum, roots_of(mu));
  }
}

TEST_CASE("sparse modes: of two bands, one that swings and one that grows, the lowest are those of both") {
  constexpr Index N = 2000;
  const SparseMatrix band = identity(N) + row_stiffness(N);
  const Spectrum spectrum = solve_conservative(system_from(beside(band, -1.0000001 * band)), lowest(20));
  CHECK(spectrum.certified);
  CHECK(spectrum.counted->unstable == N);
  std::vector<double> mu;
  for (Index j = 1; j <= N; ++j) {
    mu.push_back(1 + row_value(N, j));
    mu.push_back(-1.0000001 * (1 + row_value(N, j)));
  }
  check_lowest(spectrum, roots_of(mu));
  const auto unstable =
      std::count_if(spectrum.modes.begin(), spectrum.modes.end(), [](const Mode& mode) { return mode.s.real() > 0; });
  CHECK(unstable >= 6);  // of three values of one size, ±s and a pair that is listed once, every third
  CHECK(unstable <= 8);
}

// Every mass of one row is tied to that of the other: ω² is the mean of both.
TEST_CASE("sparse modes: a band between rigid constraints keeps its values") {
  constexpr Index N = 3000;
  const SparseMatrix row = row_stiffness(N), upper = identity(N) + row, lower = 2.0 * identity(N) + 0.5 * row;
  std::vector<Eigen::Triplet<double, Index>> ties;
  for (Index i = 0; i < N; ++i) {
    ties.emplace_back(i, i, 1);
    ties.emplace_back(i, N + i, -1);
  }
  SparseMatrix J(N, 2 * N);
  J.setFromTriplets(ties.begin(), ties.end());
  const SparseMatrix K = beside(upper, lower);
  const Spectrum undamped = solve_conservative(system_from(K, SparseMatrix(2 * N, 2 * N), J), lowest(8));
  const Spectrum damped = solve_general(system_from(K, 0.02 * K, J), lowest(8));
  std::vector<Complex> exact, exact_damped;
  for (Index j = 1; j <= N; ++j) {
    const double k = 0.5 * (3 + 1.5 * row_value(N, j));
    add_roots(0, k, exact);
    add_roots(0.02 * k, k, exact_damped);
  }
  CHECK(undamped.certified);
  CHECK(undamped.modes.size() == 16);
  check_lowest(undamped, exact);
  CHECK(damped.certified);
  CHECK(damped.modes.size() == 16);
  check_lowest(damped, exact_damped);
}

TEST_CASE("sparse modes: frequencies from zero into a band hold all that are there") {
  constexpr Index N = 10'000;
  const double mu = 1 + 0.5 * (row_value(N, 150) + row_value(N, 151));
  const Spectrum spectrum =
      solve_conservative(system_from(identity(N) + row_stiffness(N)), {.which = Band{0, std::sqrt(mu) / (2 * pi)}});
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 300);
  for (Index j = 1; j <= 150; ++j) {
    const double omega = std::sqrt(1 + row_value(N, j));
    CHECK(std::abs(std::abs(spectrum.modes[static_cast<std::size_t>(2 * j - 1)].s) / omega - 1) < ten_digits);
  }
}

TEST_CASE(
    "sparse modes: a hundred equal oscillators beside others are all found; of ten thousand it is said how many") {
  Eigen::VectorXd few = Eigen::VectorXd::LinSpaced(1000, 2, 9);
  few.head(100).setConstant(1);
  const SparseMatrix K = few.asDiagonal() * identity(1000);
  const Spectrum hundred = solve_conservative(system_from(K), lowest(3));
  CHECK(hundred.certified);
  CHECK(hundred.expected == 200);
  CHECK(hundred.found == 200);  // of which three are listed
  for (const Mode& mode : hundred.modes) CHECK(std::abs(std::abs(mode.s) - 1) < ten_digits);

  const Spectrum all_equal = solve_conservative(system_from(identity(10'000)), lowest(3));
  CHECK_FALSE(all_equal.certified);
  CHECK(all_equal.expected == 20'000);
  CHECK(std::any_of(all_equal.warnings.begin(), all_equal.warnings.end(), [](const std::string& warning) {
    return warning.find("too many to be separated") != std::string::npos;
  }));
}

TEST_CASE("sparse modes: a damped band has its lowest modes, whether dampers lie between the masses or on the ground") {
  constexpr Index N = 4000;
  const SparseMatrix row = row_stiffness(N), K = identity(N) + row;
  for (const double from_ground : {0.0, 0.02}) {
    CAPTURE(from_ground);
    const Spectrum spectrum = solve_general(system_from(K, from_ground * identity(N) + 0.01 * row), lowest(10));
    CHECK(spectrum.certified);
    CHECK(spectrum.modes.size() == 20);
    std::vector<Complex> exact;
    for (Index j = 1; j <= N; ++j) add_roots(from_ground + 0.01 * row_value(N, j), 1 + row_value(N, j), exact);
    check_lowest(spectrum, exact);
    CHECK(judge_part(spectrum).stability == Stability::asymptotically_stable);
  }
}

TEST_CASE("sparse modes: frequencies from zero into a damped band hold all that are there") {
  constexpr Index N = 1500;
  const SparseMatrix row = row_stiffness(N);
  const double mu = 1 + 0.5 * (row_value(N, 25) + row_value(N, 26));  // |s|² = k where a pair is not overdamped
  const Spectrum spectrum =
      solve_general(system_from(identity(N) + row, 0.01 * row), {.which = Band{0.01, std::sqrt(mu) / (2 * pi)}});
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 50);
  for (Index j = 1; j <= 25; ++j) {
    const double size = std::sqrt(1 + row_value(N, j));
    CHECK(std::abs(std::abs(spectrum.modes[static_cast<std::size_t>(2 * j - 1)].s) / size - 1) < ten_digits);
  }
}

TEST_CASE("sparse modes: a damped band that grows has its lowest modes") {
  constexpr Index N = 3000;
  const SparseMatrix row = row_stiffness(N);
  const Spectrum spectrum =
      solve_general(system_from(row - 5.0 * identity(N), 0.02 * identity(N) + 0.01 * row), lowest(8));
  CHECK(spectrum.certified);
  CHECK(spectrum.counted->unstable == N);
  std::vector<Complex> exact;
  for (Index j = 1; j <= N; ++j) add_roots(0.02 + 0.01 * row_value(N, j), row_value(N, j) - 5, exact);
  check_lowest(spectrum, exact);
}

// NLEVP "sleeper" [Betcke 2013]: real values from where s(μ) turns back, nearly all of them double.
TEST_CASE("sparse modes: a sleeper track of two thousand has its lowest modes at the edge of its real values") {
  constexpr Index N = 2000;
  const SparseMatrix A = circulant(N), square = A * A, I = identity(N);
  const Spectrum spectrum = solve_general(system_from(I + A + square, I + square), lowest(12));
  CHECK(spectrum.certified);
  CHECK(spectrum.modes.size() >= 12);
  std::vector<Complex> exact;
  for (Index k = 0; k < N; ++k) {
    const double mu = -4 * std::pow(std::sin(pi * k / N), 2);
    add_roots(1 + mu * mu, 1 + mu + mu * mu, exact);
  }
  check_lowest(spectrum, exact);
  for (const Mode& mode : spectrum.modes) CHECK(std::abs(mode.s.imag()) <= mode.error);
}

TEST_CASE("sparse modes: near a point in the gap below a band the nearest are those at its edge") {
  constexpr Index N = 4000;
  const SparseMatrix row = row_stiffness(N);
  const Complex centre(-0.01, 0.9);
  const Spectrum spectrum =
      solve_general(system_from(identity(N) + row, 0.02 * identity(N)), {.which = Nearest{centre, 5}});
  CHECK(spectrum.certified);
  REQUIRE(spectrum.modes.size() == 10);
  for (Index j = 1; j <= 5; ++j) {
    const Complex exact(-0.01, std::sqrt(1 + row_value(N, j) - 1e-4));
    CHECK(std::any_of(spectrum.modes.begin(), spectrum.modes.end(),
                      [&](const Mode& mode) { return std::abs(mode.s - exact) < ten_digits; }));
  }
}

// The edge is a millionth of what a step of the first winding is away from the values on both sides of it.
TEST_CASE("sparse modes: a winding that passes between two values of a band counts what is left out") {
  constexpr Index N = 2000, inside = 10, outside = 8;
  const SparseMatrix row = row_stiffness(N);
  const LinearSystem system = system_from(identity(N) + row, 0.01 * row);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double gamma = problem.frequency_scale();
  std::vector<Complex> known;
  for (Index j = 1; j <= inside + outside; ++j) add_roots(0.01 * row_value(N, j), 1 + row_value(N, j), known);
  for (Complex& s : known) s /= gamma;
  const double from = std::abs(known[2 * inside - 1]), to = std::abs(known[2 * inside]);
  ArgumentCount argument_count(pencil, 0, 0.5 * (from + to), (to - from) / from);
  CHECK(argument_count.unknown(known) == 0);
  for (const std::ptrdiff_t left_out : {0, 8, 18}) {
    std::vector<Complex> without = known;
    without.erase(without.begin() + left_out, without.begin() + left_out + 2);
    CHECK(argument_count.unknown(without) == 2);
  }
  CHECK_FALSE(ArgumentCount(pencil, 0, 0.5 * (from + to)).unknown(known).has_value());  // with steps as usual
}
