// A conservative system at one shift: the number of eigenvalues below it, and those near it.

#include "modes/undamped/shifted_lanczos.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dense_reference.h"
#include "support/forms/systems.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-11;  // of μ, relative to the largest; eigenvalues are better than vectors by the square

constexpr Eigen::Index n = 20;

LinearSystem chain() {
  MatrixXd K = 2 * MatrixXd::Identity(n, n);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  return system_of(MatrixXd::Identity(n, n), K);
}

/// μ of the chain, unscaled: 4 sin² (jπ / 2(n + 1)).
double exact(Eigen::Index j) {
  return std::pow(2 * std::sin(static_cast<double>(j) * std::numbers::pi / (2 * n + 2)), 2);
}

struct Shifted {
  explicit Shifted(const LinearSystem& system) : problem(system), pencil(problem), shift(pencil, options) {}
  double scaled(double mu) const { return mu / (pencil.frequency_scale() * pencil.frequency_scale()); }

  BorderedProblem problem;
  ConservativePencil pencil;
  SlicingOptions options;
  ConservativeShift shift;
};

}  // namespace

TEST_CASE("conservative shift: inertia counts the eigenvalues below it") {
  const LinearSystem system = chain();
  Shifted shifted(system);
  for (Eigen::Index j = 0; j <= n; ++j) {
    CAPTURE(j);
    REQUIRE(shifted.shift.move_to(shifted.scaled(0.5 * (exact(j) + exact(j + 1)))));
    CHECK(shifted.shift.below() == j);
  }
  CHECK(shifted.shift.dof() == n);
}

TEST_CASE("conservative shift: constraints and massless coordinates do not count") {
  for (const double mass : {1.0, 0.0}) {
    MatrixXd M = MatrixXd::Identity(5, 5), K = 2 * M, J = MatrixXd::Zero(2, 5);
    M(1, 1) = M(3, 3) = mass;
    K.diagonal(1).setConstant(-1);
    K.diagonal(-1).setConstant(-1);
    J.row(0) << 1, 0, 0, 0, -1;
    J.row(1) = 2 * J.row(0);
    const LinearSystem system = system_of(M, K, J);
    Shifted shifted(system);
    CHECK(shifted.shift.dof() == 4);
    REQUIRE(shifted.shift.move_to(1e6));  // beyond all
    CHECK(shifted.shift.below() == (mass == 0 ? 2 : 4));
    REQUIRE(shifted.shift.move_to(-1e6));
    CHECK(shifted.shift.below() == 0);
  }
}

TEST_CASE("conservative pencil: a projection keeps the constraints and the forces that K − σM feels along them") {
  MatrixXd K = 3 * MatrixXd::Identity(6, 6), J = MatrixXd::Zero(2, 6);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  J.row(0) << 1, -1, 0, 0, 0, 0;
  J.row(1) << 0, 0, 1, 1, 0, 2;
  const LinearSystem system = system_of(MatrixXd::Identity(6, 6), K, J);
  Shifted shifted(system);
  REQUIRE(shifted.shift.move_to(-0.5));
  MatrixXd z(8, 2);
  z << VectorXd::LinSpaced(8, 1, 3), VectorXd{{1, 0, -2, 1, 1, 5, 7, 9}};
  const MatrixXd x = shifted.pencil.project(z).topRows(6);
  CHECK((shifted.problem.J() * x).norm() < 1e-13);
  CHECK((shifted.pencil.project(shifted.pencil.project(z)).topRows(6) - x).norm() < 1e-12);
  // x differs from z by something that is orthogonal to all motions with respect to K − σM.
  const MatrixXd R = dense::null_space(shifted.problem.J().copy().toDense());
  const MatrixXd off = x - z.topRows(6), forces = shifted.problem.K() * off + 0.5 * (shifted.problem.M() * off);
  CHECK((R.transpose() * forces).norm() < 1e-12);
  CHECK(off.norm() > 0.1);
}

