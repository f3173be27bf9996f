// The engine with the library Spectra: against our own engine and closed forms, certified, with all copies.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "algebra/sparse/random_start.h"
#include "modes/problem/bordered_problem.h"
#include "modes/undamped/spectra_lanczos.h"
#include "modes/undamped/spectrum_slicing.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/modes.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

/// `copies` rows of N masses beside each other, each row between two walls, all of size one: ω_j = 2 sin(jπ / 2(N +
/// 1)).
LinearSystem rows_of_masses(Index N, Index copies) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < N * copies; ++i) {
    entries.emplace_back(i, i, 2);
    if (i % N == 0) continue;
    entries.emplace_back(i, i - 1, -1);
    entries.emplace_back(i - 1, i, -1);
  }
  LinearSystem system;
  system.K.resize(N * copies, N * copies);
  system.K.setFromTriplets(entries.begin(), entries.end());
  system.M.resize(N * copies, N * copies);
  system.M.setIdentity();
  return checked(std::move(system));
}

double frequency_in_row(Index N, Index j) { return 2 * std::sin(j * pi / (2 * (N + 1))); }

/// The carriages of cases/mass_ring with m = 1, k = 100 and k0, in ascending order.
std::vector<double> frequencies_of_ring(Index N, double k0) {
  std::vector<double> frequencies;
  for (Index j = 0; j < N; ++j) frequencies.push_back(std::sqrt(400 * std::pow(std::sin(pi * j / N), 2) + k0));
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

Spectrum by_spectra(const LinearSystem& system, Which which) {
  return solve_some(system, {.which = which, .spectra = true});
}

/// The frequencies in ascending order, each once for its conjugate pair.
std::vector<double> frequencies_of(const Spectrum& spectrum) {
  std::vector<double> frequencies;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() > 0) frequencies.push_back(mode.s.imag());
  }
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

/// Both engines must be certified, with the same eigenvalues within their error bounds.
void compare_engines(const LinearSystem& system, const Which& which) {
  const Spectrum own = solve_some(system, {.which = which}), other = by_spectra(system, which);
  CHECK(own.certified);
  CHECK(other.certified);
  CHECK(other.solver == "Spectra Lanczos, counted");
  CHECK(other.at_zero == own.at_zero);
  REQUIRE(other.modes.size() == own.modes.size());
  for (std::size_t k = 0; k < own.modes.size(); ++k) {
    const Mode &a = own.modes[k], &b = other.modes[k];
    CHECK(std::abs(a.s - b.s) <= a.error + b.error);
    CHECK(b.residual < 3e-10);
  }
}

}  // namespace

TEST_CASE("Spectra: the modes of every conservative case, as our own engine finds them") {
  int tried = 0;
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.singular || system.dof() == 0 || !is_conservative(system)) continue;
    CAPTURE(named.name);
    ++tried;
    for (const Index count : {Index{1}, Index{4}, system.dof()}) {
      CAPTURE(count);
      compare_engines(system, Lowest{count});
    }
  }
  CHECK(tried >= 15);
}

TEST_CASE("Spectra: the lowest modes of a long row of masses have their closed form") {
  constexpr Index N = 20'000;
  const Spectrum spectrum = by_spectra(rows_of_masses(N, 1), Lowest{20});
  CHECK(spectrum.certified);
  CHECK(spectrum.expected == 40);
  REQUIRE(spectrum.modes.size() == 40);
  for (Index j = 1; j <= 20; ++j) {
    const Mode& mode = spectrum.modes[static_cast<std::size_t>(2 * j - 2)];
    CHECK(std::abs(mode.s.imag() - frequency_in_row(N, j)) <= mode.error);
    CHECK(std::abs(mode.s.imag() / frequency_in_row(N, j) - 1) < 1e-9);
  }
}

TEST_CASE("Spectra: the double frequencies of a ring of masses are found twice") {
  constexpr Index N = 16;
  const LinearSystem system = system_of_case("mass_ring", {{"N", 16}, {"k0", 40}});
  const std::vector<double> expected = frequencies_of_ring(N, 40);
  for (const Index count : {1, 2, 3, 8, 16}) {
    CAPTURE(count);
    const Spectrum spectrum = by_spectra(system, Lowest{count});
    CHECK(spectrum.certified);
    const std::vector<double> found = frequencies_of(spectrum);
    REQUIRE(found.size() == static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < found.size(); ++k) CHECK(std::abs(found[k] - expected[k]) < 1e-10);
  }
}

