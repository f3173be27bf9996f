// Equilibration of a rectangular matrix by powers of two, and what it takes for noise.

#include "algebra/scaling/power_scaling.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.entry(); });
}

/// 2^rows J 2^columns
MatrixXd by_powers(const MatrixXd& J, const PowerScaled& scaled) {
  return MatrixXd::NullaryExpr(J.rows(), J.cols(), [&](Eigen::Index i, Eigen::Index j) {
    return std::ldexp(J(i, j), scaled.rows[static_cast<std::size_t>(i)] + scaled.columns[static_cast<std::size_t>(j)]);
  });
}

bool all_zero(const std::vector<int>& exponents) {
  return std::all_of(exponents.begin(), exponents.end(), [](int e) { return e == 0; });
}

}  // namespace

TEST_CASE("power scaling: where all columns have one unit, only the rows are scaled, to entries near one") {
  Random random(1);
  VectorXd units(5);
  for (double& unit : units) unit = random.scaled(1e-9, 1e9);
  const MatrixXd J = units.asDiagonal() * drawn(random, 5, 8);
  const std::vector<PowerScaled> scaled = scale_by_powers_of_two(J.sparseView(), 0);
  REQUIRE(scaled.size() == 1);
  CHECK(all_zero(scaled[0].columns));
  CHECK(scaled[0].S.toDense() == by_powers(J, scaled[0]));
  const VectorXd largest = scaled[0].S.toDense().cwiseAbs().rowwise().maxCoeff();
  CHECK(largest.minCoeff() >= 1);
  CHECK(largest.maxCoeff() < 2);
}

TEST_CASE("power scaling: in mixed units the largest entry of every row and column is one, to a factor of two") {
  Random random(2);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    VectorXd rows(6), columns(9);
    for (double& unit : rows) unit = random.scaled(1e-9, 1e9);
    for (double& unit : columns) unit = random.scaled(1e-3, 1e3);
    columns[0] = 1e-5;
    columns[1] = 1e5;  // columns 10¹⁰ apart cannot have one unit
    const MatrixXd J = rows.asDiagonal() * drawn(random, 6, 9) * columns.asDiagonal();
    const std::vector<PowerScaled> scaled = scale_by_powers_of_two(J.sparseView(), 0);
    REQUIRE(scaled.size() == 1);
    const MatrixXd S = scaled[0].S.toDense();
    CHECK(S == by_powers(J, scaled[0]));
    CHECK(S.cwiseAbs().rowwise().maxCoeff().minCoeff() >= 0.5);
    CHECK(S.cwiseAbs().colwise().maxCoeff().minCoeff() >= 0.5);
    CHECK(S.cwiseAbs().maxCoeff() <= 2);
  }
}

TEST_CASE("power scaling: the rounding of a zero is dropped before its column is scaled") {
  MatrixXd J(2, 3);
  J << 1, 6e-17, 0.5, 0.25, -1e-17, 1;
  for (const PowerScaled& scaled : scale_by_powers_of_two(J.sparseView(), 0)) {
    CHECK(scaled.S.nonZeros() == 4);
    CHECK(scaled.columns[1] == 0);
  }
}

TEST_CASE("power scaling: entries that may be noise or in another unit give both scalings") {
  MatrixXd J(2, 3);
  J << 1, 1e-7, 0.5, 0.25, 1, 1;
  const std::vector<PowerScaled> both = scale_by_powers_of_two(J.sparseView(), 1e-6);
  REQUIRE(both.size() == 2);
  CHECK(both[0].S.nonZeros() == 5);
  CHECK(scale_by_powers_of_two(J.sparseView(), 1e-8).size() == 1);
}

TEST_CASE("power scaling: rows alone, with noise, and rows and columns without entries") {
  MatrixXd J = MatrixXd::Zero(3, 3);
  J.row(0) << 1024, 0, 1e-3;
  J(2, 2) = 1e-5;
  const PowerScaled scaled = scale_rows_by_powers_of_two(J.sparseView(), 1e-5);
  CHECK(scaled.rows[0] == -10);
  CHECK(scaled.rows[1] == 0);
  CHECK(all_zero(scaled.columns));
  CHECK(scaled.S.nonZeros() == 2);  // 10⁻³ beside 1024 is noise
  CHECK(scaled.S.coeff(0, 0) == 1);
  CHECK(scaled.S.coeff(2, 2) >= 1);
  CHECK(scale_by_powers_of_two(SparseMatrix(0, 0), 0).size() == 1);
}
