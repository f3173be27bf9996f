// Spectra of symmetric systems with few dampers, from their modes without damping: against long double, MCS and closed
// forms. Where that way is taken, the solver says so.
#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <string>

#include "stillpoint/modes.h"
#include "support/forms/systems.h"
#include "support/modes/wide_spectrum.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

bool is_by_low_rank_damping(const Spectrum& spectrum) { return spectrum.solver.ends_with("low-rank damping"); }

/// A row of N masses that differ, each with a spring to the next and one to the ground.
struct Row {
  Matrix M, C, K;

  Row(Index N, Random& random) : M(Matrix::Zero(N, N)), C(M), K(M) {
    for (Index i = 0; i < N; ++i) {
      M(i, i) = random.between(0.5, 2);
      K(i, i) += random.between(0.01, 0.1);
      if (i > 0) add(K, i, i - 1, random.scaled(0.1, 10));
    }
  }
  static void add(Matrix& A, Index i, Index j, double size) {
    A(i, i) += size;
    A(j, j) += size;
    A(i, j) -= size;
    A(j, i) -= size;
  }
  void add_dampers(int count, double weakest, double strongest, Random& random) {
    for (int k = 0; k < count; ++k) {
      const Index i = random.below(static_cast<Index>(M.rows()) - 1), j = random.below(i + 1);
      const double size = random.scaled(weakest, strongest);
      if (i == j) C(i, i) += size;
      else add(C, i, j, size);
    }
  }
  Spectrum spectrum() const {
    const LinearSystem system = system_of(M, K, {}, C);
    return solve_modes(system, minimal_form(system));
  }
};

/// How many modes have a value in long double beside them, within their bars, each one of its own.
Index matched(const Spectrum& spectrum, const Row& row) {
  const long double sigma = 0.731L;
  const auto wide = [](const Matrix& A) { return testing::Wide(A.cast<long double>()); };
  std::vector<Complex> exact;
  for (const testing::WideValue& inverse :
       testing::inverted_eigenvalues(wide(row.M), wide(row.C), wide(row.K), sigma)) {
    const testing::WideValue s = sigma + testing::WideValue(1) / inverse;
    exact.emplace_back(static_cast<double>(s.real()), static_cast<double>(s.imag()));
  }
  Index count = 0;
  for (const Mode& mode : spectrum.modes) {
    const auto nearest = std::min_element(
        exact.begin(), exact.end(), [&](Complex a, Complex b) { return std::abs(a - mode.s) < std::abs(b - mode.s); });
    if (nearest == exact.end() || std::abs(*nearest - mode.s) > mode.error) continue;
    exact.erase(nearest);
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("few dampers: all eigenvalues are those in long double, within their bars") {
  int taken = 0, given = 0;
  for (int seed = 0; seed < draws(30, 3); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    CAPTURE(seed);
    Row row(random.whole(42, 54), random);
    row.add_dampers(random.whole(1, 6), 1e-6, 1, random);
    if (random.maybe(0.3)) row.K.diagonal().array() -= random.between(0.1, 2);  // unstable
    const Spectrum spectrum = row.spectrum();
    taken += is_by_low_rank_damping(spectrum);
    ++given;
    REQUIRE(spectrum.modes.size() == static_cast<std::size_t>(2 * row.M.rows()));
    CHECK(matched(spectrum, row) == 2 * row.M.rows());
    for (const Mode& mode : spectrum.modes) CHECK(mode.backward_error < 1e-13);
  }
  CHECK(2 * taken > given);  // of others too many modes are coupled
}

TEST_CASE("few dampers: equal systems beside each other have every eigenvalue as often as there are systems") {
  Random random(5);
  Row one(20, random);
  one.add_dampers(1, 0.01, 0.1, random);
  const Index n = 20, copies = 3;
  Row all(n * copies, random);
  for (Matrix* A : {&all.M, &all.C, &all.K}) A->setZero();
  // Turned against each other, so that no vector shows which of them it belongs to.
  const Matrix Q = Eigen::HouseholderQR<Matrix>(Matrix::Random(copies, copies)).householderQ();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const auto put = [&](Matrix& A, double a) {
        for (Index k = 0; k < copies; ++k) A(copies * i + k, copies * j + k) = a;
      };
      put(all.M, one.M(i, j));
      put(all.C, one.C(i, j));
      put(all.K, one.K(i, j));
    }
  }
  for (Matrix* A : {&all.M, &all.C, &all.K}) {
    Matrix turn = Matrix::Zero(n * copies, n * copies);
    for (Index i = 0; i < n; ++i) turn.block(copies * i, copies * i, copies, copies) = Q;
    *A = turn.transpose() * *A * turn;
    *A = (*A + A->transpose()).eval() / 2;
  }
  const Spectrum spectrum = all.spectrum(), alone = one.spectrum();
  CHECK(is_by_low_rank_damping(spectrum));
  REQUIRE(spectrum.modes.size() == static_cast<std::size_t>(2 * n * copies));
  for (const Mode& mode : alone.modes) {
    const auto beside = [&](const Mode& other) { return std::abs(other.s - mode.s) < 1e-10 * std::abs(mode.s); };
    CHECK(std::count_if(spectrum.modes.begin(), spectrum.modes.end(), beside) == copies);
  }
  for (const Mode& mode : spectrum.modes) CHECK(mode.multiplicity == copies);
}

