// Galerkin's method: the basis, the projected problem, and constraints that are restored.

#include "modes/damped/galerkin_space.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <random>
#include <vector>

#include "modes/damped/toar_search.h"
#include "modes/exact_pairs.h"
#include "modes/undamped/conservative_pencil.h"
#include "support/modes/damped_row.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double orthogonal = 1e-13;  // orthogonalised twice
constexpr double rounding = 1e-11;    // eigenvalues of a linearisation of order 24
constexpr double sigma = -0.05;       // a real shift between the eigenvalues
constexpr Index N = 12;

struct Row {
  Row() : system(damped_row(N, 0.02, 0.03)), problem(system), inner_product(with_regularized_mass(problem.M().copy())) {
    for (const testing::ExactPair& pair : testing::exact_pairs(system)) {
      if (pair.s.imag() < 0) continue;
      s.push_back(pair.s / problem.frequency_scale());
      x.push_back(pair.x.cwiseQuotient(problem.coordinate_scale()));
    }
  }
  GalerkinSpace space() const {
    return {problem, inner_product, [](const MatrixXd& vectors) { return vectors; }};
  }
  double distance(Complex value) const {
    double nearest = 1e9;
    for (const Complex exact : s) nearest = std::min(nearest, std::abs(exact - value));
    return nearest;
  }

  LinearSystem system;
  BorderedProblem problem;
  SparseMatrix inner_product;
  std::vector<Complex> s;
  std::vector<Eigen::VectorXcd> x;
};

MatrixXd basis_of(const GalerkinSpace& space) {
  return space.vectors(MatrixXcd::Identity(space.size(), space.size())).real();
}

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

}  // namespace

TEST_CASE("Galerkin space: the basis is orthonormal in the inner product, however it has grown") {
  const Row row;
  GalerkinSpace space = row.space();
  Random random(1);
  for (const Eigen::Index columns : {1, 3, 2}) {
    MatrixXd vectors = drawn(random, N, columns);
    if (space.size() > 0)
      vectors = 1e-6 * vectors + basis_of(space).leftCols(1) * drawn(random, 1, columns);  // nearly in it
    space.add(vectors);
    const MatrixXd V = basis_of(space);
    CHECK((V.transpose() * row.inner_product * V - MatrixXd::Identity(V.cols(), V.cols())).norm() < orthogonal);
  }
  CHECK(space.size() == 6);
}

TEST_CASE("Galerkin space: a vector that lies in it adds nothing, dependent new ones add one direction") {
  const Row row;
  GalerkinSpace space = row.space();
  Random random(2);
  const MatrixXd first = drawn(random, N, 3);
  space.add(first);
  space.add(first * drawn(random, 3, 2));
  CHECK(space.size() == 3);
  const VectorXd another = drawn(random, N, 1);
  MatrixXd both(N, 2);
  both << another, -2 * another;
  space.add(both);
  CHECK(space.size() == 4);
}

TEST_CASE("Galerkin space: the whole space has all eigenvalues with Im s >= 0, in the order of |s|") {
  const Row row;
  GalerkinSpace space = row.space();
  space.add(MatrixXd::Identity(N, N));
  const GalerkinValues values = space.values(sigma);
  REQUIRE(values.size() == static_cast<Index>(row.s.size()));
  for (Index k = 0; k < values.size(); ++k) {
    CHECK(values.s[k].imag() >= 0);
    CHECK(row.distance(values.s[k]) < rounding);
    if (k > 0) CHECK(std::abs(values.s[k]) >= std::abs(values.s[k - 1]));
    const Eigen::VectorXcd x = space.vectors(values.z).col(k);
    const Complex s = values.s[k];
    const Eigen::VectorXcd residual = s * s * (row.problem.M() * x) + s * (row.problem.C() * x) + row.problem.K() * x;
    CHECK(residual.norm() < rounding * x.norm());
  }
}

