// Spectrum slicing: all eigenvalues of a region, with all their copies, and a count that says so.

#include "modes/undamped/spectrum_slicing.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-11;  // of μ relative to the largest

MatrixXd chain(Eigen::Index n, bool is_free = false) {
  MatrixXd K = 2 * MatrixXd::Identity(n, n);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  if (is_free) K(0, 0) = K(n - 1, n - 1) = 1;
  return K;
}

double sine_squared(double angle) { return std::pow(std::sin(angle), 2); }

/// A square of w × w masses: μ = 4 sin² + 4 sin², double where the two differ.
struct Square {
  static constexpr Eigen::Index w = 6;
  LinearSystem system;
  std::vector<double> mu;

  Square() {
    MatrixXd K = MatrixXd::Zero(w * w, w * w);
    for (Eigen::Index i = 0; i < w; ++i) {
      for (Eigen::Index j = 0; j < w; ++j) {
        K(i * w + j, i * w + j) = 4;
        if (i > 0) K(i * w + j, (i - 1) * w + j) = K((i - 1) * w + j, i * w + j) = -1;
        if (j > 0) K(i * w + j, i * w + j - 1) = K(i * w + j - 1, i * w + j) = -1;
        mu.push_back(4 * sine_squared(static_cast<double>(i + 1) * std::numbers::pi / (2 * w + 2)) +
                     4 * sine_squared(static_cast<double>(j + 1) * std::numbers::pi / (2 * w + 2)));
      }
    }
    system = system_of(MatrixXd::Identity(w * w, w * w), K);
    std::sort(mu.begin(), mu.end());
  }
};

struct Scaled {
  explicit Scaled(const LinearSystem& system) : problem(system), pencil(problem) {}
  double unit() const { return pencil.frequency_scale() * pencil.frequency_scale(); }

  BorderedProblem problem;
  ConservativePencil pencil;
};

void check_pairs(const Scaled& scaled, const ConservativePairs& found) {
  CHECK(found.is_certified());
  CHECK(found.size() == found.expected);
  CHECK(std::is_sorted(found.mu.begin(), found.mu.end()));
  for (const double mu : found.mu) CHECK(found.region.holds(mu));
  const MatrixXd products = found.z.transpose() * (scaled.pencil.mass() * found.z);
  CHECK((products - MatrixXd::Identity(found.size(), found.size())).cwiseAbs().maxCoeff() < 1e-8);
}

}  // namespace

TEST_CASE("spectrum slicing: the lowest eigenvalues of a chain, as many as are asked for, certified") {
  const LinearSystem system = system_of(MatrixXd::Identity(30, 30), chain(30));
  for (const Index count : {1, 5, 17, 30}) {
    CAPTURE(count);
    Scaled scaled(system);
    const ConservativePairs found = find_lowest(scaled.pencil, count);
    check_pairs(scaled, found);
    REQUIRE(found.size() == count);
    CHECK(found.before == 0);
    CHECK(found.below == 0);
    for (Index j = 0; j < count; ++j) {
      const double exact = 4 * sine_squared((j + 1) * std::numbers::pi / 62);
      CHECK(std::abs(found.mu[j] * scaled.unit() - exact) < rounding);
    }
  }
}

TEST_CASE("spectrum slicing: with all copies of the last one") {
  const Square square;
  for (const Index count : {1, 2, 3, 5, 8, 20}) {
    CAPTURE(count);
    Scaled scaled(square.system);
    const ConservativePairs found = find_lowest(scaled.pencil, count);
    check_pairs(scaled, found);
    CHECK(found.size() >= count);
    const double edge = found.region.radius * scaled.unit();
    CHECK(found.size() == std::count_if(square.mu.begin(), square.mu.end(), [&](double mu) { return mu < edge; }));
    for (Index j = 0; j < found.size(); ++j)
      CHECK(std::abs(found.mu[j] * scaled.unit() - square.mu[static_cast<std::size_t>(j)]) < rounding);
  }
}