TEST_CASE("Spectra: the rigid-body motions of free bodies are zeros, counted") {
  for (const char* name : {"free_beam", "free_beam_spatial", "free_pair", "free_pair_spatial", "mass_ring"}) {
    CAPTURE(name);
    const LinearSystem system = system_of_case(name);
    const Spectrum dense = solve_modes(system, minimal_form(system));
    for (const Index count : {Index{1}, dense.at_zero / 2 + 1}) {
      CAPTURE(count);
      const Spectrum spectrum = by_spectra(system, Lowest{std::min(count, system.dof())});
      CHECK(spectrum.certified);
      CHECK(spectrum.at_zero == dense.at_zero);
    }
  }
}

TEST_CASE("Spectra: a band holds all that are in it, with their copies") {
  constexpr Index N = 500;
  const LinearSystem system = rows_of_masses(N, 2);
  const auto hertz = [](double omega) { return omega / (2 * pi); };
  const double from = 0.5 * (frequency_in_row(N, 100) + frequency_in_row(N, 101));
  const double to = 0.5 * (frequency_in_row(N, 150) + frequency_in_row(N, 151));
  const Spectrum spectrum = by_spectra(system, Band{hertz(from), hertz(to)});
  CHECK(spectrum.certified);
  CHECK(spectrum.solver == "Spectra Lanczos, counted");
  CHECK(spectrum.expected == 200);
  const std::vector<double> found = frequencies_of(spectrum);
  REQUIRE(found.size() == 100);
  for (Index j = 0; j < 100; ++j)
    CHECK(std::abs(found[static_cast<std::size_t>(j)] - frequency_in_row(N, 101 + j / 2)) < 1e-9);
  CHECK(by_spectra(system, Band{1, 2}).modes.empty());
}

TEST_CASE("Spectra: the modes nearest to a point, as our own engine finds them") {
  const LinearSystem row = rows_of_masses(300, 1), ring = system_of_case("mass_ring", {{"N", 16}, {"k0", 40}});
  for (const Index count : {1, 5, 30}) {
    CAPTURE(count);
    compare_engines(row, Nearest{{0, 1.0}, count});
  }
  for (const double omega : {7.0, 13.0, 20.0}) {
    CAPTURE(omega);
    const Spectrum spectrum = by_spectra(ring, Nearest{{0, omega}, 3});
    CHECK(spectrum.certified);
    CHECK(spectrum.solver == "Spectra Lanczos, counted");
    std::vector<double> expected = frequencies_of_ring(16, 40);
    std::sort(expected.begin(), expected.end(),
              [&](double a, double b) { return std::abs(a - omega) < std::abs(b - omega); });
    expected.resize(3);
    std::sort(expected.begin(), expected.end());
    const std::vector<double> found = frequencies_of(spectrum);
    REQUIRE(found.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(found[k] - expected[k]) < 1e-10);
  }
}

/// The number of eigenvalues between the two, by inertia.
Index count_between(ConservativePencil& pencil, double from, double to) {
  REQUIRE(pencil.shift(to));
  const Index below = pencil.below();
  REQUIRE(pencil.shift(from));
  return below - pencil.below();
}

// One start vector contains one combination of the copies of each eigenvalue. That combination is an eigenvector, too,
// so a search that has converged shows the eigenvalue once; the next search must be kept away from it.
TEST_CASE("Spectra: one search misses copies, and the next one finds them") {
  constexpr Index N = 200, copies = 3, first = 60, wanted = 7;
  const LinearSystem system = rows_of_masses(N, copies);
  const BorderedProblem problem(system);
  ConservativePencil pencil(problem);
  const auto mu = [&](double j) {
    return std::pow(2 * std::sin(j * pi / (2 * (N + 1))) / pencil.frequency_scale(), 2);
  };
  const double from = mu(first - 0.5), to = mu(first + wanted - 0.5);
  CHECK(count_between(pencil, from, to) == copies * wanted);
  REQUIRE(pencil.shift(mu(first + 0.5 * wanted - 0.4)));
  unsigned seed = 0;
  const auto start = [&]() -> Eigen::VectorXd { return pencil.project(random_start(pencil.size(), ++seed)); };
  const auto found_beside = [&](const Eigen::MatrixXd& locked) -> Eigen::MatrixXd {
    const auto search = spectra_search(pencil, start, locked, {});
    REQUIRE(!search->is_complete());
    std::vector<Index> inside;
    const LanczosView view = search->run(wanted, 6, [&](const LanczosView& now) {
      inside.clear();
      for (Index k = 0; k < now.converged(); ++k) {
        if (now.mu(k) > from && now.mu(k) < to) inside.push_back(k);
      }
      return static_cast<Index>(inside.size()) >= wanted;
    });
    return search->take_vectors(view.pairs(), inside);
  };
  Eigen::MatrixXd known = found_beside(Eigen::MatrixXd(pencil.size(), 0));
  CHECK(known.cols() >= wanted);
  CHECK(known.cols() < copies * wanted);
  for (int look = 0; look < 10 && known.cols() < copies * wanted; ++look) {
    const Eigen::MatrixXd more = found_beside(known), mass_of_more = pencil.mass() * more;
    CHECK((known.transpose() * mass_of_more).cwiseAbs().maxCoeff() < 1e-9);
    known.conservativeResize(Eigen::NoChange, known.cols() + more.cols());
    known.rightCols(more.cols()) = more;
  }
  CHECK(known.cols() == copies * wanted);
  const ConservativePairs found = find_between(pencil, from, to, {.spectra = true});
  CHECK(found.is_certified());
  CHECK(found.size() == copies * wanted);
}

