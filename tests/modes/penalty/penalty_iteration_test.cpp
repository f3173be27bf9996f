// Modes of the mechanism, continued into the penalty system, against its dense eigenvalues.

#include "modes/penalty/penalty_iteration.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "modes/tolerances.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;

namespace {

struct Penalty {
  Penalty(LinearSystem of, double alpha)
      : system(std::move(of)),
        form(penalty_form(system, {.alpha = Eigen::VectorXd{{alpha}}, .xi = 0.9, .omega = 20})),
        problem(system, form) {
    for (const testing::ExactPair& pair : testing::exact_pairs(
             system_of(form.M.toDense(), form.K.toDense(), Eigen::MatrixXd(0, form.M.rows()), form.C.toDense())))
      exact.push_back(pair.s);
  }
  MatrixXcd scaled(const std::vector<Eigen::VectorXcd>& vectors) const {
    MatrixXcd all(problem.size(), static_cast<Eigen::Index>(vectors.size()));
    for (std::size_t k = 0; k < vectors.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = problem.scaled(vectors[k]);
    return all;
  }
  double distance(Complex s) const {
    double nearest = 1e9;
    for (const Complex value : exact) nearest = std::min(nearest, std::abs(value - s));
    return nearest;
  }

  LinearSystem system;
  PenaltyForm form;
  PenaltyProblem problem;
  std::vector<Complex> exact;  ///< all eigenvalues of the penalty system, the spurious ones too
};

LinearSystem random_system(unsigned seed, bool is_symmetric) {
  std::mt19937 random(seed);
  return testing::random_system(
      {.coordinates = 8, .constraints = 2, .redundant = 1, .dampers = 3, .follower_forces = !is_symmetric}, random);
}

}  // namespace

TEST_CASE("penalty iteration: each mode of the mechanism leads to one of the penalty system, to rounding") {
  for (const bool is_symmetric : {true, false}) {
    for (const unsigned seed : {1, 2, 3}) {
      const Penalty penalty(random_system(seed, is_symmetric), 1e4);
      PenaltyIteration iteration(penalty.problem);
      for (const testing::ExactPair& pair : testing::exact_pairs(penalty.system)) {
        CAPTURE(seed);
        CAPTURE(pair.s.imag());
        const auto found = iteration.continue_from({pair.s}, penalty.scaled({pair.x}), penalty.scaled({pair.y}));
        REQUIRE(found.size() == 1);
        CHECK(found[0].residual <= 10 * tolerance::sufficient_penalty_residual);
        CHECK(penalty.distance(found[0].s) < 1e-7 * std::abs(found[0].s) + 1e-9);  // of a dense K_p with 10⁴ JᵀJ
        CHECK(std::abs(found[0].s - pair.s) < 0.1 * std::abs(pair.s));
      }
    }
  }
}

// A redundant constraint makes the matrix of the rigid mechanism singular.
TEST_CASE("penalty iteration: an undamped mode leads to one of the penalty system beside the rigid mechanism or not") {
  for (const Index redundant : {0, 1}) {
    for (const unsigned seed : {1, 2, 3}) {
      CAPTURE(redundant);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const Penalty penalty(
          testing::random_system({.coordinates = 8, .constraints = 2, .redundant = redundant, .dampers = 0}, random),
          1e4);
      PenaltyIteration iteration(penalty.problem);
      for (const testing::ExactPair& pair : testing::exact_pairs(penalty.system)) {
        const auto found = iteration.continue_from({pair.s}, penalty.scaled({pair.x}), penalty.scaled({pair.y}));
        REQUIRE(found.size() == 1);
        CHECK(found[0].residual <= 10 * tolerance::sufficient_penalty_residual);
        CHECK(found[0].left == found[0].right.conjugate());
        CHECK(penalty.distance(found[0].s) < 1e-7 * std::abs(found[0].s) + 1e-9);
        CHECK(std::abs(found[0].s - pair.s) < 0.1 * std::abs(pair.s));
      }
    }
  }
}

TEST_CASE("penalty iteration: a group of close modes is continued together, each to one of its own") {
  // Two pairs of masses on a rod each, which differ by 10⁻⁹ in one spring.
  Eigen::MatrixXd K = Eigen::Vector4d(1, 2, 1, 2 + 1e-9).asDiagonal(), J(2, 4);
  J << 1, -1, 0, 0, 0, 0, 1, -1;
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(4, 4);
  const Penalty penalty(system_of(unit, K, J, 0.1 * unit), 1e3);
  const auto pairs = testing::exact_pairs(penalty.system);
  std::vector<Complex> s;
  std::vector<Eigen::VectorXcd> x, y;
  for (const testing::ExactPair& pair : pairs) {
    if (pair.s.imag() < 0) continue;
    s.push_back(pair.s);
    // Any combination of both vectors is as good but for 10⁻⁹.
    const double other = s.size() == 1 ? 0.7 : -0.4;
    x.push_back(Eigen::Vector4d(1, 1, other, other).cast<Complex>());
    y.push_back(x.back());
  }
  REQUIRE(s.size() == 2);
  PenaltyIteration iteration(penalty.problem);
  const auto found = iteration.continue_from(s, penalty.scaled(x), penalty.scaled(y));
  REQUIRE(found.size() == 2);
  for (const PenaltyPair& pair : found) {
    CHECK(pair.residual <= 10 * tolerance::sufficient_penalty_residual);
    CHECK(penalty.distance(pair.s) < 1e-8);
  }
  CHECK(std::abs(found[0].s - found[1].s) > 1e-11);  // s differs by 10⁻⁹ / (2 · 2 · 1.2)
}

TEST_CASE("penalty iteration: beside a real shift a real value has no imaginary part") {
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(2, 2);
  Eigen::MatrixXd J(1, 2);
  J << 1, -1;
  const Penalty penalty(system_of(unit, unit, J, 5 * unit), 1e3);
  PenaltyIteration iteration(penalty.problem);
  for (const testing::ExactPair& pair : testing::exact_pairs(penalty.system)) {
    const auto found = iteration.continue_from({pair.s}, penalty.scaled({pair.x}), penalty.scaled({pair.y}));
    CHECK(found[0].s.imag() == 0);
    CHECK(penalty.distance(found[0].s) < 1e-8);
  }
}