TEST_CASE("Galerkin space: a space that contains an eigenvector contains its eigenvalue, whatever else is in it") {
  const Row row;
  Random random(3);
  GalerkinSpace space = row.space();
  for (const std::size_t k : {2U, 5U}) {
    space.add(row.x[k].real());
    space.add(row.x[k].imag());
  }
  space.add(drawn(random, N, 2));
  const GalerkinValues values = space.values(sigma);
  for (const std::size_t k : {2U, 5U}) CHECK((values.s.array() - row.s[k]).abs().minCoeff() < rounding);
}

TEST_CASE("Galerkin space: as many undamped values lie below a number as in the space, or more") {
  const Row row;
  const LinearSystem without_damping = damped_row(N, 0, 0);
  std::vector<double> mu;
  GalerkinSpace of_lowest = row.space();
  for (const testing::ExactPair& pair : testing::exact_pairs(without_damping)) {
    if (pair.s.imag() < 0) continue;
    mu.push_back(std::norm(pair.s / row.problem.frequency_scale()));
    const Eigen::VectorXcd x = pair.x.cwiseQuotient(row.problem.coordinate_scale());
    if (mu.size() <= 4) of_lowest.add(MatrixXd(x.real() + x.imag()));
  }
  REQUIRE(std::is_sorted(mu.begin(), mu.end()));
  REQUIRE(of_lowest.size() == 4);
  const auto below = [&](double limit) {
    return static_cast<Index>(std::lower_bound(mu.begin(), mu.end(), limit) - mu.begin());
  };
  Random random(4);
  GalerkinSpace drawn_space = row.space();
  CHECK(drawn_space.undamped().at_least_below(mu.back()) == 0);
  drawn_space.add(drawn(random, N, 5));
  Index known = 0;
  for (std::size_t k = 0; k + 1 < mu.size(); ++k) {
    const double between = 0.5 * (mu[k] + mu[k + 1]);
    CHECK(of_lowest.undamped().at_least_below(between) == std::min<Index>(below(between), 4));
    CHECK(drawn_space.undamped().at_least_below(between) <= below(between));
    known = std::max(known, drawn_space.undamped().at_least_below(between));
    CHECK(of_lowest.undamped().at_least_below(mu[k]) == std::min<Index>(below(mu[k]), 4));  // rounding hides its sign
  }
  CHECK(known > 1);
}

TEST_CASE("Galerkin space: the share of the first vectors in each motion") {
  const Row row;
  GalerkinSpace space = row.space();
  space.add(MatrixXd::Identity(N, N).leftCols(2));
  space.add(MatrixXd::Identity(N, N).col(2));
  MatrixXcd z = MatrixXcd::Zero(3, 3);
  z(0, 0) = Complex(0, 2);
  z(2, 1) = 1;
  z.col(2) << 1, Complex(0, 1), 1;
  const VectorXd share = space.share_of_first(2, z);
  CHECK(share[0] == doctest::Approx(1));
  CHECK(share[1] == 0);
  CHECK(share[2] == doctest::Approx(std::sqrt(2.0 / 3)));
}

TEST_CASE("Galerkin space: vectors that break the constraints are projected onto them") {
  std::mt19937 engine(4);
  const LinearSystem system = testing::random_system({.coordinates = 9, .constraints = 3, .dampers = 2}, engine);
  const BorderedProblem problem(system);
  const SparseMatrix inner_product = with_regularized_mass(problem.M().copy());
  const MatrixXd R = dense::null_space(problem.J().copy().toDense());
  const auto project = [&](const MatrixXd& x) -> MatrixXd { return R * (R.transpose() * x); };
  GalerkinSpace space(problem, inner_product, project);
  Random random(5);
  space.add(drawn(random, 9, 4));
  space.add(drawn(random, 9, 4));
  CHECK(space.size() == 6);  // no more directions are allowed
  CHECK((problem.J() * basis_of(space)).norm() < 1e-12);
  const GalerkinValues values = space.values(sigma);
  for (const testing::ExactPair& pair : testing::exact_pairs(system)) {
    if (pair.s.imag() < 0) continue;
    const Complex s = pair.s / problem.frequency_scale();
    CHECK((values.s.array() - s).abs().minCoeff() < 1e-9 * (1 + std::abs(s)));
  }
}