TEST_CASE("Spectra: with all vectors known, or without mass, nothing is left to search for") {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity(), no_mass = Eigen::Matrix3d::Zero();
  CHECK(by_spectra(system_of(no_mass, I), Lowest{1}).modes.empty());
  const LinearSystem system = system_of(I, Eigen::Vector3d(1, 4, 9).asDiagonal());
  const BorderedProblem problem(system);
  ConservativePencil pencil(problem);
  REQUIRE(pencil.shift(0));
  unsigned seed = 0;
  const auto start = [&]() -> Eigen::VectorXd { return pencil.project(random_start(pencil.size(), ++seed)); };
  CHECK(has_room_for_spectra(pencil, {}));
  CHECK(!has_room_for_spectra(pencil, Eigen::MatrixXd(3, 1)));
  const ConservativePairs all = find_lowest(pencil, 3, {.spectra = true});
  REQUIRE(all.size() == 3);
  CHECK(spectra_search(pencil, start, all.z, {})->is_complete());
}

// M is singular on the constrained motions: masses in some coordinates only.
TEST_CASE("Spectra: massless coordinates take no part in the count") {
  constexpr Index N = 40;
  LinearSystem system = rows_of_masses(N, 1);
  Eigen::VectorXd masses = Eigen::VectorXd::Ones(N);
  for (Index i = 0; i < N; i += 2) masses[i] = 0;
  system.M = Eigen::MatrixXd(masses.asDiagonal()).sparseView();
  for (const Index count : {1, 5, 19, 20}) {
    CAPTURE(count);
    const Spectrum own = solve_conservative(system, {.which = Lowest{count}});
    const Spectrum other = by_spectra(system, Lowest{count});
    CHECK(other.certified);
    CHECK(other.found == own.found);
    CHECK(other.found == 2 * std::min<Index>(count, N / 2));
    for (std::size_t k = 0; k < std::min(own.modes.size(), other.modes.size()); ++k)
      CHECK(std::abs(own.modes[k].s - other.modes[k].s) <= own.modes[k].error + other.modes[k].error);
  }
}

// Every eigenvalue has two to six copies, and redundant constraints and rigid-body motions are among them.
TEST_CASE("Spectra: of equal mechanisms beside each other no mode is missed unnoticed, and none invented") {
  int tried = 0, uncertified = 0;
  for (int seed = 0; seed < draws(300, 60); ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 1);
    CAPTURE(seed);
    const Copies drawn = random_copies(random, Forces::conservative);
    if (drawn.all.dof() == 0) continue;
    ++tried;
    const auto count = static_cast<Index>(random.whole(1, static_cast<int>(drawn.all.dof())));
    const Spectrum spectrum = by_spectra(drawn.all, Lowest{count});
    if (!spectrum.certified) {
      ++uncertified;
      continue;
    }
    std::vector<double> expected;
    for (const Mode& mode : solve_modes(drawn.one, minimal_form(drawn.one)).modes)
      expected.insert(expected.end(), static_cast<std::size_t>(drawn.copies), std::abs(mode.s));
    std::sort(expected.begin(), expected.end());
    REQUIRE(spectrum.modes.size() <= expected.size());
    for (std::size_t k = 0; k < spectrum.modes.size(); ++k)
      CHECK(std::abs(std::abs(spectrum.modes[k].s) - expected[k]) <= 1e-6 * expected.back());
  }
  CHECK(100 * uncertified <= tried);
}

TEST_CASE("Spectra: the engine is for undamped systems, and the plan says so") {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  AnalysisOptions options{.engine = EngineChoice::spectra};
  options.modes.which = Lowest{2};
  const FoundModes found = find_modes(system_of(I, I), Method::mcs, options);
  CHECK(found.spectrum.solver == "Spectra Lanczos, counted");
  CHECK(found.spectrum.certified);
  CHECK_THROWS_WITH(find_modes(system_of(I, I, {}, I), Method::mcs, options),
                    doctest::Contains("finds modes of undamped systems"));
}