TEST_CASE("conservative shift: at an eigenvalue there is none; beside it there is") {
  const LinearSystem system = system_of(MatrixXd::Identity(2, 2), MatrixXd{{1, -1}, {-1, 1}});  // μ = 0 and 2
  Shifted shifted(system);
  CHECK(!shifted.shift.move_to(0));
  CHECK(shifted.shift.move_beside(shift_beside_zero));
  CHECK(shifted.shift.at() < 0);
  CHECK(shifted.shift.below() == 0);
  const auto count = shifted.shift.count_below(0, 1e-4);  // moves outwards from the eigenvalue
  REQUIRE(count);
  CHECK(count->below == 1);
  CHECK(count->at > 0);
  CHECK(count->at < 0.01);
}

TEST_CASE("conservative shift: a search finds the eigenvalues around it with M-orthonormal vectors") {
  const LinearSystem system = chain();
  Shifted shifted(system);
  const double sigma = 0.5 * (exact(7) + exact(8));
  REQUIRE(shifted.shift.move_to(shifted.scaled(sigma)));
  const MatrixXd locked(shifted.pencil.size(), 0);
  const auto search = shifted.shift.lanczos(1, locked, 4);
  const LanczosView view = search->run(4, 10, [](const LanczosView& now) { return now.converged() >= 4; });
  REQUIRE(view.converged() >= 4);
  const Region region{shifted.scaled(sigma), shifted.scaled(0.6 * (exact(9) - exact(6)))};
  ConservativePairs found;
  found.z.resize(shifted.pencil.size(), 0);
  shifted.shift.take(*search, view, region, locked, 1e-8, found);
  REQUIRE(found.size() == 4);
  VectorXd mu = found.mu;
  std::sort(mu.begin(), mu.end());
  for (Eigen::Index k = 0; k < 4; ++k) CHECK(std::abs(mu[k] - shifted.scaled(exact(6 + k))) < rounding);
  const MatrixXd products = found.z.transpose() * (shifted.pencil.mass() * found.z);
  CHECK((products - MatrixXd::Identity(4, 4)).norm() < 1e-9);  // vectors have the tolerance of the search
  CHECK(found.error.maxCoeff() < rounding);
  CHECK(nearest_to_shift(view, found) == doctest::Approx(shifted.scaled(0.5 * (exact(8) - exact(7)))));
}

TEST_CASE("conservative shift: a search beside locked vectors finds the others") {
  const LinearSystem system = chain();
  Shifted shifted(system);
  REQUIRE(shifted.shift.move_to(0));
  const MatrixXd no_columns(n, 0);
  const auto first = shifted.shift.lanczos(1, no_columns, 3);
  const auto has = [](Index count) { return [count](const LanczosView& now) { return now.converged() >= count; }; };
  const LanczosView lowest = first->run(3, 10, has(3));
  ConservativePairs found;
  found.z.resize(n, 0);
  shifted.shift.take(*first, lowest, {0, shifted.scaled(0.5 * (exact(3) + exact(4)))}, no_columns, 1e-8, found);
  REQUIRE(found.size() == 3);
  const MatrixXd locked = found.z;
  const auto second = shifted.shift.lanczos(2, locked, 2);
  const LanczosView others = second->run(2, 10, has(2));
  REQUIRE(others.converged() >= 2);
  CHECK(std::abs(others.mu(0) - shifted.scaled(exact(4))) < 1e-8);
  CHECK(std::abs(others.mu(1) - shifted.scaled(exact(5))) < 1e-8);
}

TEST_CASE("conservative pairs: those in a part of the region") {
  ConservativePairs pairs;
  pairs.mu = VectorXd{{1, 2, 3}};
  pairs.error = VectorXd{{0.1, 0.2, 0.3}};
  pairs.z = MatrixXd::Identity(3, 3);
  CHECK(pairs.count_in({2, 1.5}) == 3);
  CHECK(pairs.count_in({2, 1}) == 1);  // the edge does not count
  CHECK(pairs.vectors_in({2, 1}) == MatrixXd(MatrixXd::Identity(3, 3).col(1)));
  pairs.keep({2, 0});
  CHECK(pairs.mu == VectorXd{{3, 1}});
  CHECK(pairs.error == VectorXd{{0.3, 0.1}});
  CHECK(pairs.z.col(0) == VectorXd::Unit(3, 2));
}