TEST_CASE("spectrum slicing: rigid-body motions are zeros, all of them") {
  MatrixXd K = MatrixXd::Zero(12, 12);  // three free chains
  for (const Eigen::Index at : {0, 4, 8}) K.block(at, at, 4, 4) = chain(4, true);
  const LinearSystem system = system_of(MatrixXd::Identity(12, 12), K);
  Scaled scaled(system);
  const ConservativePairs found = find_lowest(scaled.pencil, 5);
  check_pairs(scaled, found);
  REQUIRE(found.size() >= 6);  // three zeros, and all three copies of the next one
  CHECK(found.size() % 3 == 0);
  CHECK(found.mu.head(3).cwiseAbs().maxCoeff() < 1e-10);
  for (Index j = 3; j < 6; ++j) CHECK(std::abs(found.mu[j] * scaled.unit() - (2 - std::sqrt(2))) < rounding);
}

TEST_CASE("spectrum slicing: all between two ends and no others, with the number of those below") {
  const Square square;
  for (const auto& ends : {std::pair{0.0, 1.5}, {1.5, 3.3}, {3.9, 4.1}, {6.0, 9.0}, {0.6, 0.9}}) {
    const double from = ends.first, to = ends.second;
    CAPTURE(from);
    Scaled scaled(square.system);
    const ConservativePairs found = find_between(scaled.pencil, from / scaled.unit(), to / scaled.unit());
    CHECK(found.is_certified());
    std::vector<double> expected;
    Index before = 0;
    for (const double mu : square.mu) {
      if (mu > from && mu < to) expected.push_back(mu);
      before += mu < from;
    }
    REQUIRE(found.size() == static_cast<Index>(expected.size()));
    CHECK(found.before == before);
    for (std::size_t j = 0; j < expected.size(); ++j)
      CHECK(std::abs(found.mu[static_cast<Eigen::Index>(j)] * scaled.unit() - expected[j]) < rounding);
  }
}

TEST_CASE("spectrum slicing: those nearest to a frequency, in the order of μ") {
  const Square square;
  Scaled scaled(square.system);
  const double omega = 2.1 / scaled.pencil.frequency_scale();
  const auto found = find_nearest_to(scaled.pencil, omega, 4);
  REQUIRE(found);
  check_pairs(scaled, *found);
  CHECK(found->size() >= 4);
  std::vector<double> off;
  for (const double mu : square.mu) off.push_back(std::abs(std::sqrt(mu) - 2.1));
  std::sort(off.begin(), off.end());
  double farthest = 0;
  for (const double mu : found->mu) farthest = std::max(farthest, std::abs(std::sqrt(mu * scaled.unit()) - 2.1));
  CHECK(farthest == doctest::Approx(off[static_cast<std::size_t>(found->size()) - 1]));
  CHECK(found->before == std::count_if(square.mu.begin(), square.mu.end(),
                                       [&](double mu) { return mu < found->mu.minCoeff() * scaled.unit() - 1e-9; }));
}

TEST_CASE("spectrum slicing: not more of those nearest to a frequency than lie within nine tenths of it") {
  const LinearSystem system = system_of(MatrixXd::Identity(2, 2), VectorXd{{1, 10000}}.asDiagonal().toDenseMatrix());
  Scaled scaled(system);
  const double omega = 2 / scaled.pencil.frequency_scale();
  CHECK(find_nearest_to(scaled.pencil, omega, 1));
  CHECK(!find_nearest_to(scaled.pencil, omega, 2));
}

TEST_CASE("spectrum slicing: constrained systems with massless coordinates, unstable ones included") {
  for (const unsigned seed : {1, 2, 3, 4}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const LinearSystem system = testing::random_system({.coordinates = 16, .constraints = 4, .redundant = 2}, random);
    Scaled scaled(system);
    const ConservativePairs found = find_lowest(scaled.pencil, 12);
    check_pairs(scaled, found);
    REQUIRE(found.size() == 12);
    std::vector<double> exact;
    for (const testing::ExactPair& pair : testing::exact_pairs(system)) exact.push_back((-pair.s * pair.s).real());
    std::sort(exact.begin(), exact.end());  // each twice, for ± s
    for (Index j = 0; j < 12; ++j)
      CHECK(std::abs(found.mu[j] * scaled.unit() - exact[static_cast<std::size_t>(2 * j)]) < 1e-9 * exact.back());
  }
}
