// Logarithmic scaling: exact where rows and columns explain all entries, and independent of their units.

#include "algebra/scaling/log_scaling.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double fraction_of_a_bit = 0.25;  // the iteration ends at a root mean square of a twentieth

/// log₂|a_ij| + r_i + c_j of the entries, 0 where there is none.
MatrixXd scaled_logarithms(const MatrixXd& A, const LogScales& scales) {
  return MatrixXd::NullaryExpr(A.rows(), A.cols(), [&](Eigen::Index i, Eigen::Index j) {
    return A(i, j) == 0 ? 0 : std::log2(std::abs(A(i, j))) + scales.rows[i] + scales.columns[j];
  });
}

LogScales scales_of(const MatrixXd& A) { return log_scales(A.sparseView()); }

MatrixXd sparse_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd A = MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.maybe(0.4) ? random.entry() : 0; });
  for (Eigen::Index i = 0; i < rows; ++i) A(i, i % columns) = random.entry();
  for (Eigen::Index j = 0; j < columns; ++j) A(j % rows, j) = random.entry();
  return A;
}

VectorXd units(Random& random, Eigen::Index size) {
  VectorXd result(size);
  for (double& unit : result) unit = random.scaled(1e-6, 1e6);
  return result;
}

}  // namespace

TEST_CASE("logarithmic scaling: products of a row's and a column's unit become one") {
  Random random(1);
  const VectorXd rows = units(random, 8), columns = units(random, 5);
  MatrixXd A = rows * columns.transpose();
  A(2, 3) = A(4, 0) = A(7, 1) = 0;
  CHECK(scaled_logarithms(A, scales_of(A)).cwiseAbs().maxCoeff() < fraction_of_a_bit);
}

TEST_CASE("logarithmic scaling: the scaled matrix does not depend on the units") {
  Random random(2);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const MatrixXd A = sparse_matrix(random, 8, 10);
    const VectorXd rows = units(random, 8), other_rows = units(random, 8);
    const MatrixXd B = rows.asDiagonal() * A * units(random, 10).asDiagonal();
    const MatrixXd C = other_rows.asDiagonal() * A * units(random, 10).asDiagonal();
    const MatrixXd difference = scaled_logarithms(B, scales_of(B)) - scaled_logarithms(C, scales_of(C));
    CHECK(difference.cwiseAbs().maxCoeff() < 2 * fraction_of_a_bit);
  }
}

TEST_CASE("logarithmic scaling: a matrix whose rows and columns are one within a bit on average is left as it is") {
  Random random(3);
  const MatrixXd A = MatrixXd::NullaryExpr(6, 6, [&](auto, auto) { return random.between(0.6, 1.4); });
  const LogScales scales = scales_of(A);
  CHECK(scales.rows.isZero(0));
  CHECK(scales.columns.isZero(0));
}

TEST_CASE("logarithmic scaling: a minute entry does not outweigh the others of its row") {
  MatrixXd A = MatrixXd::Ones(6, 6);
  A(0, 0) = 1e-17;
  const MatrixXd logarithms = scaled_logarithms(A, scales_of(A));
  // With squares alone the first row and column would be raised by some ten bits.
  CHECK(logarithms.bottomRightCorner(5, 5).cwiseAbs().maxCoeff() < 2);
  CHECK(logarithms.row(0).tail(5).cwiseAbs().maxCoeff() < 2);
  CHECK(logarithms(0, 0) < -40);
}

TEST_CASE("logarithmic scaling: rows and columns without entries are not scaled") {
  MatrixXd A = MatrixXd::Zero(3, 3);
  A(0, 0) = A(0, 2) = A(2, 0) = 1024;
  const LogScales scales = scales_of(A);
  CHECK(scales.rows[1] == 0);
  CHECK(scales.columns[1] == 0);
  CHECK(scaled_logarithms(A, scales).cwiseAbs().maxCoeff() < fraction_of_a_bit);
  CHECK(log_scales(SparseMatrix(0, 2)).columns.isZero(0));
}