TEST_CASE("few dampers: free and critically damped motions come out as they are") {
  Random random(3);
  Row row(48, random);
  row.K.setZero();
  for (Index i = 2; i < 48; ++i) Row::add(row.K, i, i - 1, 1 + 0.1 * i);  // the first mass has only a damper, below
  const double m = row.M(0, 0), k = 2.5;
  row.K(0, 0) = k;
  row.C(0, 0) = 2 * std::sqrt(k * m);
  const Spectrum spectrum = row.spectrum();
  CHECK(spectrum.at_zero == 2);  // the others move freely
  const double critical = -std::sqrt(k / m);
  const auto is_critical = [&](const Mode& mode) {
    return std::abs(mode.s - critical) <= mode.error && mode.error < 1e-6;
  };
  CHECK(std::count_if(spectrum.modes.begin(), spectrum.modes.end(), is_critical) == 2);
}

TEST_CASE("few dampers: the penalty's spectrum, and what its compliance changed, agree with minimal coordinates") {
  for (int seed = 0; seed < draws(12, 2); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    CAPTURE(seed);
    const Index n = 64;
    Row row(n, random);
    row.add_dampers(random.whole(0, 2), 1e-3, 0.1, random);
    Matrix J = Matrix::Zero(random.whole(2, 5), n);
    for (Index k = 0; k < J.rows(); ++k) {
      const Index i = random.below(n - 1);
      J(k, i) = 1;
      J(k, i + 1) = random.entry();
      J(k, (i + 20) % n) = random.entry();
    }
    if (seed % 3 == 0) row.M(7, 7) = row.M(33, 33) = 0;
    const LinearSystem system = system_of(row.M, row.K, J, row.C);
    const MinimalForm minimal = minimal_form(system);
    const Spectrum mcs = solve_modes(system, minimal),
                   ucs = solve_modes(system, penalty_form(system), count_true(system, minimal));
    CHECK(is_by_low_rank_damping(ucs));
    REQUIRE(ucs.certified);
    REQUIRE(ucs.found == mcs.found);
    std::vector<const Mode*> genuine;
    for (const Mode& mode : ucs.modes) {
      CHECK(mode.backward_error < 1e-13);
      if (mode.kind == ModeClass::genuine) genuine.push_back(&mode);
    }
    for (const Mode& mode : mcs.modes) {
      const auto other = std::find_if(genuine.begin(), genuine.end(), [&](const Mode* candidate) {
        return std::abs(candidate->corrected - mode.s) <= candidate->corrected_error + mode.error;
      });
      REQUIRE(other != genuine.end());
      CHECK((*other)->corrected_error < 1e-11 * (1 + std::abs(mode.s)));
      genuine.erase(other);
    }
  }
}

TEST_CASE("few dampers: where damping is not such, QZ is asked") {
  Random random(1);
  const Row quiet(48, random);
  const auto solver_with = [&](const Matrix& C) {
    Row row = quiet;
    row.C = C;
    return row.spectrum().solver;
  };
  Matrix C = Matrix::Zero(48, 48);
  C(3, 3) = 0.1;
  CHECK(solver_with(C).ends_with("low-rank damping"));
  C(7, 7) = -0.1;  // drives
  CHECK(solver_with(C) == "dense QZ");
  C(7, 7) = 0;
  C(7, 9) = C(9, 7) = 0.1;  // drives one motion as it damps another
  CHECK(solver_with(C) == "dense QZ");
  C(7, 9) = -0.1;
  CHECK(solver_with(C) == "dense QZ");  // gyroscopic besides
  CHECK(solver_with(Matrix::Identity(48, 48)) == "dense QZ");
}
